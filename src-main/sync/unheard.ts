import { background } from '../../src-shared/background.ts'
import { minuteMs } from '../../src-shared/durations.ts'
import { isProvisional } from '../../src-shared/ids.ts'
import { narrowKey, type Narrow } from '../../src-shared/model/narrow.ts'
import { isSubscribed } from '../store/channels.ts'
import { fetchPage, type BackfillParts } from './backfill.ts'
import { withRetries, type RetryParts } from './with-retries.ts'

/** How old what is on screen may become. */
const freshMs = minuteMs

/** Keeps feeds up to date for which no events come, while they are on screen. */
export interface Unheard {
  /** These feeds are on screen from now on. */
  shown(narrows: readonly Narrow[]): void
  /** Called whenever the server was heard, which is about once a minute. */
  resume(): void
}

/**
 * Fetches the newest page of every feed on screen that belongs to a channel which the person is not in, with what was
 * edited, moved or deleted there.
 */
export function createUnheard(parts: BackfillParts & RetryParts & { log(line: string): void }): Unheard {
  const { store, clock, link } = parts
  let onScreen: readonly Narrow[] = []
  /** When each of them was asked for last, by its key. */
  const askedAt = new Map<string, number>()
  const underWay = new Set<string>()

  const isUnheard = (narrow: Narrow) =>
    (narrow.kind === 'channel' || narrow.kind === 'topic') &&
    !isProvisional(narrow.channelId) &&
    !isSubscribed(store.db, narrow.channelId)

  /** The clock may have been set back. */
  const isFresh = (at: number | undefined) => at !== undefined && Math.abs(clock.now() - at) < freshMs

  const resume = () => {
    if (link.state.status !== 'online') return
    for (const narrow of onScreen) {
      const key = narrowKey(narrow)
      if (underWay.has(key) || isFresh(askedAt.get(key)) || !isUnheard(narrow)) continue
      askedAt.set(key, clock.now())
      underWay.add(key)
      const work = withRetries(parts, () => fetchPage(parts, narrow, { kind: 'newest' }))
      background(
        work.finally(() => underWay.delete(key)),
        (line) => {
          if (!parts.signal.aborted) parts.log(`sync: a feed could not be kept up to date: ${line}`)
        },
      )
    }
  }

  return {
    shown(narrows) {
      onScreen = narrows
      for (const [key, at] of askedAt) if (!isFresh(at)) askedAt.delete(key)
      resume()
    },
    resume,
  }
}
