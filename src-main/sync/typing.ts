import { failureOf } from '../../src-shared/failure.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import type { Store } from '../store/database.ts'
import { expireTyping, forgetTyping } from '../store/typing.ts'

/** Removes expired typing notices whose end was never announced. */
export interface TypingExpiry {
  /** Must be called after events: the next expiry may have changed. */
  reschedule(): void
}

/** Starts removing them, until `signal` aborts; notices of the last run are removed at once. */
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
      // The disk may be full; the next event tries again.
      .catch((error: unknown) => parts.log(`typing: ${failureOf(error).message}`))
  }
  // Notices from the last run are long outdated.
  store.write((db) => forgetTyping(db))
  return { reschedule }
}
