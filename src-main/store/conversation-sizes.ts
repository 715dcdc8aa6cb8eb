import type { ReadableDb, WritableDb } from './database.ts'

// How many messages each conversation has on this device. Counting them would read all of their index, for every row of
// a list after every event. Therefore whoever adds, moves or removes messages keeps the number; the histories of
// `tests/main/model` compare it with the messages.

/** Adds to the number of messages of a conversation, after so many came or, if it is negative, left. */
export function resize(db: WritableDb, home: number, by: number): void {
  if (by !== 0)
    db.run(
      `INSERT INTO conversation_sizes VALUES (?1, ?2)
       ON CONFLICT (conversation_id) DO UPDATE SET message_count = message_count + ?2`,
      { 1: home, 2: by },
    )
}

/** How many of these messages each conversation has; those that are not here are ignored. */
export const messagesByHome = (db: ReadableDb, ids: readonly number[]): { home: number; count: number }[] =>
  db.all(
    `SELECT conversation_id AS home, count(*) AS count FROM messages
     WHERE message_id IN (SELECT value FROM json_each(?)) GROUP BY conversation_id`,
    [JSON.stringify(ids)],
  )

/** How many of these messages one conversation has, from an index alone: the messages themselves lie far apart. */
export const countIn = (db: ReadableDb, home: number, ids: readonly number[]): number =>
  db.get<{ n: number }>(
    `SELECT count(*) AS n FROM messages
     WHERE conversation_id = ? AND message_id IN (SELECT value FROM json_each(?))`,
    [home, JSON.stringify(ids)],
  )?.n ?? 0

/** How many messages each of these conversations has here. */
export function sizesOf(db: ReadableDb, homes: readonly number[]): (home: number) => number {
  const rows = db.all<{ home: number; count: number }>(
    `SELECT conversation_id AS home, message_count AS count FROM conversation_sizes
     WHERE conversation_id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(homes)],
  )
  const sizes = new Map(rows.map(({ home, count }) => [home, count]))
  return (home) => sizes.get(home) ?? 0
}
