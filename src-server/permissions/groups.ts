import { roles } from '../../src-shared/roles.ts'
import type { Database } from '../database.ts'
import { badRequest } from '../service-error.ts'
import type { UserRow } from '../workspace.ts'

/** A user group; members and subgroups are JSON arrays of ids, direct ones only. */
export interface GroupRow {
  readonly group_id: number
  readonly name: string
  readonly description: string
  readonly members: string
  readonly subgroups: string
  readonly is_system: number
  readonly is_active: number
  readonly creator_id: number | null
  readonly date_created: number | null
}

/**
 * System groups, each contained in the one before, with the lowest role that belongs to each; the last has no members.
 */
export const systemGroups = {
  'role:internet': roles.guest,
  'role:everyone': roles.guest,
  'role:members': roles.member,
  'role:fullmembers': roles.member,
  'role:moderators': roles.moderator,
  'role:administrators': roles.administrator,
  'role:owners': roles.owner,
  'role:nobody': 0,
} as const satisfies Readonly<Record<string, number>>
export type SystemGroupName = keyof typeof systemGroups

/** Whether a name belongs to a system group. */
const isSystemGroupName = (name: string): name is SystemGroupName => Object.hasOwn(systemGroups, name)

/** The group with this id, also if deactivated. */
export function groupById(db: Database, id: number): GroupRow | undefined {
  return db.get<GroupRow>('SELECT * FROM user_groups WHERE group_id = ?', id)
}

/** The id of a system group. */
export function systemGroupId(db: Database, name: SystemGroupName): number {
  const row = db.get<{ group_id: number }>('SELECT group_id FROM user_groups WHERE name = ?', name)
  if (row === undefined) throw new Error(`the organization has no group ${name}`)
  return row.group_id
}

/** The id of the system group whose direct members are the accounts with a role. */
export function roleGroupId(db: Database, role: number): number {
  // If two system groups have the same role, the wider one contains the narrower one, which contains the people.
  const name = Object.keys(systemGroups)
    .filter(isSystemGroupName)
    .findLast((one) => systemGroups[one] === role)
  return systemGroupId(db, name ?? 'role:nobody')
}

/** The ids in one of a group's two JSON columns, which only this service writes. */
export const idsFromJson = (json: string): number[] => JSON.parse(json) as number[]

/** The groups nested in a group, directly or indirectly; the group itself is included only if it is in a cycle. */
export function subgroupsOf(db: Database, groupId: number): Set<number> {
  const found = new Set<number>()
  const queue = [groupId]
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const inner of directSubgroupsOf(db, id)) {
      if (found.has(inner)) continue
      found.add(inner)
      queue.push(inner)
    }
  }
  return found
}

/** The direct subgroups of a group; a system group contains the next narrower one. */
export function directSubgroupsOf(db: Database, groupId: number): number[] {
  const group = groupById(db, groupId)
  if (group === undefined) return []
  if (group.is_system === 0 || !isSystemGroupName(group.name)) return idsFromJson(group.subgroups)
  const names: readonly string[] = Object.keys(systemGroups)
  const next = names[names.indexOf(group.name) + 1]
  const hasNone = next === undefined || next === 'role:nobody' || group.name === 'role:nobody'
  return hasNone || !isSystemGroupName(next) ? [] : [systemGroupId(db, next)]
}

/**
 * The active people and bots who are direct members of a group; in a system group, those whose role belongs to it.
 */
export function directMembersOf(db: Database, group: GroupRow): number[] {
  if (group.is_system === 0 || !isSystemGroupName(group.name))
    return activeOnly(db, idsFromJson(group.members))
  const role = systemGroups[group.name]
  // If two system groups have the same role, the wider one contains the narrower one, which contains the people.
  const isOuter = group.name === 'role:internet' || group.name === 'role:members'
  return isOuter
    ? []
    : db.column<number>('SELECT user_id FROM users WHERE role = ? AND is_active = 1 ORDER BY user_id', role)
}

/** The active people and bots in a group, directly or through nested groups, ascending. */
export function membersOf(db: Database, groupId: number): number[] {
  const found = new Set<number>()
  for (const id of [groupId, ...subgroupsOf(db, groupId)]) {
    const group = groupById(db, id)
    for (const member of group === undefined ? [] : directMembersOf(db, group)) found.add(member)
  }
  return [...found].sort((a, b) => a - b)
}

/** These people without deactivated and unknown ones, in the same order. */
export function activeOnly(db: Database, userIds: readonly number[]): number[] {
  const active = new Set(
    db.column<number>(
      'SELECT user_id FROM users WHERE is_active = 1 AND user_id IN (SELECT value FROM json_each(?))',
      JSON.stringify(userIds),
    ),
  )
  return userIds.filter((id) => active.has(id))
}

/** Whether a person is in a group: directly, by role, or through nested groups. */
export function isInGroup(db: Database, user: UserRow, groupId: number, seen = new Set<number>()): boolean {
  if (seen.has(groupId)) return false
  seen.add(groupId)
  const group = groupById(db, groupId)
  if (group === undefined) return false
  if (group.is_system === 1) return isSystemGroupName(group.name) && user.role <= systemGroups[group.name]
  return (
    idsFromJson(group.members).includes(user.user_id) ||
    idsFromJson(group.subgroups).some((id) => isInGroup(db, user, id, seen))
  )
}

/** The group, or a refusal that is the same for missing and for unusable groups. */
export function existingGroup(db: Database, id: number): GroupRow {
  const group = groupById(db, id)
  if (group === undefined) throw badRequest('Invalid user group')
  return group
}
