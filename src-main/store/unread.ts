import type { Narrow } from '../../src-shared/model/narrow.ts'
import type { ReadableDb } from './database.ts'
import { unreadCondition } from './narrow-condition.ts'

/** The unread messages of a narrow up to one, oldest first; at most 50,000. */
export function unreadInNarrow(db: ReadableDb, narrow: Narrow, upTo: number): number[] {
  const { where, parameters } = unreadCondition(db, narrow)
  return db
    .all<{ message_id: number }>(
      `SELECT n.message_id FROM unread n WHERE ${where} AND n.message_id <= ?
       ORDER BY n.message_id LIMIT 50000`,
      [...parameters, upTo],
    )
    .map((row) => row.message_id)
}
