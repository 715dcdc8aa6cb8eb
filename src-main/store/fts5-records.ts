/**
 * What SQLite's FTS5 records about an index in its data table (SQLite, fts5_index.c, "DATABASE FORMAT"). Each number is
 * written in groups of seven bits, highest first; all but the last have the eighth bit set.
 */

/** The number of rows in the index, from its record 1. */
export const rowTotal = (record: Uint8Array): number => numbersIn(record, 0)()

/**
 * How many pages SQLite's next merge in this index has to read, from its record 10; 0 if it has nothing to merge. A step
 * writes all pages of a word at once, and never more than are left to read.
 */
export function nextMergePages(record: Uint8Array): number {
  const level = nextLevel(levelsOf(record))
  if (level === undefined) return 0
  const read = level.merging > 0 ? level.segments.slice(0, level.merging) : level.segments
  return read.reduce((pages, segment) => pages + segment.pages, 0)
}

interface Segment {
  readonly pages: number
  readonly rows: number
  readonly deletedRows: number
}

/** The segments of about the same size. */
interface Level {
  /** How many of the segments a merge that has begun reads; 0 if there is none. */
  readonly merging: number
  readonly segments: readonly Segment[]
}

/** SQLite's own limits, which we leave as they are: so many segments of one level are merged (`usermerge`). */
const fewestSegments = 4
/** A level with so many deleted rows in a hundred is merged as well (`deletemerge`). */
const deletedPercent = 10
/** Begins the record of an index whose rows can be deleted without their content. */
const versionTwo = 0xff

/** Selects as SQLite does: the level with the most segments, the smaller ones first. */
function nextLevel(levels: readonly Level[]): Level | undefined {
  let best: Level | undefined
  let most = 0
  for (const level of levels) {
    const count = level.merging > 0 ? level.merging : level.segments.length
    if (count > most) {
      best = level
      most = level.merging > 0 ? fewestSegments : count
    }
    // No merge of a larger level begins before this one has ended.
    if (level.merging > 0) break
  }
  return most >= fewestSegments ? best : levelWithDeletions(levels)
}

function levelWithDeletions(levels: readonly Level[]): Level | undefined {
  let best: Level | undefined
  let most = deletedPercent - 1
  for (const level of levels) {
    const rows = level.segments.reduce((sum, segment) => sum + segment.rows, 0)
    const deleted = level.segments.reduce((sum, segment) => sum + segment.deletedRows, 0)
    const percent = rows > 0 ? Math.floor((deleted * 100) / rows) : 0
    if (percent > most) {
      best = level
      most = percent
    }
    if (level.merging > 0) break
  }
  return best
}

function levelsOf(record: Uint8Array): Level[] {
  const hasDeletions = record[4] === versionTwo
  const next = numbersIn(record, hasDeletions ? 8 : 4)
  const segment = (): Segment => {
    next()
    const first = next()
    const pages = next() - first + 1
    if (!hasDeletions) return { pages, rows: 0, deletedRows: 0 }
    for (let skipped = 0; skipped < 3; skipped++) next()
    const deletedRows = next()
    return { pages, rows: next(), deletedRows }
  }
  const levels = next()
  for (let skipped = 0; skipped < 2; skipped++) next()
  return Array.from({ length: levels }, () => {
    const merging = next()
    const count = next()
    return { merging, segments: Array.from({ length: count }, segment) }
  })
}

/** Reads one number after the other. */
function numbersIn(record: Uint8Array, from: number): () => number {
  let at = from
  return () => {
    let number = 0
    for (let byte = 0x80; byte >= 0x80 && at < record.length;) {
      byte = record[at++] ?? 0
      number = number * 128 + (byte & 0x7f)
    }
    return number
  }
}
