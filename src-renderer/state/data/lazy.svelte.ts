import { isInPage } from '../in-page.ts'

const retryMs = 1_000

/** A component that is loaded when it is first needed, or earlier. */
export class Lazy<C> {
  #view = $state.raw<C | null>(null)
  #isWanted = false
  readonly #load: () => Promise<{ readonly default: C }>

  constructor(load: () => Promise<{ readonly default: C }>) {
    this.#load = load
  }

  /** Null until it is loaded; reading it starts the load. */
  get view(): C | null {
    this.fetch()
    return this.#view
  }

  /** Null until it is loaded; reading it does not start the load. */
  get loaded(): C | null {
    return this.#view
  }

  /** Loads it in advance. If the app's own files cannot be read, it keeps trying. */
  fetch(): void {
    if (this.#isWanted || !isInPage) return
    this.#isWanted = true
    const attempt = () => {
      this.#load().then(
        ({ default: view }) => (this.#view = view),
        () => setTimeout(attempt, retryMs),
      )
    }
    attempt()
  }
}
