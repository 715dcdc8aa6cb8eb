import { messages } from '../../../src-shared/api/messages.ts'
import { removeMessages } from '../../store/messages.ts'
import type { OfflineAction } from '../offline-action.ts'

/** Takes a message away for everybody. */
export const deleteMessage: OfflineAction<'delete-message'> = {
  isRepeatable: true,
  lane: ({ messageId }) => `edit:${messageId}`,
  conversation: () => null,
  apply: (db, { messageId }) => removeMessages(db, [messageId]),
  async send({ messageId }, { connection, signal }) {
    await connection.call(messages.deleteMessage, { message_id: messageId }, { signal })
    return null
  },
  concerns: ({ messageId }) => [messageId],
}
