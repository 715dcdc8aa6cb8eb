import type { AccountId, MessageId } from '../ids.ts'
import type { Conversation } from './conversation.ts'

/** A notification that the system shows for a message. */
export interface Notice {
  readonly id: string
  readonly accountId: AccountId
  readonly messageId: MessageId
  readonly conversation: Conversation
  readonly title: string
  readonly body: string
  readonly avatarUrl: string | null
  readonly isSilent: boolean
}
