import { messages } from '../../../src-shared/api/messages.ts'
import { removeMessages } from '../../store/messages.ts'
import type { OfflineAction } from '../offline-action.ts'
import { sourceOf } from './source-of.ts'

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
  // A deletion whose answer was lost is refused when it is repeated: there is nothing to delete any more.
  isDone: async ({ messageId }, _code, context) => (await sourceOf(messageId, context)) === null,
  concerns: ({ messageId }) => [messageId],
}
