import type { ChannelId, GroupId, MessageId, UserId } from '../ids.ts'
import type { ChannelSummary } from './channel.ts'
import type { Conversation } from './conversation.ts'
import type { RecipientLabel } from './message.ts'
import type { HasValue } from './search.ts'
import type { Person } from './user.ts'

/** A message that was found. */
export interface SearchResult {
  readonly messageId: MessageId
  readonly conversation: Conversation
  readonly label: RecipientLabel
  readonly senderId: UserId
  readonly senderName: string
  readonly senderAvatarUrl: string | null
  readonly sentAt: number
  /** Plain text around the first match. */
  readonly excerpt: string
  /** Where the matches stand in `excerpt`: start and end, in order. */
  readonly matches: readonly (readonly [start: number, end: number])[]
  /** The same in the name of the topic, which is searched too. */
  readonly topicMatches: readonly (readonly [start: number, end: number])[]
}

/** A message with a star, and when it got it: epoch milliseconds, null where this device did not see it. */
export interface StarredMessage extends SearchResult {
  readonly starredAt: number | null
}

/** As many results as a screen shows at most, so that no more are counted while somebody types. */
export const countedUpTo = 200

/** Messages that a search found on this device. */
export interface SearchResults {
  readonly results: readonly SearchResult[]
  /** How many there are on this device, up to `countedUpTo`, or to fewer where counting takes long. */
  readonly total: number
  /** There are more than were counted. */
  readonly hasMore: boolean
  /** When the oldest that was counted was sent; null when nothing was found. */
  readonly oldestAt: number | null
  /** What of the search could not be understood, in words for people; null when all was. */
  readonly problem: string | null
  /** Milliseconds the search took. */
  readonly tookMs: number
  readonly messagesOnDevice: number
}

/** What is on this device beside `SearchResults`: messages with what was typed as a part of longer words. */
export interface SearchInside {
  readonly results: readonly SearchResult[]
  /** How many there are among the newest `countedUpTo` with such words. */
  readonly total: number
  /** There are older ones with such words. */
  readonly hasMore: boolean
}

/** The messages of a feed on this device in which a text stands as it was typed. */
export interface FoundInFeed {
  /** Newest first. */
  readonly ids: readonly MessageId[]
  /** Only the newest 1,000 with the words of the text were looked at. */
  readonly hasMore: boolean
}

/** How a search can be made narrower: what is in its results, without the condition of the same kind. */
export interface SearchFacets {
  /** Most first; a few. */
  readonly senders: readonly { readonly person: Person; readonly count: number }[]
  readonly channels: readonly {
    readonly channelId: ChannelId
    readonly name: string
    readonly count: number
  }[]
  /** Only where one channel is asked for. */
  readonly topics: readonly { readonly topic: string; readonly count: number }[]
  readonly has: readonly { readonly value: HasValue; readonly count: number }[]
  /** How many are younger than 30 days. */
  readonly pastMonth: number
  /** The oldest message on this device, epoch milliseconds. */
  readonly keptSince: number | null
}

/** A place to go to; what is not a conversation or channel comes after those that are. */
export type JumpTarget =
  | {
      readonly kind: 'conversation'
      readonly conversation: Conversation
      readonly label: RecipientLabel
      /** With whom, a few of them; nobody in a topic. */
      readonly people: readonly Person[]
      readonly unreadCount: number
      readonly hasMention: boolean
      /** Epoch milliseconds; 0 when no message is here. */
      readonly newestAt: number
    }
  | {
      readonly kind: 'channel'
      readonly channel: ChannelSummary
      /** Null when unknown. */
      readonly subscriberCount: number | null
      readonly topicCount: number
    }
  | { readonly kind: 'person'; readonly person: Person }
  | {
      readonly kind: 'group'
      readonly groupId: GroupId
      readonly name: string
      readonly memberCount: number | null
    }
