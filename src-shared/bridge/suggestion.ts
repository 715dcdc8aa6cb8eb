import { z } from 'zod'
import type { LocalId } from '../ids.ts'
import { channelIdSchema, userIdSchema } from './id-schemas.ts'
import type { TopicVisibility } from '../model/message.ts'
import type { SendState } from '../model/outbox.ts'
import type { Person } from '../model/user.ts'
import type { ChannelSummary } from '../model/channel.ts'
import { conversationSchema } from './schemas.ts'

const typedText = z.string().max(200)

/** What suggestions are wanted for. */
export const suggestionWish = z.discriminatedUnion('kind', [
  /** After an @: people, groups and wildcards, for a message to that conversation. */
  z.object({ kind: z.literal('mention'), text: typedText, conversation: conversationSchema.nullable() }),
  /** People to write to, but those who are chosen already. */
  z.object({
    kind: z.literal('recipient'),
    text: typedText,
    chosen: z.array(userIdSchema).max(500).readonly(),
  }),
  z.object({ kind: z.literal('channel'), text: typedText, toWriteIn: z.boolean() }),
  z.object({ kind: z.literal('topic'), text: typedText, channelId: channelIdSchema }),
])
export type SuggestionWish = z.output<typeof suggestionWish>

/** A name that mentions many people at once. */
export type Wildcard = 'all' | 'everyone' | 'channel' | 'topic'

/** Something that a person may mean by what they have typed so far. */
export type Suggestion =
  | {
      readonly kind: 'person'
      readonly person: Person
      /** Somebody else has the same name, so that a mention has to carry the id. */
      readonly hasNamesake: boolean
      /** Whether messages there reach the person; true in direct messages and without a conversation. */
      readonly isReached: boolean
    }
  | {
      readonly kind: 'group'
      readonly groupId: number
      readonly name: string
      readonly description: string
      /** Direct members; null when the server did not say. */
      readonly memberCount: number | null
    }
  | {
      readonly kind: 'wildcard'
      readonly name: Wildcard
      /** How many people it reaches; null when this device cannot tell. */
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

/** What a person should know before sending to a conversation, as far as this device knows. */
export interface ComposeFacts {
  /** People who are named but are not in the channel, so that they may not see it. */
  readonly outsiders: readonly Person[]
  /** How many people a wildcard reaches there; null when this device cannot tell. */
  readonly everyone: number | null
  /** Recipients of a direct message who are guests. */
  readonly guests: readonly Person[]
  readonly visibility: TopicVisibility
}

/** A text that a person keeps to insert into messages. */
export interface SavedSnippet {
  /** Null while the server does not have it. */
  readonly snippetId: number | null
  /** Of its item in the outbox, and where that stands; null once the server has it. */
  readonly waiting: { readonly localId: LocalId; readonly state: SendState } | null
  readonly title: string
  /** Markdown. */
  readonly content: string
}
