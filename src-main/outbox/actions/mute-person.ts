import { mutedUsers } from '../../../src-shared/api/muted-users.ts'
import { queue } from '../../../src-shared/api/queue.ts'
import { isPersonMuted, setPersonMuted } from '../../store/muted-users.ts'
import type { OfflineAction } from '../offline-action.ts'

/** Mutes or unmutes a person (specification, POST and DELETE /users/me/muted_users). */
export const mutePerson: OfflineAction<'mute-person'> = {
  isRepeatable: true,
  lane: ({ userId }) => `mute:${userId}`,
  mayCancel: true,
  isApplied: (db, { userId, on }) => isPersonMuted(db, userId) === on,
  apply: (db, { userId, on }, { clock }) => setPersonMuted(db, userId, on, clock.now()),
  async send({ userId, on }, { connection, signal }) {
    const endpoint = on ? mutedUsers.muteUser : mutedUsers.unmuteUser
    await connection.call(endpoint, { muted_user_id: userId }, { signal })
    return null
  },
  // The server answers "already so" and "never allowed" with the same code; only a registration tells which it is.
  async isAlreadyDone({ userId, on }, code, { connection, signal }) {
    if (code !== 'BAD_REQUEST') return false
    const { queue_id, muted_users } = await connection.call(
      queue.registerQueue,
      { event_types: ['muted_users'], fetch_event_types: ['muted_users'], queue_lifespan_secs: 1 },
      { signal },
    )
    if (queue_id !== null)
      // If the deletion fails, the queue expires on its own.
      await connection.call(queue.deleteQueue, { queue_id }, { signal }).catch(() => {})
    return muted_users !== undefined && muted_users.some(({ id }) => id === userId) === on
  },
  // Muting again is sent, because it changes the time since when the person is muted.
  join: (earlier, later) => (earlier.on === later.on ? later : later.on ? undefined : null),
}
