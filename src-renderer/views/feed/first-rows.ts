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

/** Whether the part fills the view, so that its cut ends are out of sight. */
export const fillsView = (scroller: HTMLElement, part: RowsPart, rows: readonly FeedRow[]): boolean =>
  (part.from === 0 || scroller.scrollTop > 1) &&
  (part.to === rows.length || scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight > 1)

/**
 * Calls back once the current state was painted and nothing that a person or the engine waits for is left to do; returns
 * how to cancel that.
 */
export function afterPaint(work: () => void): () => void {
  const cancelled = new AbortController()
  const { signal } = cancelled
  const frame = requestAnimationFrame(() => {
    // A timer would come before answers that arrived meanwhile, and before the next key.
    scheduler.postTask(work, { priority: 'background', signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  })
  return () => {
    cancelAnimationFrame(frame)
    cancelled.abort()
  }
}
