import type { Clock } from './clock.ts'

/** One for all rings: an error of its own, with a stack, would be made at each keystroke. */
const rung = new DOMException('', 'AbortError')

/** Waits that a person, the network, a change or the end of the work can cut short. */
export interface Alarm {
  /** Ends every current wait. */
  ring(): void
  /** Aborts at the next ring, and when the work ends. */
  readonly signal: AbortSignal
  pause(ms: number): Promise<void>
  /** Waits for the next ring, without a time limit. */
  untilRung(): Promise<void>
}

/** An alarm whose waits end when `ending` aborts, too, if that is given. */
export function createAlarm(clock: Clock, ending?: AbortSignal): Alarm {
  let next = new AbortController()
  const current = () => {
    // Made only for who waits: most rings wake nobody.
    if (next.signal.aborted) next = new AbortController()
    return ending === undefined ? next.signal : AbortSignal.any([ending, next.signal])
  }
  return {
    ring: () => next.abort(rung),
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
