import type { ReadableDb, WritableDb } from './database.ts'

/** Where a reader was in a feed; goes with the cache, as its message does. */
export interface ReadingPlace {
  readonly messageId: number
  /** Pixels below the upper edge of the feed. */
  readonly top: number
}

/** How many feeds are remembered; those left longest ago are forgotten. */
const remembered = 300

/** Keeps where the reader of a narrow is; null forgets it. `now` is epoch milliseconds. */
export function keepReadingPlace(
  db: WritableDb,
  narrowKey: string,
  place: ReadingPlace | null,
  now: number,
): void {
  if (place === null) {
    db.run('DELETE FROM reading_places WHERE narrow_key = ?', [narrowKey])
    return
  }
  db.run('INSERT OR REPLACE INTO reading_places VALUES (?, ?, ?, ?)', [
    narrowKey,
    place.messageId,
    place.top,
    now,
  ])
  db.run(
    `DELETE FROM reading_places WHERE narrow_key IN (
       SELECT narrow_key FROM reading_places ORDER BY kept_at DESC LIMIT -1 OFFSET ${remembered})`,
  )
}

/** Where the reader of a narrow was; null when nothing is kept, as for whoever was at its end. */
export function readingPlace(db: ReadableDb, narrowKey: string): ReadingPlace | null {
  return (
    db.get<ReadingPlace>('SELECT message_id AS messageId, top FROM reading_places WHERE narrow_key = ?', [
      narrowKey,
    ]) ?? null
  )
}
