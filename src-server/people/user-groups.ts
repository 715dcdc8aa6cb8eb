import type { ApiUserGroup } from '../../src-shared/api/user-groups.ts'
import { directMembersOf, directSubgroupsOf, roleGroupId, type GroupRow } from '../permissions/groups.ts'
import { groupPermissionValues } from '../permissions/holders.ts'
import { badRequest } from '../service-error.ts'
import type { UserRow, Workspace } from '../workspace.ts'

const longestName = 100
const reserved = ['@', 'role:', 'user:', 'stream:', 'channel:']

/** A group's name in its stored form; refuses one that is empty, too long, reserved or taken. */
export function checkedGroupName(workspace: Workspace, wanted: string, ownId?: number): string {
  const name = wanted.trim()
  if (name === '') throw badRequest("User group name can't be empty!")
  if ([...name].length > longestName) {
    throw badRequest(`User group name cannot exceed ${longestName} characters.`)
  }
  const start = reserved.find((prefix) => name.startsWith(prefix))
  if (start !== undefined) throw badRequest(`User group name cannot start with '${start}'.`)
  const taken = workspace.db.get<{ group_id: number }>(
    'SELECT group_id FROM user_groups WHERE name = ? COLLATE NOCASE',
    name,
  )
  if (taken !== undefined && taken.group_id !== ownId)
    throw badRequest(`User group '${name}' already exists.`)
  return name
}

/** A group as the API shows it. */
export function apiUserGroup(workspace: Workspace, group: GroupRow): ApiUserGroup {
  const { db } = workspace
  return {
    id: group.group_id,
    name: group.name,
    description: group.description,
    members: directMembersOf(db, group),
    direct_subgroup_ids: directSubgroupsOf(db, group.group_id),
    is_system_group: group.is_system === 1,
    creator_id: group.creator_id,
    date_created: group.date_created,
    deactivated: group.is_active === 0,
    ...groupPermissionValues(db, group),
  }
}

/** Every group; deactivated ones only if wanted. */
export function userGroupState(workspace: Workspace, withDeactivated: boolean): ApiUserGroup[] {
  return workspace.db
    .all<GroupRow>(
      'SELECT * FROM user_groups WHERE is_active = 1 OR ? = 1 ORDER BY group_id',
      withDeactivated ? 1 : 0,
    )
    .map((group) => apiUserGroup(workspace, group))
}

/** Adds people to a group and tells everybody; they must not be members already. */
export function addGroupMembers(
  workspace: Workspace,
  group: GroupRow,
  before: readonly number[],
  added: readonly number[],
): void {
  if (added.length === 0) return
  writeMembers(workspace, group, [...before, ...added])
  workspace.publish(null, {
    type: 'user_group',
    op: 'add_members',
    group_id: group.group_id,
    user_ids: added,
  })
}

/** Replaces the members of a group by these people. */
export function writeMembers(workspace: Workspace, group: GroupRow, userIds: readonly number[]): void {
  workspace.db.run(
    'UPDATE user_groups SET members = ? WHERE group_id = ?',
    JSON.stringify(userIds),
    group.group_id,
  )
}

/** Tells everybody the new role of an account, and which groups it leaves and joins by that. */
export function publishRole(workspace: Workspace, was: UserRow, role: number): void {
  const { user_id } = was
  workspace.publish(null, { type: 'realm_user', op: 'update', person: { user_id, role } })
  const move = (op: 'remove_members' | 'add_members', of: number) =>
    workspace.publish(null, {
      type: 'user_group',
      op,
      group_id: roleGroupId(workspace.db, of),
      user_ids: [user_id],
    })
  move('remove_members', was.role)
  move('add_members', role)
}
