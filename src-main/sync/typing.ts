import { failureOf } from '../../src-shared/failure.ts'
import type { Clock } from '../api/clock.ts'
import type { Store } from '../store/database.ts'
import { expireTyping, forgetTyping } from '../store/users.ts'

/** Takes typing notices back whose end nobody announced. */
export interface TypingExpiry {
  /** After events: the next expiry may have moved. */
  reschedule(): void
}

/** Starts taking them back, until `signal` aborts; those of the last run go at once. */
export function startTypingExpiry(parts: {
  readonly store: Store
  readonly clock: Clock
  readonly signal: AbortSignal
  log(line: string): void
}): TypingExpiry {
  const { store, clock, signal } = parts
  let timer = new AbortController()
  const reschedule = () => {
    timer.abort()
    timer = new AbortController()
    const { signal: cancelled } = timer
    const next = store.write((db) => expireTyping(db, clock.now()))
    if (next === null) return
    clock
      .wait(Math.max(0, next - clock.now()), AbortSignal.any([signal, cancelled]))
      .then(() => {
        if (!signal.aborted && !cancelled.aborted) reschedule()
      })
      // A disk that takes nothing: the next event tries again.
      .catch((error: unknown) => parts.log(`typing: ${failureOf(error).message}`))
  }
  // Whoever was typing when the last process ended has long stopped.
  store.write((db) => forgetTyping(db))
  return { reschedule }
}
