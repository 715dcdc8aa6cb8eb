import { untrack } from 'svelte'
import { failureOf, type Failure } from '../../src-shared/failure.ts'

/**
 * An answer that only the server has. It is asked for at once, and again whenever the connection is back, until there
 * is one. Create it while a component is created.
 */
export class FromServer<T> {
  #current = $state.raw<T | null>(null)
  #failure = $state.raw<Failure | null>(null)

  constructor(isOnline: () => boolean, ask: () => Promise<T>) {
    $effect(() => {
      isOnline()
      if (untrack(() => this.#current) !== null) return
      ask().then(
        (answer) => (this.#current = answer),
        (error: unknown) => (this.#failure = failureOf(error)),
      )
    })
  }

  /** Null until the answer is there. */
  get current(): T | null {
    return this.#current
  }

  /** Why there is no answer; null while none is known to be missing, and once there is one. */
  get failure(): Failure | null {
    return this.#current === null ? this.#failure : null
  }
}
