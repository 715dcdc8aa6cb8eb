import type { FeedRow } from './feed-rows.ts'
import { afterPaint, fillsView, grownPart, keptPart, nearPart, type RowsPart } from './rows-part.ts'

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
    const isFar = farEnds(scroller)
    return () => keptPart({ rows, part }, this.#parts.rows(), isFar)
  }

  /** The reader scrolled: if they come near rows that are left, the next ones are drawn at once. */
  scrolled(): void {
    const { part } = this
    const scroller = this.#parts.scroller()
    if (part === null || scroller === null) return
    const isFar = farEnds(scroller)
    if ((part.from === 0 || isFar.above) && (this.reachesEnd || isFar.below)) return
    this.#parts.draw(() => this.show(nearPart(part, this.#parts.rows().length, isFar)))
    this.finish({ urgent: true })
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

/** Which ends of what is drawn are so far out of view that no reader gets there within some frames. */
function farEnds({ scrollTop, scrollHeight, clientHeight }: HTMLElement): { above: boolean; below: boolean } {
  const far = clientHeight / 2
  return { above: scrollTop > far, below: scrollHeight - scrollTop - clientHeight > far }
}
