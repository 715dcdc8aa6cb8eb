import type { Database } from '../database.ts'

// The index of words writes what it has between any two savepoints: it is changed at the end of a transaction, once
// for all messages in it.

/** Makes a new message be found by what it says, from the commit on. */
export function addWords(db: Database, messageId: number, content: string, topic: string): void {
  db.beforeCommit(() =>
    db.run('INSERT INTO message_words (rowid, words) VALUES (?, ?)', messageId, `${content} ${topic}`),
  )
}

/** Makes a message be found no more. */
export function removeWords(db: Database, messageId: number): void {
  db.beforeCommit(() => db.run('DELETE FROM message_words WHERE rowid = ?', messageId))
}

/** Makes a message be found by what it says now. */
export function changeWords(db: Database, messageId: number, content: string, topic: string): void {
  removeWords(db, messageId)
  addWords(db, messageId, content, topic)
}
