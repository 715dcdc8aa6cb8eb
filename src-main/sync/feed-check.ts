import { background } from '../../src-shared/background.ts'
import { isProvisional } from '../../src-shared/ids.ts'
import { narrowKey, type Narrow } from '../../src-shared/model/narrow.ts'
import { readCursor } from '../store/cursor.ts'
import { isLimitedFrom } from '../store/history-limits.ts'
import { checkedKey, rangesOf } from '../store/ranges.ts'
import { fetchPage, type BackfillParts, type PageStart } from './backfill.ts'
import { withRetries, type RetryParts } from './with-retries.ts'

/** A feed on screen: its first and last message there, and whether it shows that none are before or after them. */
export interface ShownFeed {
  readonly narrow: Narrow
  readonly first: number | null
  readonly last: number | null
  readonly isFromBeginning: boolean
  readonly isToEnd: boolean
}

/** Finds messages that were moved into a feed while events were missed. */
export interface FeedCheck {
  shown(feeds: readonly ShownFeed[]): void
}

/**
 * Fetches what a topic or channel shows once after each new registration, page by page from the newest end: the
 * messages that are here can be compared by their ids, but those that were moved here meanwhile cannot. The stretches
 * that were fetched since are in the file.
 */
export function createFeedCheck(parts: BackfillParts & RetryParts & { log(line: string): void }): FeedCheck {
  const { store, link } = parts
  let onScreen: readonly ShownFeed[] = []
  const underWay = new Set<string>()
  /** What was requested: what the server refused or what was no use is not requested again before the next registration. */
  let asked = new Set<string>()
  let askedGeneration = 0

  const check = (feed: ShownFeed) => {
    const { narrow } = feed
    const key = narrowKey(narrow)
    if ((narrow.kind !== 'topic' && narrow.kind !== 'channel') || isProvisional(narrow.channelId)) return
    const start = underWay.has(key) ? null : nextPage(feed)
    const place = `${key} ${JSON.stringify(start)}`
    if (start === null || asked.has(place)) return
    asked.add(place)
    underWay.add(key)
    const work = withRetries(parts, () => fetchPage(parts, narrow, start))
      .then((answer) => {
        // It is requested again when the feed is next shown.
        if (answer === 'gone') asked.delete(place)
        else if (answer !== 'done')
          parts.log(`sync: the server does not let a feed be checked: ${answer.message}`)
        return answer === 'done'
      })
      .finally(() => underWay.delete(key))
      .then((isDone) => {
        if (isDone) checkAll()
      })
    background(work, (line) => {
      if (!parts.signal.aborted) parts.log(`sync: a feed on screen could not be checked: ${line}`)
    })
  }

  const checkAll = () => {
    if (parts.signal.aborted || link.state.status !== 'online') return
    const { generation } = readCursor(store.db)
    // Before the second registration no events were missed.
    if (generation < 2) return
    if (generation !== askedGeneration) asked = new Set()
    askedGeneration = generation
    for (const feed of onScreen) check(feed)
  }

  /** Where to go on; null if all of the feed on screen was fetched since the last registration. */
  const nextPage = ({ narrow, first, last, isFromBeginning, isToEnd }: ShownFeed): PageStart | null => {
    const keys =
      narrow.kind === 'topic' ? [`channel:${narrow.channelId}`, narrowKey(narrow)] : [narrowKey(narrow)]
    const checked = keys.flatMap((key) => rangesOf(store.db, checkedKey(key)))
    // What came after a live stretch came by events.
    const before = checked
      .filter(
        ({ oldestId, newestId, isLive }) =>
          oldestId <= (last ?? oldestId) && (isLive || newestId >= (last ?? oldestId)),
      )
      .toSorted((a, b) => a.oldestId - b.oldestId)
      .at(0)
    if (before === undefined)
      return isToEnd || last === null ? { kind: 'newest' } : { kind: 'before', id: last }
    if (before.reachesBeginning || keys.some((key) => isLimitedFrom(store.db, key, before.oldestId)))
      return null
    const isCovered = first !== null && before.oldestId <= first && !isFromBeginning
    return isCovered ? null : { kind: 'before', id: before.oldestId }
  }

  return {
    shown(feeds) {
      onScreen = feeds
      checkAll()
    },
  }
}
