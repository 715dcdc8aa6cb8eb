import { longestFolderDescription, longestFolderName } from '../channel-folders.ts'
import { longestChannelDescription, longestChannelName } from '../channels.ts'
import { messageLimitsState } from '../message-limits.ts'
import { maxContent, maxTopic } from '../messages.ts'
import { realmPermissionValues, supportedPermissionSettings } from '../permissions.ts'
import { botDomain } from '../bots.ts'
import { longestPictureMib } from '../picture-files.ts'
import { realmValue, type Workspace } from '../workspace.ts'

/** The release that clients are told. */
export const serviceVersion = '12.0'
const longpollSeconds = 90

/** Names under which a picture is served; whichever is asked for, it comes in its own size. */
const thumbnailFormats = [
  { name: '840x560.webp', max_width: 840, max_height: 560, format: 'webp', animated: false },
  { name: '840x560-anim.webp', max_width: 840, max_height: 560, format: 'webp', animated: true },
]

/** What a client may know about the organization and the service (specification, POST /register). */
export function realmState(workspace: Workspace): Record<string, unknown> {
  return {
    realm_name: realmValue(workspace.db, 'name'),
    realm_description: realmValue(workspace.db, 'description'),
    realm_url: workspace.url,
    realm_uri: workspace.url,
    realm_icon_url: '/realm-icon',
    realm_icon_source: 'G',
    realm_empty_topic_display_name: realmValue(workspace.db, 'empty_topic_display_name'),
    realm_topics_policy: realmValue(workspace.db, 'topics_policy'),
    realm_mandatory_topics: realmValue(workspace.db, 'topics_policy') === 'disable_empty_topic',
    realm_enable_spectator_access: realmValue(workspace.db, 'enable_spectator_access') === 'true',
    ...messageLimitsState(workspace.db),
    server_supported_permission_settings: supportedPermissionSettings(),
    ...Object.fromEntries(
      Object.entries(realmPermissionValues(workspace.db)).map(([name, value]) => [`realm_${name}`, value]),
    ),
    max_topic_length: maxTopic,
    max_message_length: maxContent,
    max_stream_name_length: longestChannelName,
    max_stream_description_length: longestChannelDescription,
    max_channel_folder_name_length: longestFolderName,
    max_channel_folder_description_length: longestFolderDescription,
    realm_moderation_request_channel_id: Number(realmValue(workspace.db, 'moderation_request_channel_id')),
    realm_bot_domain: botDomain,
    realm_push_notifications_enabled: workspace.configuration.pushBouncerUrl !== null,
    max_reminder_note_length: 1_000,
    max_avatar_file_size_mib: longestPictureMib,
    max_file_upload_size_mib: workspace.configuration.maxUploadMib,
    realm_upload_quota_mib: workspace.configuration.uploadQuotaMib,
    server_thumbnail_formats: thumbnailFormats,
    event_queue_longpoll_timeout_seconds: longpollSeconds,
    server_presence_ping_interval_seconds: 60,
    server_presence_offline_threshold_seconds: 200,
    server_typing_started_expiry_period_milliseconds: 45_000,
    server_typing_stopped_wait_period_milliseconds: 12_000,
    server_typing_started_wait_period_milliseconds: 30_000,
  }
}
