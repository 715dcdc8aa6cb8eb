import type { ReadableDb, WritableDb } from './database.ts'

/** Where the event queue stands, and what the server is. */
export interface Cursor {
  /** Null: register first. */
  readonly queueId: string | null
  readonly lastEventId: number
  /** Rises with each registration. */
  readonly generation: number
  readonly featureLevel: number
  /** Whether it uses real servers' names where the specification has others. */
  readonly speaksDialect: boolean
  readonly longpollTimeoutMs: number
  /** Epoch milliseconds; null before the first time. */
  readonly heardAt: number | null
}

interface SyncRow {
  queue_id: string | null
  last_event_id: number
  generation: number
  feature_level: number
  speaks_dialect: number
  longpoll_timeout_ms: number
  heard_at: number | null
}

export function readCursor(db: ReadableDb): Cursor {
  const row = db.get<SyncRow>('SELECT * FROM sync WHERE id = 1')
  return {
    queueId: row?.queue_id ?? null,
    lastEventId: row?.last_event_id ?? -1,
    generation: row?.generation ?? 0,
    featureLevel: row?.feature_level ?? 0,
    speaksDialect: row?.speaks_dialect === 1,
    longpollTimeoutMs: row?.longpoll_timeout_ms ?? 90_000,
    heardAt: row?.heard_at ?? null,
  }
}

export function writeRegistration(
  db: WritableDb,
  registration: {
    queueId: string
    lastEventId: number
    generation: number
    featureLevel: number
    speaksDialect: boolean
    serverVersion: string
    longpollTimeoutMs: number
    now: number
  },
): void {
  db.run(
    `UPDATE sync SET queue_id = ?, last_event_id = ?, generation = ?, feature_level = ?, speaks_dialect = ?,
       server_version = ?, longpoll_timeout_ms = ?, registered_at = ?, heard_at = ? WHERE id = 1`,
    [
      registration.queueId,
      registration.lastEventId,
      registration.generation,
      registration.featureLevel,
      registration.speaksDialect ? 1 : 0,
      registration.serverVersion,
      registration.longpollTimeoutMs,
      registration.now,
      registration.now,
    ],
  )
}

/** The last line of a batch: everything up to this event is applied. */
export function advanceCursor(db: WritableDb, lastEventId: number, now: number): void {
  db.run('UPDATE sync SET last_event_id = ?, heard_at = ? WHERE id = 1', [lastEventId, now])
}

export function forgetQueue(db: WritableDb): void {
  db.run('UPDATE sync SET queue_id = NULL WHERE id = 1')
}

/** Marks rows of `set_aside` whose event made the account register anew. */
const registeredFor = 'register:'

/** Keeps an event that could not be applied and forgets the queue, so that the account registers anew. */
export function noteTrouble(db: WritableDb, type: string, reason: string, body: unknown, now: number): void {
  setAside(db, `${registeredFor}${type}`, reason, body, now)
  forgetQueue(db)
}

/** Events that made the account register anew since a moment: their types, how many, and when the last was. */
export function troubleSince(
  db: ReadableDb,
  since: number,
): { types: ReadonlySet<string>; count: number; last: number } {
  const rows = db.all<{ what: string; received_at: number }>(
    `SELECT what, received_at FROM set_aside WHERE substr(what, 1, ?1) = ?2 AND received_at >= ?3
     ORDER BY number LIMIT 1000`,
    { 1: registeredFor.length, 2: registeredFor, 3: since },
  )
  return {
    types: new Set(rows.map(({ what }) => what.slice(registeredFor.length))),
    count: rows.length,
    last: rows.at(-1)?.received_at ?? 0,
  }
}

/** What of the server's words this version does not know. */
export type Stranger = 'event' | 'op' | 'property' | 'field'

const strangerReasons: Record<Stranger, string> = {
  event: 'an event of a type that this version does not know',
  op: 'an op that this version does not know',
  property: 'a property that this version does not know',
  field: 'a field of a registration that this version does not know',
}

/** Lists what nobody here knows, with how often it came; nothing of what it says is kept. */
export function noteStranger(db: WritableDb, kind: Stranger, name: string, now: number): void {
  countAside(db, `unknown:${name.slice(0, 200)}`, strangerReasons[kind], null, now)
}

/** Keeps the first of its kind that could not be used, and counts the others. */
export function countAside(db: WritableDb, what: string, reason: string, body: unknown, now: number): void {
  const counted = db.run(
    'UPDATE set_aside SET times = times + 1, received_at = ?3 WHERE what = ?1 AND reason = ?2',
    { 1: what, 2: reason, 3: now },
  )
  if (counted === 0) setAside(db, what, reason, body, now)
}

/** Keeps what could not be used, with the reason; the newest thousand. */
export function setAside(db: WritableDb, what: string, reason: string, body: unknown, now: number): void {
  db.run('INSERT INTO set_aside (received_at, what, reason, body) VALUES (?, ?, ?, ?)', [
    now,
    what,
    reason,
    JSON.stringify(body).slice(0, 100_000),
  ])
  db.run('DELETE FROM set_aside WHERE number <= (SELECT max(number) FROM set_aside) - 1000')
}
