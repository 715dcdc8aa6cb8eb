import { untrack } from 'svelte'

/**
 * The last known answer of something that is asked again and again: it stays until the next one arrives, so that
 * nothing flickers. Create it while a component is created.
 */
export class LastAnswer<T> {
  #current = $state.raw<T | null>(null)

  /** `answer`: undefined while the present one is unknown. */
  constructor(answer: () => T | undefined) {
    this.#current = untrack(answer) ?? null
    $effect.pre(() => {
      const present = answer()
      if (present !== undefined) this.#current = present
    })
  }

  /** Null until the first answer. */
  get current(): T | null {
    return this.#current
  }
}
