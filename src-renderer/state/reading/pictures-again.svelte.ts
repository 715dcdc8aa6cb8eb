import { minuteMs } from '../../../src-shared/durations.ts'

/** The first wait after a picture was lost on a connection that still holds; it doubles each time. In milliseconds. */
const firstWaitMs = 2_000
const longestWaitMs = 5 * minuteMs

/** When pictures that could not be loaded are asked for again. */
class PicturesAgain {
  /** How often they were asked for. */
  times = $state(0)
  #answers = false
  #waitMs = firstWaitMs
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Servers answer, or have ceased to; when they are back, the pictures are asked for at once. */
  note(answers: boolean): void {
    this.#answers = answers
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#waitMs = firstWaitMs
    if (answers) this.times++
  }

  /** A picture got no answer. While servers seem to answer, it is asked for again after a while. */
  noAnswer(): void {
    if (!this.#answers || this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.times++
    }, this.#waitMs)
    this.#waitMs = Math.min(2 * this.#waitMs, longestWaitMs)
  }
}

export const picturesAgain = new PicturesAgain()
