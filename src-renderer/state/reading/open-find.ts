import { untrack } from 'svelte'
import type { AccountId } from '../../../src-shared/ids.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { addressOf, isFeedOpen, route, type Route } from '../navigation/route.svelte.ts'
import { Offers } from '../offers.ts'

/** The visible feed that can be searched, for the key that starts the search. */
class OpenFind {
  readonly #openers = new Offers<() => void>()
  /** The address of the place that is searched when it appears; null if none is awaited. */
  #awaited: string | null = null

  /** Registers a search bar until the returned function is called; the newest is used. */
  offer(open: () => void): () => void {
    const current = untrack(() => route.current)
    if (this.#awaited !== null && current !== null && addressOf(current) === this.#awaited)
      queueMicrotask(open)
    this.#awaited = null
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

  /** Searches the feed of a narrow: at once if it is open, otherwise when it appears, unless another appears first. */
  openIn(accountId: AccountId, narrow: Narrow): void {
    if (isFeedOpen(accountId, narrow) && this.open()) return
    const place: Route = { view: 'feed', accountId, narrow, near: null }
    const address = addressOf(place)
    this.#awaited = address
    route.go(place)
    // Whoever goes on before it appears no longer waits for it.
    let changes = 0
    const stop = route.beforeChange(() => {
      if (++changes === 1) return
      if (this.#awaited === address) this.#awaited = null
      stop()
    })
  }
}

export const openFind = new OpenFind()
