import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const oneOf = (...values: [number, ...number[]]) =>
  z.int().refine((value) => values.includes(value), { error: `Must be one of ${values.join(', ')}` })

/**
 * Every setting that follows the account (specification, PATCH /settings), with the schema of its value.
 *
 * The same names appear in the snapshot's `user_settings`, in `user_settings` events and in `PATCH /settings`.
 */
export const accountSettings = z.object({
  twenty_four_hour_time: z.boolean(),
  starred_message_counts: z.boolean(),
  receives_typing_notifications: z.boolean(),
  web_suggest_update_timezone: z.boolean(),
  fluid_layout_width: z.boolean(),
  high_contrast_mode: z.boolean(),
  enable_drafts_synchronization: z.boolean(),
  translate_emoticons: z.boolean(),
  display_emoji_reaction_users: z.boolean(),
  web_escape_navigates_to_home_view: z.boolean(),
  left_side_userlist: z.boolean(),
  hide_ai_features: z.boolean(),
  web_left_sidebar_show_channel_folders: z.boolean(),
  web_left_sidebar_unreads_count_summary: z.boolean(),
  enable_stream_desktop_notifications: z.boolean(),
  enable_stream_email_notifications: z.boolean(),
  enable_stream_push_notifications: z.boolean(),
  enable_stream_audible_notifications: z.boolean(),
  enable_desktop_notifications: z.boolean(),
  enable_sounds: z.boolean(),
  enable_offline_email_notifications: z.boolean(),
  enter_sends: z.boolean(),
  web_navigate_to_sent_message: z.boolean(),
  wildcard_mentions_notify: z.boolean(),
  enable_followed_topic_desktop_notifications: z.boolean(),
  enable_followed_topic_email_notifications: z.boolean(),
  enable_followed_topic_push_notifications: z.boolean(),
  enable_followed_topic_audible_notifications: z.boolean(),
  enable_followed_topic_wildcard_mentions_notify: z.boolean(),
  pm_content_in_desktop_notifications: z.boolean(),
  message_content_in_email_notifications: z.boolean(),
  enable_offline_push_notifications: z.boolean(),
  enable_online_push_notifications: z.boolean(),
  enable_digest_emails: z.boolean(),
  enable_login_emails: z.boolean(),
  enable_marketing_emails: z.boolean(),
  presence_enabled: z.boolean(),
  automatically_follow_topics_where_mentioned: z.boolean(),
  send_stream_typing_notifications: z.boolean(),
  send_private_typing_notifications: z.boolean(),
  send_read_receipts: z.boolean(),
  allow_private_data_export: z.boolean(),
  web_mark_read_on_scroll_policy: oneOf(1, 2, 3),
  web_channel_default_view: oneOf(1, 2, 3, 4),
  color_scheme: oneOf(1, 2, 3),
  demote_inactive_streams: oneOf(1, 2, 3),
  user_list_style: oneOf(1, 2, 3),
  web_stream_unreads_count_display_policy: oneOf(1, 2, 3),
  desktop_icon_count_display: oneOf(1, 2, 3, 4),
  realm_name_in_email_notifications_policy: oneOf(1, 2, 3),
  automatically_follow_topics_policy: oneOf(1, 2, 3, 4),
  automatically_unmute_topics_in_muted_streams_policy: oneOf(1, 2, 3, 4),
  email_address_visibility: oneOf(1, 2, 3, 4, 5),
  web_font_size_px: z.int().positive(),
  web_line_height_percent: z.int().positive(),
  email_notifications_batching_period_seconds: z.int().min(1).max(604_800),
  default_language: z.string(),
  notification_sound: z.string(),
  timezone: z.string(),
  web_home_view: z.enum(['recent_topics', 'inbox', 'all_messages']),
  emojiset: z.enum(['google', 'twitter', 'text', 'google-blob']),
  web_animate_image_previews: z.enum(['always', 'on_hover', 'never']),
  resolved_topic_notice_auto_read_policy: z.enum(['always', 'except_followed', 'never']),
})

/** Settings as a server reports them: any may be missing, and there may be more. */
export const reportedSettings = z.looseObject(
  Object.fromEntries(Object.keys(accountSettings.shape).map((name) => [name, z.unknown().optional()])),
)

const identity = z.object({
  full_name: z.string(),
  email: z.string(),
  old_password: z.string(),
  new_password: z.string(),
})

const changes = z.object({ ...identity.shape, ...accountSettings.shape }).partial()

/** Settings that have no default in the organization: each person sets them for themselves. */
const personal = {
  timezone: true,
  default_language: true,
  allow_private_data_export: true,
  enable_login_emails: true,
  enable_marketing_emails: true,
} as const

/** The person's own settings, and the defaults for new accounts. */
export const settings = {
  /** Below level 80, it takes only name, address and password. */
  updateSettings: endpoint({
    method: 'PATCH',
    path: '/settings',
    input: changes,
    output: z.looseObject({}),
  }),
  /** An older name of `updateSettings`. */
  updateDisplaySettings: endpoint({
    method: 'PATCH',
    path: '/settings/display',
    input: changes,
    output: z.looseObject({}),
  }),
  /** An older name of `updateSettings`. */
  updateNotificationSettings: endpoint({
    method: 'PATCH',
    path: '/settings/notifications',
    input: changes,
    output: z.looseObject({}),
  }),
  /** The defaults for new accounts, which administrators choose. */
  updateDefaultSettings: endpoint({
    method: 'PATCH',
    path: '/realm/user_settings_defaults',
    since: 96,
    input: accountSettings.omit(personal).partial(),
    output: z.looseObject({}),
  }),
}
