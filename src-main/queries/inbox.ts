import type { CheckedParamsOf } from '../../src-shared/bridge/queries.ts'
import type { Inbox, InboxDirect, InboxRow } from '../../src-shared/model/conversation-lists.ts'
import { messageId } from '../../src-shared/ids.ts'
import type { TopicVisibility } from '../../src-shared/model/message.ts'
import { conversationFromRow, type ConversationRow } from '../store/conversations.ts'
import type { ReadableDb } from '../store/database.ts'
import type { QueryContext } from './context.ts'
import { labeler, peopleById } from './labels.ts'
import { isMutedSql, withVisibility } from '../store/muting.ts'
import { newestLookup, type NewestLookup } from './newest.ts'
import { channelGroups } from './sidebar.ts'

const mostRows = 400
/** How many of the newest unread conversations are read to find the wanted ones. */
const mostLooked = 5_000
const lookedAtOnce = 500
const mostRecipients = 3

const unreadOf = {
  all: 'unread_count > 0',
  followed: 'unread_count > 0',
  directs: `unread_count > 0 AND kind = 'direct'`,
  mentions: 'unread_count > 0 AND mention_count > 0',
} as const

type ListedRow = ConversationRow & { visibility: TopicVisibility }

const unreadSum = (rows: readonly ListedRow[]) => rows.reduce((sum, row) => sum + row.unread_count, 0)

/**
 * Unread conversations, newest first, by folder and channel; `first` limits them from the top. Muted ones are listed
 * only for their mentions.
 */
export function inbox(
  context: QueryContext,
  filter: CheckedParamsOf<'inbox'>['filter'] = 'all',
  first = mostRows,
): Inbox {
  const { db } = context
  const found = newestUnread(db, filter)
  const listed = found.slice(0, mostRows)
  const directRows = listed.filter(({ kind }) => kind === 'direct')
  const byChannel = new Map<number, ListedRow[]>()
  for (const row of listed) {
    if (row.kind !== 'topic' || row.channel_id === null) continue
    const list = byChannel.get(row.channel_id)
    if (list === undefined) byChannel.set(row.channel_id, [row])
    else list.push(row)
  }
  let left = first
  const takeFirst = (rows: readonly ListedRow[]) => {
    const taken = rows.slice(0, Math.max(0, left))
    left -= taken.length
    return taken
  }
  const shownDirects = takeFirst(directRows)
  const folders = channelGroups(db)
    .map(({ key, name, channels }) => {
      const known = channels.flatMap((channel) => {
        const rows = byChannel.get(channel.channelId)
        return rows === undefined ? [] : [{ channel, unreadCount: unreadSum(rows), rows: takeFirst(rows) }]
      })
      return {
        key,
        name,
        unreadCount: known.reduce((sum, { unreadCount }) => sum + unreadCount, 0),
        channels: known.filter(({ rows }) => rows.length > 0),
      }
    })
    .filter(({ unreadCount }) => unreadCount > 0)
  const shown = [...shownDirects, ...folders.flatMap(({ channels }) => channels.flatMap(({ rows }) => rows))]
  const label = labeler(context)
  const newest = newestLookup(db, shown)
  const toRow = (row: ListedRow) => inboxRow(row, label, newest)
  return {
    directs: withRecipients(context, shownDirects.map(toRow)),
    directUnreadCount: unreadSum(directRows),
    folders: folders.map(({ channels, ...folder }) => ({
      ...folder,
      channels: channels.map(({ channel, unreadCount, rows }) => ({
        channel,
        unreadCount,
        topics: rows.map(toRow),
      })),
    })),
    rowCount: listed.length,
    hasMore: found.length > mostRows,
  }
}

/**
 * The newest unread conversations of a filter. Their visibility is looked up some at a time, because the first few are
 * usually enough.
 */
function newestUnread(db: ReadableDb, filter: CheckedParamsOf<'inbox'>['filter']): ListedRow[] {
  const found: ListedRow[] = []
  for (let looked = 0; looked < mostLooked && found.length <= mostRows; looked += lookedAtOnce) {
    const rows = db.all<ListedRow & { is_muted: number }>(
      `SELECT c.*, coalesce(v.visibility, 'none') AS visibility, ${isMutedSql} AS is_muted
       FROM (SELECT * FROM conversations WHERE ${unreadOf[filter]}
             ORDER BY newest_message_id DESC LIMIT ${lookedAtOnce} OFFSET ?) c
       ${withVisibility} ORDER BY c.newest_message_id DESC`,
      [looked],
    )
    for (const row of rows) {
      const isLoud = filter === 'mentions' || row.is_muted === 0
      if (isLoud && (filter !== 'followed' || row.visibility === 'followed')) found.push(row)
    }
    if (rows.length < lookedAtOnce) break
  }
  return found.slice(0, mostRows + 1)
}

function withRecipients(context: QueryContext, rows: readonly InboxRow[]): InboxDirect[] {
  const idsOf = ({ label }: InboxRow) =>
    label.kind === 'direct' ? label.userIds.slice(0, mostRecipients) : []
  const person = peopleById(context, rows.flatMap(idsOf))
  return rows.map((row) => ({ ...row, recipients: idsOf(row).map(person) }))
}

function inboxRow(row: ListedRow, label: ReturnType<typeof labeler>, newest: NewestLookup): InboxRow {
  const conversation = conversationFromRow(row)
  return {
    conversation,
    label: label(conversation, row.visibility),
    unreadCount: row.unread_count,
    hasMention: row.mention_count > 0,
    newestMessageId: messageId(row.newest_message_id),
    ...newest.of(row.conversation_id),
  }
}
