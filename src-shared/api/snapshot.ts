import { z } from 'zod'
import { smallListSnapshot } from './small-lists.ts'
import { apiChannel, apiChannelFolder, apiSubscription, defaultChannel } from './channels.ts'
import { realmEmoji } from './custom-emoji.ts'
import { apiDraft } from './drafts.ts'
import { reportedSettings } from './settings.ts'
import { apiUserGroup } from './user-groups.ts'
import { apiUser, legacyPresence, modernPresence } from './users.ts'
import {
  inSpecificationNames,
  speaksDialect,
  visibilityPolicy,
  wireSeconds,
  wireWholeSeconds,
} from './wire.ts'

export const userTopic = z.looseObject({
  stream_id: z.int(),
  topic_name: z.string(),
  last_updated: z.int().default(0),
  visibility_policy: visibilityPolicy,
})

/** The muted topics of a server without topic visibility: a channel's name, a topic, and since when. */
export const mutedTopics = z.array(z.tuple([z.string(), z.string()], z.unknown()))

/** Unread messages of a one-to-one conversation; old servers name the other person as the sender only. */
const unreadDirect = z.preprocess(
  (row) =>
    typeof row === 'object' && row !== null && 'sender_id' in row
      ? { ...row, other_user_id: Reflect.get(row, 'other_user_id') ?? row.sender_id }
      : row,
  z.looseObject({ other_user_id: z.int(), unread_message_ids: z.array(z.int()) }),
)

/** The unread messages of the snapshot, by conversation; at most the newest 50,000. */
const unreadMessages = z.looseObject({
  count: z.int().default(0),
  pms: z.array(unreadDirect).default([]),
  streams: z
    .array(z.looseObject({ stream_id: z.int(), topic: z.string(), unread_message_ids: z.array(z.int()) }))
    .default([]),
  huddles: z
    .array(z.looseObject({ user_ids_string: z.string(), unread_message_ids: z.array(z.int()) }))
    .default([]),
  mentions: z.array(z.int()).default([]),
  old_unreads_missing: z.boolean().default(false),
})

/**
 * What registering an event queue returns: the queue, and the state to which its events apply (specification, POST
 * /register). Only the fields that are always returned are required; the rest depends on `fetch_event_types` and on
 * the server's age.
 */
export const snapshot = z.preprocess(
  (answer) => {
    const named = inSpecificationNames(answer)
    return typeof named === 'object' ? { ...named, speaks_dialect: speaksDialect(answer) } : named
  },
  z.looseObject({
    queue_id: z.string().nullable(),
    last_event_id: z.int(),
    service_feature_level: z.int().default(0),
    service_version: z.string().optional(),
    service_merge_base: z.string().optional(),
    /** Made here of the names above: requests have to use real servers' names. */
    speaks_dialect: z.boolean().optional(),

    realm_name: z.string().optional(),
    realm_url: z.string().optional(),
    realm_icon_url: z.string().optional(),
    realm_description: z.string().optional(),
    realm_empty_topic_display_name: z.string().optional(),
    max_topic_length: z.int().optional(),
    max_message_length: z.int().optional(),
    event_queue_longpoll_timeout_seconds: z.int().optional(),
    server_presence_ping_interval_seconds: z.int().optional(),
    server_presence_offline_threshold_seconds: z.int().optional(),
    server_typing_started_expiry_period_milliseconds: z.int().optional(),
    server_typing_stopped_wait_period_milliseconds: z.int().optional(),
    server_typing_started_wait_period_milliseconds: z.int().optional(),

    user_id: z.int().optional(),
    email: z.string().optional(),
    delivery_email: z.string().optional(),
    full_name: z.string().optional(),

    realm_users: z.array(apiUser).optional(),
    realm_non_active_users: z.array(apiUser).optional(),
    cross_realm_bots: z.array(apiUser).optional(),
    subscriptions: z.array(apiSubscription).optional(),
    unsubscribed: z.array(apiSubscription).optional(),
    never_subscribed: z.array(apiChannel).optional(),
    channel_folders: z.array(apiChannelFolder).optional(),
    realm_default_streams: z.array(defaultChannel).optional(),
    realm_user_groups: z.array(apiUserGroup).optional(),
    user_topics: z.array(userTopic).optional(),
    muted_topics: mutedTopics.optional(),
    unread_msgs: unreadMessages.optional(),
    starred_messages: z.array(z.int()).optional(),
    recent_private_conversations: z
      .array(z.looseObject({ max_message_id: z.int(), user_ids: z.array(z.int()) }))
      .optional(),
    drafts: z.array(apiDraft).optional(),
    user_settings: reportedSettings.optional(),
    muted_users: z.array(z.looseObject({ id: z.int(), timestamp: wireWholeSeconds.default(0) })).optional(),
    /** By user id in the modern form, by email in the legacy one. */
    presences: z.record(z.string(), z.union([legacyPresence, modernPresence])).optional(),
    presence_last_update_id: z.int().optional(),
    server_timestamp: wireSeconds.optional(),
    realm_emoji: z.record(z.string(), realmEmoji).optional(),
    max_message_id: z.int().optional(),
    ...smallListSnapshot,
  }),
)
export type Snapshot = z.output<typeof snapshot>
