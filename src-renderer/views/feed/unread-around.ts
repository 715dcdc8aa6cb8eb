import type { Feed } from '../../../src-shared/bridge/queries.ts'

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
