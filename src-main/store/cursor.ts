import { hourMs } from '../../src-shared/durations.ts'
import type { ReadableDb, WritableDb } from './database.ts'

/** The position in the event queue, and the facts about the server. */
export interface Cursor {
  /** Null: the account must register first. */
  readonly queueId: string | null
  readonly lastEventId: number
  /** Rises with each registration. */
  readonly generation: number
  /** The registration for which all messages here were compared with the server; 0 or less if some were not. */
  readonly comparedGeneration: number
  /** 0: not known yet; see `knownLevel`. */
  readonly featureLevel: number
  /** Whether the server uses real servers' names where the specification has others. */
  readonly speaksDialect: boolean
  readonly longpollTimeoutMs: number
  /** Epoch milliseconds; null if the server was never heard. */
  readonly heardAt: number | null
  /** The same by the server's clock; null if that is not known either. */
  readonly serverHeardAt: number | null
}

/** How long a server may let a poll wait, whatever it says: timers end at once if they are to wait for weeks. */
const leastPollMs = 10_000
const mostPollMs = hourMs

interface SyncRow {
  queue_id: string | null
  last_event_id: number
  generation: number
  compared_generation: number
  feature_level: number
  speaks_dialect: number
  longpoll_timeout_ms: number
  heard_at: number | null
  server_heard_at: number | null
}

/** The cursor; before the first registration, one without a queue. */
export const readCursor = (db: ReadableDb): Cursor => db.remembered('cursor', () => cursorOf(db))

function cursorOf(db: ReadableDb): Cursor {
  const row = db.get<SyncRow>('SELECT * FROM sync WHERE id = 1')
  return {
    queueId: row?.queue_id ?? null,
    lastEventId: row?.last_event_id ?? -1,
    generation: row?.generation ?? 0,
    comparedGeneration: row?.compared_generation ?? 0,
    featureLevel: row?.feature_level ?? 0,
    speaksDialect: row?.speaks_dialect === 1,
    longpollTimeoutMs: Math.min(Math.max(row?.longpoll_timeout_ms ?? 90_000, leastPollMs), mostPollMs),
    heardAt: row?.heard_at ?? null,
    serverHeardAt: row?.server_heard_at ?? null,
  }
}

/** The server's feature level; until the account has registered, that of the newest server. */
export function knownLevel(db: ReadableDb): number {
  const { featureLevel } = readCursor(db)
  return featureLevel === 0 ? Number.POSITIVE_INFINITY : featureLevel
}

/** Stores a new queue and what its registration told of the server; times are epoch milliseconds. */
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
    serverNow: number | null
  },
): void {
  db.run(
    `UPDATE sync SET queue_id = ?, last_event_id = ?, generation = ?, feature_level = ?, speaks_dialect = ?,
       server_version = ?, longpoll_timeout_ms = ?, registered_at = ?, heard_at = ?, server_heard_at = coalesce(?, server_heard_at) WHERE id = 1`,
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
      registration.serverNow,
    ],
  )
}

/**
 * Must be the last statement of a batch: it says that everything up to this event is applied. `serverNow` is null if
 * the server's time is not known.
 */
export function advanceCursor(
  db: WritableDb,
  lastEventId: number,
  now: number,
  serverNow: number | null,
): void {
  db.run(
    `UPDATE sync SET last_event_id = ?, heard_at = ?, server_heard_at = coalesce(?, server_heard_at)
     WHERE id = 1`,
    [lastEventId, now, serverNow],
  )
}

/** Must be called when a comparison of all messages with the server begins. */
export function beginComparison(db: WritableDb): void {
  db.run('UPDATE sync SET compared_generation = -1 WHERE id = 1')
}

/** Must be called when some messages are to be compared again. */
export function compareAnew(db: WritableDb): void {
  db.run('UPDATE sync SET compared_generation = 0 WHERE id = 1 AND compared_generation <> 0')
}

/** Stores that all messages were compared; returns false if some are to be compared again since it began. */
export const endComparison = (db: WritableDb, generation: number): boolean =>
  db.run('UPDATE sync SET compared_generation = ? WHERE id = 1 AND compared_generation = -1', [generation]) >
  0

/** The account registers anew before it polls again. */
export function forgetQueue(db: WritableDb): void {
  db.run('UPDATE sync SET queue_id = NULL WHERE id = 1')
}

/** Prefix that marks rows of `set_aside` whose event made the account register anew. */
const registeredFor = 'register:'

/** Sets aside an event that could not be applied, and forgets the queue so that the account registers anew. */
export function noteTrouble(db: WritableDb, type: string, reason: string, body: unknown, now: number): void {
  setAside(db, `${registeredFor}${type}`, reason, body, now)
  forgetQueue(db)
}

/** Events since a moment that made the account register anew: their types, their number, and the time of the last. */
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

/** The kinds of words from the server that this version may not know. */
export type UnknownKind = 'event' | 'eventField' | 'op' | 'property' | 'field' | 'flag'

const strangerReasons: Record<UnknownKind, string> = {
  event: 'an event of a type that this version does not know',
  eventField: 'a field of an event that this version does not know',
  op: 'an op that this version does not know',
  property: 'a property that this version does not know',
  field: 'a field of a registration that this version does not know',
  flag: 'a flag of messages that this version does not know',
}

/** Counts something unknown from the server under its name; none of its content is stored. */
export function countUnknown(db: WritableDb, kind: UnknownKind, name: string, now: number): void {
  setAsideOnce(db, `unknown:${name.slice(0, 200)}`, strangerReasons[kind], null, now)
}

/** Stores the first unusable thing of its kind, and counts the others. */
export function setAsideOnce(db: WritableDb, what: string, reason: string, body: unknown, now: number): void {
  const counted = db.run(
    'UPDATE set_aside SET times = times + 1, received_at = ?3 WHERE what = ?1 AND reason = ?2',
    { 1: what, 2: reason, 3: now },
  )
  if (counted === 0) setAside(db, what, reason, body, now)
}

/** Stores something that could not be used, with the reason; only the newest thousand are kept. */
export function setAside(db: WritableDb, what: string, reason: string, body: unknown, now: number): void {
  db.run('INSERT INTO set_aside (received_at, what, reason, body) VALUES (?, ?, ?, ?)', [
    now,
    what,
    reason,
    textOfBody(body),
  ])
  db.run('DELETE FROM set_aside WHERE number <= (SELECT max(number) FROM set_aside) - 1000')
}

function textOfBody(body: unknown): string {
  try {
    return JSON.stringify(body).slice(0, 100_000)
  } catch {
    // It must not stay in the way because it cannot be written down.
    return '"(too deeply nested)"'
  }
}
