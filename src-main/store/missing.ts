import type { WritableDb, ReadableDb } from './database.ts'
import { highestId } from './messages.ts'
import { note, putNote } from './notes.ts'
import { addRange, cutRanges, type Range } from './ranges.ts'

// Messages that belong to known history but are not here: they are fetched by id, even after a restart of the program.

interface HoleRow {
  rowid: number
  narrow_key: string
  oldest_id: number
  newest_id: number
  reaches_beginning: number
  is_live: number
}

/** SQL: whether a message lies in the row `r` of `ranges` or `holes`. One comparison each, so that a key is used. */
const liesIn = (id: string) =>
  `${id} BETWEEN iif(r.reaches_beginning = 1, 0, r.oldest_id) AND iif(r.is_live = 1, ${highestId}, r.newest_id)`

/** Queues these messages for fetching. */
export function wantMessages(db: WritableDb, ids: readonly number[]): void {
  db.run('INSERT OR IGNORE INTO missing_messages SELECT value FROM json_each(?)', [JSON.stringify(ids)])
}

/** What is here of these messages may be wrong: they are compared with the server, as after a lost queue. */
export function markUnconfirmed(db: WritableDb, ids: readonly number[]): void {
  db.run('UPDATE messages SET generation = 0 WHERE message_id IN (SELECT value FROM json_each(?))', [
    JSON.stringify(ids),
  ])
}

/** Queues messages for fetching although they may be here, because what is here of them may be wrong. */
export function wantAnew(db: WritableDb, ids: readonly number[]): void {
  markUnconfirmed(db, ids)
  wantMessages(db, ids)
}

/**
 * Notes texts of edits that ended and may have arrived, until the message, which must be queued for fetching, was
 * fetched.
 */
export const noteTextsInDoubt = (db: WritableDb, id: number, texts: readonly string[]): void =>
  putNote(db, 'texts-in-doubt', id, { texts })

/** The texts of `noteTextsInDoubt`; none if nothing was noted. */
export const textsInDoubt = (db: ReadableDb, id: number): readonly string[] =>
  note(db, 'texts-in-doubt', id)?.texts ?? []

function dropMissing(db: WritableDb, list: string): void {
  db.run('DELETE FROM missing_messages WHERE message_id IN (SELECT value FROM json_each(?))', [list])
  db.run(
    `DELETE FROM objects WHERE kind = 'texts-in-doubt'
       AND object_id IN (SELECT CAST(value AS TEXT) FROM json_each(?))`,
    [list],
  )
}

/** Queues those of these unread messages for fetching whose text is not here. */
export function wantUnread(db: WritableDb, among: readonly number[]): void {
  db.run(
    `INSERT OR IGNORE INTO missing_messages SELECT message_id FROM unread
     WHERE NOT EXISTS (SELECT 1 FROM messages WHERE messages.message_id = unread.message_id)
       AND message_id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(among)],
  )
}

/** The same for the newest unread messages below an id; returns the id to continue from, or null at the end. */
export function wantSomeUnread(db: WritableDb, before: number, limit: number): number | null {
  const ids = db.column<number>(
    'SELECT message_id FROM unread WHERE message_id < ? ORDER BY message_id DESC LIMIT ?',
    [before, limit],
  )
  wantUnread(db, ids)
  return ids.length < limit ? null : (ids.at(-1) ?? null)
}

/**
 * Handles messages that came to these narrows but are not here. Those that lie in a complete part of a narrow are
 * queued for fetching, and that part is a hole until they are here. The others come with the pages that hold them.
 */
export function leaveHoles(db: WritableDb, ids: readonly number[], narrowKeys: readonly string[]): void {
  for (const key of narrowKeys) {
    const known = db.column<number>(
      `SELECT value AS id FROM json_each(?1) WHERE EXISTS (
         SELECT 1 FROM ranges r WHERE narrow_key = ?2 AND ${liesIn('value')}
         UNION ALL SELECT 1 FROM holes r WHERE narrow_key = ?2 AND ${liesIn('value')})
       ORDER BY value`,
      { 1: JSON.stringify(ids), 2: key },
    )
    const [first] = known
    const last = known.at(-1)
    if (first === undefined || last === undefined) continue
    // A hole that reaches the beginning, or is live, has them too.
    db.run(
      `UPDATE holes SET oldest_id = iif(reaches_beginning = 1, min(oldest_id, ?2), oldest_id),
         newest_id = iif(is_live = 1, max(newest_id, ?3), newest_id) WHERE narrow_key = ?1`,
      { 1: key, 2: first, 3: last },
    )
    for (const piece of cutRanges(db, key, first, last)) addHole(db, key, piece)
    wantMessages(db, known)
  }
}

function addHole(db: WritableDb, narrowKey: string, piece: Range): void {
  db.run('INSERT INTO holes VALUES (?, ?, ?, ?, ?)', [
    narrowKey,
    piece.oldestId,
    piece.newestId,
    piece.reachesBeginning ? 1 : 0,
    piece.isLive ? 1 : 0,
  ])
}

/** The newest messages that are queued for fetching, without those to skip. */
export function nextMissing(db: ReadableDb, limit: number, skipped: Iterable<number>): number[] {
  return db.column<number>(
    `SELECT message_id FROM missing_messages WHERE message_id NOT IN (SELECT value FROM json_each(?))
     ORDER BY message_id DESC LIMIT ?`,
    [JSON.stringify([...skipped]), limit],
  )
}

/** Those of these queued messages that came in another way, and so need not be fetched. */
export const cameOtherwise = (db: ReadableDb, ids: readonly number[]): number[] =>
  db.column<number>(
    'SELECT message_id FROM messages WHERE generation > 0 AND message_id IN (SELECT value FROM json_each(?))',
    [JSON.stringify(ids)],
  )

/** Called when messages were fetched or are gone from the server: holes without missing messages become ranges. */
export function settleMissing(db: WritableDb, ids: readonly number[]): void {
  dropMissing(db, JSON.stringify(ids))
  const whole = db.all<HoleRow>(
    `SELECT rowid, * FROM holes AS r
     WHERE NOT EXISTS (SELECT 1 FROM missing_messages m WHERE ${liesIn('m.message_id')})`,
  )
  for (const hole of whole) {
    db.run('DELETE FROM holes WHERE rowid = ?', [hole.rowid])
    addRange(db, hole.narrow_key, {
      oldestId: hole.oldest_id,
      newestId: hole.newest_id,
      reachesBeginning: hole.reaches_beginning === 1,
      isLive: hole.is_live === 1,
    })
  }
}

/** Called when the server does not return messages: their holes are dropped, so that pages fetched later fill them. */
export function giveUpMissing(db: WritableDb, ids: readonly number[]): void {
  const list = JSON.stringify(ids)
  db.run(
    `DELETE FROM holes WHERE rowid IN (
       SELECT r.rowid FROM holes r JOIN json_each(?) AS gone ON ${liesIn('gone.value')})`,
    [list],
  )
  dropMissing(db, list)
}
