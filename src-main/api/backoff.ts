import { minuteMs } from '../../src-shared/durations.ts'
import type { Failure } from '../../src-shared/failure.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'

const stepsMs = [2_000, 5_000, 15_000, 30_000, minuteMs] as const
const longestMs = minuteMs

/**
 * How long to wait before the next attempt, in milliseconds: 2, 5, 15, 30, 60 s after that many attempts, then always
 * 60 s. Plus or minus 10 % of jitter, so that devices that lost a server together do not come back together.
 */
export function retryDelayMs(attempts: number, clock: Pick<Clock, 'random'>): number {
  const step = stepsMs[Math.max(0, attempts - 1)] ?? longestMs
  return Math.round(step * (0.9 + 0.2 * clock.random()))
}

/** How long to wait after a failure, in milliseconds: as long as the server asks, or longer after each attempt. */
export const waitAfter = (failure: Failure, attempts: number, clock: Pick<Clock, 'random'>): number =>
  failure.kind === 'rateLimited' ? failure.retryAfterMs : retryDelayMs(attempts, clock)

/** The longest `Retry-After` of a server that is respected, in milliseconds. */
export const longestRetryMs = 15 * minuteMs

/**
 * Guards a stored point in time (epoch milliseconds) against a clock that was set back. It was at most `mostMs` ahead
 * when it was stored; if it is further ahead now, the clock was set back, and `now` is returned instead.
 */
export function unlessSetBack(at: number, now: number, mostMs = longestRetryMs): number {
  return at - now > mostMs ? now : at
}

/**
 * How long a server may still be working on a request after its connection broke, in milliseconds. Until then, a lookup
 * that finds nothing proves nothing, and the request may still take effect after one that is sent later.
 */
export const lingerMs = 5_000
