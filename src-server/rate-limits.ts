import type { FastifyReply } from 'fastify'
import type { Clock } from './event-queues.ts'
import { ServiceError } from './service-error.ts'

const windowMs = 60_000

/** Requests per minute of one person or address, with the headers that say how many are left. */
export class RateLimits {
  readonly #clock: Clock
  readonly #perMinute: number | null
  readonly #windows = new Map<string, { startedAt: number; used: number }>()

  constructor(clock: Clock, perMinute: number | null) {
    this.#clock = clock
    this.#perMinute = perMinute
  }

  /** Counts one request; refuses it when the minute's are used up. */
  spend(who: string, reply: FastifyReply): void {
    if (this.#perMinute === null) return
    const now = this.#clock.now()
    let window = this.#windows.get(who)
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
    reply.header('Retry-After', Math.ceil(waitMs / 1000))
    throw new ServiceError(
      'RATE_LIMIT_HIT',
      'API usage exceeded rate limit',
      { 'retry-after': waitMs / 1000 },
      429,
    )
  }
}
