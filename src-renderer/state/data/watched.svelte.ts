import { createSubscriber } from 'svelte/reactivity'
import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import { shareUnchanged } from './structural-sharing.ts'
import type { ParamsOf, QueryName, ResultOf } from '../../../src-shared/bridge/queries.ts'

/**
 * A bridge query as a reactive value. The watch is open exactly while some component reads `current`. Parts of a new
 * answer that did not change are the same objects as in the last one.
 */
export class Watched<N extends QueryName> {
  #value: ResultOf<N> | undefined
  readonly #subscribe: () => void

  constructor(bridge: Bridge, name: N, params: ParamsOf<N>) {
    const opening = bridge.opening(name, params)
    this.#value = opening?.value
    let fingerprint = opening?.fingerprint
    this.#subscribe = createSubscriber((update) => {
      const stop = bridge.watch(
        name,
        params,
        (value) => {
          const joined = shareUnchanged(this.#value, value)
          if (joined === this.#value) return
          this.#value = joined
          update()
        },
        { fingerprint },
      )
      // Only the first watch may continue from the opening answer's fingerprint; a later one must start afresh.
      fingerprint = undefined
      return stop
    })
  }

  /** Undefined until the first answer. */
  get current(): ResultOf<N> | undefined {
    this.#subscribe()
    return this.#value
  }
}
