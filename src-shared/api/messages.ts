import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { rowsLeftOut, understoodRows, type UnreadablePart } from './lenient.ts'
import { readTolerantly } from './tolerant.ts'
import { reactionType, renaming, wireSeconds, wireWholeSeconds } from './wire.ts'

export const apiReaction = z.looseObject({
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: reactionType,
  user_id: z.int(),
})

const change = z.looseObject({
  user_id: z.int().nullable(),
  timestamp: wireWholeSeconds,
  prev_content: z.string().optional(),
  prev_rendered_content: z.string().optional(),
  prev_stream: z.int().optional(),
  stream: z.int().optional(),
  prev_topic: z.string().optional(),
  topic: z.string().optional(),
})

/** Before feature level 118 the earlier topic has another name. */
const editHistoryEntry = z.preprocess(renaming({ prev_subject: 'prev_topic' }), change)

const submessage = z.looseObject({
  id: z.int(),
  message_id: z.int(),
  sender_id: z.int(),
  msg_type: z.string(),
  content: z.string(),
})

/** Before feature level 46 only the address. */
const topicLink = z.union([
  z.looseObject({ text: z.string(), url: z.string() }),
  z.string().transform((url) => ({ text: url, url })),
])

/** Rendered content; much longer content would keep the window from drawing anything else. */
export const messageHtml = z.string().max(1_000_000)

/**
 * The Message object (specification, Resources). In a `message` event the flags travel beside it. A row of its lists
 * that cannot be read, such as a reaction of a type that is not known, hides nothing else; see `leftOutOf`.
 */
export const apiMessage = z.looseObject({
  id: z.int(),
  type: z.enum(['stream', 'private']),
  content: messageHtml,
  content_type: z.string().optional(),
  timestamp: wireSeconds,
  sender_id: z.int(),
  sender_email: z.string(),
  sender_full_name: z.string(),
  sender_realm_str: z.string().optional(),
  avatar_url: z.string().nullish(),
  client: z.string().optional(),
  display_recipient: z.union([
    z.string(),
    z.array(
      z.looseObject({
        id: z.int(),
        email: z.string(),
        full_name: z.string(),
        is_mirror_dummy: z.boolean().optional(),
      }),
    ),
  ]),
  stream_id: z.int().optional(),
  subject: z.string(),
  recipient_id: z.int().optional(),
  is_me_message: z.boolean().default(false),
  flags: z.array(z.string()).optional(),
  reactions: understoodRows(apiReaction).default([]),
  submessages: understoodRows(submessage).default([]),
  topic_links: understoodRows(topicLink).default([]),
  // One with a row missing would tell of words that never were.
  edit_history: z
    .array(z.unknown())
    .transform((rows) => readTolerantly(z.array(editHistoryEntry), rows).read.data)
    .optional(),
  last_edit_timestamp: wireWholeSeconds.optional(),
  last_moved_timestamp: wireWholeSeconds.optional(),
  rendered_content: messageHtml.optional(),
  match_content: z.string().optional(),
  match_subject: z.string().optional(),
})
export type ApiMessage = z.output<typeof apiMessage>

const listsOfMessages = {
  reactions: apiReaction,
  submessages: submessage,
  topic_links: topicLink,
  edit_history: editHistoryEntry,
} as const

/** What `apiMessage` left out of a message that it could read otherwise. `raw` is the message as it came. */
export function leftOutOf(raw: unknown, message: ApiMessage): UnreadablePart[] {
  if (typeof raw !== 'object' || raw === null) return []
  return Object.entries(listsOfMessages).flatMap(([field, row]) => {
    const came: unknown = Reflect.get(raw, field)
    const read: unknown = Reflect.get(message, field)
    const isWhole = !Array.isArray(came) || (Array.isArray(read) && read.length === came.length)
    return isWhole ? [] : rowsLeftOut(field, row, came)
  })
}

/** One term of a narrow; all terms of a narrow must match. */
export const narrowTerm = z.union([
  z.object({
    operator: z.string(),
    operand: z.union([z.string(), z.int(), z.array(z.int())]),
    negated: z.boolean().optional(),
  }),
  z.tuple([z.string(), z.string()]),
])
export type ApiNarrowTerm = z.input<typeof narrowTerm>

export const messageType = z.enum(['stream', 'channel', 'private', 'direct'])
export const propagateMode = z.enum(['change_one', 'change_later', 'change_all'])

const empty = z.looseObject({})

/** What a refusal to move a topic says if some of its messages are too old; not read if all of them are. */
export const movablePart = z.looseObject({
  first_message_id_allowed_to_move: z.int(),
  total_messages_allowed_to_move: z.int().positive(),
  total_messages_in_topic: z.int().positive(),
})
export type MovablePart = z.output<typeof movablePart>

/** Reading, sending, editing, deleting and reacting. */
export const messages = {
  getMessages: endpoint({
    method: 'GET',
    path: '/messages',
    authenticated: 'optional',
    input: z.object({
      anchor: z.union([z.int(), z.string()]).optional(),
      include_anchor: z.boolean().optional(),
      num_before: z.int().nonnegative().optional(),
      num_after: z.int().nonnegative().optional(),
      narrow: z.array(narrowTerm).optional(),
      client_gravatar: z.boolean().optional(),
      apply_markdown: z.boolean().optional(),
      allow_empty_topic_name: z.boolean().optional(),
      message_ids: z.array(z.int()).optional(),
      /** The older way to request `first_unread`. */
      use_first_unread_anchor: z.boolean().optional(),
    }),
    output: z.looseObject({
      /** Parsed one by one with `apiMessage`, so that one bad row does not hide the others. */
      messages: z.array(z.unknown()),
      /** For the newest end, servers answer a number above the safe integers. */
      anchor: z.number().optional(),
      found_anchor: z.boolean().default(false),
      found_oldest: z.boolean().default(false),
      found_newest: z.boolean().default(false),
      history_limited: z.boolean().default(false),
    }),
  }),
  matchesNarrow: endpoint({
    method: 'GET',
    path: '/messages/matches_narrow',
    input: z.object({ msg_ids: z.array(z.int()), narrow: z.array(narrowTerm) }),
    output: z.looseObject({
      /** By id: only those that match. */
      messages: z.record(
        z.string(),
        z.looseObject({ match_content: z.string().optional(), match_subject: z.string().optional() }),
      ),
    }),
  }),
  renderMessage: endpoint({
    method: 'POST',
    path: '/messages/render',
    input: z.object({ content: z.string() }),
    output: z.looseObject({ rendered: z.string() }),
  }),
  getMessage: endpoint({
    method: 'GET',
    path: '/messages/{message_id}',
    input: z.object({
      message_id: z.int(),
      apply_markdown: z.boolean().optional(),
      allow_empty_topic_name: z.boolean().optional(),
    }),
    output: z.looseObject({ message: apiMessage.optional(), raw_content: z.string().optional() }),
  }),
  getMessageHistory: endpoint({
    method: 'GET',
    path: '/messages/{message_id}/history',
    input: z.object({ message_id: z.int(), allow_empty_topic_name: z.boolean().optional() }),
    output: z.looseObject({
      /** The original version first. */
      message_history: z.array(
        change.extend({
          topic: z.string(),
          content: z.string(),
          rendered_content: z.string(),
        }),
      ),
    }),
  }),
  getReadReceipts: endpoint({
    method: 'GET',
    path: '/messages/{message_id}/read_receipts',
    since: 137,
    input: z.object({ message_id: z.int() }),
    output: z.looseObject({ user_ids: z.array(z.int()) }),
  }),
  sendMessage: endpoint({
    method: 'POST',
    path: '/messages',
    aliases: { subject: 'topic' },
    input: z.object({
      type: messageType,
      to: z.union([z.int(), z.array(z.int()), z.array(z.string()), z.string()]),
      topic: z.string().optional(),
      content: z.string(),
      queue_id: z.string().optional(),
      local_id: z.string().optional(),
      read_by_sender: z.boolean().optional(),
    }),
    output: z.looseObject({ id: z.int(), automatic_new_visibility_policy: z.int().optional() }),
  }),
  updateMessage: endpoint({
    method: 'PATCH',
    path: '/messages/{message_id}',
    aliases: { subject: 'topic' },
    input: z.object({
      message_id: z.int(),
      content: z.string().optional(),
      prev_content_sha256: z.string().optional(),
      topic: z.string().optional(),
      stream_id: z.int().optional(),
      propagate_mode: propagateMode.optional(),
      send_notification_to_old_thread: z.boolean().optional(),
      send_notification_to_new_thread: z.boolean().optional(),
    }),
    output: z.looseObject({ detached_uploads: z.array(z.unknown()).default([]) }),
  }),
  deleteMessage: endpoint({
    method: 'DELETE',
    path: '/messages/{message_id}',
    input: z.object({ message_id: z.int() }),
    output: empty,
  }),
  /** Starts with the newest messages; repeat the request until it is complete. */
  deleteTopic: endpoint({
    method: 'POST',
    path: '/streams/{stream_id}/delete_topic',
    input: z.object({ stream_id: z.int(), topic_name: z.string() }),
    output: z.looseObject({ complete: z.boolean() }),
  }),
  addReaction: endpoint({
    method: 'POST',
    path: '/messages/{message_id}/reactions',
    input: z.object({
      message_id: z.int(),
      emoji_name: z.string(),
      emoji_code: z.string().optional(),
      reaction_type: z.string().optional(),
    }),
    output: empty,
  }),
  removeReaction: endpoint({
    method: 'DELETE',
    path: '/messages/{message_id}/reactions',
    input: z.object({
      message_id: z.int(),
      emoji_name: z.string().optional(),
      emoji_code: z.string().optional(),
      reaction_type: z.string().optional(),
    }),
    output: empty,
  }),
}
