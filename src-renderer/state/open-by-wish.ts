import type { Bridge } from '../../src-shared/bridge/connect.ts'
import type { AccountSettings } from '../../src-shared/bridge/queries.ts'
import type { AccountId, ChannelId } from '../../src-shared/ids.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import { once } from './once.ts'
import { route } from './route.svelte.ts'

/**
 * Opens a channel where a person wants it to lead who wants not everything in it: its topics, its newest one, or its
 * newest unread one.
 */
export async function openByWish(
  bridge: Bridge,
  wanted: {
    readonly accountId: AccountId
    readonly channelId: ChannelId
    readonly wish: Exclude<AccountSettings['channelView'], 'feed'>
  },
): Promise<void> {
  const { accountId, channelId, wish } = wanted
  if (wish === 'topics') {
    route.go({ view: 'topics', accountId, channelId })
    return
  }
  const known = await once(bridge, 'channel-topics', { accountId, channelId, limit: 200 })
  const open = known.topics.filter(({ visibility }) => visibility !== 'muted')
  const unread = wish === 'top-unread-topic' ? open.find(({ unreadCount }) => unreadCount > 0) : undefined
  const newest = unread ?? open.toSorted((a, b) => b.newestMessageId - a.newestMessageId)[0]
  const narrow: Narrow =
    newest === undefined ? { kind: 'channel', channelId } : { kind: 'topic', channelId, topic: newest.topic }
  route.go({ view: 'feed', accountId, narrow, near: null })
}
