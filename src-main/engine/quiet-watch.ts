import { background } from '../../src-shared/background.ts'
import { minuteMs } from '../../src-shared/durations.ts'
import { nextQuietChange, type QuietSettings } from '../../src-shared/model/quiet.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'

/** The longest wait at once, in milliseconds, because machines sleep and clocks are set. */
const longestStepMs = 15 * minuteMs

/** Watches for the beginning and end of quiet hours and pauses. */
export interface QuietWatch {
  /** Must be called when the settings may have changed. */
  settingsChanged(): void
}

/**
 * Calls `changed` when quiet may have begun or ended, and sometimes without a reason, until `signal` aborts.
 */
export function watchQuiet(parts: {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** The current settings. */
  readonly settings: () => QuietSettings
  readonly changed: () => void
  readonly log: (line: string) => void
}): QuietWatch {
  const { clock, signal } = parts
  /** Aborted and replaced when the settings may have changed. */
  let sameSettings = new AbortController()

  const follow = async () => {
    let now = clock.now()
    while (!signal.aborted) {
      const change = nextQuietChange(parts.settings(), now)
      sameSettings = new AbortController()
      await clock.wait(
        Math.min(change === null ? longestStepMs : change - now, longestStepMs),
        AbortSignal.any([signal, sameSettings.signal]),
      )
      // Read before `changed`, so that a beginning or end during that call is not missed.
      now = clock.now()
      if (!signal.aborted) parts.changed()
    }
  }
  background(follow(), parts.log)

  return { settingsChanged: () => sameSettings.abort() }
}
