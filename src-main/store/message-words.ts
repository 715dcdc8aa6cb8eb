import type { Conversation } from '../../src-shared/model/conversation.ts'
import type { WritableDb } from './database.ts'
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
