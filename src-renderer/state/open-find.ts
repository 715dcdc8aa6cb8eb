/** The feed on screen in which something can be found, for the key that asks for it. */
class OpenFind {
  #openers: (() => void)[] = []

  /** Offers to open what finds, until the returned function is called; the newest is used. */
  offer(open: () => void): () => void {
    this.#openers.push(open)
    return () => {
      this.#openers = this.#openers.filter((one) => one !== open)
    }
  }

  /** Answers whether there was a feed to find in. */
  open(): boolean {
    this.#openers.at(-1)?.()
    return this.#openers.length > 0
  }
}

export const openFind = new OpenFind()
