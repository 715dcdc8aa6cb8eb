import { z } from 'zod'
import {
  event,
  type EventForms,
  channel,
  channelMessage,
  colour,
  directMessage,
  folder,
  holders,
  id,
  ids,
  legacyPresence,
  modernPresence,
  reactionKeys,
  seconds,
  subscriptionWithPeople,
  userTopic,
} from './wire-forms.ts'

const flags = z.array(z.string())
const newMessage = (message: z.ZodType) =>
  event('message', { message, flags, local_message_id: z.string().optional() })

const change = {
  user_id: id,
  edit_timestamp: seconds,
  message_id: id,
  message_ids: ids,
  flags,
  rendering_only: z.literal(false),
}
const words = {
  content: z.string(),
  rendered_content: z.string(),
  orig_content: z.string(),
  orig_rendered_content: z.string(),
  is_me_message: z.boolean(),
}
const oldPlace = { stream_id: id, stream_name: z.string() }
const move = {
  orig_subject: z.string(),
  propagate_mode: z.enum(['change_one', 'change_later', 'change_all']),
}
const newTopic = {
  subject: z.string(),
  topic_links: z.array(z.strictObject({ text: z.string(), url: z.string() })),
}

const details = z.record(
  z.string().regex(/^\d+$/),
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('stream'),
      stream_id: id,
      topic: z.string(),
      mentioned: z.literal(true).optional(),
      unmuted_stream_msg: z.boolean(),
    }),
    z.strictObject({ type: z.literal('private'), user_ids: ids, mentioned: z.literal(true).optional() }),
  ]),
)
const marks = { flag: z.string(), messages: ids, all: z.boolean() }
// The person who reacted appears twice, for clients that are older than user ids.
const reaction = {
  ...reactionKeys,
  message_id: id,
  user: z.strictObject({ user_id: id, email: z.string(), full_name: z.string() }),
}
const deleted = {
  'in a channel': { message_type: z.literal('stream'), stream_id: id, topic: z.string() },
  direct: { message_type: z.literal('private') },
}

const sender = z.strictObject({ user_id: id, email: z.string() })
const typing = (op: string) => ({
  [`typing ${op} in a channel`]: event(
    'typing',
    { message_type: z.literal('stream'), sender, stream_id: id, topic: z.string() },
    op,
  ),
  [`typing ${op} direct`]: event(
    'typing',
    { message_type: z.literal('direct'), sender, recipients: z.array(sender) },
    op,
  ),
})
const typingInEdit = (op: string) => {
  const keys = (recipient: z.ZodType) =>
    event('typing_edit_message', { sender_id: id, message_id: id, recipient }, op)
  return {
    [`typing_edit_message ${op} in a channel`]: keys(
      z.strictObject({ type: z.literal('channel'), channel_id: id, topic: z.string() }),
    ),
    [`typing_edit_message ${op} direct`]: keys(z.strictObject({ type: z.literal('direct'), user_ids: ids })),
  }
}

const subscriptionUpdate = (property: string, value: z.ZodType) => ({
  [`subscription update ${property}`]: event(
    'subscription',
    { stream_id: id, property: z.literal(property), value },
    'update',
  ),
})
const channelUpdate = (property: string, value: z.ZodType, more: z.ZodRawShape = {}) => ({
  [`stream update ${property}`]: event(
    'stream',
    { stream_id: id, name: z.string(), property: z.literal(property), value, ...more },
    'update',
  ),
})
const channelPermissions = Object.keys(channel.shape).filter((name) => /^can_.*_group$/.test(name))

/**
 * Every event about messages and channels that the service sends to a modern client: exactly these keys, besides `id`.
 */
export const eventForms: EventForms = {
  'message in a channel': newMessage(channelMessage),
  'message direct': newMessage(directMessage),
  // A direct message has no channel; a channel message names its channel, and its previous name.
  'update_message words': z.union([
    event('update_message', { ...change, ...words }),
    event('update_message', { ...change, ...words, ...oldPlace }),
  ]),
  'update_message topic': event('update_message', { ...change, ...oldPlace, ...move, ...newTopic }),
  'update_message words+topic': event('update_message', {
    ...change,
    ...words,
    ...oldPlace,
    ...move,
    ...newTopic,
  }),
  'update_message channel': event('update_message', { ...change, ...oldPlace, ...move, new_stream_id: id }),
  'update_message topic+channel': event('update_message', {
    ...change,
    ...oldPlace,
    ...move,
    ...newTopic,
    new_stream_id: id,
  }),
  'delete_message in a channel': event('delete_message', { message_ids: ids, ...deleted['in a channel'] }),
  'delete_message direct': event('delete_message', { message_ids: ids, ...deleted.direct }),
  // `operation` repeats `op`, for clients that are older than it.
  'update_message_flags add': event('update_message_flags', { operation: z.literal('add'), ...marks }, 'add'),
  'update_message_flags remove': event(
    'update_message_flags',
    { operation: z.literal('remove'), ...marks, message_details: details.optional() },
    'remove',
  ),
  'reaction add': event('reaction', reaction, 'add'),
  'reaction remove': event('reaction', reaction, 'remove'),
  submessage: event('submessage', {
    message_id: id,
    submessage_id: id,
    sender_id: id,
    msg_type: z.string(),
    content: z.string(),
  }),

  presence: event('presence', { presences: z.record(z.string().regex(/^\d+$/), modernPresence) }),
  user_status: event('user_status', {
    user_id: id,
    status_text: z.string().optional(),
    emoji_name: z.string().optional(),
    emoji_code: z.string().optional(),
    reaction_type: z.enum(['', 'unicode_emoji', 'realm_emoji', 'service_extra_emoji']).optional(),
    away: z.boolean().optional(),
  }),
  ...typing('start'),
  ...typing('stop'),
  ...typingInEdit('start'),
  ...typingInEdit('stop'),

  'subscription add': event('subscription', { subscriptions: z.array(subscriptionWithPeople).min(1) }, 'add'),
  'subscription remove': event(
    'subscription',
    { subscriptions: z.array(z.strictObject({ stream_id: id, name: z.string() })).min(1) },
    'remove',
  ),
  ...subscriptionUpdate('color', colour),
  ...subscriptionUpdate('is_muted', z.boolean()),
  ...subscriptionUpdate('in_home_view', z.boolean()),
  ...subscriptionUpdate('pin_to_top', z.boolean()),
  ...subscriptionUpdate('desktop_notifications', z.boolean()),
  ...subscriptionUpdate('audible_notifications', z.boolean()),
  ...subscriptionUpdate('push_notifications', z.boolean()),
  ...subscriptionUpdate('email_notifications', z.boolean()),
  ...subscriptionUpdate('wildcard_mentions_notify', z.boolean()),
  'subscription peer_add': event(
    'subscription',
    { stream_ids: ids.min(1), user_ids: ids.min(1) },
    'peer_add',
  ),
  'subscription peer_remove': event(
    'subscription',
    { stream_ids: ids.min(1), user_ids: ids.min(1) },
    'peer_remove',
  ),
  'stream create': event('stream', { streams: z.array(channel).min(1) }, 'create'),
  'stream delete': event(
    'stream',
    { stream_ids: ids.min(1), streams: z.array(z.strictObject({ stream_id: id })).min(1) },
    'delete',
  ),
  ...channelUpdate('name', z.string()),
  ...channelUpdate('description', z.string(), { rendered_description: z.string() }),
  ...channelUpdate('invite_only', z.boolean(), {
    history_public_to_subscribers: z.boolean(),
    is_web_public: z.boolean(),
  }),
  ...channelUpdate('message_retention_days', z.int().nullable()),
  ...channelUpdate('stream_post_policy', z.int()),
  ...channelUpdate('is_announcement_only', z.boolean()),
  ...channelUpdate('first_message_id', id.nullable()),
  ...channelUpdate('is_archived', z.boolean()),
  ...channelUpdate('folder_id', id.nullable()),
  ...channelUpdate('topics_policy', z.string()),
  ...Object.assign({}, ...channelPermissions.map((name) => channelUpdate(name, holders))),
  user_topic: userTopic.extend({ type: z.literal('user_topic') }),
  muted_topics: event('muted_topics', {
    muted_topics: z.array(z.tuple([z.string(), z.string(), seconds])),
  }),
  default_streams: event('default_streams', { default_streams: ids }),
  'channel_folder add': event('channel_folder', { channel_folder: folder }, 'add'),
  'channel_folder update': event(
    'channel_folder',
    {
      channel_folder_id: id,
      data: z.strictObject({
        name: z.string().optional(),
        description: z.string().optional(),
        rendered_description: z.string().optional(),
        is_archived: z.boolean().optional(),
      }),
    },
    'update',
  ),
  'channel_folder reorder': event('channel_folder', { order: ids }, 'reorder'),
}

/** Events in the form for a client that declares no capabilities, and those that only such a client gets. */
export const formerEventForms: EventForms = {
  'delete_message in a channel': event('delete_message', { message_id: id, ...deleted['in a channel'] }),
  'delete_message direct': event('delete_message', { message_id: id, ...deleted.direct }),
  presence: event('presence', {
    user_id: id,
    email: z.string(),
    server_timestamp: z.number(),
    presence: z.strictObject({ website: legacyPresence }),
  }),
}
