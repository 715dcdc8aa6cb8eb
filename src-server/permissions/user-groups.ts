import type { Database } from '../database.ts'
import type { UserRow } from '../workspace.ts'
import type { GroupRow } from './groups.ts'
import { isGuest } from './roles.ts'
import { mayInGroup, mayInRealm } from './holders.ts'

/** Whether a person may do everything with a group. */
export const canManageGroup = (db: Database, user: UserRow, group: GroupRow): boolean =>
  mayInGroup(db, user, group, 'can_manage_group') ||
  (!isGuest(user) && mayInRealm(db, user, 'can_manage_all_groups'))

/** Whether a person may add others to a group; nobody can for system groups. */
export const canAddMembers = (db: Database, user: UserRow, group: GroupRow): boolean =>
  group.is_system === 0 &&
  (canManageGroup(db, user, group) || mayInGroup(db, user, group, 'can_add_members_group'))
