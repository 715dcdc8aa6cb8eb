import type { ReadableDb, WritableDb } from './database.ts'

/**
 * The small lists that are kept as the server gave them, in the specification's fields. What is listed, joined or
 * counted by the thousand has tables of its own instead.
 */
export type ObjectKind =
  | 'user-group'
  | 'saved-snippet'
  | 'linkifier'
  | 'playground'
  | 'profile-field'
  | 'alert-word'
  | 'scheduled-message'
  | 'reminder'
  | 'user-status'
  | 'bot'
  | 'attachment'
  /** How a message was changed, and who has read it, as they were when a person looked; by the message's id. */
  | 'message-history'
  | 'message-readers'
  /** What is still to be asked of the server; see topics-in-doubt.ts. */
  | 'topic-in-doubt'
  /** What was founded here, by the id that it had until the server numbered it; see founded.ts. */
  | 'numbered'

/** Puts one, in the place of an older one with the same id. */
export function putObject(db: WritableDb, kind: ObjectKind, id: string | number, body: unknown): void {
  db.run(
    `INSERT INTO objects VALUES (?1, ?2, ?3) ON CONFLICT (kind, object_id) DO UPDATE SET body = ?3 WHERE body <> ?3`,
    { 1: kind, 2: String(id), 3: JSON.stringify(body) },
  )
}

/** Changes fields of one; nothing happens when there is none. */
export function patchObject(
  db: WritableDb,
  kind: ObjectKind,
  id: string | number,
  fields: Readonly<Record<string, unknown>>,
): void {
  const before = object(db, kind, id)
  if (before !== undefined) putObject(db, kind, id, { ...before, ...fields })
}

export function removeObject(db: WritableDb, kind: ObjectKind, id: string | number): void {
  db.run('DELETE FROM objects WHERE kind = ? AND object_id = ?', [kind, String(id)])
}

/** Makes these the only ones of their kind. */
export function replaceObjects(
  db: WritableDb,
  kind: ObjectKind,
  objects: readonly { readonly id: string | number; readonly body: unknown }[],
): void {
  db.run('DELETE FROM objects WHERE kind = ?', [kind])
  for (const { id, body } of objects) putObject(db, kind, id, body)
}

/** Leaves so many of a kind, those with the highest numbers as ids. */
export function keepHighest(db: WritableDb, kind: ObjectKind, count: number): void {
  db.run(
    `DELETE FROM objects WHERE kind = ?1 AND object_id IN (
       SELECT object_id FROM objects WHERE kind = ?1 ORDER BY CAST(object_id AS INTEGER) DESC LIMIT -1 OFFSET ?2)`,
    { 1: kind, 2: count },
  )
}

/** One as the server gave it; undefined when there is none. Its fields were checked when it arrived. */
export function object(
  db: ReadableDb,
  kind: ObjectKind,
  id: string | number,
): Readonly<Record<string, unknown>> | undefined {
  const row = db.get<{ body: string }>('SELECT body FROM objects WHERE kind = ? AND object_id = ?', [
    kind,
    String(id),
  ])
  return row === undefined ? undefined : parsed(row.body)
}

export const hasObject = (db: ReadableDb, kind: ObjectKind, id: string | number): boolean =>
  db.get('SELECT 1 FROM objects WHERE kind = ? AND object_id = ?', [kind, String(id)]) !== undefined

/** All of a kind, by id. */
export function objectsOf(db: ReadableDb, kind: ObjectKind): Readonly<Record<string, unknown>>[] {
  return db
    .all<{ body: string }>('SELECT body FROM objects WHERE kind = ? ORDER BY object_id', [kind])
    .map(({ body }) => parsed(body))
}

// Only `putObject` writes bodies, and the wire's schemas give it objects.
const parsed = (body: string) => JSON.parse(body) as Readonly<Record<string, unknown>>
