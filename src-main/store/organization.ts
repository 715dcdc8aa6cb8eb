import type { ReadableDb, WritableDb } from './database.ts'

/** Stores a name or limit of the organization, under the snapshot's field name. */
export function putOrganizationValue(db: WritableDb, name: string, value: unknown): void {
  db.run(
    `INSERT INTO organization VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2 WHERE value <> ?2`,
    {
      1: name,
      2: JSON.stringify(value ?? null),
    },
  )
}

/** A value of the organization that is text; undefined if it is unknown or of another type. */
export function organizationText(db: ReadableDb, name: string): string | undefined {
  const value = organizationValue(db, name)
  return typeof value === 'string' ? value : undefined
}

/** The same for a number. */
export function organizationNumber(db: ReadableDb, name: string): number | undefined {
  const value = organizationValue(db, name)
  return typeof value === 'number' ? value : undefined
}

/** The value that the server sent; undefined if it sent none. */
export function organizationValue(db: ReadableDb, name: string): unknown {
  const row = db.get<{ value: string }>('SELECT value FROM organization WHERE name = ?', [name])
  return row === undefined ? undefined : JSON.parse(row.value)
}
