import { setTimeout as sleep } from 'node:timers/promises'
import type { Bridge } from '../../src-shared/bridge/connect.ts'
import type { ParamsOf, QueryName, ResultOf } from '../../src-shared/bridge/queries.ts'
import type { ManualClock } from '../fakes/clock.ts'

/** How long what is waited for may take, in milliseconds. */
const usualPatienceMs = 45_000

/**
 * Waits until the answer of a query is as wanted. It fails after a time limit, 45 seconds by default, and reports the
 * last answer and the log. A manual clock is moved on meanwhile.
 */
export async function untilAnswer<N extends QueryName>(
  bridge: Bridge,
  name: N,
  params: ParamsOf<N>,
  isWanted: (value: ResultOf<N>) => boolean,
  options: {
    readonly patienceMs?: number
    readonly clock?: ManualClock | undefined
    readonly log?: readonly string[]
  } = {},
): Promise<ResultOf<N>> {
  const { patienceMs = usualPatienceMs, clock, log = [] } = options
  const over = new AbortController()
  const wanted = new Promise<ResultOf<N>>((resolve, reject) => {
    let last: unknown
    const timer = setTimeout(() => {
      const seen = JSON.stringify(last)?.slice(0, 2_000)
      reject(new Error([`${name} never became as wanted; last: ${seen}`, ...log].join('\n')))
    }, patienceMs)
    const stop = bridge.watch(
      name,
      params,
      (value) => {
        last = value
        if (isWanted(value)) resolve(value)
      },
      { onFailure: (failure) => reject(new Error(failure.message)) },
    )
    over.signal.addEventListener('abort', () => {
      clearTimeout(timer)
      stop()
    })
  })
  const moving = clock === undefined ? null : moveOn(clock, over.signal)
  try {
    return await (moving === null ? wanted : Promise.race([wanted, moving.then(() => wanted)]))
  } finally {
    over.abort('done')
    await moving
  }
}

async function moveOn(clock: ManualClock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.advance(200)
    await sleep(2)
  }
}

/**
 * Waits until something is true; fails with `describe` when it never becomes so. A manual clock is moved on meanwhile,
 * by `stepMs` at a time.
 */
export async function eventually(
  isTrue: () => boolean,
  options: { clock?: ManualClock; stepMs?: number; describe?: () => unknown } = {},
): Promise<void> {
  const { clock, stepMs = 100, describe = () => isTrue.toString() } = options
  const end = Date.now() + usualPatienceMs
  while (!isTrue()) {
    if (Date.now() > end) throw new Error(`never became true: ${JSON.stringify(describe())}`)
    if (clock !== undefined) await clock.advance(stepMs)
    await sleep(2)
  }
}
