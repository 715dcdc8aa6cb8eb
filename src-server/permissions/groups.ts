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

/** System groups, each within the one before, and the least role that is in them; nobody is in the last. */
export const systemGroups = {
  'role:internet': 600,
  'role:everyone': 600,
  'role:members': 400,
  'role:fullmembers': 400,
  'role:moderators': 300,
  'role:administrators': 200,
  'role:owners': 100,
  'role:nobody': 0,
} as const satisfies Readonly<Record<string, number>>
export type SystemGroupName = keyof typeof systemGroups

/** Whether a name is that of a group that every organization has. */
const isSystemGroupName = (name: string): name is SystemGroupName => Object.hasOwn(systemGroups, name)

/** The group of this id, also one that is deactivated. */
export function groupById(db: Database, id: number): GroupRow | undefined {
  return db.get<GroupRow>('SELECT * FROM user_groups WHERE group_id = ?', id)
}

/** The id of a group that every organization has. */
export function systemGroupId(db: Database, name: SystemGroupName): number {
  const row = db.get<{ group_id: number }>('SELECT group_id FROM user_groups WHERE name = ?', name)
  if (row === undefined) throw new Error(`the organization has no group ${name}`)
  return row.group_id
}

/** The ids in one of the two JSON columns of a group: both are written by this service only. */
export const idsIn = (json: string): number[] => JSON.parse(json) as number[]

/** The groups that a group contains, directly or through others, without itself unless it is in a circle. */
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

/** The groups that are directly in a group; a system group contains the next narrower one. */
export function directSubgroupsOf(db: Database, groupId: number): number[] {
  const group = groupById(db, groupId)
  if (group === undefined) return []
  if (group.is_system === 0 || !isSystemGroupName(group.name)) return idsIn(group.subgroups)
  const names: readonly string[] = Object.keys(systemGroups)
  const next = names[names.indexOf(group.name) + 1]
  const hasNone = next === undefined || next === 'role:nobody' || group.name === 'role:nobody'
  return hasNone || !isSystemGroupName(next) ? [] : [systemGroupId(db, next)]
}

/** The active people and bots who are directly in a group; in a system group, those whose role names it. */
export function directMembersOf(db: Database, group: GroupRow): number[] {
  if (group.is_system === 0 || !isSystemGroupName(group.name)) return activeOnly(db, idsIn(group.members))
  const role = systemGroups[group.name]
  // The wider ones of two groups of one role hold the narrower one, which holds the people.
  const isOuter = group.name === 'role:internet' || group.name === 'role:members'
  return isOuter
    ? []
    : db
        .all<{ user_id: number }>(
          'SELECT user_id FROM users WHERE role = ? AND is_active = 1 ORDER BY user_id',
          role,
        )
        .map((row) => row.user_id)
}

/** The active people and bots who are in a group, directly or through groups within it, ascending. */
export function membersOf(db: Database, groupId: number): number[] {
  const found = new Set<number>()
  for (const id of [groupId, ...subgroupsOf(db, groupId)]) {
    const group = groupById(db, id)
    for (const member of group === undefined ? [] : directMembersOf(db, group)) found.add(member)
  }
  return [...found].sort((a, b) => a - b)
}

/** These people without deactivated and unknown ones, in their order. */
export function activeOnly(db: Database, userIds: readonly number[]): number[] {
  const active = new Set(
    db
      .all<{ user_id: number }>(
        'SELECT user_id FROM users WHERE is_active = 1 AND user_id IN (SELECT value FROM json_each(?))',
        JSON.stringify(userIds),
      )
      .map((row) => row.user_id),
  )
  return userIds.filter((id) => active.has(id))
}

/** Whether a person is in a group, directly, by role, or through groups within it. */
export function isInGroup(db: Database, user: UserRow, groupId: number, seen = new Set<number>()): boolean {
  if (seen.has(groupId)) return false
  seen.add(groupId)
  const group = groupById(db, groupId)
  if (group === undefined) return false
  if (group.is_system === 1) return isSystemGroupName(group.name) && user.role <= systemGroups[group.name]
  return (
    idsIn(group.members).includes(user.user_id) ||
    idsIn(group.subgroups).some((id) => isInGroup(db, user, id, seen))
  )
}

/** The group, or the refusal that both missing ones and those not to be used get. */
export function existingGroup(db: Database, id: number): GroupRow {
  const group = groupById(db, id)
  if (group === undefined) throw badRequest('Invalid user group')
  return group
}
