import type { ReadableDb, WritableDb } from './database.ts'

/** The facts about a kept picture or file; times are epoch milliseconds. */
export interface MediaRow {
  readonly address: string
  readonly content_type: string
  readonly size: number
  /** SHA-256, hexadecimal. */
  readonly sum: string
  readonly fetched_at: number
  readonly used_at: number
}

/** The facts about what is kept under an address; undefined if nothing is. */
export const mediaAt = (db: ReadableDb, address: string): MediaRow | undefined =>
  db.get<MediaRow>('SELECT * FROM media WHERE address = ?', [address])

/** The addresses of everything that is kept, in no order. */
export const mediaAddresses = (db: ReadableDb): string[] => db.column<string>('SELECT address FROM media')

/** Adds a row, or replaces the one with that address. */
export function putMedia(db: WritableDb, row: MediaRow): void {
  db.run('INSERT OR REPLACE INTO media VALUES (?, ?, ?, ?, ?, ?)', [
    row.address,
    row.content_type,
    row.size,
    row.sum,
    row.fetched_at,
    row.used_at,
  ])
}

/** Stores that it was used now; an address that is not here is ignored. */
export function touchMedia(db: WritableDb, address: string, now: number): void {
  db.run('UPDATE media SET used_at = ? WHERE address = ?', [now, address])
}

/** Removes the row, not the file. */
export function removeMedia(db: WritableDb, address: string): void {
  db.run('DELETE FROM media WHERE address = ?', [address])
}

/** Removes the least recently used rows until the rest fits into `limit` bytes; returns the removed ones. */
export function trimMedia(db: WritableDb, limit: number): string[] {
  let size = db.get<{ size: number | null }>('SELECT sum(size) AS size FROM media')?.size ?? 0
  const gone: string[] = []
  while (size > limit) {
    const oldest = db.get<MediaRow>('SELECT * FROM media ORDER BY used_at LIMIT 1')
    if (oldest === undefined) break
    removeMedia(db, oldest.address)
    gone.push(oldest.address)
    size -= oldest.size
  }
  return gone
}
