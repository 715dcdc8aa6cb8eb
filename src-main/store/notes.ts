import type { ReadableDb, WritableDb } from './database.ts'
import type { MessageChange } from './message-changes.ts'

// What only this device knows about the cache. It is in the table of the objects, and is lost with the cache.

/** The kinds of notes, with what a note of each says. */
interface Notes {
  /** A topic about which the server is still to be asked, by the conversation's key; see topics-in-doubt.ts. */
  readonly 'topic-in-doubt': {
    readonly channelId: number
    readonly topic: string
    readonly messageIds: readonly number[]
  }
  /** Texts that a message may have on the server, by its id; see missing.ts. */
  readonly 'texts-in-doubt': { readonly texts: readonly string[] }
  /** The oldest message that the server's plan shows of a narrow, by the narrow's key; see history-limits.ts. */
  readonly 'history-limit': { readonly narrowKey: string; readonly oldestId: number }
  /** From which message on the person received all of a channel, by the channel's id; see received-from.ts. */
  readonly 'received-from': { readonly channelId: number; readonly from: number }
  /** A channel that the person can no longer read, while its messages are removed; see lost-channels.ts. */
  readonly 'lost-channel': { readonly channelId: number }
  /** A channel whose messages are to be compared with the server, while these are marked; see doubted-channels.ts. */
  readonly 'doubted-channel': {
    readonly channelId: number
    /** Those below this message are still to be marked. */
    readonly below: number
    /** Whether they are fetched as missing ones are; the others wait until they are shown, or for the slow comparison. */
    readonly isUrgent: boolean
  }
  /** Messages that were moved, with what is still to be written with each; see moves.ts. */
  readonly 'unfinished-move': {
    readonly messageIds: readonly number[]
    readonly movedAt: number | null
    readonly change: MessageChange | null
  }
  /** Messages that were deleted and are still to be removed; see deleted-messages.ts. */
  readonly 'deleted-messages': { readonly messageIds: readonly number[] }
  /** A channel whose topics are to be fetched again, by its id; see emptied-topics.ts. */
  readonly 'emptied-topic': { readonly channelId: number; readonly lost: number }
  /** How much of an event is applied that is applied in parts; see event-progress.ts. */
  readonly 'event-progress': { readonly queueId: string; readonly eventId: number; readonly applied: number }
  /** The server's id of something created here, by its provisional id; see provisional.ts. */
  readonly numbered: { readonly id: number }
}

/** A note; undefined if there is none. */
export function note<Kind extends keyof Notes>(
  db: ReadableDb,
  kind: Kind,
  id: string | number,
): Notes[Kind] | undefined {
  const [body] = db.column<string>('SELECT body FROM objects WHERE kind = ? AND object_id = ?', [
    kind,
    String(id),
  ])
  return body === undefined ? undefined : parsed(body)
}

/** Whether there is any note of a kind. */
export const hasNote = (db: ReadableDb, kind: keyof Notes): boolean =>
  db.get('SELECT 1 FROM objects WHERE kind = ? LIMIT 1', [kind]) !== undefined

/** All notes of a kind, by id. */
export const notes = <Kind extends keyof Notes>(db: ReadableDb, kind: Kind): Notes[Kind][] =>
  db
    .column<string>('SELECT body FROM objects WHERE kind = ? ORDER BY object_id', [kind])
    .map((body) => parsed(body))

/** The note of a kind with the last id, by the order of their letters; undefined if there is none. */
export function lastNote<Kind extends keyof Notes>(
  db: ReadableDb,
  kind: Kind,
): { readonly id: string; readonly body: Notes[Kind] } | undefined {
  const row = db.get<{ object_id: string; body: string }>(
    'SELECT object_id, body FROM objects WHERE kind = ? ORDER BY object_id DESC LIMIT 1',
    [kind],
  )
  return row && { id: row.object_id, body: parsed(row.body) }
}

/** Stores a note; replaces an older one with the same id. */
export function putNote<Kind extends keyof Notes>(
  db: WritableDb,
  kind: Kind,
  id: string | number,
  body: Notes[Kind],
): void {
  db.run(
    `INSERT INTO objects VALUES (?1, ?2, ?3) ON CONFLICT (kind, object_id) DO UPDATE SET body = ?3 WHERE body <> ?3`,
    { 1: kind, 2: String(id), 3: JSON.stringify(body) },
  )
}

/** Removes a note, if it is there. */
export function removeNote(db: WritableDb, kind: keyof Notes, id: string | number): void {
  db.run('DELETE FROM objects WHERE kind = ? AND object_id = ?', [kind, String(id)])
}

// Only `putNote` writes them.
const parsed = <Kind extends keyof Notes>(body: string): Notes[Kind] => JSON.parse(body) as Notes[Kind]
