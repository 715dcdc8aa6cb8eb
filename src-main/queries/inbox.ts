import type { CheckedParamsOf, Inbox, InboxDirect, InboxRow } from '../../src-shared/bridge/queries.ts'
import { messageId } from '../../src-shared/ids.ts'
import type { TopicVisibility } from '../../src-shared/model/message.ts'
import { conversationFromRow, type ConversationRow } from '../store/conversations.ts'
import { labeler, personById, type QueryContext } from './labels.ts'
import { isMutedSql, withVisibility } from './muted.ts'
import { newestLookup } from './newest.ts'
import { sidebar } from './sidebar.ts'

const mostRows = 400
/** How many of the newest unread conversations are looked through for those that are wanted. */
const mostLooked = 5_000
const mostRecipients = 3

const unreadOf = {
  all: 'unread_count > 0',
  followed: 'unread_count > 0',
  directs: `unread_count > 0 AND kind = 'direct'`,
  mentions: 'unread_count > 0 AND mention_count > 0',
} as const

type ListedRow = ConversationRow & { visibility: TopicVisibility }

/** Unread conversations that are not muted, newest first, by folder and channel. */
export function inbox(context: QueryContext, filter: CheckedParamsOf<'inbox'>['filter'] = 'all'): Inbox {
  const { db } = context
  // The newest are found by an index before anything is looked up for them.
  const found = db.all<ListedRow>(
    `SELECT c.*, coalesce(v.visibility, 'none') AS visibility
     FROM (SELECT * FROM conversations WHERE ${unreadOf[filter]} ORDER BY newest_message_id DESC LIMIT ${mostLooked}) c
     ${withVisibility}
     WHERE ${isMutedSql} = 0 ${filter === 'followed' ? `AND v.visibility = 'followed'` : ''}
     ORDER BY c.newest_message_id DESC LIMIT ?`,
    [mostRows + 1],
  )
  const shown = found.slice(0, mostRows)
  const label = labeler(context)
  const newest = newestLookup(db, shown)
  const toRow = (row: ListedRow) => inboxRow(row, label, newest)
  const directs = shown
    .filter(({ kind }) => kind === 'direct')
    .map((row) => withRecipients(context, toRow(row)))
  const byChannel = new Map<number, InboxRow[]>()
  for (const row of shown) {
    if (row.kind !== 'topic' || row.channel_id === null) continue
    const list = byChannel.get(row.channel_id)
    const entry = toRow(row)
    if (list === undefined) byChannel.set(row.channel_id, [entry])
    else list.push(entry)
  }
  const folders = sidebar(context)
    .folders.map(({ key, name, channels }) => ({
      key,
      name,
      channels: channels.flatMap((channel) => {
        const topics = byChannel.get(channel.channelId)
        return topics === undefined ? [] : [{ channel, topics }]
      }),
    }))
    .filter(({ channels }) => channels.length > 0)
  return { directs, folders, hasMore: found.length > mostRows }
}

function withRecipients(context: QueryContext, row: InboxRow): InboxDirect {
  const ids = row.label.kind === 'direct' ? row.label.userIds : []
  return { ...row, recipients: ids.slice(0, mostRecipients).map((id) => personById(context, id)) }
}

function inboxRow(
  row: ListedRow,
  label: ReturnType<typeof labeler>,
  newest: ReturnType<typeof newestLookup>,
): InboxRow {
  const conversation = conversationFromRow(row)
  return {
    conversation,
    label: label(conversation, row.visibility),
    unreadCount: row.unread_count,
    hasMention: row.mention_count > 0,
    newestMessageId: messageId(row.newest_message_id),
    ...newest(row.conversation_id),
  }
}
