import { isInPage } from './in-page.ts'

const retryMs = 1_000

/** A component that is loaded when it is first wanted, or before. */
export class Lazy<C> {
  #view = $state.raw<C | null>(null)
  #isWanted = false
  readonly #load: () => Promise<{ readonly default: C }>

  constructor(load: () => Promise<{ readonly default: C }>) {
    this.#load = load
  }

  /** Null until it is there; reading it has it loaded. */
  get view(): C | null {
    this.fetch()
    return this.#view
  }

  /** Null until it is there, without a wish to have it. */
  get loaded(): C | null {
    return this.#view
  }

  /** Has it loaded, so that it is there when it is wanted. Where the app's own files cannot be read, it goes on trying. */
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
