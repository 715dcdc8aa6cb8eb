const stepsMs = [2_000, 5_000, 15_000, 30_000, 60_000] as const
const longestMs = 60_000

/**
 * How long to wait before trying again, by how often it was tried: 2, 5, 15, 30, 60 s, then every 60 s, with up to
 * a fifth of jitter so that devices that lost a server together do not come back together.
 */
export function retryDelayMs(attempts: number, random: () => number): number {
  const step = stepsMs[Math.max(0, attempts - 1)] ?? longestMs
  return Math.round(step * (0.9 + 0.2 * random()))
}

/** The longest that a server's own wish is followed. */
export const longestRetryMs = 15 * 60 * 1_000

/**
 * A moment (epoch milliseconds) to wait for that was noted earlier and lay at most `mostMs` ahead then. When it lies
 * further ahead now, the clock was set back meanwhile and it has come.
 */
export function unlessSetBack(at: number, now: number, mostMs = longestRetryMs): number {
  return at - now > mostMs ? now : at
}

/**
 * How long a server may still be at work on a request whose connection broke, in milliseconds. Until then its not
 * having something proves nothing, and whatever is sent meanwhile may be overtaken by what was sent before.
 */
export const lingerMs = 5_000
