import type { EventPayload } from '../../../src-shared/api/events.ts'
import type { WritableDb } from '../../store/database.ts'
import { patchObject, putObject, removeObject } from '../../store/objects.ts'
import { changeGroupMembers } from '../../store/user-groups.ts'
import { said, type ApplyContext } from './context.ts'

/** A group was added, changed or removed, or its members or subgroups changed. */
export function applyUserGroup(
  db: WritableDb,
  payload: EventPayload<'user_group'>,
  context: ApplyContext,
): void {
  context.rightsChanged = true
  noteSaid(payload, context.said)
  switch (payload.op) {
    case 'add':
      putObject(db, 'user-group', payload.group.id, payload.group)
      context.creationHeard(db)
      break
    case 'update':
      patchObject(db, 'user-group', payload.group_id, payload.data)
      break
    case 'remove':
      removeObject(db, 'user-group', payload.group_id)
      break
    case 'add_members':
      changeGroupMembers(db, payload.group_id, 'members', { added: payload.user_ids })
      break
    case 'remove_members':
      changeGroupMembers(db, payload.group_id, 'members', { removed: payload.user_ids })
      break
    case 'add_subgroups':
      changeGroupMembers(db, payload.group_id, 'direct_subgroup_ids', { added: payload.direct_subgroup_ids })
      break
    case 'remove_subgroups':
      changeGroupMembers(db, payload.group_id, 'direct_subgroup_ids', {
        removed: payload.direct_subgroup_ids,
      })
      break
  }
}

function noteSaid(payload: EventPayload<'user_group'>, all: Set<string>): void {
  const id = payload.op === 'add' ? payload.group.id : payload.group_id
  switch (payload.op) {
    case 'add':
    case 'remove':
      all.add(said.group(id)).add(said.active(id))
      break
    case 'update':
      if (payload.data.deactivated !== undefined) all.add(said.active(id))
      if (payload.data.deactivated === true) all.add(said.group(id))
      break
    case 'add_members':
    case 'remove_members':
      for (const user of payload.user_ids) all.add(said.member(id, 'person', user))
      break
    case 'add_subgroups':
    case 'remove_subgroups':
      for (const group of payload.direct_subgroup_ids) all.add(said.member(id, 'group', group))
      break
  }
}
