import type { Feed } from '../../../src-shared/model/feed.ts'
import type { MessageId } from '../../../src-shared/ids.ts'

/** The first and the last message in view. */
interface View {
  readonly first: number
  readonly last: number
}

/**
 * How many unread messages are above the view, and how many below. Unread messages that are not loaded count as below
 * if the first unread message is loaded or below the view, otherwise as above.
 */
export function unreadAround(
  feed: Pick<Feed, 'firstUnreadId' | 'unreadCount' | 'messages'>,
  view: View,
): { readonly above: number; readonly below: number } {
  const { firstUnreadId, unreadCount, messages } = feed
  if (firstUnreadId === null) return { above: 0, below: 0 }
  if (firstUnreadId > view.last) return { above: 0, below: unreadCount }
  const unread = messages.filter(({ isUnread }) => isUnread)
  const above = unread.filter(({ id }) => id < view.first).length
  const inView = unread.filter(({ id }) => id >= view.first && id <= view.last).length
  const isLoadedFromFirst = firstUnreadId >= (messages[0]?.id ?? Infinity)
  if (isLoadedFromFirst) return { above, below: Math.max(0, unreadCount - above - inView) }
  const below = unread.length - above - inView
  return { above: Math.max(0, unreadCount - below - inView), below }
}

/** How long after it was opened a feed still looks for its starting place, milliseconds. */
const stillOpeningMs = 30_000

/**
 * Whether messages that were already unread arrived only after the feed was opened, as in a first sync; then the feed
 * starts at them. `unreadFrom` is where it started; times are epoch milliseconds.
 */
export function hasLateUnread(
  { firstUnreadId, messages }: Pick<Feed, 'firstUnreadId' | 'messages'>,
  opened: { readonly unreadFrom: MessageId | null; readonly openedAt: number; readonly now: number },
): boolean {
  const { unreadFrom, openedAt, now } = opened
  if (firstUnreadId === null || firstUnreadId >= (unreadFrom ?? Infinity)) return false
  if (now - openedAt > stillOpeningMs) return false
  const first = messages.find(({ id }) => id === firstUnreadId)
  return first === undefined || first.sentAt < openedAt
}
