import type { QueryResults } from '../../../src-shared/bridge/queries.ts'
import type { InboxDirect, InboxRow, RecentRow } from '../../../src-shared/model/conversation-lists.ts'
import type { Account } from '../../../src-shared/model/account.ts'
import { conversationKey } from '../../../src-shared/model/conversation.ts'
import type { FeedMessage } from '../../../src-shared/model/message.ts'

/** The unread conversations to list: all, those that concern the person, or followed topics. */
export const unreadFilters = ['all', 'for-me', 'followed'] as const
export type UnreadFilter = (typeof unreadFilters)[number]

/** The layouts of a list over all organizations. */
export const listOrders = ['organization', 'time'] as const
export type ListOrder = (typeof listOrders)[number]

/** A conversation of an inbox. */
export type UnreadRow = InboxRow | InboxDirect
/** A conversation of an inbox or of the recent ones. */
export type ConversationRow = UnreadRow | RecentRow

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

/** Whether the newest message of a conversation is on this device. */
export const hasNewest = (row: ConversationRow): boolean => !('hasNewest' in row) || row.hasNewest

/** A row of a list over all organizations. */
export interface RowByTime {
  readonly key: string
  readonly account: Account
  readonly row: ConversationRow
}

/**
 * The rows of several organizations in one list, the newest first. A row whose newest message is not on this device
 * stays before the one that it precedes in its organization.
 */
export const rowsByTime = (
  groups: readonly { readonly account: Account; readonly rows: readonly ConversationRow[] }[],
): RowByTime[] =>
  groups
    .flatMap(({ account, rows }) =>
      rows.map((row, index) => ({
        key: `${account.id} ${conversationKey(row.conversation)}`,
        account,
        row,
        at: (rows.slice(index).find(hasNewest) ?? row).newestAt,
      })),
    )
    .toSorted((a, b) => b.at - a.at)
    .map(({ key, account, row }) => ({ key, account, row }))

/** The people whose pictures stand before a direct conversation. */
export function recipientsOf(
  row: ConversationRow,
): { readonly userId: number; readonly fullName: string; readonly avatarUrl: string | null }[] {
  if ('recipients' in row) return row.recipients.slice(0, 2)
  const { label, people } = row
  if (label.kind === 'topic') return []
  return label.userIds.slice(0, 2).map((userId, index) => ({
    userId,
    fullName: label.names[index] ?? '',
    avatarUrl: people.find((person) => person.userId === userId)?.avatarUrl ?? null,
  }))
}

/** More of a message than this fits into no row. */
const mostText = 300

/**
 * Messages as rows of a list, the newest first, each with its own words (`textOf` its HTML) and its sender. Those of
 * muted people are left out.
 */
export const messageRows = (messages: readonly FeedMessage[], textOf: (html: string) => string): InboxRow[] =>
  messages
    .filter(({ senderIsMuted }) => !senderIsMuted)
    .toReversed()
    .map((message) => ({
      conversation: message.conversation,
      label: message.recipient,
      unreadCount: message.isUnread ? 1 : 0,
      hasMention: message.isUnread && message.isMentioned,
      newestMessageId: message.id,
      newestAt: message.sentAt,
      newestSender: message.senderName,
      newestText: textOf(message.contentHtml).slice(0, mostText),
      people: [{ userId: message.senderId, name: message.senderName, avatarUrl: message.senderAvatarUrl }],
    }))
