import type { InboxDirect, InboxRow, QueryResults } from '../../../src-shared/bridge/queries.ts'
import { conversationKey } from '../../../src-shared/model/conversation.ts'

/** The unread conversations to list: all, those that concern the person, or followed topics. */
export const unreadFilters = ['all', 'for-me', 'followed'] as const
export type UnreadFilter = (typeof unreadFilters)[number]

/** The layouts of the list. */
export const unreadOrders = ['organization', 'time'] as const
export type UnreadOrder = (typeof unreadOrders)[number]

export type UnreadRow = InboxRow | InboxDirect

const isDirect = ({ label }: UnreadRow) => label.kind === 'direct'

function isWanted(row: UnreadRow, filter: UnreadFilter): boolean {
  switch (filter) {
    case 'all':
      return true
    case 'for-me':
      return isDirect(row) || row.hasMention
    case 'followed':
      return row.label.kind === 'topic' && row.label.visibility === 'followed'
  }
}

/** The unread conversations of one organization: direct messages, then topics, each with the newest first. */
export function unreadRows(inbox: QueryResults['inbox'] | undefined, filter: UnreadFilter): UnreadRow[] {
  const topics = (inbox?.folders ?? []).flatMap(({ channels }) =>
    channels.flatMap((channel) => channel.topics),
  )
  return [...(inbox?.directs ?? []), ...topics]
    .filter((row) => isWanted(row, filter))
    .toSorted((a, b) => Number(isDirect(b)) - Number(isDirect(a)) || b.newestAt - a.newestAt)
}

/** The rows of several organizations in one list, the newest first. */
export const rowsByTime = <A extends { readonly id: string }>(
  groups: readonly { readonly account: A; readonly rows: readonly UnreadRow[] }[],
): { key: string; account: A; row: UnreadRow }[] =>
  groups
    .flatMap(({ account, rows }) =>
      rows.map((row) => ({ key: `${account.id} ${conversationKey(row.conversation)}`, account, row })),
    )
    .toSorted((a, b) => b.row.newestAt - a.row.newestAt)
