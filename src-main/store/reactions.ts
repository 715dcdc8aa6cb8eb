import type { Emoji } from '../../src-shared/model/message.ts'
import type { ReadableDb, WritableDb } from './database.ts'

// Writes are idempotent, as those of flags.

/** Adds a person's reaction; the same emoji of the same person counts once. */
export function addReaction(db: WritableDb, messageId: number, emoji: Emoji, userId: number): void {
  db.run(
    `INSERT INTO reactions (message_id, emoji_type, emoji_code, emoji_name, user_id) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
    [messageId, emoji.type, emoji.code, emoji.name, userId],
  )
}

/** Whether the person reacted with this emoji, whatever name it was chosen by. */
export function hasReaction(db: ReadableDb, messageId: number, emoji: Emoji, userId: number): boolean {
  const row = db.get(
    'SELECT 1 FROM reactions WHERE message_id = ? AND emoji_type = ? AND emoji_code = ? AND user_id = ?',
    [messageId, emoji.type, emoji.code, userId],
  )
  return row !== undefined
}

/** Removes a person's reaction, if it is there. */
export function removeReaction(db: WritableDb, messageId: number, emoji: Emoji, userId: number): void {
  db.run('DELETE FROM reactions WHERE message_id = ? AND emoji_type = ? AND emoji_code = ? AND user_id = ?', [
    messageId,
    emoji.type,
    emoji.code,
    userId,
  ])
}
