import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { groupSettingChange } from './wire.ts'

/** Seconds, or no limit; real servers expect the keyword as JSON text. */
const limit = z.union([z.int().positive(), z.enum(['unlimited'])]).optional()

const permissions = {
  can_access_all_users_group: groupSettingChange.optional(),
  can_add_custom_emoji_group: groupSettingChange.optional(),
  can_add_subscribers_group: groupSettingChange.optional(),
  can_create_bots_group: groupSettingChange.optional(),
  can_create_groups: groupSettingChange.optional(),
  can_create_public_channel_group: groupSettingChange.optional(),
  can_create_private_channel_group: groupSettingChange.optional(),
  can_create_web_public_channel_group: groupSettingChange.optional(),
  can_create_write_only_bots_group: groupSettingChange.optional(),
  can_delete_any_message_group: groupSettingChange.optional(),
  can_delete_own_message_group: groupSettingChange.optional(),
  can_invite_users_group: groupSettingChange.optional(),
  can_manage_all_groups: groupSettingChange.optional(),
  can_manage_billing_group: groupSettingChange.optional(),
  can_mention_many_users_group: groupSettingChange.optional(),
  can_move_messages_between_channels_group: groupSettingChange.optional(),
  can_move_messages_between_topics_group: groupSettingChange.optional(),
  can_resolve_topics_group: groupSettingChange.optional(),
  can_set_delete_message_policy_group: groupSettingChange.optional(),
  can_set_topics_policy_group: groupSettingChange.optional(),
  can_summarize_topics_group: groupSettingChange.optional(),
  create_multiuse_invite_group: groupSettingChange.optional(),
  direct_message_initiator_group: groupSettingChange.optional(),
  direct_message_permission_group: groupSettingChange.optional(),
}

/** The settings that administrators choose for everybody. */
export const organization = {
  updateOrganization: endpoint({
    method: 'PATCH',
    path: '/realm',
    input: z.object({
      name: z.string().optional(),
      description: z.string().optional(),
      emails_restricted_to_domains: z.boolean().optional(),
      enable_spectator_access: z.boolean().optional(),
      allow_message_editing: z.boolean().optional(),
      enable_read_receipts: z.boolean().optional(),
      name_changes_disabled: z.boolean().optional(),
      email_changes_disabled: z.boolean().optional(),
      avatar_changes_disabled: z.boolean().optional(),
      message_content_edit_limit_seconds: limit,
      message_content_delete_limit_seconds: limit,
      move_messages_within_stream_limit_seconds: limit,
      move_messages_between_streams_limit_seconds: limit,
      message_edit_history_visibility_policy: z.enum(['all', 'moves', 'none']).optional(),
      topics_policy: z.enum(['allow_empty_topic', 'disable_empty_topic']).optional(),
      moderation_request_channel_id: z.int().optional(),
      welcome_message_custom_text: z.string().optional(),
      ...permissions,
    }),
    output: z.looseObject({}),
  }),
  deactivateOrganization: endpoint({
    method: 'POST',
    path: '/realm/deactivate',
    input: z.object({}),
    output: z.looseObject({}),
  }),
  /** Shows the caller what the welcome bot would write to a new person. */
  testWelcomeMessage: endpoint({
    method: 'POST',
    path: '/realm/test_welcome_bot_custom_message',
    since: 416,
    input: z.object({ welcome_message_custom_text: z.string() }),
    output: z.looseObject({ message_id: z.int() }),
  }),
}
