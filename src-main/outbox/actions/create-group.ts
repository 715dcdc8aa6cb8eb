import { userGroups } from '../../../src-shared/api/user-groups.ts'
import { areSameHolders } from '../../../src-shared/model/organization-edits.ts'
import { groupId, userId } from '../../../src-shared/ids.ts'
import { foldName } from '../../store/users.ts'
import type { OfflineAction } from '../offline-action.ts'
import { unlessRefused } from './refusals.ts'

/** Founding a group (specification, POST /user_groups/create). It is a group once the server has numbered it. */
export const createGroup: OfflineAction<'create-group'> = {
  // A second one of the same name is refused, and then the first is looked at.
  isRepeatable: true,
  lane: ({ groupName }) => `new-group:${foldName(groupName)}`,
  conversation: () => null,
  apply: () => {},
  async send({ groupName, description, people, groups }, { connection, signal }) {
    const given = { name: groupName, description, members: [...people] }
    const inner = groups.length === 0 ? {} : { subgroups: [...groups] }
    await connection.call(userGroups.createUserGroup, { ...given, ...inner }, { signal })
    return null
  },
  // The person's own, as they wanted it: the answer was lost. Anything else of that name is another group.
  async isDone({ groupName, description, people, groups }, _code, { connection, signal, ownUserId }) {
    const answer = await unlessRefused(connection.call(userGroups.getUserGroups, {}, { signal }))
    return (
      answer?.user_groups.some(
        (group) =>
          group.name.toLowerCase() === groupName.toLowerCase() &&
          group.creator_id === ownUserId &&
          group.description === description &&
          areSameHolders(
            { people, groups },
            { people: group.members.map(userId), groups: group.direct_subgroup_ids.map(groupId) },
          ),
      ) === true
    )
  },
  concerns: () => [],
}
