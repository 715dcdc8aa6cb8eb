import type { MessageId, UserId } from '../ids.ts'
import type { ChannelSummary } from './channel.ts'
import type { Conversation } from './conversation.ts'
import type { RecipientLabel } from './message.ts'
import type { Person } from './user.ts'

/** A conversation with its latest messages. */
export interface InboxRow {
  readonly conversation: Conversation
  readonly label: RecipientLabel
  readonly unreadCount: number
  readonly hasMention: boolean
  readonly newestMessageId: MessageId
  /** Epoch milliseconds. */
  readonly newestAt: number
  /** Empty for a message from a muted person. */
  readonly newestSender: string
  /** Plain text, shortened; of a message from a muted person only that it is one. */
  readonly newestText: string
  readonly people: readonly {
    readonly userId: UserId
    readonly name: string
    readonly avatarUrl: string | null
  }[]
}

/** An unread direct conversation. */
export interface InboxDirect extends InboxRow {
  /** The other people, or some of them; oneself for notes to oneself. */
  readonly recipients: readonly Person[]
}

/** A channel with its unread topics. */
export interface InboxChannel {
  readonly channel: ChannelSummary
  /** The sum over its rows. */
  readonly unreadCount: number
  readonly topics: readonly InboxRow[]
}

/** Unread conversations that are not muted; only the newest if there are very many. */
export interface Inbox {
  readonly directs: readonly InboxDirect[]
  readonly directUnreadCount: number
  readonly folders: readonly {
    readonly key: string
    readonly name: string
    readonly unreadCount: number
    readonly channels: readonly InboxChannel[]
  }[]
  /** How many rows there are in total. */
  readonly rowCount: number
  /** Whether there are more rows than these. */
  readonly hasMore: boolean
}

/** A conversation with what this device knows about it. */
export interface RecentRow extends InboxRow {
  /** How many of its messages are on this device. */
  readonly messageCount: number
  /** Whether these are all of its messages, as far as this device knows. */
  readonly isWhole: boolean
  /** Whether its newest message is among them; otherwise `newestAt` and `people` are those of older ones, if any. */
  readonly hasNewest: boolean
  /** How many people wrote in it, `people` among them; counted in the newest 30 messages on this device. */
  readonly peopleCount: number
  readonly hasDraft: boolean
  /** Messages waiting in the outbox. */
  readonly waitingCount: number
}

/** Conversations ordered by the time of their newest message. */
export interface RecentConversations {
  readonly rows: readonly RecentRow[]
  /** Whether there are more than the query asked for. */
  readonly hasMore: boolean
  /**
   * The time of the oldest conversation that was looked at, if not all could be, in epoch milliseconds; otherwise null.
   */
  readonly lookedBackTo: number | null
  /**
   * Only conversations in which the person wrote since this time are known to be their own, in epoch milliseconds; null
   * if all are, or if others are listed too.
   */
  readonly wroteSince: number | null
  /** All conversations on this device. */
  readonly total: number
}

/** Topics of one channel. */
export interface TopicList {
  readonly rows: readonly RecentRow[]
  /** How many conversations match the filter. */
  readonly found: number
  /** All topics of the channel that this device knows. */
  readonly total: number
}
