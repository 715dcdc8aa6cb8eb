import type { GroupId, UserId } from '../ids.ts'

/** Who holds a permission: these people, and everyone in these groups. If both are empty, nobody does. */
export interface Holders {
  readonly people: readonly UserId[]
  readonly groups: readonly GroupId[]
}

/** Whether both are the same people and groups; order does not count. */
export function areSameHolders(a: Holders, b: Holders): boolean {
  const isSame = (one: readonly number[], other: readonly number[]) =>
    new Set(one).size === new Set(other).size && one.every((id) => other.includes(id))
  return isSame(a.people, b.people) && isSame(a.groups, b.groups)
}

/**
 * Permissions over a group: the wire field that says who holds each, and the feature level since which it exists.
 */
export const groupPermissions = {
  manage: { field: 'can_manage_group', since: 283 },
  addMembers: { field: 'can_add_members_group', since: 305 },
  removeMembers: { field: 'can_remove_members_group', since: 324 },
  join: { field: 'can_join_group', since: 301 },
  leave: { field: 'can_leave_group', since: 308 },
  // Older servers expected a number where all other permissions take the new and the old value.
  mention: { field: 'can_mention_group', since: 260 },
} as const satisfies Record<string, { readonly field: string; readonly since: number }>
export type GroupPermissionName = keyof typeof groupPermissions

// The keys of the table, at least one.
export const groupPermissionNames = Object.keys(groupPermissions) as [
  GroupPermissionName,
  ...GroupPermissionName[],
]

/**
 * Permissions in a channel: the wire field that says who holds each, and the feature level since which it exists.
 */
export const channelPermissions = {
  administer: { field: 'can_administer_channel_group', since: 325 },
  subscribe: { field: 'can_subscribe_group', since: 357 },
  addSubscribers: { field: 'can_add_subscribers_group', since: 342 },
  // Older servers accepted only the groups of roles.
  removeSubscribers: { field: 'can_remove_subscribers_group', since: 320 },
  post: { field: 'can_send_message_group', since: 333 },
  resolve: { field: 'can_resolve_topics_group', since: 402 },
  moveWithin: { field: 'can_move_messages_within_channel_group', since: 396 },
  moveOut: { field: 'can_move_messages_out_of_channel_group', since: 396 },
  deleteAny: { field: 'can_delete_any_message_group', since: 407 },
  deleteOwn: { field: 'can_delete_own_message_group', since: 407 },
} as const satisfies Record<string, { readonly field: string; readonly since: number }>
export type ChannelPermissionName = keyof typeof channelPermissions

// As above.
export const channelPermissionNames = Object.keys(channelPermissions) as [
  ChannelPermissionName,
  ...ChannelPermissionName[],
]

/** Who can see a channel, widest access first. */
export const channelAccesses = ['web-public', 'public', 'private', 'private-no-history'] as const
export type ChannelAccess = (typeof channelAccesses)[number]

interface ChannelFlags {
  readonly isPrivate: boolean
  readonly isWebPublic: boolean
  /** Whether new subscribers can read earlier messages. */
  readonly hasSharedHistory: boolean
}

/** The wire fields of a channel that say who can see it. */
export const channelFlags = {
  'web-public': { isPrivate: false, isWebPublic: true, hasSharedHistory: true },
  public: { isPrivate: false, isWebPublic: false, hasSharedHistory: true },
  private: { isPrivate: true, isWebPublic: false, hasSharedHistory: true },
  'private-no-history': { isPrivate: true, isWebPublic: false, hasSharedHistory: false },
} as const satisfies Record<ChannelAccess, ChannelFlags>

/** Who can see a channel with these fields; the reverse of `channelFlags`. */
export function accessOf({ isPrivate, isWebPublic, hasSharedHistory }: ChannelFlags): ChannelAccess {
  if (isPrivate) return hasSharedHistory ? 'private' : 'private-no-history'
  return isWebPublic ? 'web-public' : 'public'
}

/** Whether messages of a channel need a topic, with the server's word for it. */
export const topicPolicies = {
  inherit: 'inherit',
  optional: 'allow_empty_topic',
  required: 'disable_empty_topic',
  none: 'empty_topic_only',
} as const
export type TopicPolicy = keyof typeof topicPolicies
// As above.
export const topicPolicyNames = Object.keys(topicPolicies) as [TopicPolicy, ...TopicPolicy[]]

/** The properties of a channel that are the same for everybody. */
export type ChannelEdit =
  | 'name'
  | 'description'
  | 'access'
  | 'folder'
  | 'topics'
  | 'retention'
  | 'archived'
  | ChannelPermissionName
