import { z } from 'zod'

/**
 * The exact forms of what the service returns: no missing and no extra keys, and the type of each value. The client's
 * schemas are wider on purpose, because it also talks to other servers; these state what this service promises.
 */

export const id = z.int().positive()
/** UNIX seconds. */
export const seconds = z.int().positive()
export const ids = z.array(z.int())
export const colour = z.string().regex(/^#[0-9a-f]{3,6}$/)
const reactionType = z.enum(['unicode_emoji', 'realm_emoji', 'service_extra_emoji'])

/** Who holds a permission: a group, or people and groups. */
export const holders = z.union([z.int(), z.strictObject({ direct_members: ids, direct_subgroups: ids })])

export const reactionKeys = {
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: reactionType,
  user_id: id,
}

const submessage = z.strictObject({
  id,
  message_id: id,
  sender_id: id,
  msg_type: z.string(),
  content: z.string(),
})

const messageKeys = {
  id,
  sender_id: id,
  sender_email: z.string(),
  sender_full_name: z.string(),
  sender_realm_str: z.string(),
  avatar_url: z.string().nullable(),
  client: z.string(),
  content: z.string(),
  content_type: z.enum(['text/html', 'text/x-markdown']),
  is_me_message: z.boolean(),
  reactions: z.array(z.strictObject(reactionKeys)),
  recipient_id: z.int(),
  subject: z.string(),
  submessages: z.array(submessage),
  timestamp: seconds,
  topic_links: z.array(z.strictObject({ text: z.string(), url: z.string() })),
}

/** A message without the fields that depend on the reader or on its history. */
export const channelMessage = z.strictObject({
  ...messageKeys,
  type: z.literal('stream'),
  stream_id: id,
  display_recipient: z.string(),
})
export const directMessage = z.strictObject({
  ...messageKeys,
  type: z.literal('private'),
  display_recipient: z.array(
    z.strictObject({ id, email: z.string(), full_name: z.string(), is_mirror_dummy: z.boolean() }),
  ),
})

export const draft = z.strictObject({
  id,
  type: z.enum(['', 'stream', 'private']),
  to: ids,
  topic: z.string(),
  content: z.string(),
  timestamp: seconds,
})

export const snippet = z.strictObject({
  id,
  title: z.string(),
  content: z.string(),
  date_created: seconds,
})

export const domain = z.strictObject({ domain: z.string(), allow_subdomains: z.boolean() })

export const defaultChannelGroup = z.strictObject({
  id,
  name: z.string(),
  description: z.string(),
  streams: ids,
})

export const dataExport = z.strictObject({
  id,
  acting_user_id: id,
  export_time: z.number().positive(),
  deleted_timestamp: z.number().positive().nullable(),
  failed_timestamp: z.number().positive().nullable(),
  export_url: z.string().nullable(),
  pending: z.boolean(),
  export_type: z.int(),
})
export const consent = { user_id: id, consented: z.boolean() }

export const navigationView = z.strictObject({
  fragment: z.string(),
  is_pinned: z.boolean(),
  name: z.string().nullable(),
})

const laterKeys = {
  content: z.string(),
  rendered_content: z.string(),
  scheduled_delivery_timestamp: seconds,
  failed: z.boolean(),
}
export const scheduledMessage = z.discriminatedUnion('type', [
  z.strictObject({
    scheduled_message_id: id,
    type: z.literal('stream'),
    to: id,
    topic: z.string(),
    ...laterKeys,
  }),
  z.strictObject({ scheduled_message_id: id, type: z.literal('private'), to: ids, ...laterKeys }),
])
export const reminder = z.strictObject({
  reminder_id: id,
  type: z.literal('private'),
  to: ids,
  reminder_target_message_id: id,
  ...laterKeys,
})

export const attachment = z.strictObject({
  id,
  name: z.string(),
  path_id: z.string(),
  size: z.int(),
  create_time: z.int(),
  messages: z.array(z.strictObject({ id, date_sent: z.int() })),
})

const channelPermissions = {
  can_add_subscribers_group: holders,
  can_administer_channel_group: holders,
  can_delete_any_message_group: holders,
  can_delete_own_message_group: holders,
  can_move_messages_out_of_channel_group: holders,
  can_move_messages_within_channel_group: holders,
  can_remove_subscribers_group: holders,
  can_resolve_topics_group: holders,
  can_send_message_group: holders,
  can_subscribe_group: holders,
}

const channelKeys = {
  stream_id: id,
  name: z.string(),
  is_archived: z.boolean(),
  description: z.string(),
  rendered_description: z.string(),
  date_created: seconds,
  creator_id: id.nullable(),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  stream_post_policy: z.int().min(1).max(4),
  is_announcement_only: z.boolean(),
  message_retention_days: z.int().nullable(),
  history_public_to_subscribers: z.boolean(),
  topics_policy: z.enum(['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only']),
  first_message_id: id.nullable(),
  folder_id: id.nullable(),
  is_recently_active: z.boolean(),
  stream_weekly_traffic: z.int().nullable(),
  subscriber_count: z.int().nonnegative(),
  ...channelPermissions,
}
export const channel = z.strictObject(channelKeys)

const subscriptionKeys = {
  color: colour,
  is_muted: z.boolean(),
  in_home_view: z.boolean(),
  pin_to_top: z.boolean(),
  desktop_notifications: z.boolean().nullable(),
  audible_notifications: z.boolean().nullable(),
  push_notifications: z.boolean().nullable(),
  email_notifications: z.boolean().nullable(),
  wildcard_mentions_notify: z.boolean().nullable(),
}
export const subscription = z.strictObject({ ...channelKeys, ...subscriptionKeys })
export const subscriptionWithPeople = subscription.extend({ subscribers: ids })

export const folder = z.strictObject({
  id,
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  order: z.int().nonnegative(),
  date_created: seconds.nullable(),
  creator_id: id.nullable(),
  is_archived: z.boolean(),
})

const groupPermissions = {
  can_add_members_group: holders,
  can_join_group: holders,
  can_leave_group: holders,
  can_manage_group: holders,
  can_mention_group: holders,
  can_remove_members_group: holders,
}
export const userGroup = z.strictObject({
  id,
  name: z.string(),
  description: z.string(),
  members: ids,
  direct_subgroup_ids: ids,
  is_system_group: z.boolean(),
  creator_id: id.nullable(),
  date_created: seconds.nullable(),
  deactivated: z.boolean(),
  ...groupPermissions,
})

const profileValue = z.strictObject({ value: z.string(), rendered_value: z.string().optional() })

/** What every list of people contains for each person; bots have no profile. */
const personKeys = {
  user_id: id,
  email: z.string(),
  delivery_email: z.string().nullable(),
  full_name: z.string(),
  date_joined: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d/),
  is_owner: z.boolean(),
  is_admin: z.boolean(),
  is_guest: z.boolean(),
  role: z.union([z.literal(100), z.literal(200), z.literal(300), z.literal(400), z.literal(600)]),
  timezone: z.string(),
  avatar_url: z.string().nullable(),
  avatar_version: z.int(),
}
const humanKeys = {
  ...personKeys,
  is_bot: z.literal(false),
  bot_type: z.null(),
  bot_owner_id: z.null(),
}
const botKeys = {
  ...personKeys,
  is_bot: z.literal(true),
  bot_type: z.int().min(1).max(4),
  bot_owner_id: id.nullable(),
}
const profile = { profile_data: z.record(z.string().regex(/^\d+$/), profileValue) }
const isActive = { is_active: z.boolean() }

/** A person of the organization, as somebody who may know of them sees them. */
export const person = z.union([
  z.strictObject({ ...humanKeys, ...isActive, ...profile }),
  z.strictObject({ ...botKeys, ...isActive }),
])
/** The same, if profiles were not requested. */
export const personWithoutProfile = z.union([
  z.strictObject({ ...humanKeys, ...isActive }),
  z.strictObject({ ...botKeys, ...isActive }),
])
/** In lists of deactivated people only. */
export const formerPerson = z.union([z.strictObject({ ...humanKeys, ...profile }), z.strictObject(botKeys)])
export const systemBot = z.strictObject({ ...botKeys, ...isActive, is_system_bot: z.literal(true) })

const services = z.array(
  z.strictObject({
    base_url: z.string(),
    interface: z.union([z.literal(1), z.literal(2)]),
    token: z.string(),
  }),
)
export const botDefaults = {
  default_sending_stream: z.string().nullable(),
  default_events_register_stream: z.string().nullable(),
  default_all_public_streams: z.boolean(),
}
export const bot = z.strictObject({
  user_id: id,
  email: z.string(),
  full_name: z.string(),
  api_key: z.string(),
  bot_type: z.int().min(1).max(4),
  is_active: z.boolean(),
  avatar_url: z.string().nullable(),
  owner_id: id.nullable(),
  ...botDefaults,
  services,
})
export const botChange = z.strictObject({ user_id: id, ...bot.omit({ user_id: true }).partial().shape })

export const emoji = z.record(
  z.string().regex(/^\d+$/),
  z.strictObject({
    id: z.string().regex(/^\d+$/),
    name: z.string(),
    source_url: z.string(),
    still_url: z.string().nullable(),
    deactivated: z.boolean(),
    author_id: id.nullable(),
  }),
)
export const linkifier = z.strictObject({ id, pattern: z.string(), url_template: z.string() })
export const playground = z.strictObject({
  id,
  name: z.string(),
  pygments_language: z.string(),
  url_template: z.string(),
})
export const profileField = z.strictObject({
  id,
  type: z.int().min(1).max(8),
  order: z.int(),
  name: z.string(),
  hint: z.string(),
  field_data: z.string(),
  display_in_profile_summary: z.literal(true).optional(),
  required: z.boolean(),
  editable_by_user: z.boolean(),
})
export const mutedUser = z.strictObject({ id, timestamp: seconds })
export const userTopic = z.strictObject({
  stream_id: id,
  topic_name: z.string(),
  last_updated: seconds,
  visibility_policy: z.int().min(0).max(3),
})
export const modernPresence = z.strictObject({ active_timestamp: z.int(), idle_timestamp: z.int() })
export const legacyPresence = z.strictObject({
  client: z.literal('website'),
  status: z.enum(['active', 'idle']),
  timestamp: seconds,
  pushable: z.literal(false),
})

/** The form of each kind of event, by the name that `kindOf` in event-capture.ts gives it. */
export type EventForms = Readonly<Record<string, z.ZodType>>

/** An event of exactly these keys. */
export const event = (type: string, keys: z.ZodRawShape, op?: string) =>
  z.strictObject({ type: z.literal(type), ...(op === undefined ? {} : { op: z.literal(op) }), ...keys })
