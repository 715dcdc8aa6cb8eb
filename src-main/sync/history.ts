import { failureOf } from '../../src-shared/failure.ts'
import type { HistoryPause } from '../../src-shared/model/account.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import { readCursor } from '../store/cursor.ts'
import { conversationsMissingUnread } from '../store/conversations.ts'
import { idAtDepth, newestIn, sentAtFrom, staleBetween } from '../store/messages.ts'
import { fetchPage, liveStretch, type BackfillParts, type PageStart } from './backfill.ts'
import { wantUnread } from '../store/missing.ts'
import { insist, unreadableRestMs, type InsistParts } from './insist.ts'
import type { Pace } from './pace.ts'

/** How far back history is fetched unasked unless the person wants more, counted from the newest message. */
export const ordinaryHistoryMs = 90 * 24 * 60 * 60 * 1_000
/** How many messages one request of the background asks for. */
const pageSize = 1_000
/** How often it is looked whether the machine has more to give again. */
const sparingCheckMs = 30_000
/** How many of the newest messages are compared again before history goes on; older ones are after it. */
const comparedAgain = 2_000
/** After so many pages in a row that cannot be read, the others are not asked for either. */
const mostUnreadable = 2
/** Of so many conversations with unread messages a page is fetched ahead of the rest. */
const unreadConversations = 50

/** Fetches history in the background. */
export interface History {
  readonly isRunning: boolean
  /** The connection stands: go on where the last run ended, if anything is left to do. */
  goOn(): void
  /** Registered anew: there is something to do again. */
  startOver(): void
}

/**
 * The newest messages, what mentions the person, conversations with unread messages, then whatever else is unread; then
 * as far back as is kept unasked, and all direct messages: that part waits while the machine runs on its battery or on a
 * metered network. What is done is read from the known ranges, so a run ends and begins anywhere.
 */
export function createHistory(
  parts: BackfillParts &
    InsistParts & {
      /** How far back, milliseconds from the newest message; null: everything. Asked anew for every page. */
      readonly historyMs: () => number | null
      /** Of what the machine has little to give, so that what nobody asked for waits; null: of nothing. */
      readonly sparing: () => HistoryPause | null
      readonly pace: Pace
      /** Unread messages were noted among those that are missing. */
      unreadWanted(): void
      /** All of it is here, or what is not rests for a while: others may have the way to the server. */
      done(): void
      log(line: string): void
    },
): History {
  const { store, signal, link, alarm, pace } = parts
  let isRunning = false
  let isDone = false
  /** A run ended without pages that could not be read: the next one waits a while. */
  let isResting = false
  /** Pages of this run that could not be read: all, and since the last one that could. */
  let unreadable = { count: 0, inARow: 0 }

  /** One page; false when the run has to end: the connection is gone, or the server is not understood. */
  const fetch = async (narrow: Narrow, start: PageStart, size?: number): Promise<boolean> => {
    const answer = await insist(parts, () => fetchPage(parts, narrow, start, size))
    if (answer === 'gone') return false
    if (answer === 'done') {
      unreadable.inARow = 0
      return true
    }
    parts.log(`history: the server does not give ${narrow.kind}: ${answer.message}`)
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
    // Those of more conversations, and those further up in each.
    store.write((db) => wantUnread(db, null))
    parts.unreadWanted()
    return (
      (await goBack({ kind: 'combined' }, parts.historyMs, 0, 0.8)) &&
      (await goBack({ kind: 'directs' }, () => null, 0.8, 1))
    )
  }

  /** Messages that changed while nobody listened, as far back as most people look. */
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
      // Even if the server says nothing of this one, the next step is further back.
      last = stale - 1
    }
  }

  /** Page by page to the beginning, or as far as `wantedMs` before the newest message. */
  const goBack = async (
    narrow: Narrow,
    wantedMs: () => number | null,
    progressFrom: number,
    progressTo: number,
  ): Promise<boolean> => {
    let previous: number | null = null
    for (;;) {
      const stretch = liveStretch(store, narrow)
      // Null: the server refused it, or there was a gap meanwhile, which starts over anyway. The same end twice: it
      // has no more to give.
      if (stretch === null || stretch.reachesBeginning || stretch.oldestId === previous) return true
      // Both by the server's clock.
      const newest = newestIn(store.db, narrow)
      const end = sentAtFrom(store.db, newest)
      const reached = sentAtFrom(store.db, stretch.oldestId)
      const length = end === null || reached === null ? 0 : end - reached
      const lengthMs = wantedMs()
      if (lengthMs !== null && length > lengthMs) return true
      // To the beginning nobody knows how long it is; ids rise with time, and begin near zero.
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
    void alarm.pause(unreadableRestMs).then(() => {
      isResting = false
      if (!signal.aborted && link.state.status === 'online') goOn()
    })
  }

  const goOn = () => {
    if (isRunning || isDone || isResting) return
    isRunning = true
    isDone = true
    unreadable = { count: 0, inARow: 0 }
    run()
      .then((isComplete) => {
        if (!isComplete || unreadable.count > 0) isDone = false
      })
      .catch((error: unknown) => {
        if (signal.aborted) return
        const failure = failureOf(error)
        parts.log(`history: ${failure.message}`)
        // A mistake of ours would only repeat itself; the next registration tries again.
        if (failure.kind === 'device') isDone = false
      })
      .finally(() => {
        isRunning = false
        if (signal.aborted) return
        link.change({ progress: null, historyPause: null })
        if (unreadable.count > 0) rest()
        if (isDone || isResting) parts.done()
      })
  }

  return {
    get isRunning() {
      return isRunning
    },
    goOn,
    startOver() {
      isDone = false
      isResting = false
    },
  }
}
