import type { ChannelId, LocalId, MessageId, UserId } from '../ids.ts'
import type { ChannelColor, ChannelPrivacy, TopicVisibility } from './message.ts'
import type { SendState } from './outbox.ts'

/** A channel as lists show it. */
export interface ChannelSummary {
  readonly channelId: ChannelId
  readonly name: string
  readonly color: ChannelColor
  readonly privacy: ChannelPrivacy
  readonly isArchived: boolean
  readonly isSubscribed: boolean
  readonly isMuted: boolean
  readonly isPinned: boolean
  /** Unread messages that count: not muted. */
  readonly unreadCount: number
  readonly mentionCount: number
  readonly canPost: boolean
  /** Whether a topic has to be named. */
  readonly requiresTopic: boolean
  /** Whether it is to be founded: the server does not have it yet. */
  readonly isWaiting: boolean
}

/** A change that founds something, as it waits for the server. */
export interface Founding {
  readonly localId: LocalId
  readonly state: SendState
}

/** A channel with all that is told of it. */
export interface ChannelDetails extends ChannelSummary {
  readonly description: string
  readonly subscriberCount: number | null
  readonly creatorId: UserId | null
  /** Epoch milliseconds; null when unknown. */
  readonly createdAt: number | null
  /** How long messages are kept; null: as the organization says, -1: for ever. */
  readonly retentionDays: number | null
  /** Messages in a week; null when unknown. */
  readonly weeklyTraffic: number | null
  readonly folderId: number | null
  readonly hasSharedHistory: boolean
  /** The change that founds it and where that stands; null for what the server has. */
  readonly founding: Founding | null
  /** What the person chose for this channel; null: as the account's setting says. */
  readonly notifications: {
    readonly desktop: boolean | null
    readonly sound: boolean | null
    readonly push: boolean | null
    readonly email: boolean | null
    readonly wildcardMentions: boolean | null
  }
}

/** A topic as the list below its channel shows it. */
export interface TopicSummary {
  readonly topic: string
  readonly displayName: string
  readonly isEmptyTopic: boolean
  readonly isResolved: boolean
  readonly visibility: TopicVisibility
  readonly unreadCount: number
  readonly hasMention: boolean
  readonly newestMessageId: MessageId
}

/** The newest topics of a channel. */
export interface ChannelTopics {
  readonly topics: readonly TopicSummary[]
  /** How many more this device knows. */
  readonly more: number
}
