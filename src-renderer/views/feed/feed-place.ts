import type { FeedRow } from './feed-rows.ts'

/** What keeps its position when a feed changes: the end, or one row at a distance from the top in pixels. */
export type Place =
  | { readonly kind: 'end' }
  | { readonly kind: 'row'; readonly key: string; readonly top: number }

/** A feed scrolled to less than this many pixels from its end counts as at the end. */
const endPx = 40

/** Whether a scrolled element shows its end. */
export const isAtEnd = (scroller: HTMLElement): boolean =>
  scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < endPx

interface DrawnRow {
  readonly key: string
  readonly top: number
  readonly bottom: number
}

// Asked for each row in each frame of scrolling; `dataset` takes several times as long.
const keyOf = (row: HTMLElement): string | null => row.getAttribute('data-row')

const drawn = (row: HTMLElement, above: number): DrawnRow => {
  const { top, bottom } = row.getBoundingClientRect()
  return { key: keyOf(row) ?? '', top: top - above, bottom: bottom - above }
}

/** All rows in order. They are siblings, so the search does not descend into messages. */
function rowsOf(scroller: HTMLElement): HTMLElement[] {
  const rows: HTMLElement[] = []
  let child = scroller.getElementsByClassName('feed-rows')[0]?.firstElementChild ?? null
  for (; child !== null; child = child.nextElementSibling)
    if (child instanceof HTMLElement && keyOf(child) !== null) rows.push(child)
  return rows
}

// Bars, date lines and notes come and go; messages stay.
const isMessage = (row: HTMLElement) => /^\d+$/.test(keyOf(row) ?? '')

/** All messages in order, which are not measured yet; each begins below the previous one. */
const messagesOf = (scroller: HTMLElement): HTMLElement[] => rowsOf(scroller).filter(isMessage)

/** Where the first of these rows is that `lies` there, if all after it do too; only a few of them are looked at. */
function firstThat(rows: readonly HTMLElement[], lies: (row: DOMRect) => boolean): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const row = rows[middle]
    if (row !== undefined && lies(row.getBoundingClientRect())) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * The place that the reader is looking at now: the first message that begins in view, otherwise the one that fills the
 * view.
 */
export function placeOf(scroller: HTMLElement, inset: number): Place | null {
  const { top: above } = scroller.getBoundingClientRect()
  const messages = messagesOf(scroller)
  const first = firstThat(messages, ({ bottom }) => bottom > above + inset)
  const inView = ({ top, bottom }: DrawnRow) => bottom > inset && top < scroller.clientHeight
  let candidates = messages
    .slice(first, first + 2)
    .map((row) => drawn(row, above))
    .filter(inView)
  if (candidates.length === 0)
    candidates = rowsOf(scroller)
      .map((row) => drawn(row, above))
      .filter(inView)
  const row = candidates.find(({ top }) => top >= inset) ?? candidates.at(-1)
  return row === undefined ? null : { kind: 'row', key: row.key, top: row.top }
}

/** The first and the last message of which the beginning or the end is in view; null if there is none. */
export function messagesInView(
  scroller: HTMLElement,
  inset: number,
  beyond = 0,
): { first: number; last: number } | null {
  const { top: above } = scroller.getBoundingClientRect()
  const messages = messagesOf(scroller)
  const from = firstThat(messages, ({ bottom }) => bottom > above + inset - beyond)
  const to = firstThat(messages, ({ top }) => top >= above + scroller.clientHeight + beyond)
  const [first, last] = [messages[from], messages[to - 1]]
  return from >= to || first === undefined || last === undefined
    ? null
    : { first: Number(keyOf(first)), last: Number(keyOf(last)) }
}

/** The rows of sent and waiting messages of which the beginning or the end is in view, in order. */
export function rowsInView(scroller: HTMLElement, inset: number): HTMLElement[] {
  const { top, bottom } = scroller.getBoundingClientRect()
  return rowsOf(scroller).filter((row) => {
    if (!row.classList.contains('msg')) return false
    const box = row.getBoundingClientRect()
    return box.bottom > top + inset && box.top < bottom
  })
}

/** Scrolls so that the place is where it was; returns false if its row is not drawn. */
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

/** The element of a row; null if it is not drawn. */
export function drawnRow(scroller: HTMLElement, key: string): HTMLElement | null {
  return rowsOf(scroller).find((row) => keyOf(row) === key) ?? null
}

/** States each drawn message's position among all that are loaded, from 1, for screen readers. */
export function numberRows(scroller: HTMLElement, rows: readonly FeedRow[]): void {
  const messages = rows.filter(({ kind }) => kind === 'message' || kind === 'waiting')
  const positions = new Map(messages.map(({ key }, index) => [key, String(index + 1)]))
  for (const row of rowsOf(scroller)) {
    const position = row.tagName === 'ARTICLE' ? positions.get(keyOf(row) ?? '') : undefined
    if (position !== undefined && row.ariaPosInSet !== position) row.ariaPosInSet = position
  }
}
