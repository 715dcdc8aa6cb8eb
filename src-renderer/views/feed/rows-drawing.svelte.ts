import { isAtEnd } from './feed-place.ts'
import type { FeedRow } from './feed-rows.ts'
import { afterPaint, fillsView, grownPart, keptPart, type RowsPart } from './rows-part.ts'

interface DrawingParts {
  scroller(): HTMLElement | null
  rows(): readonly FeedRow[]
  /** Draws after `change`, with what the reader is looking at in place. */
  draw(change: () => void): void
  /** Called whenever all rows are drawn from then on. */
  whenAll(): void
}

/**
 * Which of a feed's rows are drawn: at first those that fill the view, then a few more in each frame, so that no frame
 * takes long. What is in view is always drawn.
 */
export class RowsDrawing {
  /** Null for all rows. */
  part = $state.raw<RowsPart | null>(null)
  readonly #parts: DrawingParts
  #stopWaiting = () => {}

  constructor(parts: DrawingParts) {
    this.#parts = parts
  }

  /** More rows are left than the next frame draws. */
  get isBusy(): boolean {
    return this.part !== null && grownPart(this.part, this.#parts.rows().length) !== null
  }

  /** The last row is drawn. */
  get reachesEnd(): boolean {
    return this.part === null || this.part.to === this.#parts.rows().length
  }

  /** Notes what is drawn, before the rows change; the returned function says which part of the changed rows to draw. */
  before(): () => RowsPart | null {
    const { part } = this
    const rows = this.#parts.rows()
    const scroller = this.#parts.scroller()
    if (scroller === null) return () => null
    const outOfView = { above: scroller.scrollTop > 1, below: !isAtEnd(scroller) }
    const near = nearEnds(scroller)
    return () => {
      const now = this.#parts.rows()
      const kept = keptPart({ rows, part }, now, outOfView)
      const isNear = kept !== null && ((kept.from > 0 && near.above) || (kept.to < now.length && near.below))
      if (!isNear) return kept
      // More than what goes where rows come before it: the note above all of them, the day of the first. With less above,
      // what is read could not stay where it is.
      const grown = grownPart(kept, now.length)
      return grown === null ? null : grownPart(grown, now.length)
    }
  }

  /**
   * Draws rows that are left at once until the reader is not near any, but no more: all of them together would take
   * longer than a frame.
   */
  reach(): void {
    const scroller = this.#parts.scroller()
    let { part } = this
    if (scroller === null || part === null || !this.#isNear(scroller, part)) return
    while (part !== null && this.#isNear(scroller, part)) {
      const grown: RowsPart | null = grownPart(part, this.#parts.rows().length)
      this.#parts.draw(() => this.show(grown))
      part = this.part
    }
    this.finish({ urgent: true })
  }

  #isNear(scroller: HTMLElement, { from, to }: RowsPart): boolean {
    const near = nearEnds(scroller)
    return (from > 0 && near.above) || (to < this.#parts.rows().length && near.below)
  }

  /** Decides which rows are drawn, and forgets the rest of another decision. */
  show(part: RowsPart | null): void {
    this.stop()
    this.part = part
    if (part === null) this.#parts.whenAll()
  }

  /**
   * Draws the rows that are left: after each paint some, at once if they would be in view. Rows of a feed that opens are
   * not `urgent`: its reader may go elsewhere.
   */
  finish(when: { readonly urgent: boolean }): void {
    const { part } = this
    if (part === null) return
    const { scroller, rows, draw } = this.#parts
    const drawNext = (next: RowsPart | null) => {
      // What is under way is not to be cancelled: nobody would learn of its errors.
      this.#stopWaiting = () => {}
      draw(() => this.show(next))
      // Nobody can go further than what is drawn, so the rest follows soon.
      this.finish({ urgent: true })
    }
    const element = scroller()
    if (element === null || !fillsView(element, part, rows())) drawNext(null)
    else this.#stopWaiting = afterPaint(() => drawNext(grownPart(part, rows().length)), when)
  }

  stop(): void {
    this.#stopWaiting()
    this.#stopWaiting = () => {}
  }
}

/** Which ends of what is drawn come into view within some frames of scrolling. */
function nearEnds({ scrollTop, scrollHeight, clientHeight }: HTMLElement): {
  above: boolean
  below: boolean
} {
  const near = clientHeight / 2
  return { above: scrollTop <= near, below: scrollHeight - scrollTop - clientHeight <= near }
}
