import type { Database } from '../database.ts'

/** The built-in defaults for new accounts, by setting; the names are those of PATCH /settings. */
const settingDefaults: Readonly<Record<string, boolean | number | string>> = {
  twenty_four_hour_time: false,
  starred_message_counts: true,
  receives_typing_notifications: true,
  web_suggest_update_timezone: true,
  fluid_layout_width: false,
  high_contrast_mode: false,
  enable_drafts_synchronization: true,
  translate_emoticons: false,
  display_emoji_reaction_users: true,
  web_escape_navigates_to_home_view: true,
  left_side_userlist: false,
  hide_ai_features: false,
  web_left_sidebar_show_channel_folders: true,
  web_left_sidebar_unreads_count_summary: true,
  enable_stream_desktop_notifications: false,
  enable_stream_email_notifications: false,
  enable_stream_push_notifications: false,
  enable_stream_audible_notifications: false,
  enable_desktop_notifications: true,
  enable_sounds: true,
  enable_offline_email_notifications: true,
  enter_sends: false,
  web_navigate_to_sent_message: true,
  wildcard_mentions_notify: true,
  enable_followed_topic_desktop_notifications: true,
  enable_followed_topic_email_notifications: true,
  enable_followed_topic_push_notifications: true,
  enable_followed_topic_audible_notifications: true,
  enable_followed_topic_wildcard_mentions_notify: true,
  pm_content_in_desktop_notifications: true,
  message_content_in_email_notifications: true,
  enable_offline_push_notifications: true,
  enable_online_push_notifications: true,
  enable_digest_emails: true,
  enable_login_emails: true,
  enable_marketing_emails: true,
  presence_enabled: true,
  automatically_follow_topics_where_mentioned: true,
  send_stream_typing_notifications: true,
  send_private_typing_notifications: true,
  send_read_receipts: true,
  allow_private_data_export: false,
  web_mark_read_on_scroll_policy: 1,
  web_channel_default_view: 1,
  color_scheme: 1,
  demote_inactive_streams: 1,
  user_list_style: 3,
  web_stream_unreads_count_display_policy: 2,
  desktop_icon_count_display: 1,
  realm_name_in_email_notifications_policy: 1,
  automatically_follow_topics_policy: 3,
  automatically_unmute_topics_in_muted_streams_policy: 2,
  email_address_visibility: 1,
  web_font_size_px: 16,
  web_line_height_percent: 140,
  email_notifications_batching_period_seconds: 120,
  default_language: 'en',
  notification_sound: 'ding',
  timezone: '',
  web_home_view: 'inbox',
  emojiset: 'google',
  web_animate_image_previews: 'on_hover',
  resolved_topic_notice_auto_read_policy: 'except_followed',
}

/** Sounds that a client may play; `none` is allowed too. */
export const notificationSounds: readonly string[] = ['ding', 'chime', 'knock', 'reed', 'tide']

const emojisets = [
  { key: 'google', text: 'Google' },
  { key: 'twitter', text: 'Twitter' },
  { key: 'text', text: 'Plain text' },
]

/** All of a person's settings, and the values that they can choose from. */
export function settingsState(db: Database, userId: number, level: number): Record<string, unknown> {
  return {
    ...settingsOf(db, userId, level),
    emojiset_choices: emojisets,
    available_notification_sounds: notificationSounds,
  }
}

/** The defaults for new accounts, in the same form; there is no default time zone. */
export function defaultSettingsState(db: Database): Record<string, unknown> {
  const { timezone: _own, ...rest } = settingDefaults
  return {
    ...rest,
    ...Object.fromEntries(decidedDefaults(db)),
    emojiset_choices: emojisets,
    available_notification_sounds: notificationSounds,
  }
}

/** The defaults for new accounts that the organization has changed. */
const decidedDefaults = (db: Database): (readonly [name: string, value: unknown])[] =>
  db
    .all<{ name: string; value: string }>('SELECT name, value FROM default_settings')
    .map(({ name, value }) => [name, JSON.parse(value)] as const)

/** The default of one setting for new accounts. */
export const defaultSettingOf = (db: Database, name: string): unknown =>
  new Map(decidedDefaults(db)).get(name) ?? settingDefaults[name]

/** Stores a validated default for new accounts. Existing accounts keep their settings. */
export function putDefaultSetting(db: Database, name: string, value: unknown): void {
  db.run('INSERT OR REPLACE INTO default_settings VALUES (?, ?)', name, JSON.stringify(value))
}

/** Gives a new account the organization's defaults. */
export function startWithDefaults(db: Database, userId: number): void {
  for (const [name, value] of decidedDefaults(db)) putSetting(db, userId, name, value)
}

/** A setting that was removed at level 364, and its default before that. */
const denseMode = { dense_mode: true }

/** All of a person's settings that exist at a feature level. */
export function settingsOf(db: Database, userId: number, level: number): Record<string, unknown> {
  const defaults = level < 364 ? { ...settingDefaults, ...denseMode } : settingDefaults
  const own = db.all<{ name: string; value: string }>(
    'SELECT name, value FROM user_settings WHERE user_id = ?',
    userId,
  )
  const known = own.filter(({ name }) => Object.hasOwn(defaults, name))
  return {
    ...defaults,
    ...Object.fromEntries(known.map(({ name, value }): [string, unknown] => [name, JSON.parse(value)])),
  }
}

/** A person's value of a setting, or its default. */
export function settingOf(db: Database, userId: number, name: string): unknown {
  const row = db.get<{ value: string }>(
    'SELECT value FROM user_settings WHERE user_id = ? AND name = ?',
    userId,
    name,
  )
  return row === undefined ? settingDefaults[name] : JSON.parse(row.value)
}

/** Stores a person's validated choice. */
export function putSetting(db: Database, userId: number, name: string, value: unknown): void {
  db.run('INSERT OR REPLACE INTO user_settings VALUES (?, ?, ?)', userId, name, JSON.stringify(value))
}

/** The choices for some settings, as older clients find them beside their settings. */
export const legacyChoices = {
  update_display_settings: { emojiset_choices: emojisets },
  update_global_notifications: { available_notification_sounds: notificationSounds },
}
