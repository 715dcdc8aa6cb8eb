import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { Inbox } from '../../../src-shared/model/conversation-lists.ts'
import type { Sidebar } from '../../../src-shared/model/sidebar.ts'
import type { AccountId, ChannelId } from '../../../src-shared/ids.ts'
import { conversationKey, type Conversation } from '../../../src-shared/model/conversation.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { once } from '../../state/data/once.ts'
import { preferredPlace } from '../../state/navigation/preferred-place.ts'
import type { Route } from '../../state/navigation/route.svelte.ts'

type Kind = 'topic' | 'followed' | 'direct'

/** The inbox's conversations of a kind, in its order. */
function listed(inbox: Inbox, kind: Kind): readonly Conversation[] {
  const rows =
    kind === 'direct'
      ? inbox.directs
      : inbox.folders.flatMap(({ channels }) => channels.flatMap(({ topics }) => topics))
  return rows
    .filter(({ label }) => kind !== 'followed' || (label.kind === 'topic' && label.visibility === 'followed'))
    .map(({ conversation }) => conversation)
}

/**
 * The next unread conversation of that kind after the open one, starting over at the end; null if there is none.
 * `before`: the inbox of the last time, where the open conversation may still be found after it was read.
 */
export function nextUnread(
  inbox: Inbox,
  kind: Kind,
  { open, before }: { readonly open: Narrow | null; readonly before: Inbox | null },
): Conversation | null {
  const openKey = open?.kind === 'topic' || open?.kind === 'direct' ? conversationKey(open) : null
  const isOpen = (one: Conversation) => conversationKey(one) === openKey
  // The open conversation is left out, because it may not count as read yet.
  const others = listed(inbox, kind).filter((one) => !isOpen(one))
  const lists = [listed(inbox, kind), before === null ? [] : listed(before, kind)]
  const order = lists.find((list) => list.some(isOpen)) ?? others
  const at = order.findIndex(isOpen)
  const keys = new Set(others.map(conversationKey))
  const inOrder = [...order.slice(at + 1), ...order.slice(0, Math.max(0, at))]
  return inOrder.find((one) => keys.has(conversationKey(one))) ?? others[0] ?? null
}

/**
 * The place that the channel next to the open one opens, by the person's preference; null if there is no channel.
 */
export async function placeBeside(
  bridge: Bridge,
  accountId: AccountId,
  open: ChannelId | null,
  by: 1 | -1,
): Promise<Route | null> {
  const channelId = channelBeside(await once(bridge, 'sidebar', { accountId }), open, by)
  if (channelId === null) return null
  const { channelView } = await once(bridge, 'account-settings', { accountId })
  if (channelView !== 'feed') return preferredPlace(bridge, { accountId, channelId, channelView })
  return { view: 'feed', accountId, narrow: { kind: 'channel', channelId }, near: null }
}

/** The channel next to the open one in the sidebar's order, starting over at the end; null if there is none. */
export function channelBeside(sidebar: Sidebar, open: ChannelId | null, by: 1 | -1): ChannelId | null {
  const all = sidebar.folders.flatMap(({ channels }) => channels.map(({ channelId }) => channelId))
  // A channel that is not in the sidebar stands between the last and the first.
  const at = Math.max(open === null ? -1 : all.indexOf(open), by === 1 ? -1 : 0)
  return all[(at + by + all.length) % all.length] ?? null
}
