import type { Conversation } from '../../src-shared/model/conversation.ts'
import type { ReadableDb, WritableDb } from './database.ts'
import { rowTotal } from './fts5-records.ts'
import { withLettersApart } from './terms.ts'
import { wordsFromHtml } from './html-text.ts'

/** Adds a message to the word index, which must not have it yet. `home` is its conversation. */
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

/** Updates a message in the word index; returns false, and does nothing, if the message is not here. */
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

/** Removes a message from the word index. */
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
 * The number of messages on this device. Each has one row in the word index, and the index stores its number of rows.
 * Counting the messages of a large account takes longer than a search in them.
 */
export function messageTotal(db: ReadableDb): number {
  // The newest id is read so that watched queries run again when messages come and go.
  const row = db.get<{ totals: Uint8Array | null; newest: number | null }>(
    `SELECT (SELECT block FROM message_words_data WHERE id = 1) AS totals,
       (SELECT max(message_id) FROM messages) AS newest`,
  )
  return row?.newest == null || row.totals === null ? 0 : rowTotal(row.totals)
}
