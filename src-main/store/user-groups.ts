import type { ReadableDb, WritableDb } from './database.ts'
import { object, patchObject } from './objects.ts'
import { idsIn } from './permissions.ts'

/** The fields in which a group lists its direct members: people, or other groups. */
export type MemberField = 'members' | 'direct_subgroup_ids'

/** Whether a person or group is a direct member of a group; false if the group is not here. */
export const isInGroup = (db: ReadableDb, groupId: number, field: MemberField, id: number): boolean =>
  idsIn(object(db, 'user-group', groupId)?.[field]).includes(id)

/** Adds people or groups to a group and removes others; a group that is not here is ignored. */
export function changeGroupMembers(
  db: WritableDb,
  groupId: number,
  field: MemberField,
  { added = [], removed = [] }: { added?: readonly number[]; removed?: readonly number[] },
): void {
  const after = new Set([...idsIn(object(db, 'user-group', groupId)?.[field]), ...added])
  for (const id of removed) after.delete(id)
  patchObject(db, 'user-group', groupId, { [field]: [...after] })
}
