import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { groupSettingChange, groupSettingValue, wireWholeSeconds } from './wire.ts'

/** A user group; members and subgroups are the direct ones. */
export const apiUserGroup = z.looseObject({
  id: z.int(),
  name: z.string(),
  description: z.string().default(''),
  members: z.array(z.int()).default([]),
  direct_subgroup_ids: z.array(z.int()).default([]),
  is_system_group: z.boolean().default(false),
  creator_id: z.int().nullish(),
  date_created: wireWholeSeconds.nullish(),
  deactivated: z.boolean().default(false),
  can_add_members_group: groupSettingValue.optional(),
  can_join_group: groupSettingValue.optional(),
  can_leave_group: groupSettingValue.optional(),
  can_manage_group: groupSettingValue.optional(),
  can_mention_group: groupSettingValue.optional(),
  can_remove_members_group: groupSettingValue.optional(),
})
export type ApiUserGroup = z.output<typeof apiUserGroup>

const groupId = { user_group_id: z.int() }

const permissions = {
  can_add_members_group: groupSettingValue.optional(),
  can_join_group: groupSettingValue.optional(),
  can_leave_group: groupSettingValue.optional(),
  can_manage_group: groupSettingValue.optional(),
  can_mention_group: groupSettingValue.optional(),
  can_remove_members_group: groupSettingValue.optional(),
}

/** User groups: their members, and who may change them. */
export const userGroups = {
  getUserGroups: endpoint({
    method: 'GET',
    path: '/user_groups',
    input: z.object({ include_deactivated_groups: z.boolean().optional() }),
    output: z.looseObject({ user_groups: z.array(apiUserGroup) }),
  }),
  createUserGroup: endpoint({
    method: 'POST',
    path: '/user_groups/create',
    input: z.object({
      name: z.string(),
      description: z.string(),
      members: z.array(z.int()),
      subgroups: z.array(z.int()).optional(),
      ...permissions,
    }),
    output: z.looseObject({ group_id: z.int().optional() }),
  }),
  updateUserGroup: endpoint({
    method: 'PATCH',
    path: '/user_groups/{user_group_id}',
    input: z.object({
      ...groupId,
      name: z.string().optional(),
      description: z.string().optional(),
      can_add_members_group: groupSettingChange.optional(),
      can_join_group: groupSettingChange.optional(),
      can_leave_group: groupSettingChange.optional(),
      can_manage_group: groupSettingChange.optional(),
      can_mention_group: groupSettingChange.optional(),
      can_remove_members_group: groupSettingChange.optional(),
      deactivated: z.boolean().optional(),
    }),
    output: z.looseObject({}),
  }),
  deactivateUserGroup: endpoint({
    method: 'POST',
    path: '/user_groups/{user_group_id}/deactivate',
    since: 290,
    input: z.object(groupId),
    output: z.looseObject({}),
  }),
  updateUserGroupMembers: endpoint({
    method: 'POST',
    path: '/user_groups/{user_group_id}/members',
    input: z.object({
      ...groupId,
      add: z.array(z.int()).optional(),
      delete: z.array(z.int()).optional(),
      add_subgroups: z.array(z.int()).optional(),
      delete_subgroups: z.array(z.int()).optional(),
    }),
    output: z.looseObject({}),
  }),
  updateUserGroupSubgroups: endpoint({
    method: 'POST',
    path: '/user_groups/{user_group_id}/subgroups',
    since: 127,
    input: z.object({
      ...groupId,
      add: z.array(z.int()).optional(),
      delete: z.array(z.int()).optional(),
    }),
    output: z.looseObject({}),
  }),
  getUserGroupMembers: endpoint({
    method: 'GET',
    path: '/user_groups/{user_group_id}/members',
    since: 127,
    input: z.object({ ...groupId, direct_member_only: z.boolean().optional() }),
    output: z.looseObject({ members: z.array(z.int()) }),
  }),
  getUserGroupSubgroups: endpoint({
    method: 'GET',
    path: '/user_groups/{user_group_id}/subgroups',
    since: 127,
    input: z.object({ ...groupId, direct_subgroup_only: z.boolean().optional() }),
    output: z.looseObject({ subgroups: z.array(z.int()) }),
  }),
  getIsUserGroupMember: endpoint({
    method: 'GET',
    path: '/user_groups/{user_group_id}/members/{user_id}',
    since: 127,
    input: z.object({ ...groupId, user_id: z.int(), direct_member_only: z.boolean().optional() }),
    output: z.looseObject({ is_user_group_member: z.boolean() }),
  }),
}

const op = <Op extends string>(name: Op) => z.literal(name)

/** What happens to user groups. */
export const userGroupEvent = z.discriminatedUnion('op', [
  z.looseObject({ op: op('add'), group: apiUserGroup }),
  z.looseObject({
    op: op('update'),
    group_id: z.int(),
    data: apiUserGroup
      .omit({ id: true, members: true, direct_subgroup_ids: true, is_system_group: true })
      .extend({ description: z.string().optional(), deactivated: z.boolean().optional() })
      .partial(),
  }),
  z.looseObject({ op: op('remove'), group_id: z.int() }),
  z.looseObject({ op: op('add_members'), group_id: z.int(), user_ids: z.array(z.int()) }),
  z.looseObject({ op: op('remove_members'), group_id: z.int(), user_ids: z.array(z.int()) }),
  z.looseObject({ op: op('add_subgroups'), group_id: z.int(), direct_subgroup_ids: z.array(z.int()) }),
  z.looseObject({ op: op('remove_subgroups'), group_id: z.int(), direct_subgroup_ids: z.array(z.int()) }),
])
