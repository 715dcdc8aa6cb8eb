import type { Handlers } from '../../src-shared/api/index.ts'
import { announcingVisibility } from '../channels/channel-audience.ts'
import {
  activeOnly,
  directMembersOf,
  directSubgroupsOf,
  existingGroup,
  idsFromJson,
  membersOf,
  subgroupsOf,
  type GroupRow,
} from '../permissions/groups.ts'
import { mayInGroup, mayInRealm, usesOfGroup } from '../permissions/holders.ts'
import { assertMemberAndPerson } from '../permissions/roles.ts'
import { checkedChanges, checkedPermissions, writePermissions } from '../permissions/setting-changes.ts'
import type { GroupPermission } from '../permissions/setting-table.ts'
import { canManageGroup } from '../permissions/user-groups.ts'
import { badRequest, ServiceError } from '../service-error.ts'
import { apiUserGroup, checkedGroupName, userGroupState, writeMembers } from '../people/user-groups.ts'
import type { UserRow, Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

const notAllowed = () => badRequest('Insufficient permission')

/** Tells everybody; `eventForms` converts the event for clients that do not know deactivated groups. */
const publish = (workspace: Workspace, event: Readonly<Record<string, unknown>>): void =>
  workspace.publish(null, { type: 'user_group', ...event })

const canManage = (workspace: Workspace, user: UserRow, group: GroupRow): boolean =>
  canManageGroup(workspace.db, user, group)

/** The group, if it is not a system group. */
function editableGroup(workspace: Workspace, id: number): GroupRow {
  const group = existingGroup(workspace.db, id)
  if (group.is_system === 1) throw notAllowed()
  return group
}

export const userGroups: Pick<
  Handlers<HandlerContext>,
  | 'getUserGroups'
  | 'createUserGroup'
  | 'updateUserGroup'
  | 'deactivateUserGroup'
  | 'updateUserGroupMembers'
  | 'updateUserGroupSubgroups'
  | 'getUserGroupMembers'
  | 'getUserGroupSubgroups'
  | 'getIsUserGroupMember'
> = {
  getUserGroups: ({ include_deactivated_groups }, { workspace, user }) => {
    assertMemberAndPerson(user)
    return { user_groups: userGroupState(workspace, include_deactivated_groups === true) }
  },

  createUserGroup: ({ name, description, members, subgroups, ...permissions }, { workspace, user }) => {
    const { db } = workspace
    assertMemberAndPerson(user)
    if (!mayInRealm(db, user, 'can_create_groups')) throw notAllowed()
    const kept = checkedGroupName(workspace, name)
    const people = activePeople(workspace, members)
    const inner = [...new Set(subgroups ?? [])]
    for (const id of inner) assertUsable(workspace, id)
    const checked = checkedPermissions(db, 'group', permissions)
    const groupId = db.transaction(() => {
      const { lastId } = db.run(
        `INSERT INTO user_groups (name, description, creator_id, date_created, members, subgroups)
         VALUES (?, ?, ?, ?, ?, ?)`,
        kept,
        description,
        user.user_id,
        workspace.now(),
        JSON.stringify(people),
        JSON.stringify(inner),
      )
      writePermissions(db, 'group', lastId, checked)
      return lastId
    })
    publish(workspace, { op: 'add', group: apiUserGroup(workspace, existingGroup(db, groupId)) })
    return { group_id: groupId }
  },

  updateUserGroup: (input, { workspace, user }) => {
    assertMemberAndPerson(user)
    const { user_group_id, name, description, deactivated, ...permissionChanges } = input
    const { db } = workspace
    const group = editableGroup(workspace, user_group_id)
    if (!canManage(workspace, user, group)) throw notAllowed()
    const isEmpty = [name, description, deactivated, ...Object.values(permissionChanges)].every(
      (one) => one === undefined,
    )
    if (isEmpty) throw badRequest('No new data supplied')
    const newName = name === undefined ? undefined : checkedGroupName(workspace, name, user_group_id)
    const permissions = checkedChanges(db, 'group', group, permissionChanges)
    const isReactivated = deactivated === false && group.is_active === 0
    const change = {
      ...(newName === undefined || newName === group.name ? {} : { name: newName }),
      ...(description === undefined || description === group.description ? {} : { description }),
    }
    db.transaction(() => {
      db.run(
        'UPDATE user_groups SET name = ?, description = ?, is_active = ? WHERE group_id = ?',
        change.name ?? group.name,
        change.description ?? group.description,
        isReactivated ? 1 : group.is_active,
        user_group_id,
      )
      writePermissions(db, 'group', user_group_id, permissions)
    })
    const data = {
      ...change,
      ...Object.fromEntries(permissions.map(({ setting, value }) => [setting, value])),
    }
    // Reactivation first: the following events are for clients that know the group.
    if (isReactivated)
      publish(workspace, { op: 'update', group_id: user_group_id, data: { deactivated: false } })
    if (Object.keys(data).length > 0) publish(workspace, { op: 'update', group_id: user_group_id, data })
    return {}
  },

  deactivateUserGroup: ({ user_group_id }, { workspace, user }) => {
    const { db } = workspace
    const group = editableGroup(workspace, user_group_id)
    if (!canManage(workspace, user, group)) throw notAllowed()
    if (group.is_active === 0) throw badRequest('User group is already deactivated.')
    const objections = objectionsTo(workspace, user_group_id)
    if (objections.length > 0) {
      throw new ServiceError('CANNOT_DEACTIVATE_GROUP_IN_USE', 'Cannot deactivate user group in use.', {
        objections,
      })
    }
    db.run('UPDATE user_groups SET is_active = 0 WHERE group_id = ?', user_group_id)
    publish(workspace, { op: 'update', group_id: user_group_id, data: { deactivated: true } })
    return {}
  },

  updateUserGroupMembers: (input, { workspace, user }) => {
    assertMemberAndPerson(user)
    const group = editableGroup(workspace, input.user_group_id)
    const changes = {
      add: input.add ?? [],
      remove: input.delete ?? [],
      addSubgroups: input.add_subgroups ?? [],
      removeSubgroups: input.delete_subgroups ?? [],
    }
    if (Object.values(changes).every((ids) => ids.length === 0)) {
      throw badRequest(
        'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".',
      )
    }
    changeMembers(workspace, user, group, changes)
    return {}
  },

  updateUserGroupSubgroups: (input, { workspace, user }) => {
    assertMemberAndPerson(user)
    const group = editableGroup(workspace, input.user_group_id)
    const changes = {
      add: [],
      remove: [],
      addSubgroups: input.add ?? [],
      removeSubgroups: input.delete ?? [],
    }
    if (changes.addSubgroups.length + changes.removeSubgroups.length === 0) {
      throw badRequest('Nothing to do. Specify at least one of "add" or "delete".')
    }
    changeMembers(workspace, user, group, changes)
    return {}
  },

  getUserGroupMembers: ({ user_group_id, direct_member_only }, { workspace, user }) => {
    assertMemberAndPerson(user)
    const group = existingGroup(workspace.db, user_group_id)
    return {
      members:
        direct_member_only === true
          ? directMembersOf(workspace.db, group)
          : membersOf(workspace.db, user_group_id),
    }
  },

  getUserGroupSubgroups: ({ user_group_id, direct_subgroup_only }, { workspace, user }) => {
    assertMemberAndPerson(user)
    existingGroup(workspace.db, user_group_id)
    return {
      subgroups:
        direct_subgroup_only === true
          ? directSubgroupsOf(workspace.db, user_group_id)
          : [...subgroupsOf(workspace.db, user_group_id)].sort((a, b) => a - b),
    }
  },

  getIsUserGroupMember: ({ user_group_id, user_id, direct_member_only }, { workspace, user }) => {
    assertMemberAndPerson(user)
    const { db } = workspace
    const group = existingGroup(db, user_group_id)
    activePeople(workspace, [user_id])
    const ids = direct_member_only === true ? directMembersOf(db, group) : membersOf(db, user_group_id)
    return { is_user_group_member: ids.includes(user_id) }
  },
}

/** These people, each once; refuses unknown and deactivated people. */
function activePeople(workspace: Workspace, userIds: readonly number[]): number[] {
  const wanted = [...new Set(userIds)]
  const active = activeOnly(workspace.db, wanted)
  const strange = wanted.find((id) => !active.includes(id))
  if (strange !== undefined) throw badRequest(`Invalid user ID: ${strange}`)
  return wanted
}

/** Refuses a group that must not be nested in another. */
function assertUsable(workspace: Workspace, groupId: number): void {
  const group = existingGroup(workspace.db, groupId)
  if (group.is_active === 0) throw badRequest('User group is deactivated.')
}

/** Why a group cannot be deactivated: everything that would still refer to it. */
function objectionsTo(workspace: Workspace, groupId: number): object[] {
  const { db } = workspace
  const supergroups = db
    .all<GroupRow>('SELECT * FROM user_groups WHERE is_system = 0 ORDER BY group_id')
    .filter((group) => idsFromJson(group.subgroups).includes(groupId))
    .map((group) => group.group_id)
  return [
    ...(supergroups.length > 0 ? [{ type: 'subgroup', supergroup_ids: supergroups }] : []),
    ...usesOfGroup(db, groupId).map(({ kind, id, settings }) => {
      if (kind === 'channel') return { type: 'channel', channel_id: id, settings }
      return kind === 'group' ? { type: 'user_group', group_id: id, settings } : { type: 'realm', settings }
    }),
  ]
}

interface MemberChanges {
  readonly add: readonly number[]
  readonly remove: readonly number[]
  readonly addSubgroups: readonly number[]
  readonly removeSubgroups: readonly number[]
}

/** Changes the members of a group: all of it or nothing. */
function changeMembers(workspace: Workspace, user: UserRow, group: GroupRow, changes: MemberChanges): void {
  const { db } = workspace
  const id = group.group_id
  const before = idsFromJson(group.members)
  const inner = idsFromJson(group.subgroups)
  assertMayChange(workspace, user, group, changes)
  const added = activePeople(workspace, changes.add)
  const removed = activePeople(workspace, changes.remove)
  const present = added.find((one) => before.includes(one))
  if (present !== undefined) throw badRequest(`User ${present} is already a member of this group`)
  const absent = removed.find((one) => !before.includes(one))
  if (absent !== undefined) throw badRequest(`There is no member '${absent}' in this user group`)

  const addedInner = [...new Set(changes.addSubgroups)]
  const removedInner = [...new Set(changes.removeSubgroups)]
  for (const one of addedInner) {
    assertUsable(workspace, one)
    if (inner.includes(one)) throw badRequest(`User group ${one} is already a subgroup of this group`)
    if (one === id || subgroupsOf(db, one).has(id)) {
      throw badRequest(`User group ${one} cannot be a subgroup: the group would contain itself`)
    }
  }
  const absentInner = removedInner.find((one) => !inner.includes(one))
  if (absentInner !== undefined) throw badRequest(`User group ${absentInner} is not a subgroup of this group`)

  announcingVisibility(workspace, null, () => {
    const kept = before.filter((one) => !removed.includes(one))
    db.transaction(() => {
      writeMembers(workspace, group, [...kept, ...added])
      db.run(
        'UPDATE user_groups SET subgroups = ? WHERE group_id = ?',
        JSON.stringify([...inner.filter((one) => !removedInner.includes(one)), ...addedInner]),
        id,
      )
    })
    const tell = (op: string, name: string, ids: readonly number[]) => {
      if (ids.length === 0) return
      publish(workspace, { op, group_id: id, [name]: ids })
    }
    tell('add_members', 'user_ids', added)
    tell('remove_members', 'user_ids', removed)
    tell('add_subgroups', 'direct_subgroup_ids', addedInner)
    tell('remove_subgroups', 'direct_subgroup_ids', removedInner)
  })
}

function assertMayChange(workspace: Workspace, user: UserRow, group: GroupRow, changes: MemberChanges): void {
  if (canManage(workspace, user, group)) return
  const may = (name: GroupPermission) => mayInGroup(workspace.db, user, group, name)
  const isOnlyOneself = (ids: readonly number[]) => ids.every((one) => one === user.user_id)
  const mayAdd =
    changes.add.length === 0 ||
    may('can_add_members_group') ||
    (isOnlyOneself(changes.add) && may('can_join_group'))
  const mayRemove =
    changes.remove.length === 0 ||
    may('can_remove_members_group') ||
    (isOnlyOneself(changes.remove) && may('can_leave_group'))
  // The managers of a nested group decide about its members.
  const isAboutPeople = changes.addSubgroups.length + changes.removeSubgroups.length === 0
  if (!mayAdd || !mayRemove || !isAboutPeople) throw notAllowed()
}
