import type { ReadableDb, WritableDb } from './database.ts'
import { object, patchObject } from './objects.ts'
import { idsIn } from './permissions.ts'

/** Where a group lists those who are in it by themselves: people, or other groups. */
export type MemberField = 'members' | 'direct_subgroup_ids'

/** Whether somebody or a group is in a group, not counting through another; false for a group that is not here. */
export const isInGroup = (db: ReadableDb, groupId: number, field: MemberField, id: number): boolean =>
  idsIn(object(db, 'user-group', groupId)?.[field]).includes(id)

/** Puts people or groups into a group and takes others out; a group that is not here is ignored. */
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
