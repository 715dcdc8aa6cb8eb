import { settings } from '../../../src-shared/api/settings.ts'
import { fullNameOf, updateUser } from '../../store/users.ts'
import type { OfflineAction } from '../offline-action.ts'

/** Changes one's own name (specification, PATCH /settings). Of several waiting changes, only the last is sent. */
export const setOwnName: OfflineAction<'set-own-name'> = {
  isRepeatable: true,
  lane: () => 'own-name',
  isApplied: (db, { fullName }, { ownUserId }) => fullNameOf(db, ownUserId) === fullName,
  apply(db, { fullName }, { ownUserId }) {
    if (fullNameOf(db, ownUserId) !== fullName) updateUser(db, ownUserId, { fullName })
  },
  async send({ fullName }, { connection, signal }) {
    await connection.call(settings.updateSettings, { full_name: fullName }, { signal })
    return null
  },
  join: (_earlier, later) => later,
}
