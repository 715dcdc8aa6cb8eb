import { failureOf } from '../../src-shared/failure.ts'
import type { HistoryPause } from '../../src-shared/model/account.ts'
import { readCursor } from '../store/cursor.ts'
import { staleBelow } from '../store/messages.ts'
import { fetchMessages, idsPerRequest, type BackfillParts } from './backfill.ts'
import { insist, unreadableRestMs, type InsistParts } from './insist.ts'
import type { Pace } from './pace.ts'

/** Between two requests: nobody waits for this, and it may be much. */
const restMs = 15_000
/** Between two looks at messages of which none has to be compared. */
const glanceMs = 250
/** How often it is looked whether the machine has more to give again. */
const sparingCheckMs = 30_000

/**
 * Compares with the server what lies here from before the account last registered, newest first and slowly: messages
 * that were edited, moved or deleted while nobody listened. Each message tells whether it was compared, so it ends and
 * begins anywhere.
 */
export function createComparison(
  parts: BackfillParts &
    InsistParts & {
      readonly pace: Pace
      /** Others have the way to the server now; `goOn` is called when they are done. */
      readonly isBusy: () => boolean
      /** Of what the machine has little to give; null: of nothing. */
      readonly sparing: () => HistoryPause | null
      log(line: string): void
    },
): { goOn(): void } {
  const { store, signal, pace, alarm, link } = parts
  let isRunning = false
  /** Everything was compared since this registration. */
  let doneIn = 0

  const run = async () => {
    let { generation } = readCursor(store.db)
    let before = Number.MAX_SAFE_INTEGER
    for (;;) {
      if (signal.aborted || link.state.status !== 'online' || parts.isBusy()) return
      const current = readCursor(store.db).generation
      if (current !== generation) before = Number.MAX_SAFE_INTEGER
      generation = current
      const found = staleBelow(store.db, before, generation, idsPerRequest)
      if (found === null) {
        doneIn = generation
        return
      }
      const { stale, reached } = found
      await alarm.pause(stale.length === 0 ? glanceMs : restMs)
      if (signal.aborted || parts.isBusy()) return
      if (stale.length > 0) {
        if (parts.sparing() !== null) {
          await alarm.pause(sparingCheckMs)
          continue
        }
        const answer = await pace.run(() => insist(parts, () => fetchMessages(parts, stale)))
        if (answer === 'gone') return
        if (answer !== 'done') {
          parts.log(`sync: the server does not let messages be compared: ${answer.message}`)
          if (answer.kind === 'malformed') {
            await alarm.pause(unreadableRestMs)
            continue
          }
          doneIn = generation
          return
        }
      }
      // Those of which the server says nothing stay as they are.
      before = reached
    }
  }

  return {
    goOn() {
      if (isRunning || signal.aborted || doneIn === readCursor(store.db).generation) return
      isRunning = true
      run()
        .catch((error: unknown) => {
          if (!signal.aborted) parts.log(`sync: messages could not be compared: ${failureOf(error).message}`)
        })
        .finally(() => {
          isRunning = false
        })
    },
  }
}
