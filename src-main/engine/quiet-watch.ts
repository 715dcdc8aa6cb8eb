import { background } from '../../src-shared/background.ts'
import { nextQuietChange, type QuietWish } from '../../src-shared/model/quiet.ts'
import type { Clock } from '../api/clock.ts'

/** The longest wait at once, as machines sleep and clocks are set, milliseconds. */
const longestStepMs = 15 * 60 * 1_000

/** Knows when what the person wants of quiet begins and ends by itself. */
export interface QuietWatch {
  /** The person may want something else from now on. */
  wishChanged(): void
}

/**
 * Calls `changed` when quiet may have begun or ended by itself, and now and then without a reason, until `signal`
 * aborts.
 */
export function watchQuiet(parts: {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** What the person wants now. */
  readonly wish: () => QuietWish
  readonly changed: () => void
  readonly log: (line: string) => void
}): QuietWatch {
  const { clock, signal } = parts
  /** Aborted, and made anew, when it may have changed what the person wants. */
  let sameWish = new AbortController()

  const follow = async () => {
    let now = clock.now()
    while (!signal.aborted) {
      const change = nextQuietChange(parts.wish(), now)
      sameWish = new AbortController()
      await clock.wait(
        Math.min(change === null ? longestStepMs : change - now, longestStepMs),
        AbortSignal.any([signal, sameWish.signal]),
      )
      // Before anybody looks: what begins or ends while they do is still to come.
      now = clock.now()
      if (!signal.aborted) parts.changed()
    }
  }
  background(follow(), parts.log)

  return { wishChanged: () => sameWish.abort() }
}
