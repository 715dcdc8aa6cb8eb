import { userGroups } from '../../../src-shared/api/user-groups.ts'
import type { ActionOf } from '../../../src-shared/bridge/actions.ts'
import { isAble } from '../../../src-shared/model/server-abilities.ts'
import { knownLevel } from '../../store/cursor.ts'
import type { ReadableDb } from '../../store/database.ts'
import { hasObject } from '../../store/objects.ts'
import { idsIn, refreshOwnRights } from '../../store/permissions.ts'
import { changeGroupMembers, isInGroup, type MemberField } from '../../store/user-groups.ts'
import type { OfflineAction } from '../offline-action.ts'
import { groupOnServer } from './change-group.ts'

type Member = ActionOf<'set-group-member'>['member']

const placeOf = (member: Member): { readonly field: MemberField; readonly id: number } =>
  member.kind === 'person'
    ? { field: 'members', id: member.userId }
    : { field: 'direct_subgroup_ids', id: member.groupId }

function isApplied(db: ReadableDb, { groupId, member, on }: ActionOf<'set-group-member'>): boolean {
  const { field, id } = placeOf(member)
  return hasObject(db, 'user-group', groupId) && isInGroup(db, groupId, field, id) === on
}

/** Adds a person or group to a group or removes it (specification, POST /user_groups/{user_group_id}/members). */
export const setGroupMember: OfflineAction<'set-group-member'> = {
  // The server refuses a repeat; `isAlreadyDone` then checks the group.
  isRepeatable: true,
  lane: ({ groupId }) => `group:${groupId}`,
  mayCancel: true,
  isApplied,
  apply(db, action, { ownUserId }) {
    if (isApplied(db, action)) return
    const { field, id } = placeOf(action.member)
    changeGroupMembers(db, action.groupId, field, { [action.on ? 'added' : 'removed']: [id] })
    if (field === 'direct_subgroup_ids' || id === ownUserId) refreshOwnRights(db, ownUserId)
  },
  async send({ groupId: user_group_id, member, on }, { connection, signal, db }) {
    const { field, id } = placeOf(member)
    if (field === 'members') {
      const change = on ? { add: [id] } : { delete: [id] }
      await connection.call(userGroups.updateUserGroupMembers, { user_group_id, ...change }, { signal })
    } else if (isAble(knownLevel(db), 'subgroupsWithMembers')) {
      const change = on ? { add_subgroups: [id] } : { delete_subgroups: [id] }
      await connection.call(userGroups.updateUserGroupMembers, { user_group_id, ...change }, { signal })
    } else {
      const change = on ? { add: [id] } : { delete: [id] }
      await connection.call(userGroups.updateUserGroupSubgroups, { user_group_id, ...change }, { signal })
    }
    return null
  },
  async isAlreadyDone({ groupId, member, on }, _code, context) {
    const group = await groupOnServer(groupId, context)
    const { field, id } = placeOf(member)
    return group !== undefined && idsIn(group[field]).includes(id) === on
  },
  // Only two states, so the opposite of a change restores the state before it.
  join: (earlier, later) =>
    earlier.member.kind !== later.member.kind || placeOf(earlier.member).id !== placeOf(later.member).id
      ? undefined
      : earlier.on === later.on
        ? later
        : null,
  mayOvertake: ({ member }, earlier) => {
    if (earlier.name === 'change-group') return earlier.property !== 'active'
    if (earlier.name !== 'set-group-member') return false
    return earlier.member.kind !== member.kind || placeOf(earlier.member).id !== placeOf(member).id
  },
}
