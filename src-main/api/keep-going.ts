import { logTextOf } from '../../src-shared/failure.ts'
import { hourMs } from '../../src-shared/durations.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'

/** The longest pause of work that waits to be woken, in milliseconds: should a ring be missing, it goes on then. */
export const idleMs = hourMs

/** How long to wait after a step that failed, in milliseconds. */
const failedRetryMs = 10_000

/**
 * Runs `step` in a loop until `signal` aborts.
 *
 * If a step throws, the failure is logged and the loop continues after ten seconds, because a disk error must not end
 * it for the rest of the session. A step that has nothing to do must wait itself.
 */
export function keepGoing(
  step: () => Promise<void>,
  parts: { readonly clock: Clock; readonly signal: AbortSignal; log(line: string): void },
): void {
  const { clock, signal } = parts
  const run = async () => {
    while (!signal.aborted) {
      try {
        await step()
      } catch (error) {
        if (signal.aborted) return
        parts.log(logTextOf(error))
        await clock.wait(failedRetryMs, signal)
      }
    }
  }
  // It never rejects.
  void run()
}
