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
  /** The positions of the matches in `excerpt`: start and end, in order. */
  readonly matches: readonly (readonly [start: number, end: number])[]
  /** The same for the topic's name, which is searched too. */
  readonly topicMatches: readonly (readonly [start: number, end: number])[]
}

/** A message that the server found. */
export interface ServerSearchResult extends SearchResult {
  readonly isOnDevice: boolean
}

/**
 * A starred message, with the time it was starred: epoch milliseconds, null if this device did not see it happen.
 */
export interface StarredMessage extends SearchResult {
  readonly starredAt: number | null
}

/** The largest number of results that a screen shows, so that typing counts no more than these. */
export const countedUpTo = 200

/** How many messages a search looks through for conditions that the word index does not know. */
export const mostLookedThrough = 20_000

/** Messages that a search found on this device. */
export interface SearchResults {
  readonly results: readonly SearchResult[]
  /** How many there are on this device, up to `countedUpTo`, or fewer if counting takes long. */
  readonly total: number
  /** There are more results than were counted. */
  readonly hasMore: boolean
  /**
   * When the oldest message was sent that was looked through, if there are older ones that may match; null if all were.
   */
  readonly lookedBackTo: number | null
  /** The part of the search that could not be understood, in words for people; null if everything was. */
  readonly problem: string | null
  /** The duration of the search in milliseconds. */
  readonly tookMs: number
  readonly messagesOnDevice: number
}

/**
 * Results on this device in addition to `SearchResults`: messages that contain the typed text inside longer words.
 */
export interface SearchInside {
  readonly results: readonly SearchResult[]
  /** The number of results among the newest `countedUpTo` messages with such words. */
  readonly total: number
  /** Older messages have such words too. */
  readonly hasMore: boolean
}

/** The messages of a feed on this device that contain a text exactly as typed. */
export interface FoundInFeed {
  /** Newest first. */
  readonly ids: readonly MessageId[]
  /** Only the newest 1,000 messages with the words of the text were checked. */
  readonly hasMore: boolean
}

/** One value of a kind of filter. */
interface Facet {
  /** The value of the condition that finds this and nothing else. */
  readonly operand: string
  /** The value of the search's own condition that finds it, in whatever form that was typed; null if there is none. */
  readonly chosenAs: string | null
  readonly count: number
}

/**
 * Suggestions for narrowing a search: the values among its results, computed without the filter of the same kind.
 */
export interface SearchFacets {
  /** The most frequent ones first; only a few. */
  readonly senders: readonly (Facet & { readonly person: Person })[]
  readonly channels: readonly (Facet & { readonly channelId: ChannelId })[]
  /** Only if the search asks for one channel. */
  readonly topics: readonly Facet[]
  readonly has: readonly { readonly value: HasValue; readonly count: number }[]
  /** How many are less than 30 days old. */
  readonly pastMonth: number
  /** The oldest message on this device, epoch milliseconds. */
  readonly keptSince: number | null
}

/** A place to go to; conversations and channels come before everything else. */
export type JumpTarget =
  | {
      readonly kind: 'conversation'
      readonly conversation: Conversation
      readonly label: RecipientLabel
      /** The other people, or some of them; empty for a topic. */
      readonly people: readonly Person[]
      readonly unreadCount: number
      readonly hasMention: boolean
      /** Epoch milliseconds; 0 if no message is here. */
      readonly newestAt: number
    }
  | {
      readonly kind: 'channel'
      readonly channel: ChannelSummary
      /** Null if unknown. */
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
