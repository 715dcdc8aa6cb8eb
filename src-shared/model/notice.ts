import type { AccountId, MessageId } from '../ids.ts'
import type { Conversation } from './conversation.ts'

/** A notification that the system shows for a message, or for several. */
export interface Notice {
  readonly id: string
  readonly accountId: AccountId
  /** It is withdrawn when all of them have been read or are gone; if there are none, it stays. */
  readonly messageIds: readonly MessageId[]
  /** Null if the messages are in several. */
  readonly conversation: Conversation | null
  readonly title: string
  readonly body: string
  readonly avatarUrl: string | null
  readonly isSilent: boolean
}
