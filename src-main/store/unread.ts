import type { Narrow } from '../../src-shared/model/narrow.ts'
import { recountAllUnread, recountUnread } from './conversations.ts'
import type { ReadableDb, WritableDb } from './database.ts'
import { narrowCondition, unreadCondition } from './narrow-condition.ts'

/** The unread messages of a narrow up to one, oldest first; at most 50,000. */
export function unreadInNarrow(db: ReadableDb, narrow: Narrow, upTo: number): number[] {
  const { where, parameters } = unreadCondition(db, narrow)
  return db.column<number>(
    `SELECT n.message_id FROM unread n WHERE ${where} AND n.message_id <= ?
     ORDER BY n.message_id LIMIT 50000`,
    [...parameters, upTo],
  )
}

/** The newest unread messages of a narrow up to one, oldest first. */
export function newestUnreadIn(db: ReadableDb, narrow: Narrow, upTo: number, limit: number): number[] {
  const { where, parameters } = unreadCondition(db, narrow)
  return db
    .column<number>(
      `SELECT n.message_id FROM unread n WHERE ${where} AND n.message_id <= ?
       ORDER BY n.message_id DESC LIMIT ?`,
      [...parameters, upTo, limit],
    )
    .reverse()
}

/** Whether a narrow has unread messages up to one. */
export function hasUnreadIn(db: ReadableDb, narrow: Narrow, upTo: number): boolean {
  const { where, parameters } = unreadCondition(db, narrow)
  return (
    db.get(`SELECT 1 FROM unread n WHERE ${where} AND n.message_id <= ? LIMIT 1`, [...parameters, upTo]) !==
    undefined
  )
}

/** If there are fewer others than one for so many messages that are marked as read, the others are written anew. */
const fewOthers = 10

/** Marks the messages of a narrow up to one as read. There may be very many, so they are not listed for that. */
export function markReadIn(db: WritableDb, narrow: Narrow, upTo: number): void {
  const { where, parameters } = unreadCondition(db, narrow)
  const isMarked = `${where} AND n.message_id <= ?`
  const which = `FROM unread n WHERE ${isMarked}`
  const all = [...parameters, upTo]
  const homes = db.all<{ home: number; count: number }>(
    `SELECT n.conversation_id AS home, count(*) AS count ${which} GROUP BY n.conversation_id`,
    all,
  )
  if (homes.length === 0) return
  const few = homes.reduce((sum, { count }) => sum + count, 0) / fewOthers
  const others = db.column<string>(
    `SELECT json_array(message_id, conversation_id, is_mentioned) FROM unread n WHERE NOT (${isMarked}) LIMIT ?`,
    [...all, Math.ceil(few)],
  )
  // Emptying the table takes a millisecond, however many rows it has. Removing fifty thousand from it takes 30.
  if (others.length < few) {
    db.run('DELETE FROM unread')
    db.run(
      `INSERT INTO unread (message_id, conversation_id, is_mentioned)
       SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`,
      [`[${others.join()}]`],
    )
    // So few are quicker to count than the unread messages of each conversation by itself.
    recountAllUnread(db)
    return
  }
  db.run(`DELETE FROM unread WHERE message_id IN (SELECT n.message_id ${which})`, all)
  recountUnread(
    db,
    homes.map(({ home }) => home),
  )
}

/** Those of the messages that are unread. */
export function unreadAmong(db: ReadableDb, ids: readonly number[]): Set<number> {
  const rows = db.all<{ message_id: number }>(
    'SELECT message_id FROM unread WHERE message_id IN (SELECT value FROM json_each(?))',
    [JSON.stringify(ids)],
  )
  return new Set(rows.map((row) => row.message_id))
}

/** The newest messages of a narrow on this device that are read or starred; at most 5,000. */
export function markedInNarrow(db: ReadableDb, narrow: Narrow, mark: 'read' | 'starred'): number[] {
  const { where, parameters } = narrowCondition(db, narrow)
  return db.column<number>(
    `SELECT m.message_id FROM messages m WHERE ${where}
       AND ${mark === 'starred' ? 'm.is_starred = 1' : 'm.message_id NOT IN (SELECT message_id FROM unread)'}
     ORDER BY m.message_id DESC LIMIT 5000`,
    parameters,
  )
}
