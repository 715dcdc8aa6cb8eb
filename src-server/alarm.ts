/** Wakes `runSchedule` when something new may be due before what it waits for. */
export class Alarm {
  #ring = new AbortController()

  ring(): void {
    // With a reason: without one, each call creates an error that nobody reads, which costs as much as several
    // statements.
    if (!this.#ring.signal.aborted) this.#ring.abort('rung')
  }

  /** Aborts at the next ring. */
  next(): AbortSignal {
    if (this.#ring.signal.aborted) this.#ring = new AbortController()
    return this.#ring.signal
  }
}
