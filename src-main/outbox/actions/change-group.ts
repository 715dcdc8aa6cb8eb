import { userGroups, type ApiUserGroup } from '../../../src-shared/api/user-groups.ts'
import type { ActionOf } from '../../../src-shared/bridge/actions.ts'
import type { GroupId } from '../../../src-shared/ids.ts'
import { groupPermissions } from '../../../src-shared/model/organization-edits.ts'
import { isAble } from '../../../src-shared/model/server-abilities.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { readCursor } from '../../store/cursor.ts'
import type { ReadableDb } from '../../store/database.ts'
import { holdersIn, wireHolders } from '../../store/holders.ts'
import { object, patchObject } from '../../store/objects.ts'
import { refreshOwnRights } from '../../store/permissions.ts'
import type { OfflineAction, SendContext } from '../offline-action.ts'
import { isHolders, isSameValue, joinedChange, type PropertyValue } from './property-change.ts'
import { withRefusalTexts, unlessRefused } from './refusals.ts'

type Change = ActionOf<'change-group'>

/** The server's current state of a group, with its direct members; undefined if there is none or the server refuses. */
export async function groupOnServer(
  id: GroupId,
  { connection, signal }: SendContext,
): Promise<ApiUserGroup | undefined> {
  const answer = await unlessRefused(
    connection.call(userGroups.getUserGroups, { include_deactivated_groups: true }, { signal }),
  )
  return answer?.user_groups.find((group) => group.id === id)
}

/** The field of a group that a change sets, and its new value. */
function inGroup(db: ReadableDb, { property, value }: Change): readonly [field: string, value: unknown] {
  if (property === 'name' || property === 'description') return [property, value]
  if (property === 'active') return ['deactivated', value === false]
  return [groupPermissions[property].field, isHolders(value) ? wireHolders(db, value) : value]
}

/** Whether the group already has the result of the change. */
function hasIt(db: ReadableDb, group: Readonly<Record<string, unknown>>, change: Change): boolean {
  const [field, wanted] = inGroup(db, change)
  if (!isHolders(change.value))
    return field === 'deactivated' ? (group[field] === true) === wanted : group[field] === wanted
  const now = holdersIn(db)(group[field])
  return now !== null && isSameValue(now, change.value)
}

function isApplied(db: ReadableDb, change: Change): boolean {
  const group = object(db, 'user-group', change.groupId)
  return group !== undefined && hasIt(db, group, change)
}

const wire = (db: ReadableDb, value: PropertyValue) => (isHolders(value) ? wireHolders(db, value) : undefined)

async function request(change: Change, context: SendContext): Promise<unknown> {
  const { connection, signal, db } = context
  const { groupId: user_group_id, property, value, before } = change
  if (property === 'active' && value === false)
    return connection.call(userGroups.deactivateUserGroup, { user_group_id }, { signal })
  const update = (fields: object) =>
    connection.call(userGroups.updateUserGroup, { user_group_id, ...fields }, { signal })
  if (property === 'active') return update({ deactivated: false })
  if (property === 'name' || property === 'description') {
    if (isAble(readCursor(db).featureLevel, 'singleGroupFields')) return update({ [property]: value })
    // Such a server wants both. The cache also shows what waits.
    const { name, description } = (await groupOnServer(user_group_id, context)) ?? {}
    return update({ name, description, [property]: value })
  }
  const old = before === undefined ? undefined : wire(db, before)
  return update({
    [groupPermissions[property].field]: { new: wire(db, value), ...(old === undefined ? {} : { old }) },
  })
}

/**
 * Changes one property of a group (specification, PATCH /user_groups/{user_group_id}). A permission is changed only if
 * the server still has the value that the person saw.
 */
export const changeGroup: OfflineAction<'change-group'> = {
  isRepeatable: true,
  lane: ({ groupId }) => `group:${groupId}`,
  mayCancel: true,
  isApplied,
  apply(db, change, { ownUserId }) {
    if (isApplied(db, change)) return
    const [field, value] = inGroup(db, change)
    patchObject(db, 'user-group', change.groupId, { [field]: value })
    // A deactivated group has no members.
    if (change.property === 'active') refreshOwnRights(db, ownUserId)
  },
  async send(change, context) {
    const { organization } = t.failures
    await withRefusalTexts(request(change, context), {
      EXPECTATION_MISMATCH: organization.changedMeanwhile,
      CANNOT_DEACTIVATE_GROUP_IN_USE: organization.groupInUse,
    })
    return null
  },
  async isAlreadyDone(change, _code, context) {
    const group = await groupOnServer(change.groupId, context)
    return group !== undefined && hasIt(context.db, group, change)
  },
  join: joinedChange,
  mayOvertake: ({ property }, earlier) =>
    property !== 'active' &&
    (earlier.name === 'set-group-member' ||
      (earlier.name === 'change-group' && earlier.property !== 'active' && earlier.property !== property)),
}
