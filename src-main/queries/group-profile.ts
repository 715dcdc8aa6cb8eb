import { groupId, type GroupId } from '../../src-shared/ids.ts'
import type { GroupProfile } from '../../src-shared/model/profile.ts'
import { object } from '../store/objects.ts'
import { idsIn } from '../store/permissions.ts'
import type { QueryContext } from './context.ts'
import { personColumns, personFromRow, type PersonRow } from './labels.ts'

/** A card lists at most this many members; more are only counted. */
const mostMembers = 300
/** The depth limit for nested groups; no organization nests them deeper. */
const deepest = 30

interface Group {
  readonly groupId: GroupId
  readonly name: string
  readonly description: string
  readonly members: readonly number[]
  readonly subgroups: readonly number[]
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const groupFrom = (body: Readonly<Record<string, unknown>>): Group => ({
  groupId: groupId(Number(body['id'])),
  name: textOf(body['name']),
  description: textOf(body['description']),
  members: idsIn(body['members']),
  subgroups: idsIn(body['direct_subgroup_ids']),
})

/** A group with its members, including those of nested groups; null if this device does not know it. */
export function groupProfile(context: QueryContext, id: GroupId): GroupProfile | null {
  const { db } = context
  const own = object(db, 'user-group', id)
  if (own === undefined) return null
  const group = groupFrom(own)
  const members = new Set(group.members)
  const subgroups: { groupId: GroupId; name: string }[] = []
  const seen = new Set<number>([id])
  let level = group.subgroups
  for (let depth = 0; level.length > 0 && depth < deepest; depth++) {
    const inner = level
      .filter((one) => !seen.has(one))
      .flatMap((one) => {
        seen.add(one)
        const body = object(db, 'user-group', one)
        return body === undefined ? [] : [groupFrom(body)]
      })
    if (depth === 0) subgroups.push(...inner.map(({ groupId, name }) => ({ groupId, name })))
    for (const one of inner) for (const member of one.members) members.add(member)
    level = inner.flatMap((one) => one.subgroups)
  }
  const shown = db.all<PersonRow>(
    `SELECT ${personColumns} FROM users LEFT JOIN presence USING (user_id)
     WHERE users.user_id IN (SELECT value FROM json_each(?)) AND is_active = 1
     ORDER BY users.user_id <> ?, folded_name LIMIT ${mostMembers}`,
    [JSON.stringify([...members]), context.ownUserId],
  )
  const memberCount =
    db.get<{ n: number }>(
      'SELECT count(*) AS n FROM users WHERE user_id IN (SELECT value FROM json_each(?)) AND is_active = 1',
      [JSON.stringify([...members])],
    )?.n ?? 0
  return {
    groupId: id,
    name: group.name,
    description: group.description,
    members: shown.map((row) => personFromRow(row, context)),
    memberCount,
    subgroups: subgroups.sort((a, b) => a.name.localeCompare(b.name)),
  }
}
