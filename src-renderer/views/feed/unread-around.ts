import type { Feed } from '../../../src-shared/bridge/queries.ts'
import type { MessageId } from '../../../src-shared/ids.ts'

/** The first and the last message in view. */
interface View {
  readonly first: number
  readonly last: number
}

/**
 * How many unread messages stand above what is in view, and how many below. Of those that are not loaded, all stand
 * on one side as long as the first unread message is loaded or on the other; else only the loaded ones below count
 * as below.
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

/** For so long after it was opened, a feed still looks for where to begin, milliseconds. */
const stillOpeningMs = 30_000

/**
 * Whether messages that were unread before a feed was opened have come only after it, as in a first sync: then they
 * are where it is to begin. `unreadFrom` is where it began; times are epoch milliseconds.
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
