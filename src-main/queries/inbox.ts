import type { Inbox, InboxRow } from '../../src-shared/bridge/queries.ts'
import { messageId, userId } from '../../src-shared/ids.ts'
import { conversationFromRow, type ConversationRow } from '../store/conversations.ts'
import type { ReadableDb } from '../store/database.ts'
import { textFromHtml } from '../store/words.ts'
import { labelOf, type QueryContext } from './labels.ts'
import { sidebar } from './sidebar.ts'

const mostRows = 400
const excerptLength = 160

/** Unread conversations that are not muted, newest first, by folder and channel. */
export function inbox(context: QueryContext): Inbox {
  const { db } = context
  // The newest are found by an index before anything is looked up for them.
  const rows = db.all<ConversationRow & { is_muted: number }>(
    `SELECT c.*, CASE
         WHEN c.kind = 'direct' THEN 0
         WHEN coalesce(v.visibility, '') = 'muted' THEN 1
         WHEN ch.is_muted = 1 AND coalesce(v.visibility, '') NOT IN ('unmuted', 'followed') THEN 1
         ELSE 0 END AS is_muted
     FROM (SELECT * FROM conversations WHERE unread_count > 0 ORDER BY newest_message_id DESC LIMIT ?) c
     LEFT JOIN channels ch ON ch.channel_id = c.channel_id
     LEFT JOIN topic_visibility v ON v.channel_id = c.channel_id AND v.topic_key = substr(c.key, 7 + length(c.channel_id) + 1)
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

/** What a row says of the newest messages of its conversation. */
type Newest = Pick<InboxRow, 'newestAt' | 'newestSender' | 'newestText' | 'people'>

interface Remembered {
  /** The newest message and its last edit: as long as it is the same, so is the rest. */
  readonly stamp: string
  readonly newest: Newest
}

// The inbox is asked for after every message, and of its hundreds of rows one has changed: taking the text out of
// the others again was most of its time.
const remembered = new WeakMap<ReadableDb, Map<number, Remembered>>()
const mostRemembered = 2 * mostRows
/** Longer messages are cut before their text is taken out: only the beginning is shown. */
const htmlLooked = 4_000

function newestOf(db: ReadableDb, conversation: number): Newest {
  const message = db.get<{
    message_id: number
    sent_at: number
    edited_at: number | null
    sender_name: string
  }>(
    `SELECT message_id, sent_at, edited_at, sender_name FROM messages
     WHERE conversation_id = ? ORDER BY message_id DESC LIMIT 1`,
    [conversation],
  )
  if (message === undefined) return { newestAt: 0, newestSender: '', newestText: '', people: [] }
  let all = remembered.get(db)
  if (all === undefined || all.size > mostRemembered) remembered.set(db, (all = new Map()))
  const stamp = `${message.message_id}:${message.edited_at ?? ''}`
  const before = all.get(conversation)
  if (before?.stamp === stamp) return before.newest
  const html =
    db.get<{ content_html: string }>('SELECT content_html FROM messages WHERE message_id = ?', [
      message.message_id,
    ])?.content_html ?? ''
  const newest: Newest = {
    newestAt: message.sent_at,
    newestSender: message.sender_name,
    newestText: textFromHtml(html.slice(0, htmlLooked)).slice(0, excerptLength),
    people: db
      .all<{ sender_id: number; sender_name: string; avatar_url: string | null }>(
        `SELECT m.sender_id, m.sender_name, u.avatar_url, max(m.message_id) AS newest FROM
           (SELECT sender_id, sender_name, message_id FROM messages
            WHERE conversation_id = ? ORDER BY message_id DESC LIMIT 30) m
         LEFT JOIN users u ON u.user_id = m.sender_id GROUP BY m.sender_id ORDER BY newest DESC LIMIT 4`,
        [conversation],
      )
      .map((person) => ({
        userId: userId(person.sender_id),
        name: person.sender_name,
        avatarUrl: person.avatar_url,
      })),
  }
  all.set(conversation, { stamp, newest })
  return newest
}
