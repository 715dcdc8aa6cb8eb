/** Names and limits that screens use, by the snapshot's field name. */
export const organizationFields = [
  'realm_name',
  'realm_url',
  'realm_icon_url',
  'realm_empty_topic_display_name',
  'realm_topics_policy',
  'realm_default_streams',
  'max_topic_length',
  'max_message_length',
  'server_typing_started_expiry_period_milliseconds',
  'server_presence_offline_threshold_seconds',
] as const

/** Whether the file keeps this field of the organization. */
export const isOrganizationField = (field: string): boolean =>
  organizationFields.some((kept) => kept === field)
