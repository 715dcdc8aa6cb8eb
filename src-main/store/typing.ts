import { minuteMs } from '../../src-shared/durations.ts'
import type { WritableDb } from './database.ts'

const longestNoticeMs = 15 * minuteMs

/** The key that stands for a message instead of a conversation while a person edits it. */
export const editingKey = (messageId: number): string => `message:${messageId}`

/** Stores that a person types there until `expiresAt`; null: they have stopped. */
export function setTyping(db: WritableDb, placeKey: string, userId: number, expiresAt: number | null): void {
  if (expiresAt === null) {
    db.run('DELETE FROM typing WHERE conversation_key = ? AND user_id = ?', [placeKey, userId])
  } else {
    db.run('INSERT OR REPLACE INTO typing VALUES (?, ?, ?)', [placeKey, userId, expiresAt])
  }
}

/** Removes all typing notices. */
export function forgetTyping(db: WritableDb): void {
  db.run('DELETE FROM typing')
}

/** Removes expired typing notices; returns when the next one expires, or null. */
export function expireTyping(db: WritableDb, now: number): number | null {
  // A notice never lasts this long, so the clock was set back.
  db.run('DELETE FROM typing WHERE expires_at <= ? OR expires_at > ?', [now, now + longestNoticeMs])
  return db.get<{ at: number | null }>('SELECT min(expires_at) AS at FROM typing')?.at ?? null
}
