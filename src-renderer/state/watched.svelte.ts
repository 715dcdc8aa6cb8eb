import { createSubscriber } from 'svelte/reactivity'
import type { Bridge } from '../../src-shared/bridge/connect.ts'
import { keptParts } from './kept-parts.ts'
import type { ParamsOf, QueryName, ResultOf } from '../../src-shared/bridge/queries.ts'

/**
 * A bridge query as a reactive value. The watch is open exactly while some component reads `current`; what did not
 * change in a new answer are the very objects of the last one.
 */
export class Watched<N extends QueryName> {
  #value: ResultOf<N> | undefined
  readonly #subscribe: () => void

  constructor(bridge: Bridge, name: N, params: ParamsOf<N>) {
    const opening = bridge.opening(name, params)
    this.#value = opening?.value
    let mark = opening?.mark
    this.#subscribe = createSubscriber((update) => {
      const stop = bridge.watch(
        name,
        params,
        (value) => {
          const joined = keptParts(this.#value, value)
          if (joined === this.#value) return
          this.#value = joined
          update()
        },
        undefined,
        mark,
      )
      // A second watch would go on from what the first one brought.
      mark = undefined
      return stop
    })
  }

  /** Undefined until the first answer. */
  get current(): ResultOf<N> | undefined {
    this.#subscribe()
    return this.#value
  }
}
