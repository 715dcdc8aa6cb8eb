import type { AccountSettings } from '../../../src-shared/bridge/queries.ts'
import type { LocalId, MessageId } from '../../../src-shared/ids.ts'
import type { Account } from '../../../src-shared/model/account.ts'
import type { FeedMessage, WaitingMessage } from '../../../src-shared/model/message.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
import type { FeedActs } from './feed-acts.svelte.ts'

/** Which feed is open, and what its drawing depends on. */
export interface FeedProps {
  readonly account: Account
  readonly accountId: string
  readonly narrow: Narrow
  /** The message that a link leads to. */
  readonly near: MessageId | null
  readonly isOnline: boolean
  readonly settings: AccountSettings | undefined
}

/** What the dialogs about messages need of the feed that shows these. */
export interface OpenFeed {
  readonly acts: FeedActs
  /** A dialog about a message has closed; the focus returns to that message. */
  readonly onClosed: (id: MessageId | LocalId) => void
  /** A message as the feed has it now; undefined if it has none of that id. */
  readonly present: (id: MessageId) => FeedMessage | undefined
  /** The same of what waits to be sent. */
  readonly presentWaiting: (id: LocalId) => WaitingMessage | undefined
  /** The message that takes the place of one that is deleted. */
  readonly beside: (id: MessageId) => MessageId | LocalId | null
}
