import type { ReadableDb, WritableDb } from './database.ts'

/** Where a reader was in a feed; removed with the cache, as its message is. */
export interface ReadingPlace {
  readonly messageId: number
  /** Pixels below the feed's upper edge. */
  readonly top: number
}

/** How many feeds are remembered; the ones left longest ago are forgotten. */
const remembered = 300

/** Stores the reading place of a narrow; null forgets it. `now` is epoch milliseconds. */
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

/** The reading place of a narrow; null if none is stored, as after reading to the end. */
export function readingPlace(db: ReadableDb, narrowKey: string): ReadingPlace | null {
  return (
    db.get<ReadingPlace>('SELECT message_id AS messageId, top FROM reading_places WHERE narrow_key = ?', [
      narrowKey,
    ]) ?? null
  )
}
