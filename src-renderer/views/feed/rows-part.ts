import type { FeedRow } from './feed-rows.ts'
import type { Wanted } from './feed-scroll.ts'

/** Rows from `from` up to, and without, `to`. */
export interface RowsPart {
  readonly from: number
  readonly to: number
}

/** The sizes of the window, in pixels. A feed is smaller, which makes up for rows that are lower than expected. */
interface Sizes {
  readonly width: number
  readonly height: number
}

/** How much of the window's width one character of a message takes at most, in pixels. */
const characterWidth = 9
const lineHeight = 20
/** The sender's name and the space around it. */
const nameHeight = 20
const paddingHeight = 6
/** A longer text is cut. */
const mostTextHeight = 400
/** The bar at the top, under which a row may lie. */
const coveredHeight = 100

/** About how high a row is at least, in pixels. */
function heightOf(row: FeedRow | undefined, { width }: Sizes): number {
  if (row === undefined) return 0
  if (row.kind !== 'message' && row.kind !== 'waiting') return lineHeight
  const text = row.kind === 'message' && row.message.isCollapsed ? '' : htmlOf(row)
  let lines = 0
  for (const line of text.split(/<br\s*\/?>|<\/(?:p|li|h\d|tr)>|\n/)) {
    const { length } = line.replace(/<[^>]*>/g, '')
    if (length > 0) lines += Math.ceil((length * characterWidth) / width)
  }
  return (
    paddingHeight +
    (row.isGrouped ? 0 : nameHeight) +
    Math.min(mostTextHeight, Math.max(1, lines) * lineHeight)
  )
}

const htmlOf = (row: FeedRow & { kind: 'message' | 'waiting' }): string =>
  row.kind === 'message' ? row.message.contentHtml : row.item.contentHtml

/** The rows that fill the view, which a feed draws before its first paint; null for all of them. */
export function firstRows(rows: readonly FeedRow[], wanted: Wanted, sizes: Sizes): RowsPart | null {
  if (wanted.kind === 'beginning') return null
  const at = wanted.kind === 'row' ? rows.findIndex(({ key }) => key === wanted.key) : rows.length
  if (at < 0) return null
  const { height } = sizes
  const top =
    wanted.kind === 'end' ? height : wanted.at === 'top' ? 0 : wanted.at === 'middle' ? height / 2 : wanted.at
  let from = at
  let above = 0
  const goUp = (to: number) => {
    while (from > 0 && above < to) above += heightOf(rows[--from], sizes)
  }
  goUp(top + coveredHeight)
  let to = at
  let below = 0
  while (to < rows.length && below < height - Math.min(top, above)) below += heightOf(rows[to++], sizes)
  // Where the feed ends in view, it lies lower than wanted.
  if (to === rows.length) goUp(height + coveredHeight - below)
  return to - from >= rows.length ? null : { from, to }
}

/** How many rows are drawn at each end of the part in one frame: more would take longer than a frame. */
const rowsPerFrame = 6
/** How many rows are drawn at once at an end that the reader is near: enough for another frame of fast scrolling. */
const nearRows = 10

/**
 * The part to draw of changed rows: whatever was drawn before, and new rows in between. New rows beyond an end
 * follow later (see `grownPart`), but for those that a reader near that end needs. Null for all rows.
 */
export function keptPart(
  before: { readonly rows: readonly FeedRow[]; readonly part: RowsPart | null },
  rows: readonly FeedRow[],
  isFar: { readonly above: boolean; readonly below: boolean },
): RowsPart | null {
  const drawn = before.part === null ? before.rows : before.rows.slice(before.part.from, before.part.to)
  // Bars, lines and notes have other keys when rows come before them.
  const keys = drawn.flatMap(({ kind, key }) => (kind === 'message' || kind === 'waiting' ? key : []))
  const kept = new Set(keys)
  const first = rows.findIndex(({ key }) => kept.has(key))
  const last = rows.findLastIndex(({ key }) => kept.has(key))
  if (first === -1) return null
  // Where the rows at that end are gone, what comes in their place is needed: without it, the page would be too short to
  // stay where it is scrolled to.
  const count = rows.length
  const isAbove = rows[first]?.key === keys[0] && first > rowsPerFrame
  const isBelow = rows[last]?.key === keys.at(-1) && count - last - 1 > rowsPerFrame
  const drawnNow = { from: isAbove ? first : 0, to: isBelow ? last + 1 : count }
  return nearPart(drawnNow, count, isFar)
}

/** A part of that many rows; null for all of them. */
function partOf({ from, to }: RowsPart, count: number): RowsPart | null {
  const part = { from: Math.max(0, from), to: Math.min(count, to) }
  return part.from === 0 && part.to === count ? null : part
}

/** The part to draw in the next frame; null for all of that many rows. */
export const grownPart = ({ from, to }: RowsPart, count: number): RowsPart | null =>
  partOf({ from: from - rowsPerFrame, to: to + rowsPerFrame }, count)

/** The part to draw at once when the reader is near one of its ends; null for all of that many rows. */
export const nearPart = (
  { from, to }: RowsPart,
  count: number,
  isFar: { readonly above: boolean; readonly below: boolean },
): RowsPart | null =>
  partOf({ from: from - (isFar.above ? 0 : nearRows), to: to + (isFar.below ? 0 : nearRows) }, count)

/** The rows of the part, below the bar that says where the first of them was sent. */
export function rowsOfPart(rows: readonly FeedRow[], part: RowsPart | null): readonly FeedRow[] {
  if (part === null) return rows
  const drawn = rows.slice(part.from, part.to)
  const bar = rows.slice(0, part.from).findLast(({ kind }) => kind === 'recipient')
  return bar === undefined || drawn[0]?.kind === 'recipient' ? drawn : [bar, ...drawn]
}

/** Whether the part fills the view, so that its cut ends are out of sight. */
export const fillsView = (scroller: HTMLElement, part: RowsPart, rows: readonly FeedRow[]): boolean =>
  (part.from === 0 || scroller.scrollTop > 1) &&
  (part.to === rows.length || scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight > 1)

/**
 * Calls back once the current state was painted and, unless the work is `urgent`, nothing that a person or the engine
 * waits for is left to do; returns how to cancel that.
 */
export function afterPaint(work: () => void, { urgent }: { readonly urgent: boolean }): () => void {
  const cancelled = new AbortController()
  const { signal } = cancelled
  const frame = requestAnimationFrame(() => {
    // A timer would come before answers that arrived meanwhile, and before the next key.
    scheduler
      .postTask(work, { priority: urgent ? 'user-visible' : 'background', signal })
      .catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
  })
  return () => {
    cancelAnimationFrame(frame)
    cancelled.abort()
  }
}
