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

  /** Notes what is drawn, before the rows change; the returned function says which part of the changed rows to draw. */
  before(): () => RowsPart | null {
    const { part } = this
    const rows = this.#parts.rows()
    const scroller = this.#parts.scroller()
    if (scroller === null) return () => null
    const { scrollTop, scrollHeight, clientHeight } = scroller
    // No reader gets so far within some frames.
    const far = clientHeight / 2
    const isFar = { above: scrollTop > far, below: scrollHeight - scrollTop - clientHeight > far }
    return () => keptPart({ rows, part }, this.#parts.rows(), isFar)
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
      this.finish(when)
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
