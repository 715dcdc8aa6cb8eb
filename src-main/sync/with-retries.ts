import { minuteMs } from '../../src-shared/durations.ts'
import { failureOf, isTransient, type Failure } from '../../src-shared/failure.ts'
import { waitAfter } from '../api/backoff.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import type { Alarm } from '../../src-shared/clock/alarm.ts'
import type { Link } from './link.ts'

/** How many unreadable answers are tolerated: a proxy may answer with a page of its own for a while. */
const mostMalformed = 5
/** How long work that ended with unreadable answers rests before the next try. */
export const unreadableRestMs = 5 * minuteMs

/** What retries need from the other parts of sync. */
export interface RetryParts {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly link: Link
  readonly alarm: Alarm
}

/**
 * Makes a request until the server answers, with backoff, as long as the account is online.
 *
 * - 'gone': the account is offline or has ended.
 * - A failure of kind rejected: the server refuses.
 * - A failure of kind malformed: five answers could not be read, which says nothing about the next one.
 *
 * Rejects with any failure that is not the server's.
 */
export async function withRetries(
  { clock, signal, link, alarm }: RetryParts,
  ask: () => Promise<unknown>,
): Promise<'done' | 'gone' | Failure> {
  let malformed = 0
  for (let attempts = 1; ; attempts++) {
    if (signal.aborted || link.state.status !== 'online') return 'gone'
    try {
      await ask()
      return signal.aborted ? 'gone' : 'done'
    } catch (error) {
      if (signal.aborted) return 'gone'
      const failure = failureOf(error)
      if (failure.kind === 'rejected') return failure
      if (failure.kind === 'malformed') {
        if (++malformed >= mostMalformed) return failure
      } else if (!isTransient(failure)) throw error
      await alarm.pause(waitAfter(failure, attempts, clock))
    }
  }
}
