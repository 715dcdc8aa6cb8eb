import type { LocalId, MessageId } from '../../../src-shared/ids.ts'
import type { FeedActs } from './feed-acts.svelte.ts'

/** What the dialogs about messages need of the feed that shows these. */
export interface OpenFeed {
  readonly acts: FeedActs
  /** A dialog about a message has closed; the focus returns to that message. */
  readonly onClosed: (id: MessageId | LocalId) => void
  /** The message that takes the place of one that is deleted. */
  readonly beside: (id: MessageId) => MessageId | LocalId | null
}
