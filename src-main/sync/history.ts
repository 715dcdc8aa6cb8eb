import { background } from '../../src-shared/background.ts'
import { dayMs } from '../../src-shared/durations.ts'
import { failureOf } from '../../src-shared/failure.ts'
import type { HistoryPause } from '../../src-shared/model/account.ts'
import { narrowKey, type Narrow } from '../../src-shared/model/narrow.ts'
import { readCursor } from '../store/cursor.ts'
import { conversationsMissingUnread, followedAndReadTopics } from '../store/conversations.ts'
import { isLimitedFrom } from '../store/history-limits.ts'
import { highestId, idAtDepth, newestIn, sentAtFrom } from '../store/messages.ts'
import { isEndChecked } from '../store/ranges.ts'
import { staleBetween } from '../store/stale-messages.ts'
import { fetchPage, liveStretch, type BackfillParts, type PageStart } from './backfill.ts'
import { wantSomeUnread } from '../store/missing.ts'
import { writeInSteps, type Step } from './snapshot.ts'
import { withRetries, unreadableRestMs, type RetryParts } from './with-retries.ts'
import type { Pace } from './pace.ts'

/** How far back from the newest message history is fetched in the background, unless the person wants more. */
export const ordinaryHistoryMs = 90 * dayMs
/** How many messages one background request asks for. */
const pageSize = 1_000
/** How often the battery and network are checked again. */
const sparingCheckMs = 30_000
/** How many of the newest messages are compared before history goes on; older ones are compared after it. */
const comparedAgain = 2_000
/** After this many unreadable pages in a row, the run fetches no more. */
const mostUnreadable = 2
/** For how many conversations with unread messages a page is fetched first. */
const unreadConversations = 50

/** In how many topics that the person follows or reads, messages are looked for that were moved there. */
const checkedTopics = 20

/** How many unread messages one step looks at: about a millisecond. */
const unreadAtOnce = 500

/** Queues all unread messages for fetching whose text is not here. */
function* unreadSteps(): Generator<Step, void> {
  for (let before: number | null = highestId; before !== null;)
    yield (db) => {
      before = wantSomeUnread(db, before ?? 0, unreadAtOnce)
    }
}

/** Fetches history in the background. */
export interface History {
  readonly isRunning: boolean
  /** Called when the connection is up: continues where the last run ended, if anything is left. */
  resume(): void
  /** Called after a registration: there is something to do again. */
  startOver(): void
}

/**
 * Fetches the newest messages and those that mention the person, then conversations with unread messages, then all
 * other unread messages. After that it looks for what was moved into topics while events were missed, goes back as far
 * as the person keeps history, and through all direct messages; this part waits while the machine runs on battery or on
 * a metered network. The known ranges show what is done, so a run may end at any point and the next one continues
 * there.
 */
export function createHistory(
  parts: BackfillParts &
    RetryParts & {
      /** How far back, in milliseconds from the newest message; null: everything. Read again for every page. */
      readonly historyMs: () => number | null
      /** The machine's scarce resource (battery or metered network), for which history waits; null: none. */
      readonly sparing: () => HistoryPause | null
      readonly pace: Pace
      /** Called when unread messages were added to the missing messages. */
      unreadWanted(): void
      /** Called when everything is here, or the rest is paused: others may use the connection. */
      done(): void
      log(line: string): void
    },
): History {
  const { store, clock, signal, link, alarm, pace } = parts
  const log = (line: string) => parts.log(`history: ${line}`)
  let isRunning = false
  let isDone = false
  /** Whether the last run skipped unreadable pages, so that the next one waits a while. */
  let isResting = false
  /** The unreadable pages of this run: all of them, and those since the last readable page. */
  let unreadable = { count: 0, inARow: 0 }

  /** Fetches one page; false if the run must end, because the connection is gone or too many pages are unreadable. */
  const fetch = async (narrow: Narrow, start: PageStart, size?: number): Promise<boolean> => {
    const answer = await withRetries(parts, () => fetchPage(parts, narrow, start, size))
    if (answer === 'gone') return false
    if (answer === 'done') {
      unreadable.inARow = 0
      return true
    }
    log(`the server does not give ${narrow.kind}: ${answer.message}`)
    if (answer.kind !== 'malformed') return true
    unreadable.count++
    return ++unreadable.inARow < mostUnreadable
  }

  const run = async (): Promise<boolean> => {
    const firsts: Narrow[] = [
      { kind: 'combined' },
      { kind: 'mentions' },
      { kind: 'starred' },
      { kind: 'directs' },
    ]
    for (const narrow of firsts) {
      if (liveStretch(store, narrow) !== null) continue
      link.change({ progress: { step: 'newest' } })
      if (!(await fetch(narrow, { kind: 'newest' }))) return false
    }
    const unread = conversationsMissingUnread(store.db, unreadConversations)
    for (const [done, conversation] of unread.entries()) {
      link.change({ progress: { step: 'unread', conversations: unread.length - done } })
      if (!(await pace.run(() => fetch(conversation, { kind: 'newest' })))) return false
    }
    if (!(await compareAgain())) return false
    // Unread messages of further conversations, and older ones in each.
    // These steps write nothing of the server's, so nothing is reapplied.
    await writeInSteps({ store, clock, signal }, unreadSteps())
    if (signal.aborted) return false
    parts.unreadWanted()
    return (
      (await findMovedIn(new Set(unread.map(narrowKey)))) &&
      (await goBack({ kind: 'combined' }, parts.historyMs, 0, 0.8)) &&
      (await goBack({ kind: 'directs' }, () => null, 0.8, 1))
    )
  }

  /** Compares messages that may have changed while events were missed, as far back as most people look. */
  const compareAgain = async (): Promise<boolean> => {
    let last = newestIn(store.db, { kind: 'combined' })
    for (;;) {
      const { generation } = readCursor(store.db)
      const [stale] = staleBetween(
        store.db,
        { kind: 'combined' },
        idAtDepth(store.db, comparedAgain),
        last,
        generation,
      )
      if (stale === undefined) return true
      link.change({ progress: null })
      const page = () => fetch({ kind: 'combined' }, { kind: 'before', id: stale }, pageSize)
      if (!(await pace.run(page))) return false
      // Even if the server's answer leaves this one stale, the next step is further back.
      last = stale - 1
    }
  }

  /**
   * Fetches the newest page of topics into which messages may have been moved while events were missed: those are not
   * here, so no comparison finds them. The topics in `fetched` have been asked for.
   */
  const findMovedIn = async (fetched: ReadonlySet<string>): Promise<boolean> => {
    // Before the second registration no events were missed.
    if (readCursor(store.db).generation < 2) return true
    const topics = followedAndReadTopics(store.db, checkedTopics + fetched.size)
      .filter((topic) => !fetched.has(narrowKey(topic)))
      .slice(0, checkedTopics)
    for (const topic of topics) {
      const isChecked = () => isEndChecked(store.db, topic.channelId, narrowKey(topic))
      if (isChecked()) continue
      link.change({ progress: { step: 'earlier', share: 0 } })
      await untilPlenty()
      // Somebody may have opened it meanwhile.
      if (!(await pace.run(async () => isChecked() || (await fetch(topic, { kind: 'newest' }))))) return false
    }
    return true
  }

  /** Fetches page by page to the beginning, or to `wantedMs` before the newest message. */
  const goBack = async (
    narrow: Narrow,
    wantedMs: () => number | null,
    progressFrom: number,
    progressTo: number,
  ): Promise<boolean> => {
    let previous: number | null = null
    for (;;) {
      const stretch = liveStretch(store, narrow)
      // Null: the server refused the page, or events were missed meanwhile, which starts over anyway. The same end
      // again: the server has no more.
      if (stretch === null || stretch.reachesBeginning || stretch.oldestId === previous) return true
      if (isLimitedFrom(store.db, narrowKey(narrow), stretch.oldestId)) return true
      // Both times are by the server's clock.
      const newest = newestIn(store.db, narrow)
      const end = sentAtFrom(store.db, newest)
      const reached = sentAtFrom(store.db, stretch.oldestId)
      const length = end === null || reached === null ? 0 : end - reached
      const lengthMs = wantedMs()
      if (lengthMs !== null && length > lengthMs) return true
      // The length of the whole history is unknown; ids rise with time and begin near zero.
      const share =
        lengthMs === null ? 1 - stretch.oldestId / Math.max(1, newest) : Math.min(1, length / lengthMs)
      link.change({
        progress: { step: 'earlier', share: progressFrom + (progressTo - progressFrom) * share },
      })
      previous = stretch.oldestId
      await untilPlenty()
      const page = () => fetch(narrow, { kind: 'before', id: stretch.oldestId }, pageSize)
      if (!(await pace.run(page))) return false
    }
  }

  const untilPlenty = async () => {
    for (
      let pause = parts.sparing();
      pause !== null && !signal.aborted && link.state.status === 'online';
      pause = parts.sparing()
    ) {
      link.change({ historyPause: pause })
      await alarm.pause(sparingCheckMs)
    }
    link.change({ historyPause: null })
  }

  const rest = () => {
    isResting = true
    const rested = alarm.pause(unreadableRestMs).then(() => {
      isResting = false
      if (!signal.aborted && link.state.status === 'online') resume()
    })
    background(rested, log)
  }

  const resume = () => {
    if (isRunning || isDone || isResting) return
    isRunning = true
    isDone = true
    unreadable = { count: 0, inARow: 0 }
    const ran = run()
      .then((isComplete) => {
        if (!isComplete || unreadable.count > 0) isDone = false
      })
      .catch((error: unknown) => {
        if (signal.aborted) return
        const failure = failureOf(error)
        log(failure.message)
        // A bug would only repeat itself; the next registration tries again.
        if (failure.kind === 'device') isDone = false
      })
      .finally(() => {
        isRunning = false
        if (signal.aborted) return
        link.change({ progress: null, historyPause: null })
        if (unreadable.count > 0) rest()
        if (isDone || isResting) parts.done()
      })
    // Whoever hears of the end may read from a disk that refuses it.
    background(ran, log)
  }

  return {
    get isRunning() {
      return isRunning
    },
    resume,
    startOver() {
      isDone = false
      isResting = false
    },
  }
}
