import { background } from '../../src-shared/background.ts'

/**
 * Returns a function that begins `run` in the background, unless it is running already or the account is closed. Where
 * it fails, the log says why; `what` names the work.
 */
export function singleRun(
  { signal, log }: { readonly signal: AbortSignal; log(line: string): void },
  what: string,
  run: () => Promise<unknown>,
): () => void {
  let isRunning = false
  return () => {
    if (isRunning || signal.aborted) return
    isRunning = true
    background(
      run().finally(() => {
        isRunning = false
      }),
      (line) => {
        if (!signal.aborted) log(`sync: ${what}: ${line}`)
      },
    )
  }
}
