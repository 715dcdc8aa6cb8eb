/** What the visible parts of the window offer to code outside them, until they withdraw it. */
export class Offers<T> {
  #newestFirst: readonly T[] = []

  /** Offers something until the returned function is called. */
  add(offer: T): () => void {
    this.#newestFirst = [offer, ...this.#newestFirst]
    return () => {
      this.#newestFirst = this.#newestFirst.filter((one) => one !== offer)
    }
  }

  get newest(): T | undefined {
    return this.#newestFirst[0]
  }

  /** The newest comes first. */
  get all(): readonly T[] {
    return this.#newestFirst
  }
}
