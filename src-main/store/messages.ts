import type { Conversation } from '../../src-shared/model/conversation.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import { messagesByHome, resize } from './conversation-sizes.ts'
import {
  conversationFromRow,
  homeOf,
  noteNewest,
  recount,
  recountUnread,
  type ConversationRow,
} from './conversations.ts'
import type { ReadableDb, WritableDb } from './database.ts'
import { noteEmptied } from './emptied-topics.ts'
import { putUnread } from './flags.ts'
import { putChanges, type MessageChange } from './message-changes.ts'
import { putWords, removeWords, writeWords } from './message-words.ts'
import { narrowCondition } from './narrow-condition.ts'
import { removeObject } from './objects.ts'
import { putSubmessage, replaceSubmessages, type SubmessageFields } from './submessages.ts'

/** A message as the appliers give it to the store, with our names. Times are epoch milliseconds. */
export interface MessageFields {
  readonly id: number
  readonly conversation: Conversation
  readonly senderId: number
  readonly senderName: string
  readonly sentAt: number
  readonly editedAt: number | null
  readonly movedAt: number | null
  readonly contentHtml: string
  readonly isMeMessage: boolean
  readonly isRead: boolean
  readonly isStarred: boolean
  readonly isMentioned: boolean
  /** Whether what mentions the person is neither their name nor a group. */
  readonly isOnlyByWildcard: boolean
  /** Whether it contains one of the person's alert words. */
  readonly hasAlertWord: boolean
  readonly isCollapsed: boolean
  /** The steps of a poll or a to-do list. */
  readonly submessages: readonly SubmessageFields[]
  readonly reactions: readonly { type: string; code: string; name: string; userId: number }[]
  /** Its edits and moves, oldest first; none if the organization hides them. */
  readonly changes: readonly MessageChange[]
}

/**
 * Writes a message as of a registration. A row that events kept up to date in the same registration stays unchanged,
 * because a fetched page may be older. Returns whether anything was written.
 */
export function putMessage(db: WritableDb, message: MessageFields, generation: number): boolean {
  const before = db.get<{ conversation_id: number; generation: number }>(
    'SELECT conversation_id, generation FROM messages WHERE message_id = ?',
    [message.id],
  )
  if (before !== undefined && before.generation >= generation) return false
  writeMessage(db, message, generation, before?.conversation_id ?? null)
  return true
}

/** Writes a message that was fetched individually, and overwrites whatever is here of it. */
export function replaceMessage(db: WritableDb, message: MessageFields, generation: number): void {
  const before = db.get<{ conversation_id: number }>(
    'SELECT conversation_id FROM messages WHERE message_id = ?',
    [message.id],
  )
  writeMessage(db, message, generation, before?.conversation_id ?? null)
}

function writeMessage(
  db: WritableDb,
  message: MessageFields,
  generation: number,
  homeBefore: number | null,
): void {
  const { conversation } = message
  const { id: home, newestMessageId } = homeOf(db, conversation)
  db.run(
    `INSERT INTO messages (message_id, conversation_id, channel_id, sender_id, sender_name, sent_at, edited_at,
       moved_at, content_html, content_markdown, is_me_message, is_starred, is_mentioned, is_collapsed,
       has_alert_word, generation, unused_is_read)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, ?, ?, 0)
     ON CONFLICT (message_id) DO UPDATE SET
       conversation_id = excluded.conversation_id, channel_id = excluded.channel_id,
       sender_id = excluded.sender_id, sender_name = excluded.sender_name, sent_at = excluded.sent_at,
       edited_at = excluded.edited_at, moved_at = excluded.moved_at, content_html = excluded.content_html,
       content_markdown = CASE WHEN content_html = excluded.content_html THEN content_markdown END,
       is_me_message = excluded.is_me_message, is_starred = excluded.is_starred,
       is_mentioned = excluded.is_mentioned, is_collapsed = excluded.is_collapsed,
       has_alert_word = excluded.has_alert_word, generation = excluded.generation`,
    [
      message.id,
      home,
      conversation.kind === 'topic' ? conversation.channelId : null,
      message.senderId,
      message.senderName,
      message.sentAt,
      message.editedAt,
      message.movedAt,
      message.contentHtml,
      message.isMeMessage ? 1 : 0,
      message.isStarred ? 1 : 0,
      message.isMentioned ? 1 : 0,
      message.isCollapsed ? 1 : 0,
      message.hasAlertWord ? 1 : 0,
      generation,
    ],
  )
  const isNew = homeBefore === null
  // A new message has no such rows yet; searching for them would be a third of the work.
  if (!isNew) db.run('DELETE FROM reactions WHERE message_id = ?', [message.id])
  for (const { type, code, name, userId } of message.reactions) {
    db.run('INSERT OR IGNORE INTO reactions VALUES (?, ?, ?, ?, ?)', [message.id, type, code, name, userId])
  }
  if (!isNew) replaceSubmessages(db, message.id, message.submessages)
  else for (const step of message.submessages) putSubmessage(db, message.id, step)
  if (!isNew || message.changes.length > 0) putChanges(db, message.id, message.changes)
  if (!isNew) removeWords(db, message.id)
  putWords(db, message, home)
  if (message.id > newestMessageId) noteNewest(db, home, message.id, conversation)
  const unreadBefore = db.get<{ conversation_id: number; is_mentioned: number }>(
    'SELECT conversation_id, is_mentioned FROM unread WHERE message_id = ?',
    [message.id],
  )
  const isKnown = !isNew || unreadBefore !== undefined
  const isOther =
    (message.isOnlyByWildcard || isKnown) && noteWildcard(db, [message.id], message.isOnlyByWildcard)
  if (!message.isRead) putUnread(db, message.id, home, message.isMentioned)
  else if (unreadBefore !== undefined) db.run('DELETE FROM unread WHERE message_id = ?', [message.id])
  if (isNew) resize(db, home, 1)
  const hasMoved = homeBefore !== null && homeBefore !== home
  if (hasMoved) {
    resize(db, homeBefore, -1)
    resize(db, home, 1)
    recount(db, [home, homeBefore], [message.id])
    // Counting reads the index once per unread message, so it runs only if a count changes.
  } else if (
    message.isRead ? unreadBefore !== undefined : isOther || !isSameUnread(unreadBefore, home, message)
  ) {
    recountUnread(db, [home, unreadBefore?.conversation_id ?? home])
  }
}

const isSameUnread = (
  before: { conversation_id: number; is_mentioned: number } | undefined,
  home: number,
  message: MessageFields,
): boolean => before?.conversation_id === home && before.is_mentioned === (message.isMentioned ? 1 : 0)

/**
 * Removes messages and everything that belongs to them; those that are not here are ignored. `gone`: all that are gone
 * from their conversations, if they are more.
 */
export function removeMessages(db: WritableDb, ids: readonly number[], gone = ids): void {
  const list = JSON.stringify(ids)
  const left = messagesByHome(db, ids)
  const unreadHomes = db.column<number>(
    'SELECT DISTINCT conversation_id FROM unread WHERE message_id IN (SELECT value FROM json_each(?))',
    [list],
  )
  for (const { home, count } of left) resize(db, home, -count)
  db.run('DELETE FROM messages WHERE message_id IN (SELECT value FROM json_each(?))', [list])
  db.run('DELETE FROM unread WHERE message_id IN (SELECT value FROM json_each(?))', [list])
  db.run('DELETE FROM wildcard_mentions WHERE message_id IN (SELECT value FROM json_each(?))', [list])
  db.run('DELETE FROM submessages WHERE message_id IN (SELECT value FROM json_each(?))', [list])
  db.run('DELETE FROM reactions WHERE message_id IN (SELECT value FROM json_each(?))', [list])
  db.run('DELETE FROM message_changes WHERE message_id IN (SELECT value FROM json_each(?))', [list])
  for (const id of ids) {
    removeObject(db, 'message-readers', id)
    removeWords(db, id)
  }
  const homes = [...left.map(({ home }) => home), ...unreadHomes]
  recount(db, homes, gone)
  noteEmptied(db, homes, gone)
}

/** Sets a message's content. With `editedAt` null the edit time stays: the server has only rendered it anew. */
export function setContent(
  db: WritableDb,
  id: number,
  contentHtml: string,
  change: { contentMarkdown: string | null; editedAt: number | null; isMeMessage: boolean | null },
): void {
  db.run(
    `UPDATE messages SET content_html = ?2, content_markdown = ?3, edited_at = coalesce(?4, edited_at),
       is_me_message = coalesce(?5, is_me_message) WHERE message_id = ?1`,
    {
      1: id,
      2: contentHtml,
      3: change.contentMarkdown,
      4: change.editedAt,
      5: change.isMeMessage === null ? null : change.isMeMessage ? 1 : 0,
    },
  )
  writeWords(db, id)
}

/** How a message mentions the person: by name or by a group, only by a wildcard, or not at all. */
type Mention = 'by-name' | 'by-wildcard' | 'none'

/** Sets how messages mention the person, including unread ones whose text is not here, and adjusts the counters. */
export function setMentioned(db: WritableDb, ids: readonly number[], mention: Mention): void {
  const parameters = { 1: mention === 'none' ? 0 : 1, 2: JSON.stringify(ids) }
  const which = 'is_mentioned <> ?1 AND message_id IN (SELECT value FROM json_each(?2))'
  db.run(`UPDATE messages SET is_mentioned = ?1 WHERE ${which}`, parameters)
  const changes = db.run(`UPDATE unread SET is_mentioned = ?1 WHERE ${which}`, parameters)
  if (!noteWildcard(db, ids, mention === 'by-wildcard') && changes === 0) return
  recountUnread(
    db,
    db.column<number>(
      'SELECT DISTINCT conversation_id FROM unread WHERE message_id IN (SELECT value FROM json_each(?))',
      [parameters[2]],
    ),
  )
}

/**
 * Notes whether only a wildcard mentions the person in these messages; returns whether that is news. The caller recounts
 * their conversations.
 */
function noteWildcard(db: WritableDb, ids: readonly number[], isOnlyByWildcard: boolean): boolean {
  const list = 'SELECT value FROM json_each(?)'
  const changes = db.run(
    isOnlyByWildcard
      ? `INSERT OR IGNORE INTO wildcard_mentions ${list}`
      : `DELETE FROM wildcard_mentions WHERE message_id IN (${list})`,
    [JSON.stringify(ids)],
  )
  return changes > 0
}

/** Those of these messages that mention the person, as far as they are here. */
export const mentionedAmong = (db: ReadableDb, ids: readonly number[]): number[] =>
  db.column<number>(
    `SELECT message_id FROM messages WHERE is_mentioned = 1 AND message_id IN (SELECT value FROM json_each(?1))
     UNION SELECT message_id FROM unread WHERE is_mentioned = 1 AND message_id IN (SELECT value FROM json_each(?1))`,
    { 1: JSON.stringify(ids) },
  )

/** Sets whether messages contain alert words; those that are not here are ignored. */
export function setAlertWord(db: WritableDb, ids: readonly number[], hasAlertWord: boolean): void {
  db.run(
    'UPDATE messages SET has_alert_word = ?1 WHERE has_alert_word <> ?1 AND message_id IN (SELECT value FROM json_each(?2))',
    { 1: hasAlertWord ? 1 : 0, 2: JSON.stringify(ids) },
  )
}

/** Whether a message is outside every channel; this includes a message that is not here. */
export const isDirectMessage = (db: ReadableDb, id: number): boolean =>
  db.get('SELECT 1 FROM messages WHERE message_id = ? AND channel_id IS NOT NULL', [id]) === undefined

/** Whether the text of a message is here. */
export function hasMessage(db: ReadableDb, id: number): boolean {
  return db.get('SELECT 1 FROM messages WHERE message_id = ?', [id]) !== undefined
}

/** Those of these messages whose text is not here. */
export const notHere = (db: ReadableDb, ids: readonly number[]): number[] =>
  db.column(
    `SELECT value FROM json_each(?)
     WHERE NOT EXISTS (SELECT 1 FROM messages WHERE message_id = value)`,
    [JSON.stringify(ids)],
  )

/** Where a message is, its content, and who sent it when; undefined if it is not here. */
export function messageInPlace(
  db: ReadableDb,
  id: number,
):
  | {
      readonly conversation: Conversation
      readonly contentHtml: string
      readonly senderId: number
      readonly sentAt: number
    }
  | undefined {
  const row = db.get<ConversationRow & { content_html: string; sender_id: number; sent_at: number }>(
    `SELECT c.*, m.content_html, m.sender_id, m.sent_at FROM messages m JOIN conversations c ON c.conversation_id = m.conversation_id
     WHERE m.message_id = ?`,
    [id],
  )
  return row === undefined
    ? undefined
    : {
        conversation: conversationFromRow(row),
        contentHtml: row.content_html,
        senderId: row.sender_id,
        sentAt: row.sent_at,
      }
}

/** The newest message of a narrow on this device; 0 if there is none. */
export function newestIn(db: ReadableDb, narrow: Narrow): number {
  const { where, parameters } = narrowCondition(db, narrow)
  return (
    db.get<{ id: number }>(
      `SELECT m.message_id AS id FROM messages m WHERE ${where} ORDER BY m.message_id DESC LIMIT 1`,
      parameters,
    )?.id ?? 0
  )
}

/** No message has a higher number. */
export const highestId = Number.MAX_SAFE_INTEGER

/** The message `count` places before the newest, or the oldest if there are fewer; 0 if there is none. */
export const idAtDepth = (db: ReadableDb, count: number): number =>
  idAtDistance(db, highestId, 'before', count) ?? 0

/** The last of `count` messages on one side of a message, counted from that message; null if there are none. */
export function idAtDistance(
  db: ReadableDb,
  from: number,
  side: 'before' | 'after',
  count: number,
): number | null {
  const [last, compared, order] = side === 'before' ? ['min', '<=', 'DESC'] : ['max', '>=', 'ASC']
  return (
    db.get<{ id: number | null }>(
      `SELECT ${last}(message_id) AS id FROM
         (SELECT message_id FROM messages WHERE message_id ${compared} ? ORDER BY message_id ${order} LIMIT ?)`,
      [from, count],
    )?.id ?? null
  )
}

/** The time, by the server's clock, of the first message from this id on; null if there is none. */
export function sentAtFrom(db: ReadableDb, id: number): number | null {
  return (
    db.get<{ sent_at: number }>(
      'SELECT sent_at FROM messages WHERE message_id >= ? ORDER BY message_id LIMIT 1',
      [id],
    )?.sent_at ?? null
  )
}

/** The ids of all messages here that are newer than one. */
export function messageIdsAfter(db: ReadableDb, id: number): number[] {
  return db.column<number>('SELECT message_id FROM messages WHERE message_id > ?', [id])
}

/** The Markdown of a message, or null if it was not fetched. */
export function markdownOf(db: ReadableDb, id: number): string | null {
  return (
    db.get<{ content_markdown: string | null }>(
      'SELECT content_markdown FROM messages WHERE message_id = ?',
      [id],
    )?.content_markdown ?? null
  )
}

/** When the message was last edited, epoch milliseconds; null if never, or if it is not here. */
export function editedAtOf(db: ReadableDb, id: number): number | null {
  const row = db.get<{ edited_at: number | null }>('SELECT edited_at FROM messages WHERE message_id = ?', [
    id,
  ])
  return row?.edited_at ?? null
}

/** Stores the words with which a message was sent, unless the message has another text by now. */
export function keepOwnMarkdown(db: WritableDb, id: number, markdown: string): void {
  db.run(
    `UPDATE messages SET content_markdown = ?
     WHERE message_id = ? AND content_markdown IS NULL AND edited_at IS NULL`,
    [markdown, id],
  )
}

/** Stores the Markdown of a message; a message that is not here is ignored. */
export function rememberMarkdown(db: WritableDb, id: number, markdown: string): void {
  db.run('UPDATE messages SET content_markdown = ? WHERE message_id = ?', [markdown, id])
}
