import { untrack } from 'svelte'
import { failureOf, type Failure } from '../../../src-shared/failure.ts'

/** How long until an answer that was lost on the way is asked for again, in milliseconds. */
const againMs = 2_000

/**
 * An answer that only the server has. It is asked for at once, again whenever the connection is back, and again after a
 * while if it was lost on a connection that still holds, until there is one that `isFinal`. Once that is about another
 * `basis` than there is now, it is asked for anew and shown until then. Create it while a component is created.
 */
export class FromServer<T> {
  #current = $state.raw<T | null>(null)
  #failure = $state.raw<Failure | null>(null)
  #tries = $state(0)

  /** What the final answer is about. */
  #answered: unknown

  constructor(
    isOnline: () => boolean,
    ask: () => Promise<T>,
    isFinal: (answer: T) => boolean = () => true,
    basis: () => unknown = () => undefined,
  ) {
    $effect(() => {
      const online = isOnline()
      const about = basis()
      void this.#tries
      const here = untrack(() => this.#current)
      if (here !== null && isFinal(here) && this.#answered === about) return
      let timer: ReturnType<typeof setTimeout> | undefined
      let isOver = false
      untrack(ask).then(
        (answer) => {
          const known = this.#current
          if (online && !isOver && !isFinal(answer)) timer = setTimeout(() => this.#tries++, againMs)
          // An answer to an earlier question may come after that to a later one.
          if (known !== null && isFinal(known) && (isOver || !isFinal(answer))) return
          this.#current = answer
          this.#answered = about
        },
        (error: unknown) => {
          this.#failure = failureOf(error)
          if (online && !isOver && this.#failure.kind === 'offline')
            timer = setTimeout(() => this.#tries++, againMs)
        },
      )
      return () => {
        isOver = true
        clearTimeout(timer)
      }
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
