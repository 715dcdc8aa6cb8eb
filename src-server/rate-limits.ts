import type { FastifyReply } from 'fastify'
import { minuteMs } from '../src-shared/durations.ts'
import type { Clock } from '../src-shared/clock/clock.ts'
import { ServiceError } from './service-error.ts'

const windowMs = minuteMs
const loginWindowMs = 30 * minuteMs
const loginFailures = 5
/** How many names and addresses are remembered, so that strangers cannot fill the memory. */
const mostRemembered = 100_000

/**
 * Adds an entry as the newest, and forgets the oldest ones: those that are over, and more if there are too many to
 * remember.
 */
function remember<T>(entries: Map<string, T>, key: string, entry: T, isOver: (entry: T) => boolean): void {
  entries.delete(key)
  for (const [oldest, known] of entries) {
    if (!isOver(known) && entries.size < mostRemembered) break
    entries.delete(oldest)
  }
  entries.set(key, entry)
}

const tooMany = (waitMs: number) =>
  new ServiceError('RATE_LIMIT_HIT', 'API usage exceeded rate limit', { 'retry-after': waitMs / 1000 }, 429)

/** Prevents password guessing: five failures lock a name for half an hour. */
export class LoginAttempts {
  readonly #clock: Clock
  readonly #failures = new Map<string, { since: number; count: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Refuses a locked name, even with the right password. An attempt counts as failed until `succeeded` is called: to
   * check a password takes a while, in which others must not be tried for free.
   */
  begin(username: string): void {
    const key = username.toLowerCase()
    const known = this.#failures.get(key)
    const waitMs = known === undefined ? 0 : known.since + loginWindowMs - this.#clock.now()
    if (known !== undefined && waitMs > 0 && known.count >= loginFailures) throw tooMany(waitMs)
    if (known !== undefined && waitMs > 0) {
      known.count++
      return
    }
    const now = this.#clock.now()
    remember(this.#failures, key, { since: now, count: 1 }, ({ since }) => now - since >= loginWindowMs)
  }

  succeeded(username: string): void {
    this.#failures.delete(username.toLowerCase())
  }
}

/** Limits requests per minute and per person or address; sets the headers that report how many are left. */
export class RateLimits {
  readonly #clock: Clock
  readonly #perMinute: number | null
  readonly #windows = new Map<string, { startedAt: number; used: number }>()

  constructor(clock: Clock, perMinute: number | null) {
    this.#clock = clock
    this.#perMinute = perMinute
  }

  /** Counts one request; refuses it if the minute's allowance is used up. */
  spend(who: string, reply: FastifyReply): void {
    if (this.#perMinute === null) return
    const now = this.#clock.now()
    let window = this.#windows.get(who)
    if (window === undefined || now - window.startedAt >= windowMs) {
      window = { startedAt: now, used: 0 }
      remember(this.#windows, who, window, ({ startedAt }) => now - startedAt >= windowMs)
    }
    window.used++
    const left = this.#perMinute - window.used
    const waitMs = window.startedAt + windowMs - now
    reply.header('X-RateLimit-Limit', this.#perMinute)
    reply.header('X-RateLimit-Remaining', Math.max(0, left))
    reply.header('X-RateLimit-Reset', Math.ceil((now + waitMs) / 1000))
    if (left >= 0) return
    throw tooMany(waitMs)
  }
}
