import type { Inbox, Sidebar } from '../../../src-shared/bridge/queries.ts'
import type { ChannelId } from '../../../src-shared/ids.ts'
import { conversationKey, type Conversation } from '../../../src-shared/model/conversation.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'

/** The next unread conversation of that kind after the open one, starting over at the end; null if there is none. */
export function nextUnread(
  inbox: Inbox,
  kind: 'topic' | 'followed' | 'direct',
  open: Narrow | null,
): Conversation | null {
  const all = (
    kind === 'direct'
      ? inbox.directs
      : inbox.folders.flatMap(({ channels }) => channels.flatMap(({ topics }) => topics))
  )
    .filter(({ label }) => kind !== 'followed' || (label.kind === 'topic' && label.visibility === 'followed'))
    .map(({ conversation }) => conversation)
  const openKey = open?.kind === 'topic' || open?.kind === 'direct' ? conversationKey(open) : null
  const at = all.findIndex((one) => conversationKey(one) === openKey)
  // The open conversation is left out, because it may not count as read yet.
  const others = [...all.slice(at + 1), ...all.slice(0, Math.max(0, at))]
  return others[0] ?? null
}

/** The channel next to the open one in the sidebar's order, starting over at the end; null if there is none. */
export function channelBeside(sidebar: Sidebar, open: ChannelId | null, by: 1 | -1): ChannelId | null {
  const all = sidebar.folders.flatMap(({ channels }) => channels.map(({ channelId }) => channelId))
  const at = open === null ? (by === 1 ? -1 : 0) : all.indexOf(open)
  return all[(at + by + all.length) % all.length] ?? null
}
