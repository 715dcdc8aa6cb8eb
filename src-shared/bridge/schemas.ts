import { z } from 'zod'
import { channelIdSchema, messageIdSchema, userIdSchema } from './id-schemas.ts'

// Schemas that queries, actions and calls share. They validate everything that arrives from a window.

/** No person types more than this. A server's own limit is lower and is shown while writing. */
export const writtenText = z.string().max(1_000_000)
const topic = z.string().max(1_000)

export const conversationSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('topic'), channelId: channelIdSchema, topic }),
  z.object({ kind: z.literal('direct'), userIds: z.array(userIdSchema).max(500).readonly() }),
])

export const writingPlaceSchema = z.discriminatedUnion('kind', [
  ...conversationSchema.options,
  z.object({ kind: z.literal('message'), messageId: messageIdSchema }),
])

export const narrowSchema = z.discriminatedUnion('kind', [
  ...conversationSchema.options,
  z.object({ kind: z.literal('channel'), channelId: channelIdSchema }),
  z.object({ kind: z.literal('combined') }),
  z.object({ kind: z.literal('mentions') }),
  z.object({ kind: z.literal('directs') }),
  z.object({ kind: z.literal('starred') }),
  z.object({ kind: z.literal('reactions'), userId: userIdSchema }),
])

export const emojiSchema = z.object({
  name: z.string().min(1).max(200),
  code: z.string().min(1).max(200),
  type: z.enum(['unicode_emoji', 'realm_emoji', 'service_extra_emoji']),
})

/** A search as typed: words, "phrases" and filters. */
export const searchTextSchema = z.string().max(1_000)

export const messageIdsSchema = z.array(messageIdSchema).min(1).max(5_000)

export const draftContentSchema = z.object({ recipient: conversationSchema.nullable(), content: writtenText })

/** What an unsaved edit is an edit of; see `Edited`. */
export const editedSchema = z.templateLiteral([
  z.enum([
    ...['message', 'conflict', 'scheduled', 'snippet', 'snippet-title', 'profile-field', 'own-name'],
    ...['new-reminder', 'reminder', 'report', 'answer', 'widget-title', 'new-channel', 'status'],
  ] as const),
  ' ',
  z.string().regex(/^[A-Za-z0-9_-]{1,80}$/),
])

export const editTextSchema = z.object({
  text: writtenText,
  previous: writtenText.nullable(),
  own: writtenText.optional(),
  mark: writtenText.optional(),
})

/** The network settings of an account; see `AccountNetwork`. */
export const accountNetworkSchema = z.object({
  proxy: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('system') }),
    z.object({ kind: z.literal('none') }),
    z.object({ kind: z.literal('address'), url: z.string().max(2_000) }),
  ]),
  certificates: z.string().max(500_000).nullable(),
})
