import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../src-shared/clock/clock.ts'

/** A clock that stands still until a test moves it. Waits of 0 ms end at the next turn, as they do in reality. */
export interface ManualClock extends Clock {
  /** Ends the waits that fall due, in their order, and lets what they set off run. */
  advance(ms: number): Promise<void>
  /** Sets the clock without ending any wait, as a person or a wrong time server does. */
  set(now: number): void
  /** How long the waits under way still are, shortest first. */
  readonly waits: readonly number[]
}

export function manualClock(start = Date.UTC(2026, 2, 2, 9)): ManualClock {
  let now = start
  /** What was waited for in all, which setting the clock does not change. */
  let elapsed = 0
  const waits = new Set<{ due: number; end: () => void }>()
  const letRun = async () => {
    for (let turns = 0; turns < 5; turns++) await turn()
  }
  return {
    now: () => now,
    random: () => 0.5,
    wait: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || ms <= 0) {
          setImmediate(resolve)
          return
        }
        const wait = {
          due: elapsed + ms,
          end: () => {
            waits.delete(wait)
            signal.removeEventListener('abort', wait.end)
            resolve()
          },
        }
        waits.add(wait)
        signal.addEventListener('abort', wait.end, { once: true })
      }),
    async advance(ms) {
      const target = elapsed + ms
      await letRun()
      for (;;) {
        const next = [...waits].sort((a, b) => a.due - b.due)[0]
        if (next === undefined || next.due > target) break
        now += Math.max(0, next.due - elapsed)
        elapsed = Math.max(elapsed, next.due)
        next.end()
        await letRun()
      }
      now += target - elapsed
      elapsed = target
      await letRun()
    },
    set(to) {
      now = to
    },
    get waits() {
      return [...waits].map(({ due }) => due - elapsed).sort((a, b) => a - b)
    },
  }
}
