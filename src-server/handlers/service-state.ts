import { longestPassword, shortestPassword } from '../people/passwords.ts'
import { longestFolderDescription, longestFolderName } from '../channels/channel-folders.ts'
import { longestChannelDescription, longestChannelName } from '../channels/channels.ts'
import { emojiNamesPath } from '../organization/emoji-list.ts'
import { maxContent } from '../messages/messages.ts'
import { maxTopic } from '../topics.ts'
import { supportedPermissionSettings } from '../permissions/setting-table.ts'
import { longestPictureMib } from '../files/picture-files.ts'
import { thumbnailFormats } from '../files/thumbnail-formats.ts'
import { serviceGeneration } from '../service-version.ts'
import type { Workspace } from '../workspace.ts'

const longpollSeconds = 90

/**
 * The state that is the same for every organization of this service (specification, POST /register: server_ and
 * limits).
 */
export function serviceState(workspace: Workspace): Record<string, unknown> {
  return {
    server_supported_permission_settings: supportedPermissionSettings(),
    max_topic_length: maxTopic,
    max_message_length: maxContent,
    max_stream_name_length: longestChannelName,
    max_stream_description_length: longestChannelDescription,
    max_channel_folder_name_length: longestFolderName,
    max_channel_folder_description_length: longestFolderDescription,
    max_reminder_note_length: 1_000,
    max_bulk_new_subscription_messages: 100,
    max_avatar_file_size_mib: longestPictureMib,
    max_icon_file_size_mib: longestPictureMib,
    max_logo_file_size_mib: longestPictureMib,
    max_file_upload_size_mib: workspace.configuration.maxUploadMib,
    server_thumbnail_formats: thumbnailFormats,
    event_queue_longpoll_timeout_seconds: longpollSeconds,
    server_presence_ping_interval_seconds: 60,
    server_presence_offline_threshold_seconds: 200,
    server_typing_started_expiry_period_milliseconds: 45_000,
    server_typing_stopped_wait_period_milliseconds: 12_000,
    server_typing_started_wait_period_milliseconds: 30_000,
    server_emoji_data_url: `${workspace.url}${emojiNamesPath}`,
    server_generation: serviceGeneration,
    server_needs_upgrade: false,
    development_environment: false,
    server_web_public_streams_enabled: true,
    server_inline_image_preview: true,
    server_inline_url_embed_preview: false,
    server_name_changes_disabled: false,
    server_avatar_changes_disabled: false,
    server_can_summarize_topics: false,
    server_min_deactivated_realm_deletion_days: null,
    server_max_deactivated_realm_deletion_days: null,
    password_min_length: shortestPassword,
    password_max_length: longestPassword,
    password_min_guesses: 0,
    // There are no video calls, and there is no GIF search.
    server_jitsi_server_url: null,
    jitsi_server_url: null,
    giphy_rating_options: { disabled: { name: 'None', id: 0 } },
    settings_send_digest_emails: false,
    zulip_plan_is_not_limited: true,
    upgrade_text_for_wide_organization_logo: '',
  }
}
