import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { groupSettingChange, groupSettingValue, visibilityPolicy, wireWholeSeconds } from './wire.ts'

const topicsPolicy = z.enum(['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'])

const permissions = {
  can_add_subscribers_group: groupSettingValue.optional(),
  can_remove_subscribers_group: groupSettingValue.optional(),
  can_administer_channel_group: groupSettingValue.optional(),
  can_delete_any_message_group: groupSettingValue.optional(),
  can_delete_own_message_group: groupSettingValue.optional(),
  can_send_message_group: groupSettingValue.optional(),
  can_subscribe_group: groupSettingValue.optional(),
  can_move_messages_out_of_channel_group: groupSettingValue.optional(),
  can_move_messages_within_channel_group: groupSettingValue.optional(),
  can_resolve_topics_group: groupSettingValue.optional(),
}

/** The Channel object (specification, Channel object). */
export const apiChannel = z.looseObject({
  stream_id: z.int(),
  name: z.string(),
  is_archived: z.boolean().default(false),
  description: z.string().default(''),
  rendered_description: z.string().default(''),
  date_created: wireWholeSeconds.optional(),
  creator_id: z.int().nullish(),
  invite_only: z.boolean().default(false),
  is_web_public: z.boolean().default(false),
  history_public_to_subscribers: z.boolean().default(false),
  is_announcement_only: z.boolean().optional(),
  stream_post_policy: z.int().optional(),
  first_message_id: z.int().nullish(),
  folder_id: z.int().nullish(),
  is_recently_active: z.boolean().optional(),
  topics_policy: z.string().optional(),
  message_retention_days: z.int().nullish(),
  stream_weekly_traffic: z.int().nullish(),
  subscriber_count: z.int().optional(),
  /** Only if the request asked for the default channels. */
  is_default: z.boolean().optional(),
  ...permissions,
})
export type ApiChannel = z.output<typeof apiChannel>

/** A default channel: its id or, from a server below level 330, the channel. */
export const defaultChannel = z.union([
  z.int(),
  z.looseObject({ stream_id: z.int() }).transform(({ stream_id }) => stream_id),
])

/** A channel with the caller's own settings for it. */
export const apiSubscription = apiChannel.extend({
  color: z.string().default('#c2c2c2'),
  is_muted: z.boolean().optional(),
  /** Its opposite, on servers below level 139. */
  in_home_view: z.boolean().optional(),
  pin_to_top: z.boolean().default(false),
  desktop_notifications: z.boolean().nullish(),
  audible_notifications: z.boolean().nullish(),
  push_notifications: z.boolean().nullish(),
  email_notifications: z.boolean().nullish(),
  wildcard_mentions_notify: z.boolean().nullish(),
  subscribers: z.array(z.int()).optional(),
  partial_subscribers: z.array(z.int()).optional(),
})
export type ApiSubscription = z.output<typeof apiSubscription>

export const apiChannelFolder = z.looseObject({
  id: z.int(),
  name: z.string(),
  description: z.string().default(''),
  rendered_description: z.string().default(''),
  order: z.int().optional(),
  date_created: wireWholeSeconds.nullish(),
  creator_id: z.int().nullish(),
  is_archived: z.boolean().default(false),
})
export type ApiChannelFolder = z.output<typeof apiChannelFolder>

const subscriptionChange = z.object({
  stream_id: z.int(),
  property: z.string(),
  value: z.union([z.boolean(), z.string()]),
})

/** Days, or a keyword; real servers expect the keywords as JSON text. */
const retention = z.union([z.int().positive(), z.enum(['realm_default', 'unlimited'])])

/** What a request can set for a new channel; ignored for channels that exist already. */
const newChannel = {
  announce: z.boolean().optional(),
  invite_only: z.boolean().optional(),
  is_web_public: z.boolean().optional(),
  is_default_stream: z.boolean().optional(),
  history_public_to_subscribers: z.boolean().optional(),
  message_retention_days: retention.optional(),
  folder_id: z.int().nullable().optional(),
  // A union, so that JSON text and plain text are both understood.
  topics_policy: z.union([topicsPolicy, z.never()]).optional(),
  ...permissions,
}

const principals = z.union([z.array(z.int()), z.array(z.string())]).optional()
const namedChannels = z.array(
  z.object({ name: z.string(), description: z.string().optional(), color: z.string().optional() }),
)
const subscribedByUser = z.record(z.string(), z.array(z.string()))

/** Channels, the caller's subscriptions to them, their topics. */
export const channels = {
  getStreams: endpoint({
    method: 'GET',
    path: '/streams',
    input: z.object({
      include_public: z.boolean().optional(),
      include_web_public: z.boolean().optional(),
      include_subscribed: z.boolean().optional(),
      exclude_archived: z.boolean().optional(),
      include_all: z.boolean().optional(),
      include_default: z.boolean().optional(),
      include_owner_subscribed: z.boolean().optional(),
      include_can_access_content: z.boolean().optional(),
      include_all_active: z.boolean().optional(),
    }),
    output: z.looseObject({ streams: z.array(apiChannel) }),
  }),
  getSubscriptions: endpoint({
    method: 'GET',
    path: '/users/me/subscriptions',
    input: z.object({ include_subscribers: z.enum(['true', 'false', 'partial']).optional() }),
    output: z.looseObject({ subscriptions: z.array(apiSubscription) }),
  }),
  subscribe: endpoint({
    method: 'POST',
    path: '/users/me/subscriptions',
    input: z.object({
      subscriptions: namedChannels,
      principals,
      authorization_errors_fatal: z.boolean().optional(),
      ...newChannel,
    }),
    output: z.looseObject({
      subscribed: subscribedByUser,
      already_subscribed: subscribedByUser,
      unauthorized: z.array(z.string()).optional(),
    }),
  }),
  unsubscribe: endpoint({
    method: 'DELETE',
    path: '/users/me/subscriptions',
    input: z.object({ subscriptions: z.array(z.string()), principals }),
    output: z.looseObject({ removed: z.array(z.string()), not_removed: z.array(z.string()) }),
  }),
  updateSubscriptions: endpoint({
    method: 'PATCH',
    path: '/users/me/subscriptions',
    input: z.object({ add: namedChannels.optional(), delete: z.array(z.string()).optional() }),
    output: z.looseObject({
      subscribed: subscribedByUser,
      already_subscribed: subscribedByUser,
      removed: z.array(z.string()),
      not_removed: z.array(z.string()),
    }),
  }),
  getSubscriptionStatus: endpoint({
    method: 'GET',
    path: '/users/{user_id}/subscriptions/{stream_id}',
    since: 12,
    input: z.object({ user_id: z.int(), stream_id: z.int() }),
    output: z.looseObject({ is_subscribed: z.boolean() }),
  }),
  createChannel: endpoint({
    method: 'POST',
    path: '/channels/create',
    since: 417,
    input: z.object({
      name: z.string(),
      description: z.string().optional(),
      subscribers: z.array(z.int()),
      ...newChannel,
    }),
    output: z.looseObject({ id: z.int() }),
  }),
  getStreamId: endpoint({
    method: 'GET',
    path: '/get_stream_id',
    input: z.object({ stream: z.string() }),
    output: z.looseObject({ stream_id: z.int() }),
  }),
  getStreamById: endpoint({
    method: 'GET',
    path: '/streams/{stream_id}',
    since: 132,
    input: z.object({ stream_id: z.int() }),
    output: z.looseObject({ stream: apiChannel }),
  }),
  getSubscribers: endpoint({
    method: 'GET',
    path: '/streams/{stream_id}/members',
    input: z.object({ stream_id: z.int() }),
    output: z.looseObject({ subscribers: z.array(z.int()) }),
  }),
  getChannelEmailAddress: endpoint({
    method: 'GET',
    path: '/streams/{stream_id}/email_address',
    since: 226,
    input: z.object({ stream_id: z.int(), sender_id: z.int().optional() }),
    output: z.looseObject({ email: z.string() }),
  }),
  updateStream: endpoint({
    method: 'PATCH',
    path: '/streams/{stream_id}',
    input: z.object({
      stream_id: z.int(),
      new_name: z.string().optional(),
      description: z.string().optional(),
      is_private: z.boolean().optional(),
      is_web_public: z.boolean().optional(),
      history_public_to_subscribers: z.boolean().optional(),
      is_default_stream: z.boolean().optional(),
      message_retention_days: retention.optional(),
      is_archived: z.boolean().optional(),
      folder_id: z.int().nullable().optional(),
      topics_policy: topicsPolicy.optional(),
      can_add_subscribers_group: groupSettingChange.optional(),
      can_remove_subscribers_group: groupSettingChange.optional(),
      can_administer_channel_group: groupSettingChange.optional(),
      can_delete_any_message_group: groupSettingChange.optional(),
      can_delete_own_message_group: groupSettingChange.optional(),
      can_send_message_group: groupSettingChange.optional(),
      can_subscribe_group: groupSettingChange.optional(),
      can_move_messages_out_of_channel_group: groupSettingChange.optional(),
      can_move_messages_within_channel_group: groupSettingChange.optional(),
      can_resolve_topics_group: groupSettingChange.optional(),
    }),
    output: z.looseObject({}),
  }),
  archiveStream: endpoint({
    method: 'DELETE',
    path: '/streams/{stream_id}',
    input: z.object({ stream_id: z.int() }),
    output: z.looseObject({}),
  }),
  addDefaultStream: endpoint({
    method: 'POST',
    path: '/default_streams',
    input: z.object({ stream_id: z.int() }),
    output: z.looseObject({}),
  }),
  removeDefaultStream: endpoint({
    method: 'DELETE',
    path: '/default_streams',
    input: z.object({ stream_id: z.int() }),
    output: z.looseObject({}),
  }),
  updateSubscriptionSettings: endpoint({
    method: 'POST',
    path: '/users/me/subscriptions/properties',
    input: z.object({ subscription_data: z.array(subscriptionChange) }),
    output: z.looseObject({}),
  }),
  updateSubscription: endpoint({
    method: 'PATCH',
    path: '/users/me/subscriptions/{stream_id}',
    input: z.object({
      stream_id: z.int(),
      property: z.string(),
      value: z.union([z.boolean(), z.string()]),
    }),
    output: z.looseObject({}),
  }),
  getStreamTopics: endpoint({
    method: 'GET',
    path: '/users/me/{stream_id}/topics',
    input: z.object({ stream_id: z.int(), allow_empty_topic_name: z.boolean().optional() }),
    output: z.looseObject({ topics: z.array(z.looseObject({ max_id: z.int(), name: z.string() })) }),
  }),
  updateUserTopic: endpoint({
    method: 'POST',
    path: '/user_topics',
    since: 170,
    input: z.object({ stream_id: z.int(), topic: z.string(), visibility_policy: visibilityPolicy }),
    output: z.looseObject({}),
  }),
  /** An older way to mute a topic. */
  muteTopic: endpoint({
    method: 'PATCH',
    path: '/users/me/subscriptions/muted_topics',
    input: z.object({
      /** The channel, by its name or by its id: exactly one of the two. */
      stream: z.string().optional(),
      stream_id: z.int().optional(),
      topic: z.string(),
      op: z.enum(['add', 'remove']),
    }),
    output: z.looseObject({}),
  }),
}
