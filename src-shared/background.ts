import { logTextOf } from './failure.ts'

/**
 * Lets work go on while nobody waits for it. Where it fails, the log says why; it never becomes an unhandled
 * rejection, which would end the process.
 */
export function background(work: Promise<unknown>, log: (line: string) => void): void {
  work.catch((error: unknown) => log(logTextOf(error)))
}
