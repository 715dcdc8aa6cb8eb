import { recountAllUnread, recountUnread } from './conversations.ts'
import type { ReadableDb, WritableDb } from './database.ts'
import { isMutedSql, withVisibility } from './muting.ts'

// A person's marks on messages. All writes are idempotent: events repeat, and waiting changes are reapplied after each
// batch.

/** How many unread messages are compared with a list in one step: a few milliseconds, even if all of them go. */
const keptAtOnce = 2_000

/** Marks messages as read; those that are not here are ignored. */
export function markRead(db: WritableDb, ids: readonly number[]): void {
  const list = JSON.stringify(ids)
  const touched = db.column<number>(
    'SELECT DISTINCT conversation_id FROM unread WHERE message_id IN (SELECT value FROM json_each(?))',
    [list],
  )
  if (touched.length === 0) return
  db.run('DELETE FROM unread WHERE message_id IN (SELECT value FROM json_each(?))', [list])
  recountUnread(db, touched)
}

/** Whether none of these messages is unread here. */
export function areRead(db: ReadableDb, ids: readonly number[]): boolean {
  const row = db.get('SELECT 1 FROM unread WHERE message_id IN (SELECT value FROM json_each(?)) LIMIT 1', [
    JSON.stringify(ids),
  ])
  return row === undefined
}

/** Whether every one of these messages that is here is unread. */
export function areUnread(db: ReadableDb, ids: readonly number[]): boolean {
  const row = db.get(
    `SELECT 1 FROM messages WHERE message_id IN (SELECT value FROM json_each(?))
       AND message_id NOT IN (SELECT message_id FROM unread) LIMIT 1`,
    [JSON.stringify(ids)],
  )
  return row === undefined
}

/** Marks everything as read. */
export function markAllRead(db: WritableDb): void {
  db.run('DELETE FROM unread')
  recountAllUnread(db)
}

/**
 * Marks messages as read that are not in the list, of the next few unread ones from `from` on. Returns where to go on;
 * null at the end. The caller recounts the conversations.
 */
export function keepSomeUnread(db: WritableDb, ids: ReadonlySet<number>, from: number): number | null {
  const some = db.column<number>(
    'SELECT message_id FROM unread WHERE message_id >= ? ORDER BY message_id LIMIT ?',
    [from, keptAtOnce],
  )
  const read = some.filter((id) => !ids.has(id))
  if (read.length > 0)
    db.run('DELETE FROM unread WHERE message_id IN (SELECT value FROM json_each(?))', [JSON.stringify(read)])
  return some.length < keptAtOnce ? null : (some.at(-1) ?? 0) + 1
}

/**
 * Stores unread messages of one conversation, whether or not their text is here. The caller recounts it. The server does
 * not list those among the mentions that mention the person by a wildcard in what is muted.
 */
export function putUnreadIn(
  db: WritableDb,
  conversation: number,
  unread: readonly { readonly id: number; readonly isMentioned: boolean }[],
): void {
  db.run(
    `INSERT INTO unread (message_id, conversation_id, is_mentioned)
     SELECT value ->> 0, ?1, max(value ->> 1, value ->> 0 IN (SELECT message_id FROM wildcard_mentions)
       AND (SELECT ${isMutedSql} FROM conversations c ${withVisibility} WHERE c.conversation_id = ?1))
     FROM json_each(?2) WHERE TRUE
     ON CONFLICT (message_id) DO UPDATE SET
       conversation_id = excluded.conversation_id, is_mentioned = excluded.is_mentioned
     WHERE conversation_id <> excluded.conversation_id OR is_mentioned <> excluded.is_mentioned`,
    { 1: conversation, 2: JSON.stringify(unread.map(({ id, isMentioned }) => [id, isMentioned ? 1 : 0])) },
  )
}

/** The starred messages that are here. */
export const starredIds = (db: ReadableDb): number[] =>
  db.column<number>('SELECT message_id FROM messages WHERE is_starred = 1')

/** Marks messages as unread; those whose text is not here are ignored (see `putUnread`). */
export function markUnread(db: WritableDb, ids: readonly number[]): void {
  const list = JSON.stringify(ids)
  db.run(
    `INSERT INTO unread (message_id, conversation_id, is_mentioned)
     SELECT message_id, conversation_id, is_mentioned FROM messages
     WHERE message_id IN (SELECT value FROM json_each(?))
     ON CONFLICT (message_id) DO UPDATE SET
       conversation_id = excluded.conversation_id, is_mentioned = excluded.is_mentioned`,
    [list],
  )
  recountUnread(
    db,
    db.column<number>(
      'SELECT DISTINCT conversation_id FROM unread WHERE message_id IN (SELECT value FROM json_each(?))',
      [list],
    ),
  )
}

/** Stores one unread message, whether or not its text is here. The caller recounts its conversation. */
export function putUnread(
  db: WritableDb,
  messageId: number,
  conversation: number,
  isMentioned: boolean,
): void {
  db.run(
    `INSERT INTO unread (message_id, conversation_id, is_mentioned) VALUES (?, ?, ?)
     ON CONFLICT (message_id) DO UPDATE SET conversation_id = excluded.conversation_id, is_mentioned = excluded.is_mentioned`,
    [messageId, conversation, isMentioned ? 1 : 0],
  )
}

/**
 * Adds or removes stars. `at` is the time of new stars in epoch milliseconds, null if it is unknown; `as before` gives
 * messages whose stars were removed the times that these stars had.
 */
export function setStarred(
  db: WritableDb,
  ids: readonly number[],
  isStarred: boolean,
  at: number | null | 'as before',
): void {
  // A removed star leaves its time.
  const keepsTime = !isStarred || at === 'as before'
  db.run(
    `UPDATE messages SET is_starred = ?1, starred_at = ${keepsTime ? 'starred_at' : '?3'}
     WHERE is_starred <> ?1 AND message_id IN (SELECT value FROM json_each(?2))`,
    { 1: isStarred ? 1 : 0, 2: JSON.stringify(ids), ...(keepsTime ? {} : { 3: at }) },
  )
}

/** The ids of starred messages with the times of their stars, latest first; unknown times come last. */
export const lastStarred = (
  db: ReadableDb,
  limit: number,
): { message_id: number; starred_at: number | null }[] =>
  db.all(
    `SELECT message_id, starred_at FROM messages WHERE is_starred = 1
     ORDER BY starred_at DESC, message_id DESC LIMIT ?`,
    [limit],
  )

/** Whether a message is starred; undefined if it is not here. */
export function isStarred(db: ReadableDb, id: number): boolean | undefined {
  const row = db.get<{ is_starred: number }>('SELECT is_starred FROM messages WHERE message_id = ?', [id])
  return row && row.is_starred === 1
}

/** Whether all of these messages that are here are collapsed, or all are not. */
export function areCollapsed(db: ReadableDb, ids: readonly number[], isCollapsed: boolean): boolean {
  const other = db.get(
    'SELECT 1 FROM messages WHERE is_collapsed <> ?1 AND message_id IN (SELECT value FROM json_each(?2)) LIMIT 1',
    { 1: isCollapsed ? 1 : 0, 2: JSON.stringify(ids) },
  )
  return other === undefined
}

/** Stores whether messages are shown without their text; messages that are not here are ignored. */
export function setCollapsed(db: WritableDb, ids: readonly number[], isCollapsed: boolean): void {
  db.run(
    'UPDATE messages SET is_collapsed = ?1 WHERE is_collapsed <> ?1 AND message_id IN (SELECT value FROM json_each(?2))',
    { 1: isCollapsed ? 1 : 0, 2: JSON.stringify(ids) },
  )
}
