import type { ChannelSummary } from './channel.ts'
import type { Conversation } from './conversation.ts'
import type { Person } from './user.ts'

/** What the sidebar shows: counts, direct messages and channels. */
export interface Sidebar {
  readonly inboxCount: number
  readonly mentionCount: number
  readonly starredCount: number
  readonly draftCount: number
  readonly outboxCount: number
  readonly scheduledCount: number
  readonly reminderCount: number
  readonly needsYouCount: number
  readonly directs: readonly DirectSummary[]
  /** Pinned channels first, then the organization's folders in its order, then the rest. */
  readonly folders: readonly {
    readonly key: string
    readonly name: string
    readonly channels: readonly ChannelSummary[]
    /** How many at the end are shown apart, because nobody has written there for a long time. */
    readonly inactiveCount: number
  }[]
}

/** A direct conversation as the sidebar shows it. */
export interface DirectSummary {
  readonly conversation: Conversation
  readonly people: readonly Person[]
  readonly unreadCount: number
}
