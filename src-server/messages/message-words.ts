import type { Database } from '../database.ts'

// The full-text index writes its pending data at every savepoint, so it is changed at the end of the transaction,
// once for all its messages.

/** Adds a new message to the full-text index, effective with the commit. */
export function addWords(db: Database, messageId: number, content: string, topic: string): void {
  db.beforeCommit(() =>
    db.run('INSERT INTO message_words (rowid, words) VALUES (?, ?)', messageId, `${content} ${topic}`),
  )
}

/** Removes a message from the full-text index. */
export function removeWords(db: Database, messageId: number): void {
  db.beforeCommit(() => db.run('DELETE FROM message_words WHERE rowid = ?', messageId))
}

/** Replaces a message's text in the full-text index. */
export function changeWords(db: Database, messageId: number, content: string, topic: string): void {
  removeWords(db, messageId)
  addWords(db, messageId, content, topic)
}
