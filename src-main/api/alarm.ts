import { hourMs } from '../../src-shared/durations.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'

/** One for all rings: an error of its own, with a stack, would be made at each keystroke. */
const rung = new DOMException('', 'AbortError')

/** The longest pause of work that waits to be woken, in milliseconds: should a ring be missing, it goes on then. */
export const idleMs = hourMs

/** Waits that a person, the network, a change or the end of the account can cut short. */
export interface Alarm {
  /** Ends every current wait. */
  ring(): void
  /** Aborts at the next ring, and when the account ends. */
  readonly signal: AbortSignal
  pause(ms: number): Promise<void>
  /** Waits for the next ring, without a time limit. */
  untilRung(): Promise<void>
}

/** An alarm of an account; its waits end when `ending` aborts, too. */
export function createAlarm(clock: Clock, ending: AbortSignal): Alarm {
  let next = new AbortController()
  const current = () => AbortSignal.any([ending, next.signal])
  return {
    ring() {
      const before = next
      next = new AbortController()
      before.abort(rung)
    },
    get signal() {
      return current()
    },
    pause: (ms) => clock.wait(ms, current()),
    untilRung: () =>
      new Promise((resolve) => {
        const signal = current()
        if (signal.aborted) resolve()
        else signal.addEventListener('abort', () => resolve(), { once: true })
      }),
  }
}
