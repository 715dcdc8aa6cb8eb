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
  /** The same; null until the server has told its own. */
  heardNow(): number | null
}

/** By so much the time that is known may differ from the `Date` of an answer, in milliseconds. */
const roughMs = 60 * 1_000
/** The last moment that a `Date` can hold. */
const lastMoment = 8.64e15

export function createServerTime(now: () => number): ServerTime {
  let offsetMs = 0
  let isKnown = false
  const learn = (serverSeconds: number) => {
    offsetMs = Math.round(now() - serverSeconds * 1_000)
    isKnown = true
  }
  return {
    learn(serverSeconds) {
      if (serverSeconds !== undefined) learn(serverSeconds)
    },
    hear(date) {
      const serverMs = Date.parse(date ?? '')
      const isFarOff = !isKnown || Math.abs(now() - offsetMs - serverMs) > roughMs
      if (Number.isFinite(serverMs) && isFarOff) learn(serverMs / 1_000)
    },
    now: () => now() - offsetMs,
    heardNow: () => (isKnown ? now() - offsetMs : null),
    local: (serverSeconds) =>
      serverSeconds <= 0 ? 0 : Math.min(Math.round(serverSeconds * 1_000 + offsetMs), lastMoment),
  }
}
