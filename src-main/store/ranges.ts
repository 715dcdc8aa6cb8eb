import type { ReadableDb, WritableDb } from './database.ts'

/** A stretch of a narrow's history that is complete on this device; both ends are inclusive. */
export interface Range {
  readonly oldestId: number
  readonly newestId: number
  readonly reachesBeginning: boolean
  /** Whether it reaches the newest end, and events extend it; in a channel that the person is not in none do. */
  readonly isLive: boolean
}

/** What is complete, and what will be once the missing messages are here (see missing.ts). */
const tables = ['ranges', 'holes'] as const

interface RangeRow {
  oldest_id: number
  newest_id: number
  reaches_beginning: number
  is_live: number
}

const rangeFromRow = (row: RangeRow): Range => ({
  oldestId: row.oldest_id,
  newestId: row.newest_id,
  reachesBeginning: row.reaches_beginning === 1,
  isLive: row.is_live === 1,
})

/** The ranges of several narrows in one query, unordered, each with its narrow's key. */
export function rangesOfSeveral(
  db: ReadableDb,
  narrowKeys: readonly string[],
): (Range & { readonly narrowKey: string })[] {
  return db
    .all<RangeRow & { narrow_key: string }>(
      `SELECT * FROM ranges WHERE narrow_key IN (${narrowKeys.map(() => '?').join(', ')})`,
      narrowKeys,
    )
    .map((row) => ({ ...rangeFromRow(row), narrowKey: row.narrow_key }))
}

/** The ranges of a narrow, oldest first. */
export function rangesOf(db: ReadableDb, narrowKey: string): Range[] {
  return db
    .all<RangeRow>('SELECT * FROM ranges WHERE narrow_key = ? ORDER BY oldest_id', [narrowKey])
    .map(rangeFromRow)
}

/** Up to which message each of these narrows is complete from its beginning; the others are not in the map. */
export function completeUpTo(db: ReadableDb, narrowKeys: readonly string[]): ReadonlyMap<string, number> {
  const rows = db.all<{ narrow_key: string; newest_id: number }>(
    `SELECT narrow_key, newest_id FROM ranges
     WHERE reaches_beginning = 1 AND narrow_key IN (SELECT value FROM json_each(?))`,
    [JSON.stringify([...new Set(narrowKeys)])],
  )
  return new Map(rows.map((row) => [row.narrow_key, row.newest_id]))
}

/** Whether a topic is complete from its beginning up to a message, by itself or with its channel. */
export function isWholeUpTo(
  db: ReadableDb,
  channelId: number,
  narrowKey: string,
  messageId: number,
): boolean {
  const complete = completeUpTo(db, [narrowKey, `channel:${channelId}`])
  return [...complete.values()].some((newest) => newest >= messageId)
}

/** Whether events keep the narrow complete up to now. */
export function isLive(db: ReadableDb, narrowKey: string): boolean {
  return rangesOf(db, narrowKey).some((range) => range.isLive)
}

/**
 * Adds a range that was just fetched, and merges it with those that it touches or overlaps. If it is live, those before
 * it are not.
 */
export function addRange(db: WritableDb, narrowKey: string, added: Range): void {
  let { oldestId, newestId, reachesBeginning, isLive } = added
  for (const range of rangesOf(db, narrowKey)) {
    if (range.newestId < oldestId || range.oldestId > newestId) continue
    reachesBeginning ||= range.reachesBeginning && range.oldestId <= oldestId
    isLive ||= range.isLive && range.newestId >= newestId
    if (range.oldestId < oldestId) reachesBeginning = range.reachesBeginning
    oldestId = Math.min(oldestId, range.oldestId)
    newestId = Math.max(newestId, range.newestId)
    db.run('DELETE FROM ranges WHERE narrow_key = ? AND oldest_id = ?', [narrowKey, range.oldestId])
  }
  db.run('INSERT OR REPLACE INTO ranges VALUES (?, ?, ?, ?, ?)', [
    narrowKey,
    oldestId,
    newestId,
    reachesBeginning ? 1 : 0,
    isLive ? 1 : 0,
  ])
  if (!isLive) return
  db.run('UPDATE ranges SET is_live = 0 WHERE is_live = 1 AND narrow_key = ? AND oldest_id < ?', [
    narrowKey,
    oldestId,
  ])
}

const checkedPrefix = 'checked:'

/**
 * The key of those stretches of a topic or channel that were fetched since events were last missed. In the others,
 * messages may be missing that were moved there meanwhile.
 */
export const checkedKey = (narrowKey: string): string => `${checkedPrefix}${narrowKey}`

/** Whether the newest end of a topic was fetched since then, by itself or with its channel. */
export const isEndChecked = (db: ReadableDb, channelId: number, narrowKey: string): boolean =>
  isLive(db, checkedKey(narrowKey)) || isLive(db, checkedKey(`channel:${channelId}`))

/** Events were missed: no stretch counts as fetched since. */
export function forgetChecked(db: WritableDb): void {
  db.run('DELETE FROM ranges WHERE substr(narrow_key, 1, ?1) = ?2', {
    1: checkedPrefix.length,
    2: checkedPrefix,
  })
}

/** Extends the narrow's live range to a message that arrived by an event. */
export function extendLive(db: WritableDb, narrowKey: string, messageId: number): void {
  for (const table of tables) {
    db.run(`UPDATE ${table} SET newest_id = max(newest_id, ?) WHERE narrow_key = ? AND is_live = 1`, [
      messageId,
      narrowKey,
    ])
  }
}

/** Ends every live range, because events were missed. */
export function endLiveRanges(db: WritableDb): void {
  for (const table of tables) db.run(`UPDATE ${table} SET is_live = 0 WHERE is_live = 1`)
}

/** Ends the live ranges of a channel and its topics, because the person left or joined the channel. */
export function endLiveRangesOf(db: WritableDb, channelId: number): void {
  inRangesOf(channelId, (table, where, parameters) => {
    db.run(`UPDATE ${table} SET is_live = 0 WHERE is_live = 1 AND ${where}`, parameters)
  })
}

/** Forgets what is complete of a channel and its topics. */
export function forgetRangesOf(db: WritableDb, channelId: number): void {
  inRangesOf(channelId, (table, where, parameters) => {
    db.run(`DELETE FROM ${table} WHERE ${where}`, parameters)
  })
}

/** Calls back for each table and kind of key with the condition for a channel and its topics, which the index answers. */
function inRangesOf(
  channelId: number,
  work: (table: string, where: string, parameters: Readonly<Record<string, string>>) => void,
): void {
  for (const table of tables)
    for (const prefix of ['', checkedPrefix])
      work(table, '(narrow_key = ?1 OR (narrow_key >= ?2 AND narrow_key < ?3))', {
        1: `${prefix}channel:${channelId}`,
        2: `${prefix}topic:${channelId}:`,
        // The character after the colon.
        3: `${prefix}topic:${channelId};`,
      })
}

/**
 * Cuts the ranges of a narrow where messages between two ids are missing, including a range that reached the beginning
 * or the live end. Returns the ranges to add again after the fetch. They overlap what is left on either side by one
 * message, so that adding them merges it.
 */
export function cutRanges(db: WritableDb, narrowKey: string, first: number, last: number): Range[] {
  const pieces: Range[] = []
  for (const range of rangesOf(db, narrowKey)) {
    if ((range.newestId < first && !range.isLive) || (range.oldestId > last && !range.reachesBeginning))
      continue
    db.run('DELETE FROM ranges WHERE narrow_key = ? AND oldest_id = ?', [narrowKey, range.oldestId])
    const hasOlder = range.oldestId < first
    const hasNewer = range.newestId > last
    const olderEnd = Math.min(range.newestId, first - 1)
    const newerEnd = Math.max(range.oldestId, last + 1)
    if (hasOlder) addRange(db, narrowKey, { ...range, newestId: olderEnd, isLive: false })
    if (hasNewer) addRange(db, narrowKey, { ...range, oldestId: newerEnd, reachesBeginning: false })
    pieces.push({
      oldestId: hasOlder
        ? olderEnd
        : Math.min(range.oldestId, range.reachesBeginning ? first : range.oldestId),
      newestId: hasNewer ? newerEnd : Math.max(range.newestId, range.isLive ? last : range.newestId),
      reachesBeginning: !hasOlder && range.reachesBeginning,
      isLive: !hasNewer && range.isLive,
    })
  }
  return pieces
}
