import type { SystemGroupName } from './groups.ts'

/** Who may hold a permission, and who holds it by default. */
export interface PermissionSetting {
  /** The default holder; the creator of the channel or group, if it says so. */
  readonly default: SystemGroupName | 'creator'
  /** System groups that must not hold it, in addition to `role:internet`, which never may. */
  readonly never?: readonly SystemGroupName[]
  /** If given, only one of these groups may hold it, and no list. */
  readonly only?: readonly SystemGroupName[]
}

const everyone: PermissionSetting = { default: 'role:everyone' }
const members: PermissionSetting = { default: 'role:members', never: ['role:everyone'] }
const administrators: PermissionSetting = { default: 'role:administrators', never: ['role:everyone'] }
const nobody: PermissionSetting = { default: 'role:nobody', never: ['role:everyone'] }
const nobodyOrAll: PermissionSetting = { default: 'role:nobody' }
const creator: PermissionSetting = { default: 'creator', never: ['role:everyone'] }

/** Every permission that groups and people hold, by subject. */
export const permissionSettings = {
  realm: {
    can_access_all_users_group: { default: 'role:everyone', only: ['role:everyone', 'role:members'] },
    can_add_custom_emoji_group: members,
    can_add_subscribers_group: members,
    can_create_bots_group: members,
    can_create_groups: members,
    can_create_public_channel_group: members,
    can_create_private_channel_group: members,
    can_create_web_public_channel_group: {
      default: 'role:owners',
      only: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
    },
    can_create_write_only_bots_group: members,
    can_delete_any_message_group: administrators,
    can_delete_own_message_group: everyone,
    can_invite_users_group: members,
    can_manage_all_groups: { default: 'role:owners', never: ['role:everyone', 'role:nobody'] },
    can_manage_billing_group: {
      default: 'role:administrators',
      never: ['role:everyone', 'role:nobody'],
    },
    can_mention_many_users_group: { default: 'role:administrators' },
    can_move_messages_between_channels_group: members,
    can_move_messages_between_topics_group: everyone,
    can_resolve_topics_group: everyone,
    can_set_delete_message_policy_group: { default: 'role:moderators', never: ['role:everyone'] },
    can_set_topics_policy_group: { default: 'role:members' },
    can_summarize_topics_group: everyone,
    create_multiuse_invite_group: administrators,
    direct_message_initiator_group: everyone,
    direct_message_permission_group: everyone,
  },
  channel: {
    can_add_subscribers_group: nobody,
    can_administer_channel_group: creator,
    can_delete_any_message_group: nobodyOrAll,
    can_delete_own_message_group: nobodyOrAll,
    can_move_messages_out_of_channel_group: nobodyOrAll,
    can_move_messages_within_channel_group: nobodyOrAll,
    can_remove_subscribers_group: { default: 'role:administrators', never: ['role:everyone'] },
    can_resolve_topics_group: nobodyOrAll,
    can_send_message_group: everyone,
    can_subscribe_group: nobody,
  },
  group: {
    can_add_members_group: creator,
    can_join_group: nobody,
    can_leave_group: everyone,
    can_manage_group: creator,
    can_mention_group: { default: 'role:everyone', never: ['role:owners'] },
    can_remove_members_group: nobody,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, PermissionSetting>>>>

export type PermissionKind = keyof typeof permissionSettings
export type RealmPermission = keyof (typeof permissionSettings)['realm']
export type ChannelPermission = keyof (typeof permissionSettings)['channel']
export type GroupPermission = keyof (typeof permissionSettings)['group']

// The keys of the tables are those of the types.
export const realmPermissions = Object.keys(permissionSettings.realm) as RealmPermission[]
export const channelPermissions = Object.keys(permissionSettings.channel) as ChannelPermission[]
export const groupPermissions = Object.keys(permissionSettings.group) as GroupPermission[]

/** The table's entry for a permission. Throws if there is none. */
export function permissionSetting(kind: PermissionKind, name: string): PermissionSetting {
  const settings: Readonly<Record<string, PermissionSetting>> = permissionSettings[kind]
  const setting = settings[name]
  if (setting === undefined) throw new Error(`there is no ${kind} permission ${name}`)
  return setting
}

/** Who may hold each permission, in the form for clients. */
export function supportedPermissionSettings(): Record<string, Record<string, object>> {
  const described = (settings: Readonly<Record<string, PermissionSetting>>, ofCreator: string) =>
    Object.fromEntries(
      Object.entries(settings).map(([name, setting]) => [
        name,
        {
          require_system_group: setting.only !== undefined,
          allow_internet_group: false,
          allow_nobody_group: isAllowed(setting, 'role:nobody'),
          allow_everyone_group: isAllowed(setting, 'role:everyone'),
          default_group_name: setting.default === 'creator' ? ofCreator : setting.default,
          default_for_system_groups: ofCreator === 'group_creator' ? 'role:nobody' : null,
          allowed_system_groups: setting.only ?? [],
        },
      ]),
    )
  return {
    realm: described(permissionSettings.realm, ''),
    stream: described(permissionSettings.channel, 'stream_creator_or_nobody'),
    group: described(permissionSettings.group, 'group_creator'),
  }
}

const isAllowed = ({ never, only }: PermissionSetting, name: SystemGroupName): boolean =>
  never?.includes(name) !== true && only?.includes(name) !== false
