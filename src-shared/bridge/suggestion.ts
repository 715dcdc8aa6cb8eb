import { z } from 'zod'
import type { LocalId } from '../ids.ts'
import { channelIdSchema, userIdSchema } from './id-schemas.ts'
import type { TopicVisibility } from '../model/message.ts'
import type { SendState } from '../model/outbox.ts'
import type { Person } from '../model/user.ts'
import type { ChannelSummary } from '../model/channel.ts'
import { conversationSchema } from './schemas.ts'

const typedText = z.string().max(200)

/** What kind of suggestions a window asks for. */
export const suggestionRequest = z.discriminatedUnion('kind', [
  /** After an @: people, groups and wildcards, for a message to that conversation. */
  z.object({ kind: z.literal('mention'), text: typedText, conversation: conversationSchema.nullable() }),
  /** People to write to, except those already chosen. */
  z.object({
    kind: z.literal('recipient'),
    text: typedText,
    chosen: z.array(userIdSchema).max(500).readonly(),
  }),
  /** Anybody who may have written a message, also those whose account is deactivated, after the others. */
  z.object({ kind: z.literal('author'), text: typedText }),
  z.object({ kind: z.literal('channel'), text: typedText, toWriteIn: z.boolean() }),
  z.object({ kind: z.literal('topic'), text: typedText, channelId: channelIdSchema }),
])
export type SuggestionRequest = z.output<typeof suggestionRequest>

/** A wildcard: a name that mentions many people at once. */
export type Wildcard = 'all' | 'everyone' | 'channel' | 'topic'

/** Something that a person may mean by what they have typed so far. */
export type Suggestion =
  | {
      readonly kind: 'person'
      readonly person: Person
      /** Somebody else, perhaps deactivated, has the same name apart from case and accents: a mention must include the id. */
      readonly hasNamesake: boolean
      /** Whether the person is known not to be in the channel of the conversation. */
      readonly isOutside: boolean
    }
  | {
      readonly kind: 'group'
      readonly groupId: number
      readonly name: string
      readonly description: string
      /** The number of direct members; null if the server did not say. */
      readonly memberCount: number | null
      /** Whether the server lets the person mention it, other than silently. */
      readonly mayMention: boolean
    }
  | {
      readonly kind: 'wildcard'
      readonly name: Wildcard
      /** How many people it reaches; null if this device cannot tell. */
      readonly reach: number | null
    }
  | { readonly kind: 'channel'; readonly channel: ChannelSummary }
  | {
      readonly kind: 'topic'
      readonly topic: string
      readonly displayName: string
      readonly isEmptyTopic: boolean
      readonly isResolved: boolean
    }

/** What a person should know before sending a text to a conversation, as far as this device knows. */
export interface ComposeFacts {
  /**
   * People who are mentioned but known not to be subscribed to the channel, so they may not see the message; empty
   * while that is unknown because of `lacksSubscribers`.
   */
  readonly outsiders: readonly Person[]
  /** Whether this device lists only some subscribers of the channel. */
  readonly lacksSubscribers: boolean
  /** The many people whom a wildcard notifies at once; null if there is none, or if it notifies few. */
  readonly crowd: {
    readonly of: 'channel' | 'topic'
    readonly count: number
    /** Whether the server lets the person notify them. */
    readonly isAllowed: boolean
  } | null
  /** The names of groups that are mentioned although the server does not let the person. */
  readonly barredGroups: readonly string[]
  /**
   * The names of private channels that are linked although some who can read the message are known not to be in them.
   */
  readonly privateChannels: readonly string[]
  /** Recipients of a direct message who are guests. */
  readonly guests: readonly Person[]
  readonly visibility: TopicVisibility
}

/** A saved text that a person inserts into messages. */
export interface SavedSnippet {
  /** Null while the server does not have it. */
  readonly snippetId: number | null
  /** Its row in the outbox and the row's state; null once the server has the snippet. */
  readonly waiting: { readonly localId: LocalId; readonly state: SendState } | null
  readonly title: string
  /** Markdown. */
  readonly content: string
}
