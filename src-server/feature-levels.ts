import type { EndpointName } from '../src-shared/api/index.ts'
import { accountSettings } from '../src-shared/api/settings.ts'

/** The kinds of objects that a change can concern; they occur in answers and events. */
export type ShapeName =
  | 'message'
  | 'historyEntry'
  | 'reaction'
  | 'user'
  | 'channel'
  | 'settings'
  | 'group'
  | 'server'
  | 'realm'

/**
 * One change of the API, with the level that introduced it (specification, Versioning). A service that behaves as an
 * older level reverts it. Endpoints that are new as a whole are marked at the endpoint (`since`).
 */
export type LevelChange = { readonly level: number } & (
  | {
      /** Parameters that older levels do not know and ignore. */
      readonly kind: 'parameters'
      readonly endpoint: EndpointName
      readonly names: readonly string[]
    }
  | {
      /** Parameters that older levels require. */
      readonly kind: 'optional'
      readonly endpoint: EndpointName
      readonly names: readonly string[]
    }
  | {
      /** A parameter that has another name on older levels. */
      readonly kind: 'renamed'
      readonly endpoint: EndpointName
      readonly from: string
      readonly to: string
      /** Converts an older value to today's. */
      readonly convert?: (older: string) => string
    }
  | {
      /** Values that older levels reject. */
      readonly kind: 'values'
      readonly endpoint: EndpointName
      readonly name: string
      readonly values: readonly (string | number)[]
    }
  | {
      /** Fields of an answer that older levels omit. */
      readonly kind: 'answer'
      readonly endpoint: EndpointName
      readonly names: readonly string[]
    }
  | {
      /** Fields that older levels omit. */
      readonly kind: 'fields'
      readonly of: ShapeName
      readonly names: readonly string[]
    }
  | {
      /** Fields that older levels still have, with their values there. */
      readonly kind: 'removed'
      readonly of: ShapeName
      readonly fields: Readonly<Record<string, string | number | boolean>>
    }
  | {
      /** An error code that older levels report as BAD_REQUEST. */
      readonly kind: 'code'
      readonly code: string
    }
)

type AtEndpoint = Extract<LevelChange, { kind: 'parameters' | 'renamed' | 'values' }>
type Anywhere<Change> = Change extends AtEndpoint ? Omit<Change, 'endpoint'> : never

/** A change at the settings endpoint, its two older names, and the endpoint for new accounts' defaults. */
const ofSettings = (change: Anywhere<AtEndpoint>): LevelChange[] =>
  (
    [
      'updateSettings',
      'updateDisplaySettings',
      'updateNotificationSettings',
      'updateDefaultSettings',
    ] as const
  ).map((endpoint) => ({ ...change, endpoint }))

const settings = (level: number, ...names: string[]): LevelChange[] => [
  ...ofSettings({ level, kind: 'parameters', names }),
  { level, kind: 'fields', of: 'settings', names },
]

/** A change at both invitation endpoints. */
const ofInvitations = (level: number, ...names: string[]): LevelChange[] =>
  (['createInvitation', 'sendInvitations'] as const).map((endpoint) => ({
    level,
    kind: 'parameters',
    endpoint,
    names,
  }))

const template = {
  level: 176,
  kind: 'renamed',
  from: 'url_format_string',
  to: 'url_template',
  convert: (format: string) => format.replace(/%\((\w+)\)s/g, '{$1}'),
} as const

/** Every tagged change that can be expressed as data; the others are functions in older-levels.ts. */
export const levelChanges: readonly LevelChange[] = [
  { level: 1, kind: 'fields', of: 'server', names: ['service_feature_level', 'zulip_feature_level'] },
  {
    level: 80,
    kind: 'parameters',
    endpoint: 'updateSettings',
    names: [...Object.keys(accountSettings.shape), 'default_view'],
  },
  ...settings(82, 'email_notifications_batching_period_seconds'),
  ...settings(87, 'enable_drafts_synchronization'),
  { level: 88, kind: 'fields', of: 'server', names: ['service_merge_base', 'zulip_merge_base'] },
  { level: 116, kind: 'fields', of: 'server', names: ['realm_web_public_access_enabled'] },
  { level: 120, kind: 'parameters', endpoint: 'getMessage', names: ['apply_markdown'] },
  { level: 120, kind: 'answer', endpoint: 'getMessage', names: ['message'] },
  ...settings(125, 'display_emoji_reaction_users'),
  ...ofInvitations(126, 'invite_expires_in_minutes'),
  ...settings(141, 'user_list_style'),
  { level: 165, kind: 'optional', endpoint: 'updateUserGroup', names: ['name', 'description'] },
  ...settings(175, 'web_mark_read_on_scroll_policy'),
  { ...template, endpoint: 'addLinkifier' },
  { ...template, endpoint: 'updateLinkifier' },
  { level: 193, kind: 'code', code: 'REACTION_ALREADY_EXISTS' },
  {
    level: 196,
    kind: 'renamed',
    endpoint: 'addPlayground',
    from: 'url_prefix',
    to: 'url_template',
    convert: (prefix) => `${prefix}{code}`,
  },
  {
    level: 198,
    kind: 'renamed',
    endpoint: 'updateUserGroup',
    from: 'can_mention_group_id',
    to: 'can_mention_group',
  },
  ...settings(210, 'web_stream_unreads_count_display_policy'),
  { level: 219, kind: 'values', endpoint: 'updateUserTopic', name: 'visibility_policy', values: [3] },
  ...ofSettings({ level: 219, kind: 'renamed', from: 'default_view', to: 'web_home_view' }),
  ...settings(219, 'web_escape_navigates_to_home_view'),
  ...settings(245, 'web_font_size_px', 'web_line_height_percent'),
  ...settings(253, 'receives_typing_notifications'),
  { level: 254, kind: 'fields', of: 'channel', names: ['creator_id'] },
  { level: 257, kind: 'fields', of: 'server', names: ['realm_url'] },
  ...ofInvitations(261, 'include_realm_default_subscriptions'),
  { level: 267, kind: 'parameters', endpoint: 'sendInvitations', names: ['notify_referrer_on_join'] },
  ...settings(269, 'web_channel_default_view'),
  { level: 272, kind: 'answer', endpoint: 'uploadFile', names: ['url'] },
  ...settings(275, 'web_animate_image_previews'),
  { level: 283, kind: 'parameters', endpoint: 'updateUserGroup', names: ['can_manage_group'] },
  { level: 284, kind: 'removed', of: 'historyEntry', fields: { prev_rendered_content_version: 1 } },
  { level: 288, kind: 'parameters', endpoint: 'registerQueue', names: ['presence_history_limit_days'] },
  { level: 292, kind: 'fields', of: 'group', names: ['creator_id', 'date_created'] },
  { level: 300, kind: 'parameters', endpoint: 'getMessages', names: ['message_ids'] },
  { level: 301, kind: 'parameters', endpoint: 'updateUserGroup', names: ['can_join_group'] },
  { level: 305, kind: 'parameters', endpoint: 'updateUserGroup', names: ['can_add_members_group'] },
  { level: 308, kind: 'parameters', endpoint: 'updateUserGroup', names: ['can_leave_group'] },
  {
    level: 311,
    kind: 'parameters',
    endpoint: 'updateUserGroupMembers',
    names: ['add_subgroups', 'delete_subgroups'],
  },
  { level: 315, kind: 'fields', of: 'channel', names: ['is_archived'] },
  { level: 315, kind: 'parameters', endpoint: 'getStreams', names: ['exclude_archived'] },
  { level: 317, kind: 'answer', endpoint: 'createUserGroup', names: ['group_id'] },
  ...ofInvitations(322, 'group_ids'),
  { level: 324, kind: 'parameters', endpoint: 'updateUserGroup', names: ['can_remove_members_group'] },
  ...settings(329, 'web_suggest_update_timezone'),
  { level: 334, kind: 'parameters', endpoint: 'getMessage', names: ['allow_empty_topic_name'] },
  { level: 334, kind: 'parameters', endpoint: 'getMessages', names: ['allow_empty_topic_name'] },
  { level: 334, kind: 'parameters', endpoint: 'getMessageHistory', names: ['allow_empty_topic_name'] },
  { level: 334, kind: 'parameters', endpoint: 'getStreamTopics', names: ['allow_empty_topic_name'] },
  { level: 334, kind: 'fields', of: 'realm', names: ['realm_empty_topic_display_name'] },
  ...settings(350, 'hide_ai_features'),
  {
    level: 356,
    kind: 'parameters',
    endpoint: 'getStreams',
    names: ['include_all', 'include_can_access_content'],
  },
  { level: 363, kind: 'removed', of: 'user', fields: { is_billing_admin: false } },
  { level: 365, kind: 'fields', of: 'message', names: ['last_moved_timestamp'] },
  { level: 379, kind: 'parameters', endpoint: 'updateMessage', names: ['prev_content_sha256'] },
  ...ofSettings({ level: 383, kind: 'values', name: 'web_channel_default_view', values: [3] }),
  { level: 386, kind: 'parameters', endpoint: 'updateUserGroup', names: ['deactivated'] },
  ...settings(398, 'web_left_sidebar_unreads_count_summary'),
  ...ofSettings({ level: 401, kind: 'values', name: 'web_channel_default_view', values: [4] }),
  ...settings(411, 'web_left_sidebar_show_channel_folders'),
  { level: 412, kind: 'values', endpoint: 'registerQueue', name: 'include_subscribers', values: ['partial'] },
  ...ofInvitations(416, 'welcome_message_custom_text'),
]

/** Where objects of each kind occur in an answer; `*` stands for each item of a list or map. */
export const answerShapes: Readonly<
  Partial<Record<EndpointName, readonly (readonly [ShapeName, string])[]>>
> = {
  getMessages: [['message', 'messages.*']],
  getMessage: [['message', 'message']],
  getMessageHistory: [['historyEntry', 'message_history.*']],
  getUser: [['user', 'user']],
  getUserByEmail: [['user', 'user']],
  getUsers: [['user', 'members.*']],
  getOwnUser: [['user', '']],
  getStreams: [['channel', 'streams.*']],
  getStreamById: [['channel', 'stream']],
  getSubscriptions: [['channel', 'subscriptions.*']],
  getUserGroups: [['group', 'user_groups.*']],
  getServerSettings: [['server', '']],
  registerQueue: [
    ['server', ''],
    ['realm', ''],
    ['user', 'realm_users.*'],
    ['user', 'realm_non_active_users.*'],
    ['user', 'cross_realm_bots.*'],
    ['group', 'realm_user_groups.*'],
    ['channel', 'subscriptions.*'],
    ['channel', 'unsubscribed.*'],
    ['channel', 'never_subscribed.*'],
    ['settings', 'user_settings'],
    ['settings', 'realm_user_settings_defaults'],
    ['settings', ''],
  ],
}

/** Where objects of each kind occur in an event of a type. */
export const eventShapes: Readonly<Record<string, readonly (readonly [ShapeName, string])[]>> = {
  message: [['message', 'message']],
  realm_user: [['user', 'person']],
  subscription: [['channel', 'subscriptions.*']],
  stream: [['channel', 'streams.*']],
  user_group: [['group', 'group']],
}
