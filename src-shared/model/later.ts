import type { LocalId, MessageId } from '../ids.ts'
import { conversationKey, type Conversation } from './conversation.ts'
import type { RecipientLabel } from './message.ts'
import type { SendState } from './outbox.ts'

/** A message that the server sends at a set time. */
export interface ScheduledMessage {
  /** Null until the server knows it. */
  readonly scheduledId: number | null
  /** The part of it that waits in the outbox: the whole message, or its last change; null if nothing waits. */
  readonly localId: LocalId | null
  readonly state: SendState | null
  /** The person asked to send it at once. */
  readonly isSentNow: boolean
  readonly conversation: Conversation
  readonly label: RecipientLabel
  /** Markdown. */
  readonly content: string
  /** The beginning of its text, in one line. */
  readonly text: string
  /** Epoch milliseconds. */
  readonly sendAt: number
  /** Its time came, but it could not be sent. */
  readonly hasFailed: boolean
}

/** Equal for what goes to the same conversation in the same second. */
export const placeOfScheduled = ({
  conversation,
  sendAt,
}: Pick<ScheduledMessage, 'conversation' | 'sendAt'>): string =>
  `${conversationKey(conversation)} ${Math.round(sendAt / 1_000)}`

/** A message that the server brings back at a set time. */
export interface Reminder {
  /** Null until the server knows it. */
  readonly reminderId: number | null
  /** The part of it that waits in the outbox: the whole reminder, or its last change; null if nothing waits. */
  readonly localId: LocalId | null
  readonly state: SendState | null
  readonly messageId: MessageId
  /** The conversation of the message. Like its label and sender, it is null if the message is not on this device. */
  readonly conversation: Conversation | null
  readonly label: RecipientLabel | null
  readonly senderName: string | null
  /** The beginning of the message; empty if it is not on this device. */
  readonly text: string
  /** The person's note; empty if there is none. */
  readonly note: string
  /** Epoch milliseconds. */
  readonly remindAt: number
  readonly hasFailed: boolean
}
