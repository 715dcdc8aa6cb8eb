import type { SettingName, SettingValues } from '../../src-shared/bridge/settings.ts'
import { settingForms, settingNames } from '../../src-shared/bridge/settings.ts'
import { isAble, type ServerAbility } from '../../src-shared/model/server-abilities.ts'
import { knownLevel } from './cursor.ts'
import type { ReadableDb, WritableDb } from './database.ts'

interface WireSetting<V> {
  /** The specification's name for it (PATCH /settings). */
  readonly name: string
  /** The values on the wire, where they differ from ours. */
  readonly values?: V extends string ? Readonly<Record<V, string | number>> : never
  /** The same on servers without an ability. */
  readonly olderValues?: {
    readonly before: ServerAbility
    readonly values: Readonly<Record<string, number>>
  }
  /** The specification's default, used if a server does not send the setting. */
  readonly otherwise: V
}

const engagement = { participating: 1, sending: 2, starting: 3, never: 4 } as const

const wire: { readonly [N in SettingName]: WireSetting<SettingValues[N]> } = {
  colorScheme: {
    name: 'color_scheme',
    values: { automatic: 1, dark: 2, light: 3 },
    otherwise: 'automatic',
  },
  highContrast: { name: 'high_contrast_mode', otherwise: false },
  fontSize: { name: 'web_font_size_px', otherwise: 16 },
  lineHeight: { name: 'web_line_height_percent', otherwise: 140 },
  fluidWidth: { name: 'fluid_layout_width', otherwise: false },
  emojiSet: { name: 'emojiset', otherwise: 'google' },
  imageAnimation: {
    name: 'web_animate_image_previews',
    values: { always: 'always', 'on-hover': 'on_hover', never: 'never' },
    otherwise: 'on-hover',
  },
  twentyFourHourTime: { name: 'twenty_four_hour_time', otherwise: false },
  timezone: { name: 'timezone', otherwise: '' },
  suggestsTimezone: { name: 'web_suggest_update_timezone', otherwise: true },
  language: { name: 'default_language', otherwise: 'en' },

  homeView: {
    name: 'web_home_view',
    values: { inbox: 'inbox', recent: 'recent_topics', combined: 'all_messages' },
    otherwise: 'inbox',
  },
  escapeGoesHome: { name: 'web_escape_navigates_to_home_view', otherwise: true },
  channelView: {
    name: 'web_channel_default_view',
    values: { 'top-topic': 1, feed: 2, topics: 3, 'top-unread-topic': 4 },
    otherwise: 'top-topic',
  },
  markReadOnScroll: {
    name: 'web_mark_read_on_scroll_policy',
    values: { always: 1, 'in-conversations': 2, never: 3 },
    otherwise: 'always',
  },
  resolvedNoticesRead: {
    name: 'resolved_topic_notice_auto_read_policy',
    values: { always: 'always', 'except-followed': 'except_followed', never: 'never' },
    otherwise: 'except-followed',
  },
  reactionNames: { name: 'display_emoji_reaction_users', otherwise: true },
  receivesTyping: { name: 'receives_typing_notifications', otherwise: true },

  starredCounts: { name: 'starred_message_counts', otherwise: true },
  channelCounts: {
    name: 'web_stream_unreads_count_display_policy',
    values: { all: 1, unmuted: 2, none: 3 },
    otherwise: 'unmuted',
  },
  sectionCounts: { name: 'web_left_sidebar_unreads_count_summary', otherwise: true },
  channelFolders: { name: 'web_left_sidebar_show_channel_folders', otherwise: true },
  inactiveChannels: {
    name: 'demote_inactive_streams',
    values: { automatic: 1, always: 2, never: 3 },
    otherwise: 'automatic',
  },
  userListStyle: {
    name: 'user_list_style',
    values: { compact: 1, 'with-status': 2, 'with-avatar': 3 },
    otherwise: 'with-avatar',
  },
  peopleOnLeft: { name: 'left_side_userlist', otherwise: false },

  enterSends: { name: 'enter_sends', otherwise: false },
  translatesEmoticons: { name: 'translate_emoticons', otherwise: false },
  goesToSent: { name: 'web_navigate_to_sent_message', otherwise: true },
  draftsSynchronized: { name: 'enable_drafts_synchronization', otherwise: true },
  sendsTopicTyping: { name: 'send_stream_typing_notifications', otherwise: true },
  sendsDirectTyping: { name: 'send_private_typing_notifications', otherwise: true },

  followsTopics: { name: 'automatically_follow_topics_policy', values: engagement, otherwise: 'starting' },
  followsMentions: { name: 'automatically_follow_topics_where_mentioned', otherwise: true },
  unmutesTopics: {
    name: 'automatically_unmute_topics_in_muted_streams_policy',
    values: engagement,
    otherwise: 'sending',
  },

  sharesPresence: { name: 'presence_enabled', otherwise: true },
  sendsReadReceipts: { name: 'send_read_receipts', otherwise: true },
  emailVisibility: {
    name: 'email_address_visibility',
    values: { everyone: 1, members: 2, admins: 3, nobody: 4, moderators: 5 },
    otherwise: 'everyone',
  },
  allowsExport: { name: 'allow_private_data_export', otherwise: false },

  personalDesktop: { name: 'enable_desktop_notifications', otherwise: true },
  personalSound: { name: 'enable_sounds', otherwise: true },
  personalMobile: { name: 'enable_offline_push_notifications', otherwise: true },
  personalEmail: { name: 'enable_offline_email_notifications', otherwise: true },
  followedDesktop: { name: 'enable_followed_topic_desktop_notifications', otherwise: true },
  followedSound: { name: 'enable_followed_topic_audible_notifications', otherwise: true },
  followedMobile: { name: 'enable_followed_topic_push_notifications', otherwise: true },
  followedEmail: { name: 'enable_followed_topic_email_notifications', otherwise: true },
  channelDesktop: { name: 'enable_stream_desktop_notifications', otherwise: false },
  channelSound: { name: 'enable_stream_audible_notifications', otherwise: false },
  channelMobile: { name: 'enable_stream_push_notifications', otherwise: false },
  channelEmail: { name: 'enable_stream_email_notifications', otherwise: false },
  wildcardMentionsNotify: { name: 'wildcard_mentions_notify', otherwise: true },
  followedWildcardMentionsNotify: {
    name: 'enable_followed_topic_wildcard_mentions_notify',
    otherwise: true,
  },
  mobileWhileOnline: { name: 'enable_online_push_notifications', otherwise: true },
  notificationSound: { name: 'notification_sound', otherwise: '' },
  directTextInNotices: { name: 'pm_content_in_desktop_notifications', otherwise: true },
  textInEmails: { name: 'message_content_in_email_notifications', otherwise: true },
  iconCount: {
    name: 'desktop_icon_count_display',
    values: { all: 1, 'personal-and-followed': 2, personal: 3, none: 4 },
    olderValues: { before: 'iconCountWithFollowed', values: { all: 1, personal: 2, none: 3 } },
    otherwise: 'all',
  },
  emailDelaySeconds: { name: 'email_notifications_batching_period_seconds', otherwise: 120 },
  organizationNameInEmails: {
    name: 'realm_name_in_email_notifications_policy',
    values: { automatic: 1, always: 2, never: 3 },
    otherwise: 'automatic',
  },
  digestEmails: { name: 'enable_digest_emails', otherwise: true },
  loginEmails: { name: 'enable_login_emails', otherwise: true },
  newsEmails: { name: 'enable_marketing_emails', otherwise: true },
}

/** Stores a setting of the account; the value is anything that JSON can hold. */
export function putAccountSetting(db: WritableDb, name: string, value: unknown): void {
  db.run(
    `INSERT INTO account_settings VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2 WHERE value <> ?2`,
    { 1: name, 2: JSON.stringify(value ?? null) },
  )
}

/** The value of a setting under the specification's name, as the server sent it; undefined if it sent none. */
export function accountSetting(db: ReadableDb, name: string): unknown {
  const row = db.get<{ value: string }>('SELECT value FROM account_settings WHERE name = ?', [name])
  return row === undefined ? undefined : JSON.parse(row.value)
}

/** The value of a setting; the specification's default if the server sent no valid value. */
export const settingValue = <N extends SettingName>(db: ReadableDb, name: N): SettingValues[N] =>
  valueFrom(name, accountSetting(db, wire[name].name), knownLevel(db))

/** The value of every setting. */
export function settingValues(db: ReadableDb): SettingValues {
  const stored = storedSettings(db)
  const level = knownLevel(db)
  // The table has every name, and each value is parsed by its own form.
  return Object.fromEntries(
    settingNames.map((name) => [name, valueFrom(name, stored.get(wire[name].name), level)]),
  ) as SettingValues
}

/** Settings that the account's server does not support. Empty before the first sync. */
export function settingsMissing(db: ReadableDb): SettingName[] {
  const stored = storedSettings(db)
  return stored.size === 0 ? [] : settingNames.filter((name) => !stored.has(wire[name].name))
}

function storedSettings(db: ReadableDb): ReadonlyMap<string, unknown> {
  const rows = db.all<{ name: string; value: string }>('SELECT name, value FROM account_settings LIMIT 1000')
  return new Map(rows.map(({ name, value }) => [name, JSON.parse(value)]))
}

/** The values of a setting on a server of this level, by our names; undefined if they are the same. */
function valuesAt(name: SettingName, level: number): Readonly<Record<string, string | number>> | undefined {
  const { values, olderValues } = wire[name]
  return olderValues === undefined || isAble(level, olderValues.before) ? values : olderValues.values
}

function valueFrom<N extends SettingName>(name: N, stored: unknown, level: number): SettingValues[N] {
  const { otherwise } = wire[name]
  const values = valuesAt(name, level)
  const ours =
    values === undefined ? stored : Object.entries(values).find(([, value]) => value === stored)?.[0]
  const parsed = settingForms[name].safeParse(ours)
  // Parsed with the schema of this name; TypeScript cannot follow that through the table.
  return parsed.success ? (parsed.data as SettingValues[N]) : otherwise
}

/** Stores a setting under the specification's name and with its value. */
export function putSettingValue(db: WritableDb, name: SettingName, value: boolean | number | string): void {
  const { property, wireValue } = settingOnWire(name, value, knownLevel(db))
  putAccountSetting(db, property, wireValue)
}

/** A setting with its name and value on a server of this level. */
export function settingOnWire(
  name: SettingName,
  value: boolean | number | string,
  level: number,
): { property: string; wireValue: boolean | number | string } {
  return { property: wire[name].name, wireValue: valuesAt(name, level)?.[String(value)] ?? value }
}
