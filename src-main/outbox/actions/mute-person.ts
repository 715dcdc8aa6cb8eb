import { alertWords } from '../../../src-shared/api/alert-words.ts'
import { isPersonMuted, setPersonMuted } from '../../store/users.ts'
import type { OfflineAction } from '../offline-action.ts'

/** Muting somebody, or hearing them again (specification, POST and DELETE /users/me/muted_users). */
export const mutePerson: OfflineAction<'mute-person'> = {
  isRepeatable: true,
  lane: ({ userId }) => `mute:${userId}`,
  conversation: () => null,
  mayCancel: true,
  isSo: (db, { userId, on }) => isPersonMuted(db, userId) === on,
  apply: (db, { userId, on }, { clock }) => setPersonMuted(db, userId, on, clock.now()),
  async send({ userId, on }, { connection, signal }) {
    const endpoint = on ? alertWords.muteUser : alertWords.unmuteUser
    await connection.call(endpoint, { muted_user_id: userId }, { signal })
    return null
  },
  // The server refuses what is so already.
  isDone: (_action, code) => code === 'BAD_REQUEST',
  concerns: () => [],
  join: (earlier, later) => (earlier.on === later.on ? later : null),
}
