import type { HistoryPause } from '../../src-shared/model/account.ts'
import { isAble } from '../../src-shared/model/server-abilities.ts'
import { beginComparison, endComparison, readCursor } from '../store/cursor.ts'
import { highestId } from '../store/messages.ts'
import { staleBelow } from '../store/stale-messages.ts'
import { fetchPage, type BackfillParts } from './backfill.ts'
import { fetchMessages, idsPerRequest } from './fetch-messages.ts'
import { singleRun } from './single-run.ts'
import { withRetries, unreadableRestMs, type RetryParts } from './with-retries.ts'
import type { Pace } from './pace.ts'

/** The pause between two requests: nobody waits for this, and there may be many. */
const restMs = 15_000
/** The pause after a batch of messages that needs no comparison. */
const glanceMs = 250
/** How often the battery and network are checked again. */
const sparingCheckMs = 30_000

/**
 * Compares messages of earlier registrations with the server, newest first and slowly, to find those that were edited,
 * moved or deleted while events were missed. Each message's row says whether it was compared, so a run may end at any
 * point and the next one continues there. When all were, the file says so, and a restart reads none of them.
 */
export function createComparison(
  parts: BackfillParts &
    RetryParts & {
      readonly pace: Pace
      /** Whether others need the server now; they call `resume` when they are done. */
      readonly isBusy: () => boolean
      /** The machine's scarce resource (battery or metered network); null: none. */
      readonly sparing: () => HistoryPause | null
      log(line: string): void
    },
): {
  resume(): void
  /** Called when messages that were compared before may have changed since. */
  startOver(): void
} {
  const { store, signal, pace, alarm, link } = parts
  /** The registration in which the server refused to go on. */
  let refusedIn = 0
  /** How often it started over. */
  let starts = 0

  const run = async () => {
    let { generation } = readCursor(store.db)
    let before = highestId
    let started = starts
    for (;;) {
      if (signal.aborted || link.state.status !== 'online' || parts.isBusy()) return
      const { generation: current, featureLevel } = readCursor(store.db)
      if (current !== generation || started !== starts) before = highestId
      generation = current
      started = starts
      if (before === highestId) store.write(beginComparison)
      const found = staleBelow(store.db, before, generation, idsPerRequest)
      if (found === null) {
        const ended = generation
        if (store.write((db) => endComparison(db, ended))) return
        before = highestId
        continue
      }
      const { stale, reached } = found
      const [newest] = stale
      const isByName = isAble(featureLevel, 'messagesById')
      await alarm.pause(stale.length === 0 ? glanceMs : restMs)
      if (signal.aborted || parts.isBusy()) return
      if (newest !== undefined) {
        if (parts.sparing() !== null) {
          await alarm.pause(sparingCheckMs)
          continue
        }
        // A server that is not asked by name gives them in pages; only what a page lacks is requested singly.
        const compare = () =>
          isByName
            ? fetchMessages(parts, stale)
            : fetchPage(parts, { kind: 'combined' }, { kind: 'before', id: newest }, idsPerRequest)
        const answer = await pace.run(() => withRetries(parts, compare))
        if (answer === 'gone') return
        if (answer !== 'done') {
          parts.log(`sync: the server does not let messages be compared: ${answer.message}`)
          if (answer.kind === 'malformed') {
            await alarm.pause(unreadableRestMs)
            continue
          }
          refusedIn = generation
          return
        }
      }
      // Messages about which the server says nothing stay as they are. How far a page reached, the rows tell.
      before = isByName ? reached : (newest ?? reached)
    }
  }

  const begin = singleRun(parts, 'messages could not be compared', run)
  return {
    resume() {
      const { generation, comparedGeneration } = readCursor(store.db)
      if (generation !== refusedIn && generation !== comparedGeneration) begin()
    },
    startOver() {
      refusedIn = 0
      starts++
    },
  }
}
