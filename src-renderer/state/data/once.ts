import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { ParamsOf, QueryName, ResultOf } from '../../../src-shared/bridge/queries.ts'

/** The current answer of a query, once. */
export function once<N extends QueryName>(
  bridge: Bridge,
  name: N,
  params: ParamsOf<N>,
): Promise<ResultOf<N>> {
  return new Promise((resolve, reject) => {
    const stop = bridge.watch(
      name,
      params,
      (value) => {
        resolve(value)
        queueMicrotask(() => stop())
      },
      { onFailure: reject },
    )
  })
}
