import { z } from 'zod'
import {
  event,
  type EventForms,
  attachment,
  bot,
  botChange,
  draft,
  emoji,
  id,
  ids,
  linkifier,
  mutedUser,
  defaultChannelGroup,
  consent,
  dataExport,
  domain,
  navigationView,
  person,
  playground,
  profileField,
  reminder,
  scheduledMessage,
  seconds,
  snippet,
  userGroup,
} from './wire-forms.ts'

const personUpdate = (keys: z.ZodRawShape) => ({
  [`realm_user update ${Object.keys(keys).sort().join('+')}`]: event(
    'realm_user',
    { person: z.strictObject({ user_id: id, ...keys }) },
    'update',
  ),
})

const realmUpdate = (property: string, value: z.ZodType) => ({
  [`realm update ${property}`]: event('realm', { property: z.literal(property), value }, 'update'),
})

/**
 * Every event about people and the organization that the service sends to a modern client: exactly these keys, besides
 * `id`.
 */
export const organizationEventForms: EventForms = {
  'realm_user add': event('realm_user', { person }, 'add'),
  ...personUpdate({ full_name: z.string() }),
  ...personUpdate({
    avatar_source: z.enum(['G', 'U']),
    avatar_url: z.string().nullable(),
    avatar_url_medium: z.string().nullable(),
    avatar_version: z.int(),
  }),
  ...personUpdate({ email: z.string(), timezone: z.string() }),
  ...personUpdate({ bot_owner_id: id }),
  ...personUpdate({ role: z.int() }),
  ...personUpdate({ delivery_email: z.string().nullable() }),
  ...personUpdate({
    custom_profile_field: z.strictObject({
      id,
      value: z.string().nullable(),
      rendered_value: z.string().optional(),
    }),
  }),
  ...personUpdate({ is_active: z.boolean() }),
  'realm_bot add': event('realm_bot', { bot }, 'add'),
  'realm_bot update': event('realm_bot', { bot: botChange }, 'update'),
  'realm_bot delete': event('realm_bot', { bot: z.strictObject({ user_id: id }) }, 'delete'),
  'user_group add': event('user_group', { group: userGroup }, 'add'),
  'user_group update': event(
    'user_group',
    {
      group_id: id,
      data: userGroup
        .pick({
          name: true,
          description: true,
          deactivated: true,
          can_add_members_group: true,
          can_join_group: true,
          can_leave_group: true,
          can_manage_group: true,
          can_mention_group: true,
          can_remove_members_group: true,
        })
        .partial(),
    },
    'update',
  ),
  'user_group add_members': event('user_group', { group_id: id, user_ids: ids.min(1) }, 'add_members'),
  'user_group remove_members': event('user_group', { group_id: id, user_ids: ids.min(1) }, 'remove_members'),
  'user_group add_subgroups': event(
    'user_group',
    { group_id: id, direct_subgroup_ids: ids.min(1) },
    'add_subgroups',
  ),
  'user_group remove_subgroups': event(
    'user_group',
    { group_id: id, direct_subgroup_ids: ids.min(1) },
    'remove_subgroups',
  ),

  'realm update_dict default': event(
    'realm',
    { property: z.literal('default'), data: z.record(z.string(), z.unknown()) },
    'update_dict',
  ),
  ...realmUpdate('name', z.string()),
  ...realmUpdate('description', z.string()),
  ...realmUpdate('enable_spectator_access', z.boolean()),
  ...realmUpdate('emails_restricted_to_domains', z.boolean()),
  ...realmUpdate('enable_read_receipts', z.boolean()),
  ...realmUpdate('name_changes_disabled', z.boolean()),
  ...realmUpdate('email_changes_disabled', z.boolean()),
  ...realmUpdate('avatar_changes_disabled', z.boolean()),
  ...realmUpdate('message_edit_history_visibility_policy', z.enum(['all', 'moves', 'none'])),
  ...realmUpdate('message_content_delete_limit_seconds', seconds.nullable()),
  ...realmUpdate('move_messages_within_stream_limit_seconds', seconds.nullable()),
  ...realmUpdate('move_messages_between_streams_limit_seconds', seconds.nullable()),
  ...realmUpdate('moderation_request_channel_id', z.int()),
  ...realmUpdate('welcome_message_custom_text', z.string()),
  'realm deactivated': event('realm', { realm_id: id }, 'deactivated'),
  'realm update_dict icon': event(
    'realm',
    {
      property: z.literal('icon'),
      data: z.strictObject({ icon_url: z.string(), icon_source: z.enum(['G', 'U']) }),
    },
    'update_dict',
  ),
  'realm update_dict logo': event(
    'realm',
    {
      property: z.literal('logo'),
      data: z.strictObject({ logo_url: z.string(), logo_source: z.enum(['D', 'U']) }),
    },
    'update_dict',
  ),
  'realm update_dict night_logo': event(
    'realm',
    {
      property: z.literal('night_logo'),
      data: z.strictObject({ night_logo_url: z.string(), night_logo_source: z.enum(['D', 'U']) }),
    },
    'update_dict',
  ),
  'realm_user_settings_defaults update': event(
    'realm_user_settings_defaults',
    { property: z.string(), value: z.union([z.boolean(), z.int(), z.string()]) },
    'update',
  ),
  'realm_emoji update': event('realm_emoji', { realm_emoji: emoji }, 'update'),
  realm_linkifiers: event('realm_linkifiers', { realm_linkifiers: z.array(linkifier) }),
  realm_playgrounds: event('realm_playgrounds', { realm_playgrounds: z.array(playground) }),
  default_stream_groups: event('default_stream_groups', {
    default_stream_groups: z.array(defaultChannelGroup),
  }),
  realm_export: event('realm_export', { exports: z.array(dataExport) }),
  realm_export_consent: event('realm_export_consent', consent),
  'realm_domains add': event('realm_domains', { realm_domain: domain }, 'add'),
  'realm_domains change': event('realm_domains', { realm_domain: domain }, 'change'),
  'realm_domains remove': event('realm_domains', { domain: z.string() }, 'remove'),
  custom_profile_fields: event('custom_profile_fields', { fields: z.array(profileField) }),
  invites_changed: event('invites_changed', {}),

  'drafts add': event('drafts', { drafts: z.array(draft).min(1) }, 'add'),
  'drafts update': event('drafts', { draft }, 'update'),
  'drafts remove': event('drafts', { draft_id: id }, 'remove'),
  'saved_snippets add': event('saved_snippets', { saved_snippet: snippet }, 'add'),
  'saved_snippets update': event('saved_snippets', { saved_snippet: snippet }, 'update'),
  'saved_snippets remove': event('saved_snippets', { saved_snippet_id: id }, 'remove'),
  'navigation_view add': event('navigation_view', { navigation_view: navigationView }, 'add'),
  'navigation_view update': event(
    'navigation_view',
    {
      fragment: z.string(),
      data: z.strictObject({ is_pinned: z.boolean().optional(), name: z.string().optional() }),
    },
    'update',
  ),
  'navigation_view remove': event('navigation_view', { fragment: z.string() }, 'remove'),
  'scheduled_messages add': event(
    'scheduled_messages',
    { scheduled_messages: z.array(scheduledMessage).min(1) },
    'add',
  ),
  'scheduled_messages update': event('scheduled_messages', { scheduled_message: scheduledMessage }, 'update'),
  'scheduled_messages remove': event('scheduled_messages', { scheduled_message_id: id }, 'remove'),
  'reminders add': event('reminders', { reminders: z.array(reminder).min(1) }, 'add'),
  'reminders remove': event('reminders', { reminder_id: id }, 'remove'),
  'attachment add': event('attachment', { attachment, upload_space_used: z.int() }, 'add'),
  'attachment update': event('attachment', { attachment, upload_space_used: z.int() }, 'update'),
  'attachment remove': event(
    'attachment',
    { attachment: z.strictObject({ id }), upload_space_used: z.int() },
    'remove',
  ),
  'user_settings update': event(
    'user_settings',
    {
      property: z.string(),
      value: z.union([z.boolean(), z.int(), z.string()]),
      language_name: z.string().optional(),
    },
    'update',
  ),
  alert_words: event('alert_words', { alert_words: z.array(z.string()) }),
  muted_users: event('muted_users', { muted_users: z.array(mutedUser) }),
}

/** Events in the form for a client that declares no capabilities, and those that only such a client gets. */
export const formerOrganizationEventForms: EventForms = {
  'user_group remove': event('user_group', { group_id: id }, 'remove'),
  update_display_settings: event('update_display_settings', {
    user: z.string(),
    setting_name: z.string(),
    setting: z.union([z.boolean(), z.int(), z.string()]),
    language_name: z.string().optional(),
  }),
  update_global_notifications: event('update_global_notifications', {
    user: z.string(),
    notification_name: z.string(),
    setting: z.union([z.boolean(), z.int(), z.string()]),
  }),
}
