import type { SyncState } from '../../../src-shared/model/account.ts'
import { t } from '../../../src-shared/texts/texts.ts'

/** The progress of the wait for the next attempt. */
export interface AttemptProgress {
  /** 0 to 100. */
  readonly percent: number
  /** Seconds until the attempt, rounded up; 0 during the attempt. */
  readonly seconds: number
  /** The same for screen readers, in steps of ten seconds. */
  readonly saidPercent: number
  readonly saidSeconds: number
}

/** The step in which screen readers announce the wait, seconds. */
const saidStep = 10

/** The progress now; null while no attempt is planned. `now`: epoch milliseconds. */
export function attemptProgress(
  { lastAttemptAt, nextAttemptAt }: Pick<SyncState, 'lastAttemptAt' | 'nextAttemptAt'>,
  now: number,
): AttemptProgress | null {
  if (nextAttemptAt === null) return null
  const begin = Math.min(lastAttemptAt ?? now, now, nextAttemptAt)
  const whole = Math.max(1, nextAttemptAt - begin)
  const percentAt = (left: number) => Math.round((Math.max(0, whole - left) / whole) * 100)
  const left = Math.max(0, nextAttemptAt - now)
  const seconds = Math.ceil(left / 1_000)
  const total = Math.ceil(whole / 1_000)
  const saidSeconds = Math.min(total, Math.ceil(seconds / saidStep) * saidStep)
  return {
    percent: percentAt(left),
    seconds,
    saidPercent: percentAt(saidSeconds * 1_000),
    saidSeconds,
  }
}

/** The time to the next attempt in words: seconds up to two minutes, then minutes. */
export function waitWords(
  seconds: number,
  words: { readonly seconds: (count: number) => string; readonly minutes: (count: number) => string },
): string {
  if (seconds === 0) return t.mainWindow.sync.nextAttempt.now
  return seconds <= 120 ? words.seconds(seconds) : words.minutes(Math.ceil(seconds / 60))
}
