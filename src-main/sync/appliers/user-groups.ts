import type { EventPayload } from '../../../src-shared/api/events.ts'
import type { WritableDb } from '../../store/database.ts'
import { object, patchObject, putObject, removeObject } from '../../store/objects.ts'
import type { ApplyContext } from './context.ts'

export function applyUserGroup(
  db: WritableDb,
  payload: EventPayload<'user_group'>,
  context: ApplyContext,
): void {
  context.rightsChanged = true
  switch (payload.op) {
    case 'add':
      putObject(db, 'user-group', payload.group.id, payload.group)
      break
    case 'update':
      patchObject(db, 'user-group', payload.group_id, payload.data)
      break
    case 'remove':
      removeObject(db, 'user-group', payload.group_id)
      break
    case 'add_members':
      changeIds(db, payload.group_id, 'members', { added: payload.user_ids })
      break
    case 'remove_members':
      changeIds(db, payload.group_id, 'members', { removed: payload.user_ids })
      break
    case 'add_subgroups':
      changeIds(db, payload.group_id, 'direct_subgroup_ids', { added: payload.direct_subgroup_ids })
      break
    case 'remove_subgroups':
      changeIds(db, payload.group_id, 'direct_subgroup_ids', { removed: payload.direct_subgroup_ids })
      break
  }
}

function changeIds(
  db: WritableDb,
  groupId: number,
  field: 'members' | 'direct_subgroup_ids',
  { added = [], removed = [] }: { added?: readonly number[]; removed?: readonly number[] },
): void {
  const before = object(db, 'user-group', groupId)?.[field]
  const ids = Array.isArray(before) ? before.filter((id) => typeof id === 'number') : []
  const after = new Set([...ids, ...added])
  for (const id of removed) after.delete(id)
  patchObject(db, 'user-group', groupId, { [field]: [...after] })
}
