import { untrack } from 'svelte'
import type { SearchSession } from '../search/search-session.svelte.ts'
import { pages } from '../pages.ts'

/**
 * The search of a window: one, so that a person who comes back from a result finds it as it was. It begins, and its code
 * is loaded, when the person searches first.
 */
export class OpenSearch {
  readonly #begin: (Session: typeof SearchSession) => SearchSession
  #session = $state.raw<SearchSession | null>(null)

  constructor(begin: (Session: typeof SearchSession) => SearchSession) {
    this.#begin = begin
  }

  /** Null until something was searched for. */
  get session(): SearchSession | null {
    return this.#session
  }

  /** Shows the search that an address contains. To be called in an effect, which runs again once the code is loaded. */
  show(text: string): void {
    const Session = pages.searchSession.view
    if (Session === null) return
    untrack(() => {
      // It outlives the effect.
      if (this.#session === null) $effect.root(() => void (this.#session = this.#begin(Session)))
      this.#session?.show(text)
    })
  }
}
