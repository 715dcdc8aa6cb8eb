import { Offers } from '../offers.ts'

/** The visible feed that can be searched, for the key that starts the search. */
class OpenFind {
  readonly #openers = new Offers<() => void>()

  /** Registers a search bar until the returned function is called; the newest is used. */
  offer(open: () => void): () => void {
    return this.#openers.add(open)
  }

  /** Whether there is a feed to search. */
  get isOffered(): boolean {
    return this.#openers.newest !== undefined
  }

  /** Returns whether there was a feed to search. */
  open(): boolean {
    this.#openers.newest?.()
    return this.isOffered
  }
}

export const openFind = new OpenFind()
