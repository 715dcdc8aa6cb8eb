import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { narrowTerm } from './messages.ts'

const flagOperation = z.enum(['add', 'remove'])
const ignoredChannels = z.array(z.int()).default([])

/** What a person has marked: read, starred, collapsed. */
export const flags = {
  updateMessageFlags: endpoint({
    method: 'POST',
    path: '/messages/flags',
    input: z.object({ messages: z.array(z.int()), op: flagOperation, flag: z.string() }),
    output: z.looseObject({
      messages: z.array(z.int()).default([]),
      ignored_because_not_subscribed_channels: ignoredChannels,
    }),
  }),
  updateMessageFlagsForNarrow: endpoint({
    method: 'POST',
    path: '/messages/flags/narrow',
    since: 155,
    input: z.object({
      anchor: z.union([z.int(), z.string()]),
      include_anchor: z.boolean().optional(),
      num_before: z.int().nonnegative(),
      num_after: z.int().nonnegative(),
      narrow: z.array(narrowTerm),
      op: flagOperation,
      flag: z.string(),
    }),
    output: z.looseObject({
      processed_count: z.int(),
      updated_count: z.int(),
      first_processed_id: z.int().nullable(),
      last_processed_id: z.int().nullable(),
      found_oldest: z.boolean(),
      found_newest: z.boolean(),
      ignored_because_not_subscribed_channels: ignoredChannels,
    }),
  }),
  markTopicAsRead: endpoint({
    method: 'POST',
    path: '/mark_topic_as_read',
    input: z.object({ stream_id: z.int(), topic_name: z.string() }),
    output: z.looseObject({}),
  }),
  markAllAsRead: endpoint({
    method: 'POST',
    path: '/mark_all_as_read',
    input: z.object({}),
    /** While `complete` is false, there is more: repeat the request. */
    output: z.looseObject({ complete: z.boolean().optional() }),
  }),
  markChannelAsRead: endpoint({
    method: 'POST',
    path: '/mark_stream_as_read',
    input: z.object({ stream_id: z.int() }),
    output: z.looseObject({}),
  }),
}
