import type { InboxRow } from '../../src-shared/model/conversation-lists.ts'
import { userId } from '../../src-shared/ids.ts'
import type { ReadableDb } from '../store/database.ts'
import { textFromHtml } from '../store/words.ts'
import { beginningOf } from './excerpt.ts'

const excerptLength = 160

/** What a row says of the newest messages of its conversation. */
export type Newest = Pick<InboxRow, 'newestAt' | 'newestSender' | 'newestText' | 'people'>

interface Remembered {
  /** The newest message and its last edit: as long as it is the same, so is the rest. */
  readonly stamp: string
  readonly newest: Newest
}

// A list of conversations is asked for after every message, and of its hundreds of rows one has changed: taking the text out of
// the others again was most of its time.
const remembered = new WeakMap<ReadableDb, Map<number, Remembered>>()
const mostRemembered = 800
/** Longer messages are cut before their text is taken out: only the beginning is shown. */
const htmlLooked = 4_000

interface NewestRow {
  readonly conversation_id: number
  readonly message_id: number
  readonly sent_at: number
  readonly edited_at: number | null
  readonly sender_name: string
}

const columns = 'conversation_id, message_id, sent_at, edited_at, sender_name'

/**
 * The newest message of each of these conversations, and who wrote lately, newest first; up to four. What the
 * conversations say of their newest messages is looked up in one go.
 */
export function newestLookup(
  db: ReadableDb,
  conversations: readonly { readonly conversation_id: number; readonly newest_message_id: number }[],
): (conversationId: number) => Newest {
  const rows = db.all<NewestRow>(
    `SELECT ${columns} FROM messages WHERE message_id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(conversations.map(({ newest_message_id }) => newest_message_id))],
  )
  const byConversation = new Map(rows.map((row) => [row.conversation_id, row]))
  return (id) => newestFrom(db, byConversation.get(id) ?? newestHere(db, id))
}

/** Where the newest message is known only by its number: the newest of which the text is here. */
const newestHere = (db: ReadableDb, conversation: number): NewestRow | undefined =>
  db.get<NewestRow>(
    `SELECT ${columns} FROM messages WHERE conversation_id = ? ORDER BY message_id DESC LIMIT 1`,
    [conversation],
  )

function newestFrom(db: ReadableDb, message: NewestRow | undefined): Newest {
  if (message === undefined) return { newestAt: 0, newestSender: '', newestText: '', people: [] }
  const { conversation_id: conversation } = message
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
    newestText: beginningOf(textFromHtml(html.slice(0, htmlLooked)), excerptLength),
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
