import { userGroups } from '../../../src-shared/api/user-groups.ts'
import type { ActionOf } from '../../../src-shared/bridge/actions.ts'
import { areSameHolders } from '../../../src-shared/model/organization-edits.ts'
import { groupId, isProvisional, userId } from '../../../src-shared/ids.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { hasObject, object, objectsOf, putObject, removeObject } from '../../store/objects.ts'
import { idsIn, refreshOwnRights } from '../../store/permissions.ts'
import { foldName } from '../../../src-shared/model/name-match.ts'
import type { OfflineAction, SendContext } from '../offline-action.ts'
import { refused, unlessRefused } from './refusals.ts'

type Creation = ActionOf<'create-group'>

type Group = Readonly<Record<string, unknown>>

/**
 * Whether a group may have been created by the action. A server below level 292 does not say who created it; names are
 * unique there too, so it only must not be one that was here before.
 */
const mayBeOwn = ({ id, creator_id: creator }: Group, { newestKnown = 0 }: Creation, ownUserId: number) =>
  creator === undefined ? Number(id) > newestKnown : creator === ownUserId

/**
 * Whether a group, from the cache or the server, was created by the own user and has the properties of the action; its
 * name may be another. One that was deactivated is an earlier one.
 */
function isAlike(group: Group, action: Creation, ownUserId: number): boolean {
  const { description, people, groups } = action
  return (
    mayBeOwn(group, action, ownUserId) &&
    group['deactivated'] !== true &&
    group['description'] === description &&
    areSameHolders(
      { people, groups },
      {
        people: idsIn(group['members']).map(userId),
        groups: idsIn(group['direct_subgroup_ids']).map(groupId),
      },
    )
  )
}

/** The same, with its name. */
const isAsWanted = (group: Group, action: Creation, ownUserId: number): boolean =>
  String(group['name']).toLowerCase() === action.groupName.toLowerCase() && isAlike(group, action, ownUserId)

async function groupsOnServer({ connection, signal }: SendContext) {
  const answer = await unlessRefused(connection.call(userGroups.getUserGroups, {}, { signal }))
  return answer?.user_groups ?? []
}

/** The server's id of the created group; null if the server does not have it. */
async function idOnServer(action: Creation, context: SendContext) {
  const groups = await groupsOnServer(context)
  return groups.find((group) => isAsWanted(group, action, context.ownUserId))?.id ?? null
}

/** Creates a group (specification, POST /user_groups/create). It is listed at once, with its members. */
export const createGroup: OfflineAction<'create-group'> = {
  // The server refuses a second group of the same name; `isAlreadyDone` then checks whether the first is ours.
  isRepeatable: true,
  lane: ({ groupName }) => `new-group:${foldName(groupName)}`,
  withDetails: (db, action) => ({
    ...action,
    newestKnown: Math.max(0, ...objectsOf(db, 'user-group').map(({ id }) => Number(id))),
  }),
  apply: () => {},
  creates: {
    show(db, { groupName, description, people, groups }, id, { ownUserId }) {
      if (hasObject(db, 'user-group', id)) return
      putObject(db, 'user-group', id, {
        id,
        name: groupName,
        description,
        members: people,
        direct_subgroup_ids: groups,
        is_system_group: false,
        deactivated: false,
        creator_id: ownUserId,
        // The server lets the creator of a group manage it.
        can_manage_group: { direct_members: [ownUserId], direct_subgroups: [] },
      })
      refreshOwnRights(db, ownUserId)
    },
    find: (db, action, { ownUserId }) => {
      const own = objectsOf(db, 'user-group').find(
        (group) =>
          typeof group['id'] === 'number' &&
          !isProvisional(group['id']) &&
          isAsWanted(group, action, ownUserId),
      )
      return typeof own?.['id'] === 'number' ? own['id'] : null
    },
    ownAlike: async (action, context) =>
      (await groupsOnServer(context)).flatMap((group) => {
        const { id, date_created: createdAt } = group
        return createdAt != null && isAlike(group, action, context.ownUserId) ? [{ id, createdAt }] : []
      }),
    renumber(db, from, to, { ownUserId }) {
      const group = object(db, 'user-group', from)
      if (group !== undefined && !hasObject(db, 'user-group', to))
        putObject(db, 'user-group', to, { ...group, id: to })
      removeObject(db, 'user-group', from)
      refreshOwnRights(db, ownUserId)
    },
    forget(db, id, { ownUserId }) {
      removeObject(db, 'user-group', id)
      refreshOwnRights(db, ownUserId)
    },
    merged(action, later) {
      if (later.name !== 'change-group' || typeof later.value !== 'string') return undefined
      return later.property === 'name'
        ? { ...action, groupName: later.value }
        : { ...action, description: later.value }
    },
  },
  async send(action, context) {
    const { groupName, description, people, groups } = action
    const { connection, signal } = context
    const given = { name: groupName, description, members: [...people] }
    const inner = groups.length === 0 ? {} : { subgroups: [...groups] }
    const answer = await connection.call(userGroups.createUserGroup, { ...given, ...inner }, { signal })
    // Older servers do not return the id.
    const id = answer.group_id ?? (await idOnServer(action, context))
    if (id === null) throw refused(t.channels.refused, 'GROUP_NOT_TOLD')
    return id
  },
  // If it may be ours and has the same properties, the answer was lost. Otherwise it is another group.
  isAlreadyDone: (action, _code, context) => idOnServer(action, context),
}
