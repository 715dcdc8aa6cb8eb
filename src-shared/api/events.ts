import { z } from 'zod'
import { apiSubmessage } from './submessages.ts'
import { smallListEvents } from './small-lists.ts'
import { apiChannel, apiChannelFolder, apiSubscription, defaultChannel } from './channels.ts'
import { realmEmoji } from './custom-emoji.ts'
import { apiDraft } from './drafts.ts'
import { apiMessage, apiReaction, messageHtml, propagateMode } from './messages.ts'
import { mutedTopics, userTopic } from './snapshot.ts'
import { readTolerantly } from './tolerant.ts'
import { userGroupEvent } from './user-groups.ts'
import { apiUser, legacyPresence, modernPresence } from './users.ts'
import { inSpecificationNames, renaming, wireSeconds, wireWholeSeconds } from './wire.ts'

const op = <Op extends string>(name: Op) => z.literal(name)
const person = z.looseObject({ user_id: z.int(), email: z.string().optional() })

const unreadDetails = z.union([
  z.looseObject({
    type: z.literal('stream'),
    stream_id: z.int(),
    topic: z.string(),
    mentioned: z.boolean().optional(),
    unmuted_stream_msg: z.boolean().optional(),
  }),
  z.looseObject({
    type: z.literal('private'),
    user_ids: z.array(z.int()),
    mentioned: z.boolean().optional(),
  }),
])

/** Before feature level 35 a change of subscribers was of one person in one channel. */
function inPlural(event: unknown): unknown {
  if (typeof event !== 'object' || event === null || !('stream_id' in event && 'user_id' in event))
    return event
  const { stream_id, user_id, ...rest } = event
  return { stream_ids: [stream_id], user_ids: [user_id], ...rest }
}

/**
 * Every event type that the client applies, with the schema of its payload (specification, Events). An unknown type,
 * or an unknown op of a known type, is counted and skipped; it is never an error.
 */
export const serverEvents = {
  heartbeat: z.looseObject({}),
  restart: z.preprocess(
    inSpecificationNames,
    z.looseObject({ service_feature_level: z.int().optional(), server_generation: z.int().optional() }),
  ),

  message: z.looseObject({
    message: apiMessage,
    flags: z.array(z.string()).default([]),
    local_message_id: z.string().optional(),
  }),
  update_message: z.looseObject({
    user_id: z.int().nullish(),
    edit_timestamp: wireWholeSeconds.optional(),
    message_id: z.int(),
    message_ids: z.array(z.int()),
    flags: z.array(z.string()).optional(),
    rendering_only: z.boolean().default(false),
    content: z.string().optional(),
    rendered_content: messageHtml.optional(),
    orig_content: z.string().optional(),
    orig_rendered_content: z.string().optional(),
    is_me_message: z.boolean().optional(),
    orig_subject: z.string().optional(),
    subject: z.string().optional(),
    stream_id: z.int().optional(),
    stream_name: z.string().optional(),
    new_stream_id: z.int().optional(),
    propagate_mode: propagateMode.optional(),
  }),
  delete_message: z.looseObject({
    message_ids: z.array(z.int()).optional(),
    message_id: z.int().optional(),
    stream_id: z.int().optional(),
    topic: z.string().optional(),
  }),
  /** Before feature level 32 the op has another name. */
  update_message_flags: z.preprocess(
    renaming({ operation: 'op' }),
    z.looseObject({
      op: z.enum(['add', 'remove']),
      flag: z.string(),
      messages: z.array(z.int()),
      all: z.boolean().default(false),
      message_details: z.record(z.string(), unreadDetails).optional(),
    }),
  ),
  submessage: apiSubmessage,
  reaction: apiReaction.extend({ op: z.enum(['add', 'remove']), message_id: z.int() }),

  typing: z.looseObject({
    op: z.enum(['start', 'stop']),
    sender: person,
    recipients: z.array(person).optional(),
    stream_id: z.int().optional(),
    topic: z.string().optional(),
  }),
  typing_edit_message: z.looseObject({
    op: z.enum(['start', 'stop']),
    sender_id: z.int(),
    message_id: z.int(),
  }),
  presence: z.looseObject({
    user_id: z.int().optional(),
    email: z.string().optional(),
    server_timestamp: wireSeconds.optional(),
    presence: legacyPresence.optional(),
    presences: z.record(z.string(), modernPresence).optional(),
  }),

  drafts: z.discriminatedUnion('op', [
    z.looseObject({ op: op('add'), drafts: z.array(apiDraft) }),
    z.looseObject({ op: op('update'), draft: apiDraft }),
    z.looseObject({ op: op('remove'), draft_id: z.int() }),
  ]),

  subscription: z.preprocess(
    inPlural,
    z.discriminatedUnion('op', [
      z.looseObject({ op: op('add'), subscriptions: z.array(apiSubscription) }),
      z.looseObject({
        op: op('remove'),
        subscriptions: z.array(z.looseObject({ stream_id: z.int(), name: z.string().optional() })),
      }),
      z.looseObject({
        op: op('update'),
        stream_id: z.int(),
        property: z.string(),
        value: z.union([z.boolean(), z.string(), z.number()]).nullable(),
      }),
      z.looseObject({ op: op('peer_add'), stream_ids: z.array(z.int()), user_ids: z.array(z.int()) }),
      z.looseObject({ op: op('peer_remove'), stream_ids: z.array(z.int()), user_ids: z.array(z.int()) }),
    ]),
  ),
  stream: z.discriminatedUnion('op', [
    z.looseObject({ op: op('create'), streams: z.array(apiChannel) }),
    z.looseObject({
      op: op('delete'),
      stream_ids: z.array(z.int()).optional(),
      streams: z.array(z.looseObject({ stream_id: z.int() })).optional(),
    }),
    z.looseObject({
      op: op('update'),
      stream_id: z.int(),
      name: z.string().optional(),
      property: z.string(),
      value: z.unknown(),
      rendered_description: z.string().optional(),
      history_public_to_subscribers: z.boolean().optional(),
      is_web_public: z.boolean().optional(),
    }),
  ]),
  channel_folder: z.discriminatedUnion('op', [
    z.looseObject({ op: op('add'), channel_folder: apiChannelFolder }),
    z.looseObject({
      op: op('update'),
      channel_folder_id: z.int(),
      data: z.looseObject({
        name: z.string().optional(),
        description: z.string().optional(),
        rendered_description: z.string().optional(),
        is_archived: z.boolean().optional(),
      }),
    }),
    z.looseObject({ op: op('reorder'), order: z.array(z.int()) }),
  ]),
  user_topic: userTopic,
  muted_topics: z.looseObject({ muted_topics: mutedTopics }),
  user_group: userGroupEvent,
  default_streams: z.looseObject({ default_streams: z.array(defaultChannel) }),

  realm_user: z.discriminatedUnion('op', [
    z.looseObject({ op: op('add'), person: apiUser }),
    z.looseObject({ op: op('remove'), person: z.looseObject({ user_id: z.int() }) }),
    z.looseObject({
      op: op('update'),
      person: z.looseObject({
        user_id: z.int(),
        full_name: z.string().optional(),
        avatar_url: z.string().nullish(),
        avatar_source: z.string().optional(),
        avatar_version: z.int().optional(),
        timezone: z.string().optional(),
        role: z.int().optional(),
        delivery_email: z.string().nullish(),
        new_email: z.string().optional(),
        is_active: z.boolean().optional(),
        bot_owner_id: z.int().nullish(),
        custom_profile_field: z
          .looseObject({ id: z.int(), value: z.string().nullable(), rendered_value: z.string().optional() })
          .optional(),
      }),
    }),
  ]),
  user_settings: z.looseObject({
    op: op('update'),
    property: z.string(),
    value: z.union([z.boolean(), z.string(), z.number(), z.null()]),
  }),
  muted_users: z.looseObject({
    muted_users: z.array(z.looseObject({ id: z.int(), timestamp: wireWholeSeconds.default(0) })),
  }),
  ...smallListEvents,
  realm: z.discriminatedUnion('op', [
    z.looseObject({ op: op('update'), property: z.string(), value: z.unknown() }),
    z.looseObject({ op: op('update_dict'), data: z.record(z.string(), z.unknown()) }),
    z.looseObject({ op: op('deactivated') }),
  ]),
  realm_emoji: z.looseObject({ op: op('update'), realm_emoji: z.record(z.string(), realmEmoji) }),
}

export type ServerEventType = keyof typeof serverEvents
/** One event of a known type, checked. */
export type ServerEvent = {
  [Type in ServerEventType]: { id: number; type: Type; payload: z.output<(typeof serverEvents)[Type]> }
}[ServerEventType]
/** The checked fields of an event of that type. */
export type EventPayload<Type extends ServerEventType> = z.output<(typeof serverEvents)[Type]>

const rawEvent = z.looseObject({ id: z.int(), type: z.string() })
/** What every event has, whatever its type. */
export type RawEvent = z.output<typeof rawEvent>

/** A row of an answer to `getEvents`, read as far as every event has it; `id` is null when it does not say its own. */
export type QueueRow =
  | { readonly id: number; readonly event: RawEvent }
  | { readonly id: number | null; readonly event: null; readonly reason: string; readonly body: unknown }

/** Reads a row of an answer to `getEvents`; never throws. */
export function readQueueRow(row: unknown): QueueRow {
  const { read } = readTolerantly(rawEvent, row)
  if (read.success) return { id: read.data.id, event: read.data }
  const id = readTolerantly(rawEvent.pick({ id: true }), row).read.data?.id ?? null
  return { id, event: null, reason: reasonOf(read.error), body: row }
}

const reasonOf = ({ issues: [issue] }: z.ZodError): string =>
  `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`

/** The result of checking an arrived event. */
export type ParsedEvent =
  | { kind: 'known'; event: ServerEvent }
  /** `op` is null if the type is unknown; otherwise the unknown op of a known type. */
  | { kind: 'unknown'; id: number; type: string; op: string | null }
  | { kind: 'malformed'; id: number; type: string; reason: string }

const isKnownType = (type: string): type is ServerEventType => Object.hasOwn(serverEvents, type)

/** Checks one event of an answer to `getEvents`; never throws. */
export function parseEvent(raw: RawEvent): ParsedEvent {
  const { id, type } = raw
  if (!isKnownType(type)) return { kind: 'unknown', id, type, op: null }
  const { read: parsed } = readTolerantly(serverEvents[type], raw)
  if (!parsed.success) {
    const op: unknown = Reflect.get(raw, 'op')
    // Newer servers have more ops for the same types; these are skipped like unknown types.
    const isNewOp = parsed.error.issues.some(({ path }) => path.length === 1 && path[0] === 'op')
    if (isNewOp && typeof op === 'string') return { kind: 'unknown', id, type, op }
    return { kind: 'malformed', id, type, reason: reasonOf(parsed.error) }
  }
  // The payload was parsed by the schema of this very type; TypeScript cannot follow that through the table.
  return { kind: 'known', event: { id, type, payload: parsed.data } as ServerEvent }
}
