import type { Inbox, InboxRow } from '../../src-shared/bridge/queries.ts'
import { messageId, userId } from '../../src-shared/ids.ts'
import { conversationFromRow, type ConversationRow } from '../store/conversations.ts'
import { textFromHtml } from '../store/words.ts'
import { labelOf, type QueryContext } from './labels.ts'
import { sidebar } from './sidebar.ts'

const mostRows = 400
const excerptLength = 160

/** Unread conversations that are not muted, newest first, by folder and channel. */
export function inbox(context: QueryContext): Inbox {
  const { db } = context
  const rows = db.all<ConversationRow & { is_muted: number }>(
    `SELECT c.*, CASE
         WHEN c.kind = 'direct' THEN 0
         WHEN coalesce(v.visibility, '') = 'muted' THEN 1
         WHEN ch.is_muted = 1 AND coalesce(v.visibility, '') NOT IN ('unmuted', 'followed') THEN 1
         ELSE 0 END AS is_muted
     FROM conversations c
     LEFT JOIN channels ch ON ch.channel_id = c.channel_id
     LEFT JOIN topic_visibility v ON v.channel_id = c.channel_id AND v.topic_key = substr(c.key, 7 + length(c.channel_id) + 1)
     WHERE c.unread_count > 0 ORDER BY c.newest_message_id DESC LIMIT ?`,
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
  const { db } = context
  const conversation = conversationFromRow(row)
  const newest = db.get<{
    message_id: number
    sent_at: number
    sender_name: string
    content_html: string
  }>(
    `SELECT message_id, sent_at, sender_name, content_html FROM messages
     WHERE conversation_id = ? ORDER BY message_id DESC LIMIT 1`,
    [row.conversation_id],
  )
  const people = db.all<{ sender_id: number; sender_name: string; avatar_url: string | null }>(
    `SELECT m.sender_id, m.sender_name, u.avatar_url, max(m.message_id) AS newest FROM
       (SELECT sender_id, sender_name, message_id FROM messages WHERE conversation_id = ? ORDER BY message_id DESC LIMIT 30) m
     LEFT JOIN users u ON u.user_id = m.sender_id GROUP BY m.sender_id ORDER BY newest DESC LIMIT 4`,
    [row.conversation_id],
  )
  return {
    conversation,
    label: labelOf(context, conversation),
    unreadCount: row.unread_count,
    hasMention: row.mention_count > 0,
    newestMessageId: messageId(row.newest_message_id),
    newestAt: newest?.sent_at ?? 0,
    newestSender: newest?.sender_name ?? '',
    newestText: newest === undefined ? '' : textFromHtml(newest.content_html).slice(0, excerptLength),
    people: people.map((person) => ({
      userId: userId(person.sender_id),
      name: person.sender_name,
      avatarUrl: person.avatar_url,
    })),
  }
}
