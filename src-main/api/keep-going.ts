import { failureOf } from '../../src-shared/failure.ts'
import type { Clock } from './clock.ts'

/** How long until a step that failed is tried again, milliseconds. */
const failedRetryMs = 10_000

/**
 * Runs `step` again and again until `signal` aborts.
 *
 * A step that throws is logged and tried again after ten seconds: a disk that cannot be read for a moment must not end
 * the loop for the rest of the session. A step waits by itself while it has nothing to do.
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
        const failure = failureOf(error)
        const isOurs = failure.kind === 'bug' && error instanceof Error
        parts.log(isOurs ? (error.stack ?? failure.message) : failure.message)
        await clock.wait(failedRetryMs, signal)
      }
    }
  }
  // Nothing in it can reject.
  void run()
}
