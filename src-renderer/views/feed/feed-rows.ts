import type { MessageId } from '../../../src-shared/ids.ts'
import type { FeedMessage, RecipientLabel } from '../../../src-shared/model/message.ts'
import { conversationKey, type Conversation } from '../../../src-shared/model/conversation.ts'
import { sameDay } from '../../time.ts'

/** A row of a feed. */
export type FeedRow =
  | {
      readonly kind: 'recipient'
      readonly key: string
      readonly label: RecipientLabel
      readonly conversation: Conversation
      readonly at: number
    }
  | { readonly kind: 'day'; readonly key: string; readonly at: number }
  | { readonly kind: 'unread'; readonly key: string }
  | {
      readonly kind: 'message'
      readonly key: string
      readonly message: FeedMessage
      readonly isGrouped: boolean
    }

/** Messages of one sender closer than this stand under one name, milliseconds. */
const groupMs = 10 * 60 * 1_000

/** The rows for messages in order. `unreadFrom`: the message above which the unread line stands. */
export function feedRows(messages: readonly FeedMessage[], unreadFrom: MessageId | null): FeedRow[] {
  const rows: FeedRow[] = []
  let before: FeedMessage | null = null
  for (const message of messages) {
    const isNewPlace =
      before === null || conversationKey(before.conversation) !== conversationKey(message.conversation)
    const isNewDay = before === null || !sameDay(before.sentAt, message.sentAt)
    const isUnreadLine = message.id === unreadFrom
    if (isNewPlace) {
      rows.push({
        kind: 'recipient',
        key: `to-${message.id}`,
        label: message.recipient,
        conversation: message.conversation,
        at: message.sentAt,
      })
    }
    if (isNewDay) rows.push({ kind: 'day', key: `day-${message.id}`, at: message.sentAt })
    if (isUnreadLine) rows.push({ kind: 'unread', key: 'unread' })
    const isGrouped: boolean =
      before !== null &&
      !isNewPlace &&
      !isNewDay &&
      !isUnreadLine &&
      before.senderId === message.senderId &&
      !before.isMeMessage &&
      message.sentAt - before.sentAt < groupMs
    rows.push({ kind: 'message', key: String(message.id), message, isGrouped })
    before = message
  }
  return rows
}
