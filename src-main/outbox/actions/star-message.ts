import { flags } from '../../../src-shared/api/flags.ts'
import { setStarred } from '../../store/flags.ts'
import type { OfflineAction } from '../offline-action.ts'

/** A star on messages, put on or taken off. */
export const starMessage: OfflineAction<'star-message'> = {
  isRepeatable: true,
  lane: ({ messageIds }) => (messageIds.length === 1 ? `star:${messageIds[0] ?? 0}` : 'star'),
  conversation: () => null,
  apply: (db, { messageIds, on }) => setStarred(db, messageIds, on),
  async send({ messageIds, on }, { connection, signal }) {
    await connection.call(
      flags.updateMessageFlags,
      { messages: [...messageIds], op: on ? 'add' : 'remove', flag: 'starred' },
      { signal },
    )
    return null
  },
  concerns: ({ messageIds }) => messageIds,
  join(earlier, later) {
    if (earlier.messageIds.length !== 1 || later.messageIds.length !== 1) return undefined
    return earlier.on === later.on ? later : null
  },
}
