import type { ReadableDb, WritableDb } from './database.ts'

/**
 * The small lists that are stored as the server gave them, in the specification's fields. Whatever is listed, joined or
 * counted by the thousand has its own tables instead. This device's own notes are in the same table; see notes.ts.
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
  /** A message's readers, as of the last time a person looked; by the message's id. */
  | 'message-readers'

/** The kinds of objects that a person makes, and that the server numbers in the order in which they were made. */
export type MadeKind = 'scheduled-message' | 'reminder' | 'saved-snippet'

/** An object in the specification's fields. */
export type ListedObject = Readonly<Record<string, unknown>>

const idFields: Readonly<Record<MadeKind, string>> = {
  'scheduled-message': 'scheduled_message_id',
  reminder: 'reminder_id',
  'saved-snippet': 'id',
}

/** The server's id of an object, whose name differs by kind. */
export const idOfObject = (kind: MadeKind, one: ListedObject): number => Number(one[idFields[kind]])

/** The highest id of a kind that this device knows; 0 if it knows none. */
export const newestObject = (db: ReadableDb, kind: MadeKind): number =>
  Math.max(0, ...objectsOf(db, kind).map((one) => idOfObject(kind, one)))

/** Stores an object; replaces an older one with the same id. */
export function putObject(db: WritableDb, kind: ObjectKind, id: string | number, body: unknown): void {
  db.run(
    `INSERT INTO objects VALUES (?1, ?2, ?3) ON CONFLICT (kind, object_id) DO UPDATE SET body = ?3 WHERE body <> ?3`,
    { 1: kind, 2: String(id), 3: JSON.stringify(body) },
  )
}

/** Changes fields of an object; does nothing if it is not here. */
export function patchObject(
  db: WritableDb,
  kind: ObjectKind,
  id: string | number,
  fields: Readonly<Record<string, unknown>>,
): void {
  const before = object(db, kind, id)
  if (before !== undefined) putObject(db, kind, id, { ...before, ...fields })
}

/** Removes an object, if it is there. */
export function removeObject(db: WritableDb, kind: ObjectKind, id: string | number): void {
  db.run('DELETE FROM objects WHERE kind = ? AND object_id = ?', [kind, String(id)])
}

/** Makes these the only objects of their kind. */
export function replaceObjects(
  db: WritableDb,
  kind: ObjectKind,
  objects: readonly { readonly id: string | number; readonly body: unknown }[],
): void {
  db.run('DELETE FROM objects WHERE kind = ?', [kind])
  for (const { id, body } of objects) putObject(db, kind, id, body)
}

/** Keeps this many objects of a kind: those with the highest numeric ids. */
export function keepHighest(db: WritableDb, kind: ObjectKind, count: number): void {
  db.run(
    `DELETE FROM objects WHERE kind = ?1 AND object_id IN (
       SELECT object_id FROM objects WHERE kind = ?1 ORDER BY CAST(object_id AS INTEGER) DESC LIMIT -1 OFFSET ?2)`,
    { 1: kind, 2: count },
  )
}

/** An object as the server gave it; undefined if there is none. Its fields were checked when it arrived. */
export function object(db: ReadableDb, kind: ObjectKind, id: string | number): ListedObject | undefined {
  const row = db.get<{ body: string }>('SELECT body FROM objects WHERE kind = ? AND object_id = ?', [
    kind,
    String(id),
  ])
  return row === undefined ? undefined : parsed(row.body)
}

/** Whether the object is here. */
export const hasObject = (db: ReadableDb, kind: ObjectKind, id: string | number): boolean =>
  db.get('SELECT 1 FROM objects WHERE kind = ? AND object_id = ?', [kind, String(id)]) !== undefined

/** All objects of a kind, by id. */
export function objectsOf(db: ReadableDb, kind: ObjectKind): ListedObject[] {
  return db
    .column<string>('SELECT body FROM objects WHERE kind = ? ORDER BY object_id', [kind])
    .map((body) => parsed(body))
}

// Only `putObject` writes bodies, and the wire's schemas give it objects.
const parsed = (body: string) => JSON.parse(body) as ListedObject
