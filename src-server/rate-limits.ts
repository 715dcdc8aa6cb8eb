import type { FastifyReply } from 'fastify'
import type { Clock } from './clock.ts'
import { ServiceError } from './service-error.ts'

const windowMs = 60_000
const loginWindowMs = 30 * 60_000
const loginFailures = 5
/** How many names and addresses are remembered, so that strangers cannot fill the memory. */
const mostRemembered = 100_000

const tooMany = (waitMs: number) =>
  new ServiceError('RATE_LIMIT_HIT', 'API usage exceeded rate limit', { 'retry-after': waitMs / 1000 }, 429)

/** Prevents password guessing: five failures lock a name for half an hour. */
export class LoginAttempts {
  readonly #clock: Clock
  readonly #failures = new Map<string, { since: number; count: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Refuses a locked name, even with the right password. */
  assertMayTry(username: string): void {
    const known = this.#failures.get(username.toLowerCase())
    if (known === undefined) return
    const waitMs = known.since + loginWindowMs - this.#clock.now()
    if (waitMs <= 0) this.#failures.delete(username.toLowerCase())
    else if (known.count >= loginFailures) throw tooMany(waitMs)
  }

  failed(username: string): void {
    const key = username.toLowerCase()
    if (this.#failures.size >= mostRemembered) this.#failures.clear()
    const known = this.#failures.get(key) ?? { since: this.#clock.now(), count: 0 }
    this.#failures.set(key, { ...known, count: known.count + 1 })
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
    if (this.#windows.size >= mostRemembered && window === undefined) this.#windows.clear()
    if (window === undefined || now - window.startedAt >= windowMs) {
      window = { startedAt: now, used: 0 }
      this.#windows.set(who, window)
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
