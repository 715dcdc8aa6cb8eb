import { setTimeout as sleep } from 'node:timers/promises'
import type { ManualClock } from './clock.ts'

const patienceMs = 45_000

/**
 * Waits until something is true; fails with `describe` when it never becomes so. A manual clock is moved on meanwhile,
 * by `stepMs` at a time.
 */
export async function eventually(
  isTrue: () => boolean,
  options: { clock?: ManualClock; stepMs?: number; describe?: () => unknown } = {},
): Promise<void> {
  const { clock, stepMs = 100, describe = () => isTrue.toString() } = options
  const end = Date.now() + patienceMs
  while (!isTrue()) {
    if (Date.now() > end) throw new Error(`never became true: ${JSON.stringify(describe())}`)
    if (clock !== undefined) await clock.advance(stepMs)
    await sleep(2)
  }
}
