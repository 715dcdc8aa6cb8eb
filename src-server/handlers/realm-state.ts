import { botDomain } from '../people/bots.ts'
import { messageLimitsState } from '../permissions/message-limits.ts'
import { pictureState } from '../organization/organization-pictures.ts'
import { systemGroupId } from '../permissions/groups.ts'
import { realmPermissionValues, type GroupSettingValue } from '../permissions/holders.ts'
import { realmValue, type Workspace } from '../workspace.ts'
import { serviceState } from './service-state.ts'

/** What a client may know about the organization and the service (specification, POST /register). */
export function realmState(workspace: Workspace): Record<string, unknown> {
  const { db } = workspace
  const permissions = realmPermissionValues(db)
  return {
    ...serviceState(workspace),
    ...messageLimitsState(db),
    ...Object.fromEntries(Object.entries(permissions).map(([name, value]) => [`realm_${name}`, value])),
    ...oldPolicies(workspace, permissions),
    ...looks(workspace),
    ...fixed,
    realm_date_created: foundedAt(workspace),
    realm_empty_topic_display_name: realmValue(db, 'empty_topic_display_name'),
    realm_topics_policy: realmValue(db, 'topics_policy'),
    realm_mandatory_topics: realmValue(db, 'topics_policy') === 'disable_empty_topic',
    realm_allow_edit_history: realmValue(db, 'message_edit_history_visibility_policy') !== 'none',
    realm_emails_restricted_to_domains: realmValue(db, 'emails_restricted_to_domains') === 'true',
    realm_enable_spectator_access: realmValue(db, 'enable_spectator_access') === 'true',
    realm_name_changes_disabled: realmValue(db, 'name_changes_disabled') === 'true',
    realm_email_changes_disabled: realmValue(db, 'email_changes_disabled') === 'true',
    realm_avatar_changes_disabled: realmValue(db, 'avatar_changes_disabled') === 'true',
    realm_welcome_message_custom_text: realmValue(db, 'welcome_message_custom_text'),
    realm_moderation_request_channel_id: Number(realmValue(db, 'moderation_request_channel_id')),
    realm_bot_domain: botDomain,
    realm_push_notifications_enabled: workspace.configuration.pushBouncerUrl !== null,
    realm_upload_quota_mib: workspace.configuration.uploadQuotaMib,
  }
}

function looks(workspace: Workspace) {
  const { db, url } = workspace
  const pictures = (['icon', 'logo', 'night_logo'] as const).map((which) => pictureState(workspace, which))
  return {
    realm_name: realmValue(db, 'name'),
    realm_description: realmValue(db, 'description'),
    realm_url: url,
    realm_uri: url,
    ...Object.fromEntries(
      pictures.flatMap(Object.entries).map(([name, value]) => [`realm_${name}`, value] as const),
    ),
  }
}

/**
 * Settings that cannot be changed here, with their fixed values; clients of servers where they can be changed ask for
 * them.
 */
const fixed = {
  realm_org_type: 0,
  realm_plan_type: 1,
  realm_message_retention_days: -1,
  realm_waiting_period_threshold: 0,
  realm_want_advertise_in_communities_directory: false,
  realm_inline_image_preview: true,
  realm_inline_url_embed_preview: false,
  realm_default_language: 'en',
  realm_default_code_block_language: '',
  realm_digest_emails_enabled: false,
  realm_digest_weekday: 1,
  realm_disallow_disposable_email_addresses: false,
  realm_invite_required: true,
  realm_email_auth_enabled: true,
  realm_password_auth_enabled: true,
  realm_authentication_methods: { Email: { enabled: true, available: true } },
  realm_require_unique_names: false,
  realm_send_welcome_emails: false,
  realm_message_content_allowed_in_email_notifications: true,
  realm_require_e2ee_push_notifications: false,
  realm_enable_guest_user_indicator: true,
  realm_enable_guest_user_dm_warning: true,
  realm_presence_disabled: false,
  realm_video_chat_provider: 0,
  realm_available_video_chat_providers: { disabled: { name: 'None', id: 0 } },
  realm_jitsi_server_url: null,
  realm_giphy_rating: 0,
  realm_new_stream_announcements_stream_id: -1,
  realm_signup_announcements_stream_id: -1,
  realm_zulip_update_announcements_stream_id: -1,
  realm_push_notifications_enabled_end_timestamp: null,
  realm_default_external_accounts: {},
  realm_is_zephyr_mirror_realm: false,
}

/** UNIX seconds. */
const foundedAt = ({ db }: Workspace): number =>
  db.get<{ at: number | null }>('SELECT min(date_joined) AS at FROM users')?.at ?? 0

/** Some permissions as older clients know them: one of a few numbers, of which they get the nearest wider one. */
function oldPolicies(
  { db }: Workspace,
  permissions: Readonly<Record<string, GroupSettingValue>>,
): Record<string, number> {
  const numbers = {
    'role:members': 1,
    'role:administrators': 2,
    'role:fullmembers': 3,
    'role:moderators': 4,
    'role:nobody': 6,
    'role:owners': 7,
  } as const
  const wildcardNumbers = { ...numbers, 'role:members': 2, 'role:administrators': 5, 'role:moderators': 7 }
  const near = (setting: string, of: Readonly<Record<keyof typeof numbers, number>>, widest: number) =>
    (Object.keys(numbers) as (keyof typeof numbers)[])
      .filter((name) => permissions[setting] === systemGroupId(db, name))
      .map((name) => of[name])[0] ?? widest
  return {
    realm_create_public_stream_policy: near('can_create_public_channel_group', numbers, 1),
    realm_create_private_stream_policy: near('can_create_private_channel_group', numbers, 1),
    realm_create_web_public_stream_policy: near('can_create_web_public_channel_group', numbers, 1),
    realm_wildcard_mention_policy: near('can_mention_many_users_group', wildcardNumbers, 1),
  }
}
