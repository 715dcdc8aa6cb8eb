import { z } from 'zod'
import { accountSettings } from '../../src-shared/api/settings.ts'
import {
  bot,
  channel,
  draft,
  emoji,
  folder,
  formerPerson,
  holders,
  id,
  ids,
  legacyPresence,
  linkifier,
  modernPresence,
  mutedUser,
  defaultChannelGroup,
  domain,
  navigationView,
  person,
  playground,
  profileField,
  reminder,
  scheduledMessage,
  seconds,
  snippet,
  subscription,
  subscriptionWithPeople,
  systemBot,
  userGroup,
  userTopic,
} from './wire-forms.ts'

const text = z.string()
const yes = z.boolean()
const count = z.int().nonnegative()
const namedNumbers = z.record(z.string(), z.strictObject({ name: text, id: z.int() }))

/** A client that declares no capabilities gets older forms; `today` and `former` differ only in those. */
export interface StateForm {
  readonly today: z.ZodRawShape
  readonly former?: z.ZodRawShape
}

/** The keys of every answer to POST /register. */
export const alwaysReturned: z.ZodRawShape = {
  result: z.literal('success'),
  msg: z.literal(''),
  queue_id: text,
  last_event_id: z.int(),
  service_feature_level: count,
  service_version: text,
  service_merge_base: text,
  // Under the names that clients in the wild look for.
  zulip_feature_level: count,
  zulip_version: text,
  zulip_merge_base: text,
}

const realmPermissions = [
  'can_access_all_users_group',
  'can_add_custom_emoji_group',
  'can_add_subscribers_group',
  'can_create_bots_group',
  'can_create_groups',
  'can_create_private_channel_group',
  'can_create_public_channel_group',
  'can_create_web_public_channel_group',
  'can_create_write_only_bots_group',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_invite_users_group',
  'can_manage_all_groups',
  'can_manage_billing_group',
  'can_mention_many_users_group',
  'can_move_messages_between_channels_group',
  'can_move_messages_between_topics_group',
  'can_resolve_topics_group',
  'can_set_delete_message_policy_group',
  'can_set_topics_policy_group',
  'can_summarize_topics_group',
  'create_multiuse_invite_group',
  'direct_message_initiator_group',
  'direct_message_permission_group',
]

const permissionRules = z.record(
  z.string(),
  z.strictObject({
    allow_nobody_group: yes,
    allow_everyone_group: yes,
    allow_internet_group: z.literal(false),
    require_system_group: yes,
    default_group_name: text,
    default_for_system_groups: text.nullable(),
    allowed_system_groups: z.array(text),
  }),
)

const realm: z.ZodRawShape = {
  ...Object.fromEntries(realmPermissions.map((name) => [`realm_${name}`, holders])),
  realm_name: text,
  realm_description: text,
  realm_url: text,
  realm_uri: text,
  realm_icon_url: text,
  realm_icon_source: z.enum(['G', 'U']),
  realm_logo_url: text,
  realm_logo_source: z.enum(['D', 'U']),
  realm_night_logo_url: text,
  realm_night_logo_source: z.enum(['D', 'U']),
  realm_date_created: seconds,
  realm_org_type: count,
  realm_plan_type: count,
  zulip_plan_is_not_limited: yes,
  realm_bot_domain: text,
  realm_allow_message_editing: yes,
  realm_message_content_edit_limit_seconds: seconds.nullable(),
  realm_message_content_delete_limit_seconds: seconds.nullable(),
  realm_move_messages_within_stream_limit_seconds: seconds.nullable(),
  realm_move_messages_between_streams_limit_seconds: seconds.nullable(),
  realm_message_edit_history_visibility_policy: z.enum(['all', 'moves', 'none']),
  realm_allow_edit_history: yes,
  realm_message_retention_days: z.int(),
  realm_topics_policy: z.enum(['allow_empty_topic', 'disable_empty_topic']),
  realm_mandatory_topics: yes,
  realm_empty_topic_display_name: text,
  realm_waiting_period_threshold: count,
  realm_enable_read_receipts: yes,
  realm_enable_spectator_access: yes,
  realm_want_advertise_in_communities_directory: yes,
  realm_inline_image_preview: yes,
  realm_inline_url_embed_preview: yes,
  server_inline_image_preview: yes,
  server_inline_url_embed_preview: yes,
  realm_default_language: text,
  realm_default_code_block_language: text,
  realm_digest_emails_enabled: yes,
  realm_digest_weekday: z.int().min(0).max(6),
  settings_send_digest_emails: yes,
  realm_emails_restricted_to_domains: yes,
  realm_disallow_disposable_email_addresses: yes,
  realm_invite_required: yes,
  realm_email_auth_enabled: yes,
  realm_password_auth_enabled: yes,
  realm_authentication_methods: z.record(z.string(), z.strictObject({ enabled: yes, available: yes })),
  realm_name_changes_disabled: yes,
  realm_email_changes_disabled: yes,
  realm_avatar_changes_disabled: yes,
  server_name_changes_disabled: yes,
  server_avatar_changes_disabled: yes,
  realm_require_unique_names: yes,
  realm_send_welcome_emails: yes,
  realm_message_content_allowed_in_email_notifications: yes,
  realm_welcome_message_custom_text: text,
  realm_require_e2ee_push_notifications: yes,
  realm_enable_guest_user_indicator: yes,
  realm_enable_guest_user_dm_warning: yes,
  realm_presence_disabled: yes,
  realm_video_chat_provider: count,
  realm_available_video_chat_providers: namedNumbers,
  realm_jitsi_server_url: text.nullable(),
  server_jitsi_server_url: text.nullable(),
  jitsi_server_url: text.nullable(),
  realm_giphy_rating: count,
  giphy_rating_options: namedNumbers,
  realm_new_stream_announcements_stream_id: z.int(),
  realm_signup_announcements_stream_id: z.int(),
  realm_zulip_update_announcements_stream_id: z.int(),
  realm_moderation_request_channel_id: z.int(),
  realm_push_notifications_enabled: yes,
  realm_push_notifications_enabled_end_timestamp: seconds.nullable(),
  realm_upload_quota_mib: count.nullable(),
  max_file_upload_size_mib: count,
  max_avatar_file_size_mib: count,
  max_icon_file_size_mib: count,
  max_logo_file_size_mib: count,
  max_message_length: z.literal(10_000),
  max_topic_length: z.literal(60),
  max_stream_name_length: z.literal(60),
  max_stream_description_length: z.literal(1024),
  max_channel_folder_name_length: z.literal(60),
  max_channel_folder_description_length: z.literal(1024),
  max_reminder_note_length: z.literal(1000),
  max_bulk_new_subscription_messages: count,
  event_queue_longpoll_timeout_seconds: z.literal(90),
  server_presence_ping_interval_seconds: z.literal(60),
  server_presence_offline_threshold_seconds: z.literal(200),
  server_typing_started_expiry_period_milliseconds: z.literal(45_000),
  server_typing_stopped_wait_period_milliseconds: z.literal(12_000),
  server_typing_started_wait_period_milliseconds: z.literal(30_000),
  server_thumbnail_formats: z
    .array(z.strictObject({ name: text, max_width: count, max_height: count, format: text, animated: yes }))
    .min(1),
  server_emoji_data_url: text,
  server_generation: seconds,
  server_needs_upgrade: yes,
  development_environment: yes,
  server_web_public_streams_enabled: yes,
  server_can_summarize_topics: yes,
  server_supported_permission_settings: z.strictObject({
    realm: permissionRules,
    stream: permissionRules,
    group: permissionRules,
  }),
  server_min_deactivated_realm_deletion_days: count.nullable(),
  server_max_deactivated_realm_deletion_days: count.nullable(),
  password_min_length: count,
  password_max_length: count,
  password_min_guesses: count,
  realm_default_external_accounts: z.record(
    z.string(),
    z.strictObject({ text, url_pattern: text, name: text, hint: text }),
  ),
  upgrade_text_for_wide_organization_logo: text,
  realm_is_zephyr_mirror_realm: z.literal(false),
  realm_create_public_stream_policy: z.int().min(1).max(7),
  realm_create_private_stream_policy: z.int().min(1).max(7),
  realm_create_web_public_stream_policy: z.int().min(1).max(7),
  realm_wildcard_mention_policy: z.int().min(1).max(7),
}

const ownKeys: z.ZodRawShape = {
  user_id: id,
  email: text,
  delivery_email: text,
  full_name: text,
  avatar_source: z.enum(['G', 'U']),
  avatar_url: text.nullable(),
  avatar_url_medium: text.nullable(),
  is_admin: yes,
  is_owner: yes,
  is_moderator: yes,
  is_guest: yes,
  can_create_private_streams: yes,
  can_create_public_streams: yes,
  can_create_web_public_streams: yes,
  can_create_streams: yes,
  can_invite_others_to_realm: yes,
  can_subscribe_other_users: yes,
}

const choices = {
  emojiset_choices: z.array(z.strictObject({ key: text, text })),
  available_notification_sounds: z.array(text),
}
const { timezone: _own, ...sharedSettings } = accountSettings.shape
const userSettings = z.strictObject({ ...accountSettings.shape, ...choices })

const formerDisplaySettings = accountSettings.pick({
  color_scheme: true,
  default_language: true,
  demote_inactive_streams: true,
  emojiset: true,
  enable_drafts_synchronization: true,
  enter_sends: true,
  fluid_layout_width: true,
  high_contrast_mode: true,
  left_side_userlist: true,
  starred_message_counts: true,
  timezone: true,
  translate_emoticons: true,
  twenty_four_hour_time: true,
  web_home_view: true,
}).shape
const formerNotificationSettings = accountSettings.pick({
  desktop_icon_count_display: true,
  email_notifications_batching_period_seconds: true,
  enable_desktop_notifications: true,
  enable_digest_emails: true,
  enable_login_emails: true,
  enable_marketing_emails: true,
  enable_offline_email_notifications: true,
  enable_offline_push_notifications: true,
  enable_online_push_notifications: true,
  enable_sounds: true,
  enable_stream_audible_notifications: true,
  enable_stream_desktop_notifications: true,
  enable_stream_email_notifications: true,
  enable_stream_push_notifications: true,
  message_content_in_email_notifications: true,
  notification_sound: true,
  pm_content_in_desktop_notifications: true,
  presence_enabled: true,
  realm_name_in_email_notifications_policy: true,
  wildcard_mentions_notify: true,
}).shape

const unread = z.strictObject({
  count,
  pms: z.array(z.strictObject({ other_user_id: id, sender_id: id, unread_message_ids: ids })),
  streams: z.array(z.strictObject({ stream_id: id, topic: text, unread_message_ids: ids })),
  huddles: z.array(
    z.strictObject({ user_ids_string: z.string().regex(/^\d+(,\d+){2,}$/), unread_message_ids: ids }),
  ),
  mentions: ids,
  old_unreads_missing: yes,
})

const presences = {
  presence_last_update_id: z.int(),
  server_timestamp: z.number(),
}
const status = z.strictObject({
  status_text: text.optional(),
  emoji_name: text.optional(),
  emoji_code: text.optional(),
  reaction_type: text.optional(),
  away: z.literal(true).optional(),
})
const withBooleans = (form: typeof subscription) =>
  form.extend(
    Object.fromEntries(
      ['desktop', 'audible', 'push', 'email']
        .map((kind) => `${kind}_notifications`)
        .concat('wildcard_mentions_notify')
        .map((name) => [name, yes]),
    ),
  )

/** Exactly these keys come with each fetch type, for a modern client and for one that declares no capabilities. */
export const stateForms: Readonly<Record<string, StateForm>> = {
  alert_words: { today: { alert_words: z.array(text) } },
  custom_profile_fields: {
    today: {
      custom_profile_fields: z.array(profileField),
      custom_profile_field_types: z.record(z.string(), z.strictObject({ id: z.int(), name: text })),
    },
  },
  onboarding_steps: {
    today: {
      onboarding_steps: z.array(z.strictObject({ type: z.literal('one_time_notice'), name: text })),
      navigation_tour_video_url: text.nullable(),
    },
  },
  message: { today: { max_message_id: z.int() } },
  saved_snippets: { today: { saved_snippets: z.array(snippet).min(1) } },
  navigation_views: { today: { navigation_views: z.array(navigationView).min(1) } },
  drafts: { today: { drafts: z.array(draft).min(1) } },
  scheduled_messages: { today: { scheduled_messages: z.array(scheduledMessage).min(2) } },
  reminders: { today: { reminders: z.array(reminder).min(1) } },
  muted_topics: { today: { muted_topics: z.array(z.tuple([text, text, seconds])).min(1) } },
  muted_users: { today: { muted_users: z.array(mutedUser).min(1) } },
  presence: {
    today: { presences: z.record(z.string().regex(/^\d+$/), modernPresence), ...presences },
    former: {
      presences: z.record(
        z.string().regex(/@/),
        z.strictObject({ website: legacyPresence, aggregated: legacyPresence.omit({ pushable: true }) }),
      ),
      ...presences,
    },
  },
  realm: { today: realm },
  realm_user_groups: { today: { realm_user_groups: z.array(userGroup).min(1) } },
  realm_user_settings_defaults: {
    today: { realm_user_settings_defaults: z.strictObject({ ...sharedSettings, ...choices }) },
  },
  realm_domains: { today: { realm_domains: z.array(domain).min(1) } },
  realm_emoji: { today: { realm_emoji: emoji } },
  realm_linkifiers: {
    today: { realm_linkifiers: z.array(linkifier).min(1) },
    former: { realm_linkifiers: z.array(z.never()) },
  },
  realm_filters: { today: { realm_filters: z.array(z.never()) } },
  realm_playgrounds: { today: { realm_playgrounds: z.array(playground).min(1) } },
  realm_user: {
    today: {
      ...ownKeys,
      realm_users: z.array(person).min(1),
      realm_non_active_users: z.array(formerPerson).min(1),
      cross_realm_bots: z.array(systemBot),
    },
  },
  realm_bot: { today: { realm_bots: z.array(bot).min(1) } },
  realm_embedded_bots: { today: { realm_embedded_bots: z.array(z.never()) } },
  realm_incoming_webhook_bots: { today: { realm_incoming_webhook_bots: z.array(z.never()) } },
  recent_private_conversations: {
    today: {
      recent_private_conversations: z.array(z.strictObject({ max_message_id: id, user_ids: ids })).min(1),
    },
  },
  subscription: {
    today: {
      subscriptions: z.array(subscription).min(1),
      unsubscribed: z.array(subscription).min(1),
      never_subscribed: z.array(channel).min(1),
    },
    former: {
      subscriptions: z.array(withBooleans(subscription)).min(1),
      unsubscribed: z.array(withBooleans(subscription)).min(1),
      never_subscribed: z.array(channel).min(1),
    },
  },
  channel_folders: { today: { channel_folders: z.array(folder).min(1) } },
  starred_messages: { today: { starred_messages: ids.min(1) } },
  stream: { today: { streams: z.array(channel).min(1) } },
  default_streams: { today: { realm_default_streams: ids } },
  default_stream_groups: { today: { realm_default_stream_groups: z.array(defaultChannelGroup).min(1) } },
  stop_words: { today: { stop_words: z.array(text) } },
  user_settings: { today: { user_settings: userSettings } },
  update_display_settings: {
    today: {},
    former: { ...formerDisplaySettings, emojiset_choices: choices.emojiset_choices },
  },
  update_global_notifications: {
    today: {},
    former: {
      ...formerNotificationSettings,
      available_notification_sounds: choices.available_notification_sounds,
    },
  },
  user_status: { today: { user_status: z.record(z.string().regex(/^\d+$/), status) } },
  user_topic: { today: { user_topics: z.array(userTopic).min(1) } },
  video_calls: { today: { has_zoom_token: yes } },
  giphy: { today: { giphy_api_key: text } },
  push_device: {
    today: {
      push_devices: z.record(
        z.string(),
        z.strictObject({ status: z.enum(['pending', 'active', 'failed']), error_code: text.nullable() }),
      ),
    },
  },
  realm_billing: {
    today: { realm_billing: z.strictObject({ has_pending_sponsorship_request: yes.nullable() }) },
  },
}

/** Keys that appear only for two types together, and keys that an option adds. */
export const unreadState: z.ZodRawShape = { unread_msgs: unread }
export const subscriptionsWithPeople = z.array(subscriptionWithPeople).min(1)
export const channelsWithPeople = z.array(channel.extend({ subscribers: ids })).min(1)
