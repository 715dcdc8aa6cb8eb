import type { Conversation } from '../../src-shared/model/conversation.ts'
import type { ReadableDb, WritableDb } from './database.ts'
import { withLettersApart } from './terms.ts'
import { wordsFromHtml } from './words.ts'

/** What the index of words holds of a message, where there was nothing of it. `home` is its conversation. */
export function putWords(
  db: WritableDb,
  message: { id: number; contentHtml: string; senderId: number; conversation: Conversation },
  home: number,
): void {
  const { id, contentHtml, senderId, conversation } = message
  const isTopic = conversation.kind === 'topic'
  insertWords(
    db,
    id,
    wordsFromHtml(contentHtml) + (isTopic ? ` ${conversation.topic}` : ''),
    `${isTopic ? `c${conversation.channelId}` : 'direct'} u${senderId} v${home}`,
  )
}

/** Brings what the index of words holds of a message up to date; false, and nothing done, for one that is not here. */
export function writeWords(db: WritableDb, id: number): boolean {
  const row = db.get<{
    content_html: string
    sender_id: number
    conversation_id: number
    channel_id: number | null
    topic: string | null
  }>(
    `SELECT content_html, sender_id, m.conversation_id, m.channel_id, c.topic FROM messages m
     JOIN conversations c ON c.conversation_id = m.conversation_id WHERE message_id = ?`,
    [id],
  )
  if (row === undefined) return false
  removeWords(db, id)
  insertWords(
    db,
    id,
    `${wordsFromHtml(row.content_html)} ${row.topic ?? ''}`,
    `${row.channel_id === null ? 'direct' : `c${row.channel_id}`} u${row.sender_id} v${row.conversation_id}`,
  )
  return true
}

/** Takes a message out of the index of words. */
export function removeWords(db: WritableDb, id: number): void {
  db.run('DELETE FROM message_words WHERE rowid = ?', [id])
}

function insertWords(db: WritableDb, id: number, words: string, filters: string): void {
  db.run('INSERT INTO message_words (rowid, words, filters) VALUES (?, ?, ?)', [
    id,
    withLettersApart(words),
    filters,
  ])
  db.wordsWritten(id)
}

/**
 * How many messages are here: each has one row in the index of words, and the index knows how many rows it has. To go
 * through the messages of a large account takes longer than finding something in them.
 */
export function messageTotal(db: ReadableDb): number {
  // The newest one is asked for so that watched queries run again when messages come and go.
  const row = db.get<{ totals: Uint8Array | null; newest: number | null }>(
    `SELECT (SELECT block FROM message_words_data WHERE id = 1) AS totals,
       (SELECT max(message_id) FROM messages) AS newest`,
  )
  return row?.newest == null || row.totals === null ? 0 : firstNumber(row.totals)
}

/** FTS5 writes its numbers in groups of seven bits, the highest first; all groups but the last have the eighth bit set. */
function firstNumber(bytes: Uint8Array): number {
  let number = 0
  for (const byte of bytes) {
    number = number * 128 + (byte & 0x7f)
    if (byte < 0x80) break
  }
  return number
}
