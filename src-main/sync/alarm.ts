import type { Clock } from '../api/clock.ts'

/** Waiting that a person, the network or the end of the account can cut short. */
export interface Alarm {
  /** Ends every wait that is under way. */
  ring(): void
  /** Aborts at the next ring, and with the account. */
  readonly signal: AbortSignal
  pause(ms: number): Promise<void>
  /** Waits for the next ring, however long that takes. */
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
