/** What stays where it is when a feed changes: its end, or one row at a distance from the top, pixels. */
export type Place =
  { readonly kind: 'end' } | { readonly kind: 'row'; readonly key: string; readonly top: number }

/** Nearer to the end than this counts as the end, pixels. */
const endPx = 40

/** Whether a scrolled element shows its end. */
export const isAtEnd = (scroller: HTMLElement): boolean =>
  scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < endPx

interface DrawnRow {
  readonly key: string
  readonly top: number
  readonly bottom: number
}

/** The rows between two heights, from the top of the feed, pixels; in order. */
function rowsBetween(scroller: HTMLElement, from: number, to: number): DrawnRow[] {
  const { top } = scroller.getBoundingClientRect()
  return [...scroller.querySelectorAll<HTMLElement>('[data-row]')].flatMap((row) => {
    const box = row.getBoundingClientRect()
    const drawn = { key: row.dataset['row'] ?? '', top: box.top - top, bottom: box.bottom - top }
    return drawn.bottom > from && drawn.top < to ? [drawn] : []
  })
}

// Bars, day lines and notes come and go; messages stay.
const isMessage = ({ key }: DrawnRow) => /^\d+$/.test(key)

/** The place that a reader's eye holds now: the first message that begins in view, else the one that fills it. */
export function placeOf(scroller: HTMLElement, inset: number): Place | null {
  const inView = rowsBetween(scroller, inset, scroller.clientHeight)
  const messages = inView.filter(isMessage)
  const candidates = messages.length > 0 ? messages : inView
  const row = candidates.find(({ top }) => top >= inset) ?? candidates.at(-1)
  return row === undefined ? null : { kind: 'row', key: row.key, top: row.top }
}

/** The first and the last message whose end or beginning is in view; null when none is. */
export function messagesInView(
  scroller: HTMLElement,
  inset: number,
  beyond = 0,
): { first: number; last: number } | null {
  const rows = rowsBetween(scroller, inset - beyond, scroller.clientHeight + beyond).filter(isMessage)
  const [first] = rows
  const last = rows.at(-1)
  return first === undefined || last === undefined
    ? null
    : { first: Number(first.key), last: Number(last.key) }
}

/** Scrolls so that the place is where it was; false when its row is not drawn. */
export function restorePlace(scroller: HTMLElement, place: Place): boolean {
  if (place.kind === 'end') {
    scroller.scrollTop = scroller.scrollHeight
    return true
  }
  const row = drawnRow(scroller, place.key)
  if (row === null) return false
  const difference = row.getBoundingClientRect().top - scroller.getBoundingClientRect().top - place.top
  // Browsers round positions; less than a pixel is not worth a movement.
  if (Math.abs(difference) >= 1) scroller.scrollTop += difference
  return true
}

/** The element of a row; null when it is not drawn. */
export function drawnRow(scroller: HTMLElement, key: string): HTMLElement | null {
  return scroller.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`)
}
