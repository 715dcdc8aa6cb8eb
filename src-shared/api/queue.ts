import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { snapshot } from './snapshot.ts'

/** What a client can handle (specification, POST /register, client_capabilities). */
const clientCapabilities = z
  .object({
    notification_settings_null: z.boolean(),
    bulk_message_deletion: z.boolean(),
    user_avatar_url_field_optional: z.boolean(),
    stream_typing_notifications: z.boolean(),
    user_settings_object: z.boolean(),
    linkifier_url_template: z.boolean(),
    user_list_incomplete: z.boolean(),
    include_deactivated_groups: z.boolean(),
    archived_channels: z.boolean(),
    empty_topic_name: z.boolean(),
    simplified_presence_events: z.boolean(),
  })
  .partial()
export type ClientCapabilities = z.output<typeof clientCapabilities>

/** Event queues: how the server reports what happens. */
export const queue = {
  registerQueue: endpoint({
    method: 'POST',
    path: '/register',
    authenticated: 'optional',
    input: z.object({
      apply_markdown: z.boolean().optional(),
      client_gravatar: z.boolean().optional(),
      include_subscribers: z.enum(['true', 'false', 'partial']).optional(),
      slim_presence: z.boolean().optional(),
      presence_history_limit_days: z.int().nonnegative().optional(),
      event_types: z.array(z.string()).nullish(),
      all_public_streams: z.boolean().optional(),
      client_capabilities: clientCapabilities.optional(),
      fetch_event_types: z.array(z.string()).nullish(),
      narrow: z.array(z.tuple([z.string(), z.string()])).optional(),
      queue_lifespan_secs: z.int().nonnegative().optional(),
    }),
    output: snapshot,
  }),
  getEvents: endpoint({
    method: 'GET',
    path: '/events',
    input: z.object({
      queue_id: z.string().optional(),
      last_event_id: z.int().optional(),
      dont_block: z.boolean().optional(),
    }),
    output: z.looseObject({
      /** Read one by one with `readQueueRow` and `parseEvent`, so that one stranger does not stop the others. */
      events: z.array(z.unknown()),
      queue_id: z.string().optional(),
    }),
  }),
  deleteQueue: endpoint({
    method: 'DELETE',
    path: '/events',
    input: z.object({ queue_id: z.string() }),
    output: z.looseObject({}),
  }),
}
