import type { Narrow } from '../../src-shared/model/narrow.ts'
import type { ReadableDb } from './database.ts'
import { narrowCondition } from './narrow-condition.ts'

// A message's row says in which registration the server last confirmed it. From an earlier one on, it may have been
// edited, moved or deleted without an event.

/** Whether a message is here and events have kept it up to date since that registration. */
export function isLiveMessage(db: ReadableDb, id: number, generation: number): boolean {
  return (
    db.get('SELECT 1 FROM messages WHERE message_id = ? AND generation >= ?', [id, generation]) !== undefined
  )
}

/**
 * Messages of a narrow from `first` to `last` (inclusive) whose copies here are not confirmed since the last
 * registration; newest first, at most 1,000.
 */
export function staleBetween(
  db: ReadableDb,
  narrow: Narrow,
  first: number,
  last: number,
  generation: number,
): number[] {
  const { where, parameters } = narrowCondition(db, narrow)
  return db.column<number>(
    `SELECT m.message_id FROM messages m
     WHERE ${where} AND m.message_id BETWEEN ? AND ? AND m.generation < ?
     ORDER BY m.message_id DESC LIMIT 1000`,
    [...parameters, first, last, generation],
  )
}

/**
 * Some of the messages below an id, newest first, whose copies here are not confirmed since the last registration, and
 * the id down to which this looked; null if there are no messages below.
 */
export function staleBelow(
  db: ReadableDb,
  before: number,
  generation: number,
  limit: number,
): { stale: number[]; reached: number } | null {
  const rows = db.all<{ message_id: number; generation: number }>(
    'SELECT message_id, generation FROM messages WHERE message_id < ? ORDER BY message_id DESC LIMIT 1000',
    [before],
  )
  const stale = rows.filter((row) => row.generation < generation).map((row) => row.message_id)
  const some = stale.slice(0, limit)
  const reached = (some.length < stale.length ? some.at(-1) : undefined) ?? rows.at(-1)?.message_id
  return reached === undefined ? null : { stale: some, reached }
}

/** The messages among these that are here but have not been confirmed since the last registration. */
export function staleAmong(db: ReadableDb, ids: readonly number[], generation: number): number[] {
  return db.column<number>(
    `SELECT message_id FROM messages
     WHERE message_id IN (SELECT value FROM json_each(?)) AND generation < ? LIMIT 1000`,
    [JSON.stringify(ids), generation],
  )
}
