import type { LocalId, MessageId } from '../ids.ts'
import type { Conversation } from './conversation.ts'
import type { RecipientLabel } from './message.ts'
import type { SendState } from './outbox.ts'

/** A message that the server sends at its time. */
export interface ScheduledMessage {
  /** Null as long as the server does not know it. */
  readonly scheduledId: number | null
  /** What of it waits in the outbox: the whole message, or the last change of it; null when nothing does. */
  readonly localId: LocalId | null
  readonly state: SendState | null
  /** It is to be sent at once. */
  readonly isSentNow: boolean
  readonly conversation: Conversation
  readonly label: RecipientLabel
  /** Markdown. */
  readonly content: string
  /** The beginning of what it says, in one line. */
  readonly text: string
  /** Epoch milliseconds. */
  readonly sendAt: number
  /** Its time came and it could not be sent. */
  readonly hasFailed: boolean
}

/** A message that the server brings back at a time. */
export interface Reminder {
  /** Null as long as the server does not know it. */
  readonly reminderId: number | null
  /** What of it waits in the outbox: the wish for it, or the last change of it; null when nothing does. */
  readonly localId: LocalId | null
  readonly state: SendState | null
  readonly messageId: MessageId
  /** Where the message is; null when it is not on this device, as its label and its sender. */
  readonly conversation: Conversation | null
  readonly label: RecipientLabel | null
  readonly senderName: string | null
  /** The beginning of the message; empty when it is not on this device. */
  readonly text: string
  /** What the person wants to remember of it; empty when nothing. */
  readonly note: string
  /** Epoch milliseconds. */
  readonly remindAt: number
  readonly hasFailed: boolean
}
