import type { ChannelSummary } from './channel.ts'
import type { Conversation } from './conversation.ts'
import type { Person } from './user.ts'

/** What the sidebar shows: counts, direct messages and channels. */
export interface Sidebar extends DirectList {
  readonly inboxCount: number
  readonly mentionCount: number
  readonly starredCount: number
  readonly draftCount: number
  readonly outboxCount: number
  readonly scheduledCount: number
  readonly reminderCount: number
  readonly needsYouCount: number
  /** Pinned channels first, then the organization's folders in its order, then the rest. */
  readonly folders: readonly {
    readonly key: string
    readonly name: string
    readonly channels: readonly ChannelSummary[]
    /** How many at the end are shown apart, because nobody has written there for a long time. */
    readonly inactiveCount: number
  }[]
}

/** Direct conversations, the newest first: those with unread messages, and as many others as there is room for. */
export interface DirectList {
  readonly directs: readonly DirectSummary[]
  /** How many more there are, counted up to 500, and the unread messages in them. */
  readonly furtherDirects: { readonly count: number; readonly unreadCount: number }
}

/** A direct conversation as the sidebar shows it. */
export interface DirectSummary {
  readonly conversation: Conversation
  readonly people: readonly Person[]
  readonly unreadCount: number
}

/** The open direct conversation, for a row of its own if the sidebar does not list it. */
export interface OpenDirect {
  readonly direct: DirectSummary
  /** Whether it is among the further ones that the sidebar counts: one without a message is not. */
  readonly isCounted: boolean
}
