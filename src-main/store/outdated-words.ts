import type { ReadableDb, WritableDb } from './database.ts'
import { writeWords } from './message-words.ts'
import { hasNote } from './notes.ts'

// Messages that moved, whose rows in the word index still name the former place. A topic may have tens of thousands of
// messages, and writing their words takes seconds, so that is done some at a time. The list is in the file, so that it
// goes on after a restart.

/** Lists messages whose words are to be written anew. */
export function noteOutdatedWords(db: WritableDb, ids: readonly number[]): void {
  db.run('INSERT OR IGNORE INTO outdated_words SELECT value FROM json_each(?)', [JSON.stringify(ids)])
}

/** Whether the word index has messages under places that they have left. */
export const hasOutdatedWords = (db: ReadableDb): boolean =>
  db.get('SELECT 1 FROM outdated_words LIMIT 1') !== undefined || hasNote(db, 'unfinished-move')

/** Writes the words of the newest listed messages anew. Returns whether there may be more. */
export function writeSomeOutdated(db: WritableDb, limit: number): boolean {
  const ids = db.column<number>('SELECT message_id FROM outdated_words ORDER BY message_id DESC LIMIT ?', [
    limit,
  ])
  // In ascending order, as the word index prefers.
  for (const id of ids.reverse()) writeWords(db, id)
  db.run('DELETE FROM outdated_words WHERE message_id IN (SELECT value FROM json_each(?))', [
    JSON.stringify(ids),
  ])
  return ids.length === limit
}
