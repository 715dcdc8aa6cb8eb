import type { Clock } from '../api/clock.ts'

/** Waits that a person, the network or the end of the account can cut short. */
export interface Alarm {
  /** Ends every current wait. */
  ring(): void
  /** Aborts at the next ring, and when the account ends. */
  readonly signal: AbortSignal
  pause(ms: number): Promise<void>
  /** Waits for the next ring, without a time limit. */
  untilRung(): Promise<void>
}

export function createAlarm(clock: Clock, ending: AbortSignal): Alarm {
  let next = new AbortController()
  const current = () => AbortSignal.any([ending, next.signal])
  return {
    ring() {
      const rung = next
      next = new AbortController()
      rung.abort()
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
