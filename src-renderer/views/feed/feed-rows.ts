import type { Feed } from '../../../src-shared/model/feed.ts'
import { minuteMs } from '../../../src-shared/durations.ts'
import type { MessageId, UserId } from '../../../src-shared/ids.ts'
import { conversationKey, type Conversation } from '../../../src-shared/model/conversation.ts'
import type { FeedMessage, RecipientLabel, WaitingMessage } from '../../../src-shared/model/message.ts'
import { sameDay } from '../../time.ts'

/** The place that messages were sent to, as the bar above them names it. */
export interface RecipientHeading {
  readonly label: RecipientLabel
  readonly conversation: Conversation
  /** When the first message below it was sent, epoch milliseconds; null if none is on this device. */
  readonly at: number | null
  /** The first message below it; null if all of them wait for the server, or if there is none. */
  readonly messageId: MessageId | null
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
    }
  /** Messages are missing here; `after` is the one above. */
  | { readonly kind: 'gap'; readonly key: string; readonly after: MessageId }
  | {
      readonly kind: 'waiting'
      readonly key: string
      readonly item: WaitingMessage
      readonly isGrouped: boolean
    }

/** Messages of one sender that are closer than this share one name, milliseconds. */
const groupMs = 10 * minuteMs

/** The key of the line above the unread messages. */
export const unreadKey = 'unread'

/** The facts about a row that decide whether the next one continues it. */
interface Neighbour {
  readonly conversation: Conversation
  readonly senderId: UserId | null
  /** Epoch milliseconds. */
  readonly at: number
  readonly isMeMessage: boolean
}

const startsDay = (before: Neighbour | null, one: Neighbour): boolean =>
  before === null || !sameDay(before.at, one.at)

const startsPlace = (before: Neighbour | null, one: Neighbour): boolean =>
  before === null || conversationKey(before.conversation) !== conversationKey(one.conversation)

/** Whether a row continues under the sender's name of the row above. */
const goesOn = (before: Neighbour | null, one: Neighbour): boolean =>
  before !== null &&
  !startsPlace(before, one) &&
  !startsDay(before, one) &&
  before.senderId === one.senderId &&
  !before.isMeMessage &&
  !one.isMeMessage &&
  one.at - before.at < groupMs

/** The rows of a feed in order. Keys stay the same while a message is shown. */
export function feedRows(
  feed: Pick<Feed, 'messages' | 'waiting' | 'gapsAfter' | 'after'>,
  /** The message above which the unread line stands. */
  unreadFrom: MessageId | null,
  /** The author of what waits; null while unknown. */
  ownUserId: UserId | null,
): FeedRow[] {
  const rows: FeedRow[] = []
  let before: Neighbour | null = null
  /** Adds the bar and the date line above a message, if it needs them. */
  const begin = (one: Neighbour, key: string, label: RecipientLabel, messageId: MessageId | null) => {
    const { conversation, at } = one
    if (startsPlace(before, one))
      rows.push({ kind: 'recipient', key: `to-${key}`, heading: { label, conversation, at, messageId } })
    if (startsDay(before, one)) rows.push({ kind: 'day', key: `day-${key}`, at })
  }
  let isGap = false
  for (const message of feed.messages) {
    const { id, conversation, senderId, sentAt, isMeMessage } = message
    const one: Neighbour = { conversation, senderId, at: sentAt, isMeMessage }
    begin(one, String(id), message.recipient, id)
    const isUnreadLine = id === unreadFrom
    if (isUnreadLine) rows.push({ kind: 'unread', key: unreadKey })
    const isGrouped = !isUnreadLine && !isGap && goesOn(before, one)
    rows.push({ kind: 'message', key: String(id), message, isGrouped })
    isGap = feed.gapsAfter.includes(id)
    if (isGap) rows.push({ kind: 'gap', key: `gap-${id}`, after: id })
    before = one
  }
  const last = feed.messages.at(-1)
  if (last !== undefined && feed.after === 'on-server' && !isGap) {
    isGap = true
    rows.push({ kind: 'gap', key: 'gap-end', after: last.id })
  }
  for (const item of feed.waiting) {
    const { localId, conversation, recipient, writtenAt, isMeMessage } = item
    const one: Neighbour = { conversation, senderId: ownUserId, at: writtenAt, isMeMessage }
    begin(one, localId, recipient, null)
    const isGrouped = !isGap && goesOn(before, one)
    rows.push({ kind: 'waiting', key: localId, item, isGrouped })
    isGap = false
    before = one
  }
  return withSteadyBar(rows)
}

/**
 * The bar of a feed with one conversation stays the same, whatever its first message is: somebody may be renaming the
 * topic there.
 */
function withSteadyBar(rows: FeedRow[]): FeedRow[] {
  const bars = rows.filter((row) => row.kind === 'recipient')
  const [bar] = bars
  if (bar === undefined || bars.length > 1) return rows
  const steady = { ...bar, key: `to-${conversationKey(bar.heading.conversation)}` }
  return rows.map((row) => (row === bar ? steady : row))
}

/**
 * What a feed without a row says: that it is empty, that its messages are not on this device, or that they could not be
 * fetched; null where a plan does not show them, which the note above says.
 */
export function emptyState(
  { before }: Pick<Feed, 'before'>,
  { isOnline, problem }: { readonly isOnline: boolean; readonly problem: string | null },
): 'nothing' | 'not-here' | 'failed' | null {
  if (before === 'limited') return null
  if (before !== 'on-server') return 'nothing'
  if (!isOnline) return 'not-here'
  return problem === null ? 'nothing' : 'failed'
}

/**
 * The bar that stays above the first message in view, and when that message was sent: the bar names its day. Null if it
 * is not known.
 */
export function barInView(
  rows: readonly FeedRow[],
  first: number,
): { readonly key: string; readonly at: number } | null {
  const place = rows.findIndex((row) => row.kind === 'message' && row.message.id === first)
  const message = rows[place]
  const bar = rows.slice(0, Math.max(0, place)).findLast(({ kind }) => kind === 'recipient')
  return message?.kind === 'message' && bar !== undefined
    ? { key: bar.key, at: message.message.sentAt }
    : null
}
