import type { Feed } from '../../../src-shared/bridge/queries.ts'
import type { MessageId } from '../../../src-shared/ids.ts'
import { conversationKey, type Conversation } from '../../../src-shared/model/conversation.ts'
import type { FeedMessage, RecipientLabel, WaitingMessage } from '../../../src-shared/model/message.ts'
import { sameDay } from '../../time.ts'

/** Where messages go, as the bar above them says it. */
export interface RecipientHeading {
  readonly label: RecipientLabel
  readonly conversation: Conversation
  /** When the first message below it was sent, epoch milliseconds. */
  readonly at: number
  /** The first message below it. */
  readonly messageId: MessageId
}

/** A row of a feed. */
export type FeedRow =
  | { readonly kind: 'recipient'; readonly key: string; readonly heading: RecipientHeading }
  | { readonly kind: 'day'; readonly key: string; readonly at: number }
  | { readonly kind: 'unread'; readonly key: string }
  | {
      readonly kind: 'message'
      readonly key: string
      readonly message: FeedMessage
      readonly isGrouped: boolean
      /** Its place among the messages that are loaded, from 1. */
      readonly position: number
    }
  /** Messages are missing here; `after` is the one above. */
  | { readonly kind: 'gap'; readonly key: string; readonly after: MessageId }
  | {
      readonly kind: 'waiting'
      readonly key: string
      readonly item: WaitingMessage
      readonly isGrouped: boolean
    }

/** Messages of one sender closer than this stand under one name, milliseconds. */
const groupMs = 10 * 60 * 1_000

/** The key of the line above what is unread. */
export const unreadKey = 'unread'

/** The rows of a feed in order. Keys stay the same while a message is shown. */
export function feedRows(
  feed: Pick<Feed, 'messages' | 'waiting' | 'gapAfter' | 'after'>,
  /** The message above which the unread line stands. */
  unreadFrom: MessageId | null,
): FeedRow[] {
  const rows: FeedRow[] = []
  let before: FeedMessage | null = null
  for (const [index, message] of feed.messages.entries()) {
    const isNewPlace =
      before === null || conversationKey(before.conversation) !== conversationKey(message.conversation)
    const isNewDay = before === null || !sameDay(before.sentAt, message.sentAt)
    const isUnreadLine = message.id === unreadFrom
    if (isNewPlace) {
      const { recipient: label, conversation, sentAt: at, id } = message
      rows.push({
        kind: 'recipient',
        key: `to-${id}`,
        heading: { label, conversation, at, messageId: id },
      })
    }
    if (isNewDay) rows.push({ kind: 'day', key: `day-${message.id}`, at: message.sentAt })
    if (isUnreadLine) rows.push({ kind: 'unread', key: unreadKey })
    const isGrouped: boolean =
      before !== null &&
      !isNewPlace &&
      !isNewDay &&
      !isUnreadLine &&
      before.senderId === message.senderId &&
      before.id !== feed.gapAfter &&
      !before.isMeMessage &&
      !message.isMeMessage &&
      message.sentAt - before.sentAt < groupMs
    rows.push({ kind: 'message', key: String(message.id), message, isGrouped, position: index + 1 })
    if (feed.gapAfter === message.id) rows.push({ kind: 'gap', key: `gap-${message.id}`, after: message.id })
    before = message
  }
  if (before !== null && feed.after === 'on-server' && feed.gapAfter !== before.id)
    rows.push({ kind: 'gap', key: 'gap-end', after: before.id })
  for (const [index, item] of feed.waiting.entries()) {
    const above = feed.waiting[index - 1]
    const isGrouped =
      above !== undefined &&
      conversationKey(above.conversation) === conversationKey(item.conversation) &&
      !above.isMeMessage &&
      !item.isMeMessage &&
      item.writtenAt - above.writtenAt < groupMs
    rows.push({ kind: 'waiting', key: item.localId, item, isGrouped })
  }
  return rows
}
