/** The visible feed that can be searched, for the key that starts the search. */
class OpenFind {
  #openers: (() => void)[] = []

  /** Registers a search bar until the returned function is called; the newest is used. */
  offer(open: () => void): () => void {
    this.#openers.push(open)
    return () => {
      this.#openers = this.#openers.filter((one) => one !== open)
    }
  }

  /** Whether there is a feed to search. */
  get isOffered(): boolean {
    return this.#openers.length > 0
  }

  /** Returns whether there was a feed to search. */
  open(): boolean {
    this.#openers.at(-1)?.()
    return this.#openers.length > 0
  }
}

export const openFind = new OpenFind()
