import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { groupSettingValue, visibilityPolicy } from './wire.ts'

/** The Channel object (specification, Channel object); permissions are only listed where the app uses them. */
export const apiChannel = z.looseObject({
  stream_id: z.int(),
  name: z.string(),
  is_archived: z.boolean().default(false),
  description: z.string().default(''),
  rendered_description: z.string().default(''),
  date_created: z.int().optional(),
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
  can_send_message_group: groupSettingValue.optional(),
})
export type ApiChannel = z.output<typeof apiChannel>

/** A channel with the caller's own settings for it. */
export const apiSubscription = apiChannel.extend({
  color: z.string().default('#c2c2c2'),
  is_muted: z.boolean().default(false),
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
  date_created: z.int().nullish(),
  creator_id: z.int().nullish(),
  is_archived: z.boolean().default(false),
})

const subscriptionChange = z.object({
  stream_id: z.int(),
  property: z.string(),
  value: z.union([z.boolean(), z.string()]),
})

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
      subscriptions: z.array(
        z.object({ name: z.string(), description: z.string().optional(), color: z.string().optional() }),
      ),
      principals: z.union([z.array(z.int()), z.array(z.string())]).optional(),
      authorization_errors_fatal: z.boolean().optional(),
      announce: z.boolean().optional(),
      invite_only: z.boolean().optional(),
      is_web_public: z.boolean().optional(),
      is_default_stream: z.boolean().optional(),
      history_public_to_subscribers: z.boolean().optional(),
      folder_id: z.int().optional(),
    }),
    output: z.looseObject({
      subscribed: z.record(z.string(), z.array(z.string())),
      already_subscribed: z.record(z.string(), z.array(z.string())),
    }),
  }),
  unsubscribe: endpoint({
    method: 'DELETE',
    path: '/users/me/subscriptions',
    input: z.object({
      subscriptions: z.array(z.string()),
      principals: z.union([z.array(z.int()), z.array(z.string())]).optional(),
    }),
    output: z.looseObject({ removed: z.array(z.string()), not_removed: z.array(z.string()) }),
  }),
  updateSubscriptionSettings: endpoint({
    method: 'POST',
    path: '/users/me/subscriptions/properties',
    input: z.object({ subscription_data: z.array(subscriptionChange) }),
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
}
