import { groupId, userId } from '../../src-shared/ids.ts'
import type { Holders } from '../../src-shared/model/organization-edits.ts'
import type { ReadableDb } from './database.ts'
import { idsIn } from './permissions.ts'

/** The id of the group "nobody", which stands for an empty list; undefined if this device does not know it. */
function groupOfNobody(db: ReadableDb): number | undefined {
  const row = db.get<{ id: string }>(
    `SELECT object_id AS id FROM objects
     WHERE kind = 'user-group' AND body ->> '$.name' = 'role:nobody' AND body ->> '$.is_system_group' = 1`,
  )
  return row === undefined ? undefined : Number(row.id)
}

/**
 * Reads a permission's holders from their form on the wire: one group's id, or lists of people and groups
 * (specification, Group-setting value). Null if the value cannot be understood.
 */
export function holdersIn(db: ReadableDb): (value: unknown) => Holders | null {
  const nobody = groupOfNobody(db)
  const groups = (ids: readonly number[]) => ids.filter((id) => id !== nobody).map(groupId)
  return (value) => {
    if (typeof value === 'number') return { people: [], groups: groups([value]) }
    if (typeof value !== 'object' || value === null) return null
    const { direct_members, direct_subgroups }: Record<string, unknown> = { ...value }
    return { people: idsIn(direct_members).map(userId), groups: groups(idsIn(direct_subgroups)) }
  }
}

/** The wire's form of a permission's holders: one group's id wherever possible, which every server understands. */
export function wireHolders(
  db: ReadableDb,
  { people, groups }: Holders,
): number | { direct_members: number[]; direct_subgroups: number[] } {
  const only = groups.length === 0 ? groupOfNobody(db) : groups.length === 1 ? groups[0] : undefined
  if (people.length === 0 && only !== undefined) return only
  return { direct_members: [...people], direct_subgroups: [...groups] }
}
