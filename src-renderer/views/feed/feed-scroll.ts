import { drawnRow, isAtEnd, placeOf, restorePlace, type Place } from './feed-place.ts'

/** Where a feed has to scroll as soon as the row is drawn. */
export type Wanted =
  | { readonly kind: 'end' }
  | { readonly kind: 'beginning' }
  | { readonly kind: 'row'; readonly key: string; readonly at: 'top' | 'middle' | number }

/** The height of the bar that stays at the top, and a small margin, pixels. */
export const barInset = 56

/**
 * Keeps a scrolled feed where its reader is looking.
 *
 * 1. The row that the reader is looking at keeps its height on screen, whatever changes elsewhere.
 * 2. A reader at the end stays at the end.
 * 3. The feed scrolls to a wanted row once it is there, before the next paint.
 */
export class FeedScroll {
  #scroller: HTMLElement | null = null
  #place: Place | null = null
  /** The scroll position when the place was measured. */
  #placeAt = 0
  /** What the reader was looking at when it was last measured, and the scroll position then. */
  #seen: Place | null = null
  #seenAt = 0
  #wanted: Wanted | null = null
  #held: string | null = null
  /** The end on screen is the end of the feed, and it was in view when it was last measured. */
  #sticks = false
  #isNewestHere = false

  /** Manages an element until the returned function is called. */
  attach(scroller: HTMLElement, content: HTMLElement): () => void {
    this.#scroller = scroller
    // A picture arrived, a text was opened, or the window became narrower: corrected before it is painted.
    const observer = new ResizeObserver(() => {
      this.#catchUp(scroller)
      this.#note(scroller)
    })
    observer.observe(scroller)
    observer.observe(content)
    return () => {
      observer.disconnect()
      this.#scroller = null
    }
  }

  get isSticking(): boolean {
    return this.#sticks
  }

  /** Scrolls to a place as soon as it is drawn; null cancels that and releases the held row. */
  want(wanted: Wanted | null): void {
    this.#wanted = wanted
    this.#held = null
  }

  /** Holds a row: as long as it is in view, it is the one that stays, until the reader moves on. */
  hold(key: string): void {
    this.#held = key
  }

  /** The reader scrolled. */
  scrolled(): void {
    if (this.#scroller === null) return
    this.#catchUp(this.#scroller)
    this.#note(this.#scroller)
  }

  /** Sizes may have changed since the last measurement; only scrolling since then counts as the reader's movement. */
  #catchUp(scroller: HTMLElement): void {
    const scrolled = scroller.scrollTop - this.#seenAt
    if (this.#sticks) {
      if (scrolled >= 0) scroller.scrollTop = scroller.scrollHeight
    } else if (this.#seen?.kind === 'row') {
      restorePlace(scroller, { ...this.#seen, top: this.#seen.top - scrolled })
    }
  }

  /** To be called just before the rows change. Until `after`, further calls do nothing. */
  before(): void {
    if (this.#scroller === null || this.#place !== null) return
    this.#catchUp(this.#scroller)
    this.#place = this.#sticks ? { kind: 'end' } : this.#placeIn(this.#scroller)
    this.#placeAt = this.#scroller.scrollTop
  }

  /**
   * To be called just after the rows have changed. `isNewestHere`: the last row is the feed's newest message. `holdAt`:
   * the row that is not pushed out of the window by what comes below it, because nobody is looking.
   */
  after(isNewestHere: boolean, holdAt: string | null): void {
    const scroller = this.#scroller
    if (scroller === null) return
    this.#isNewestHere = isNewestHere
    if (this.#wanted !== null && this.#goTo(scroller, this.#wanted)) this.#wanted = null
    else if (this.#place !== null) {
      restorePlace(scroller, this.#place)
      const held = this.#place.kind === 'end' && holdAt !== null ? drawnRow(scroller, holdAt) : null
      const above = held === null ? 0 : topOf(scroller, held) - barInset
      // A row that was above the window before is not brought back. Browsers round scroll positions.
      const wasInView = above + scroller.scrollTop > this.#placeAt - 1
      if (above < 0 && wasInView) scroller.scrollTop += above
    }
    this.#place = null
    this.#note(scroller)
  }

  #placeIn(scroller: HTMLElement): Place | null {
    const row = this.#held === null ? null : drawnRow(scroller, this.#held)
    const top = row === null ? -1 : topOf(scroller, row)
    return this.#held !== null && top >= barInset && top < scroller.clientHeight
      ? { kind: 'row', key: this.#held, top }
      : placeOf(scroller, barInset)
  }

  #note(scroller: HTMLElement): void {
    this.#sticks = this.#isNewestHere && isAtEnd(scroller)
    this.#seen = this.#sticks ? null : this.#placeIn(scroller)
    this.#seenAt = scroller.scrollTop
  }

  #goTo(scroller: HTMLElement, wanted: Wanted): boolean {
    if (wanted.kind !== 'row') {
      scroller.scrollTop = wanted.kind === 'end' ? scroller.scrollHeight : 0
      return true
    }
    const row = drawnRow(scroller, wanted.key)
    if (row === null) return false
    const free = scroller.clientHeight - row.offsetHeight
    const top =
      wanted.at === 'top'
        ? barInset
        : wanted.at === 'middle'
          ? Math.max(barInset, Math.min(free / 2, scroller.clientHeight / 3))
          : wanted.at
    scroller.scrollTop += topOf(scroller, row) - top
    return true
  }
}

const topOf = (scroller: HTMLElement, row: HTMLElement): number =>
  row.getBoundingClientRect().top - scroller.getBoundingClientRect().top
