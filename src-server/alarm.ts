/** Wakes `runSchedule` when something new may be due before what it waits for. */
export class Alarm {
  #ring = new AbortController()

  ring(): void {
    this.#ring.abort()
  }

  /** Aborts at the next ring. */
  next(): AbortSignal {
    if (this.#ring.signal.aborted) this.#ring = new AbortController()
    return this.#ring.signal
  }
}
