import type { Inbox, InboxRow } from '../../src-shared/bridge/queries.ts'
import { messageId } from '../../src-shared/ids.ts'
import { conversationFromRow, type ConversationRow } from '../store/conversations.ts'
import { labelOf, type QueryContext } from './labels.ts'
import { isMutedSql, withVisibility } from './muted.ts'
import { newestOf } from './newest.ts'
import { sidebar } from './sidebar.ts'

const mostRows = 400

/** Unread conversations that are not muted, newest first, by folder and channel. */
export function inbox(context: QueryContext): Inbox {
  const { db } = context
  // The newest are found by an index before anything is looked up for them.
  const rows = db.all<ConversationRow & { is_muted: number }>(
    `SELECT c.*, ${isMutedSql} AS is_muted
     FROM (SELECT * FROM conversations WHERE unread_count > 0 ORDER BY newest_message_id DESC LIMIT ?) c
     ${withVisibility}
     ORDER BY c.newest_message_id DESC`,
    [mostRows],
  )
  const shown = rows.filter((row) => row.is_muted === 0)
  const directs = shown.filter(({ kind }) => kind === 'direct').map((row) => inboxRow(context, row))
  const byChannel = new Map<number, InboxRow[]>()
  for (const row of shown) {
    if (row.kind !== 'topic' || row.channel_id === null) continue
    const list = byChannel.get(row.channel_id)
    const entry = inboxRow(context, row)
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

function inboxRow(context: QueryContext, row: ConversationRow): InboxRow {
  const conversation = conversationFromRow(row)
  return {
    conversation,
    label: labelOf(context, conversation),
    unreadCount: row.unread_count,
    hasMention: row.mention_count > 0,
    newestMessageId: messageId(row.newest_message_id),
    ...newestOf(context.db, row.conversation_id),
  }
}
