import type { ReadableDb, WritableDb } from './database.ts'

/** A step of a poll or a to-do list, as the server stores it. */
export interface SubmessageFields {
  readonly id: number
  readonly senderId: number
  /** JSON. */
  readonly content: string
}

/** Adds a step to a message; idempotent. */
export function putSubmessage(db: WritableDb, messageId: number, step: SubmessageFields): void {
  db.run('INSERT OR IGNORE INTO submessages VALUES (?, ?, ?, ?)', [
    step.id,
    messageId,
    step.senderId,
    step.content,
  ])
}

/** Replaces the steps of a message. */
export function replaceSubmessages(
  db: WritableDb,
  messageId: number,
  steps: readonly SubmessageFields[],
): void {
  db.run('DELETE FROM submessages WHERE message_id = ?', [messageId])
  for (const step of steps) putSubmessage(db, messageId, step)
}

/** The steps of messages, in the server's order. */
export function submessagesOf(
  db: ReadableDb,
  messageIds: readonly number[],
): (SubmessageFields & { readonly messageId: number })[] {
  // Few messages have any, so usually one search is enough.
  const span = [Math.min(...messageIds), Math.max(...messageIds)]
  if (
    messageIds.length === 0 ||
    db.get('SELECT 1 FROM submessages WHERE message_id BETWEEN ? AND ? LIMIT 1', span) === undefined
  )
    return []
  return db
    .all<{ submessage_id: number; message_id: number; sender_id: number; content: string }>(
      `SELECT * FROM submessages WHERE message_id IN (SELECT value FROM json_each(?))
       ORDER BY submessage_id LIMIT 20000`,
      [JSON.stringify(messageIds)],
    )
    .map((row) => ({
      id: row.submessage_id,
      messageId: row.message_id,
      senderId: row.sender_id,
      content: row.content,
    }))
}
