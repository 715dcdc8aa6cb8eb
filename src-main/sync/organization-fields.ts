/**
 * What the file keeps of an organization and its server, by the snapshot's field name: what screens show or offer, and
 * what is needed to know what a person may do.
 */
export const organizationFields = [
  'realm_name',
  'realm_url',
  'realm_icon_url',
  'realm_description',
  'realm_empty_topic_display_name',
  'realm_topics_policy',
  'realm_mandatory_topics',
  'realm_default_streams',
  'realm_waiting_period_threshold',

  'realm_allow_message_editing',
  'realm_message_content_edit_limit_seconds',
  'realm_message_content_delete_limit_seconds',
  'realm_move_messages_within_stream_limit_seconds',
  'realm_move_messages_between_streams_limit_seconds',
  'realm_message_edit_history_visibility_policy',
  'realm_allow_edit_history',
  'realm_message_retention_days',
  'realm_enable_read_receipts',
  'realm_enable_guest_user_indicator',
  'realm_enable_guest_user_dm_warning',
  'realm_presence_disabled',
  'realm_default_external_accounts',
  'realm_moderation_request_channel_id',
  'realm_name_changes_disabled',
  'realm_email_changes_disabled',
  'realm_avatar_changes_disabled',

  'realm_can_access_all_users_group',
  'realm_can_add_custom_emoji_group',
  'realm_can_add_subscribers_group',
  'realm_can_create_bots_group',
  'realm_can_create_groups',
  'realm_can_create_public_channel_group',
  'realm_can_create_private_channel_group',
  'realm_can_create_web_public_channel_group',
  'realm_can_create_write_only_bots_group',
  'realm_can_delete_any_message_group',
  'realm_can_delete_own_message_group',
  'realm_can_invite_users_group',
  'realm_can_manage_all_groups',
  'realm_can_mention_many_users_group',
  'realm_can_move_messages_between_channels_group',
  'realm_can_move_messages_between_topics_group',
  'realm_can_resolve_topics_group',
  'realm_can_set_delete_message_policy_group',
  'realm_can_set_topics_policy_group',
  'realm_create_multiuse_invite_group',
  'realm_direct_message_initiator_group',
  'realm_direct_message_permission_group',
  // How older servers say some of the above.
  'realm_create_public_stream_policy',
  'realm_create_private_stream_policy',
  'realm_create_web_public_stream_policy',
  'realm_wildcard_mention_policy',

  'max_topic_length',
  'max_message_length',
  'max_reminder_note_length',
  'max_file_upload_size_mib',
  'server_typing_started_expiry_period_milliseconds',
  'server_presence_offline_threshold_seconds',
] as const

/** Whether the file keeps this field of the organization. */
export const isOrganizationField = (field: string): boolean =>
  organizationFields.some((kept) => kept === field)
