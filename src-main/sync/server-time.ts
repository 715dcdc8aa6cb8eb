import { minuteMs } from '../../src-shared/durations.ts'

/**
 * Converts times of the server's clock into times of this device's clock. Neither clock is trusted to be right, so the
 * two are never compared: "20 seconds before the server's now" becomes 20 seconds before ours.
 */
export interface ServerTime {
  /** Tells what the server's clock shows now, in seconds. */
  learn(serverSeconds: number | undefined): void
  /**
   * Tells the `Date` of an answer. It has whole seconds and was on its way for a while, so it only corrects a time that
   * is unknown or far off.
   */
  hear(date: string | undefined): void
  /** Epoch milliseconds of this device; 0, which means never, stays 0. */
  local(serverSeconds: number): number
  /** What the server's clock shows now, in epoch milliseconds; this device's time until the server has told its own. */
  now(): number
  /**
   * The same; null until the server has told its own, and again when this device's clock was set, or the device slept,
   * since it did.
   */
  heardNow(): number | null
}

/** By so much the time that is known may differ from the `Date` of an answer, in milliseconds. */
const roughMs = minuteMs
/** The last moment that a `Date` can hold. */
const lastMoment = 8.64e15

/** `now` returns epoch milliseconds; `elapsed` milliseconds that no change of the clock affects. */
export function createServerTime(now: () => number, elapsed = () => performance.now()): ServerTime {
  let offsetMs = 0
  /** Both when the server last told its time; null if it never did. */
  let told: { readonly now: number; readonly elapsed: number } | null = null
  const learn = (serverSeconds: number) => {
    told = { now: now(), elapsed: elapsed() }
    offsetMs = Math.round(told.now - serverSeconds * 1_000)
  }
  const isSure = () => told !== null && Math.abs(now() - told.now - (elapsed() - told.elapsed)) <= roughMs
  return {
    learn(serverSeconds) {
      if (serverSeconds !== undefined) learn(serverSeconds)
    },
    hear(date) {
      const serverMs = Date.parse(date ?? '')
      const isFarOff = !isSure() || Math.abs(now() - offsetMs - serverMs) > roughMs
      if (Number.isFinite(serverMs) && isFarOff) learn(serverMs / 1_000)
    },
    now: () => now() - offsetMs,
    heardNow: () => (isSure() ? now() - offsetMs : null),
    local: (serverSeconds) =>
      serverSeconds <= 0 ? 0 : Math.min(Math.round(serverSeconds * 1_000 + offsetMs), lastMoment),
  }
}
