import { flags } from '../../../src-shared/api/flags.ts'
import { markUnread as markUnreadHere } from '../../store/flags.ts'
import type { OfflineAction } from '../offline-action.ts'

/** Messages that are to be read again. */
export const markUnread: OfflineAction<'mark-unread'> = {
  isRepeatable: true,
  lane: () => 'read',
  conversation: () => null,
  apply: (db, { messageIds }) => markUnreadHere(db, messageIds),
  async send({ messageIds }, { connection, signal }) {
    await connection.call(
      flags.updateMessageFlags,
      { messages: [...messageIds], op: 'remove', flag: 'read' },
      { signal },
    )
    return null
  },
  concerns: ({ messageIds }) => messageIds,
}
