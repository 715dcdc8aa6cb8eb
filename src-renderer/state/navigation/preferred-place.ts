import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { AccountSettings } from '../../../src-shared/bridge/queries.ts'
import type { AccountId, ChannelId } from '../../../src-shared/ids.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { once } from '../data/once.ts'
import type { Route } from './route.svelte.ts'

/**
 * The place that a channel opens, if the person prefers not to see all of it: its list of topics, its newest topic, or
 * its newest unread topic.
 */
export async function preferredPlace(
  bridge: Bridge,
  wanted: {
    readonly accountId: AccountId
    readonly channelId: ChannelId
    readonly channelView: Exclude<AccountSettings['channelView'], 'feed'>
  },
): Promise<Route> {
  const { accountId, channelId, channelView } = wanted
  if (channelView === 'topics') return { view: 'topics', accountId, channelId }
  const known = await once(bridge, 'channel-topics', { accountId, channelId, limit: 200 })
  const open = known.topics.filter(({ visibility }) => visibility !== 'muted')
  const unread =
    channelView === 'top-unread-topic' ? open.find(({ unreadCount }) => unreadCount > 0) : undefined
  const newest = unread ?? open.toSorted((a, b) => (b.newestMessageId ?? 0) - (a.newestMessageId ?? 0))[0]
  const narrow: Narrow =
    newest === undefined ? { kind: 'channel', channelId } : { kind: 'topic', channelId, topic: newest.topic }
  return { view: 'feed', accountId, narrow, near: null }
}
