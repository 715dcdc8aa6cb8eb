import type { Inbox, InboxRow } from '../../src-shared/bridge/queries.ts'
import { messageId } from '../../src-shared/ids.ts'
import type { TopicVisibility } from '../../src-shared/model/message.ts'
import { conversationFromRow, type ConversationRow } from '../store/conversations.ts'
import { labeler, type QueryContext } from './labels.ts'
import { isMutedSql, withVisibility } from './muted.ts'
import { newestLookup } from './newest.ts'
import { sidebar } from './sidebar.ts'

const mostRows = 400

type ListedRow = ConversationRow & { is_muted: number; visibility: TopicVisibility }

/** Unread conversations that are not muted, newest first, by folder and channel. */
export function inbox(context: QueryContext): Inbox {
  const { db } = context
  // The newest are found by an index before anything is looked up for them.
  const rows = db.all<ListedRow>(
    `SELECT c.*, ${isMutedSql} AS is_muted, coalesce(v.visibility, 'none') AS visibility
     FROM (SELECT * FROM conversations WHERE unread_count > 0 ORDER BY newest_message_id DESC LIMIT ?) c
     ${withVisibility}
     ORDER BY c.newest_message_id DESC`,
    [mostRows],
  )
  const shown = rows.filter((row) => row.is_muted === 0)
  const label = labeler(context)
  const newest = newestLookup(db, shown)
  const toRow = (row: ListedRow) => inboxRow(row, label, newest)
  const directs = shown.filter(({ kind }) => kind === 'direct').map(toRow)
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
  return { directs, folders }
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
