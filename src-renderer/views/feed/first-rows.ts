import type { FeedRow } from './feed-rows.ts'
import type { Wanted } from './feed-scroll.ts'

/** Rows from `from` up to, and without, `to`. */
export interface RowsPart {
  readonly from: number
  readonly to: number
}

/** About as many rows as fit on a screen. */
const screen = 16
/** How many rows are drawn above the wanted one. */
const above = 10

/** The rows around the view, which a feed draws before its first paint; null for all of them. */
export function firstRows(rows: readonly FeedRow[], wanted: Wanted): RowsPart | null {
  const at = wanted.kind === 'row' ? rows.findIndex(({ key }) => key === wanted.key) : rows.length
  if (at < 0 || wanted.kind === 'beginning') return null
  const from = Math.max(0, at - (wanted.kind === 'end' ? screen : above))
  const to = Math.min(rows.length, at + screen + 1)
  return to - from >= rows.length ? null : { from, to }
}

/** Whether the part fills the view, so that its cut ends are out of sight. */
export const fillsView = (scroller: HTMLElement, part: RowsPart, rows: readonly FeedRow[]): boolean =>
  (part.from === 0 || scroller.scrollTop > 1) &&
  (part.to === rows.length || scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight > 1)

/** Calls back once the current state was painted; returns how to cancel that. */
export function afterPaint(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => (timer = setTimeout(work)))
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
