import type { ChannelId, LocalId, MessageId, UserId } from '../ids.ts'
import type { TopicPolicy } from './organization-edits.ts'
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
  /** Unread messages that count: those that are not muted. */
  readonly unreadCount: number
  readonly mentionCount: number
  readonly canPost: boolean
  /** Whether messages need a named topic; "none": they can have none. */
  readonly topics: Exclude<TopicPolicy, 'inherit'>
  /** Whether it was created here and is not on the server yet. */
  readonly isWaiting: boolean
}

/** The change that creates something on the server, while it waits in the outbox. */
export interface Creation {
  readonly localId: LocalId
  readonly state: SendState
}

/** A channel with everything that this device knows about it. */
export interface ChannelDetails extends ChannelSummary {
  readonly description: string
  readonly subscriberCount: number | null
  readonly creatorId: UserId | null
  /** Epoch milliseconds; null if unknown. */
  readonly createdAt: number | null
  /** How many days messages are kept; null: the organization's default; -1: for ever. */
  readonly retentionDays: number | null
  /** Messages per week; null if unknown. */
  readonly weeklyTraffic: number | null
  readonly folderId: number | null
  readonly hasSharedHistory: boolean
  /** The outbox row that creates it, and the row's state; null if the channel is on the server. */
  readonly creation: Creation | null
  /** The person's settings for this channel; null: follows the account's setting. */
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
  /** Null if no message of it is on this device. */
  readonly newestMessageId: MessageId | null
}

/** The newest topics of a channel. */
export interface ChannelTopics {
  readonly topics: readonly TopicSummary[]
  /** How many further topics this device knows. */
  readonly more: number
}
