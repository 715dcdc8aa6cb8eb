import { setImmediate as turn } from 'node:timers/promises'

/** Time and randomness. The engine and the service have them from here only, so that tests control both. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Resolves after `ms` milliseconds, or at once if `signal` aborts; never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>
  /** From 0 (included) to 1 (excluded), for jitter and ids. */
  random(): number
}

/** The longest delay that `setTimeout` supports; a longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1

/** The machine's clock and random numbers. Waits have the right length even if the clock is set in the meantime. */
export const systemClock: Clock = {
  now: () => Date.now(),
  wait: async (ms, signal) => {
    for (let left = ms; left > 0 && !signal.aborted; left -= longestTimerMs) {
      await sleepUntil(Math.min(left, longestTimerMs), signal)
    }
    // Even a wait of 0 yields to the event loop.
    if (ms <= 0) await turn()
  },
  random: Math.random,
}

/**
 * Resolves early if the signal aborts. It does not reject, because each keystroke aborts a wait and errors are
 * expensive.
 */
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
