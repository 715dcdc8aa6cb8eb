import { setImmediate as turn } from 'node:timers/promises'
import type { Platform } from '../engine/platform.ts'

/** A longer timer would end at once. */
const longestTimerMs = 2 ** 31 - 1

/** The machine's own time and chance. Waits last what they say also when the clock is set meanwhile. */
export const realClock: Pick<Platform, 'now' | 'wait' | 'random'> = {
  now: () => Date.now(),
  wait: async (ms, signal) => {
    for (let left = ms; left > 0 && !signal.aborted; left -= longestTimerMs) {
      await sleepUntil(Math.min(left, longestTimerMs), signal)
    }
    // Also a wait of nothing lets others run.
    if (ms <= 0) await turn()
  },
  random: Math.random,
}

/** Ends early without an error when the signal aborts: waits are cut short at each key, and an error knows where it was made. */
const sleepUntil = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
