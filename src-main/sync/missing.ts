import { isAble } from '../../src-shared/model/server-abilities.ts'
import { readCursor } from '../store/cursor.ts'
import { cameOtherwise, giveUpMissing, nextMissing, settleMissing } from '../store/missing.ts'
import type { BackfillParts } from './backfill.ts'
import { fetchMessages, idsPerRequest } from './fetch-messages.ts'
import { singleRun } from './single-run.ts'
import { withRetries, unreadableRestMs, type RetryParts } from './with-retries.ts'
import type { Pace } from './pace.ts'

/** After this many unreadable answers in a row, nothing more is requested for a while. */
const mostUnreadable = 2

/**
 * Fetches the messages listed in `missing_messages`, newest first, some at a time: messages that moved here, were
 * starred or mention the person, and unread ones. The list is in the file, so a run may end at any point and the next
 * one continues there. Call `resume` whenever the connection is up or a message was added to the list.
 */
export function createMissing(
  parts: BackfillParts & RetryParts & { readonly pace: Pace; log(line: string): void },
): { resume(): void } {
  const { store, clock, signal, alarm, pace } = parts

  const run = async () => {
    /** Messages whose answers could not be read: the others go first, and then they have another try. */
    const skipped = new Set<number>()
    let unreadableInARow = 0
    while (!signal.aborted) {
      // If the server returns only one message per request, one is requested per turn.
      const atOnce = isAble(readCursor(store.db).featureLevel, 'messagesById') ? idsPerRequest : 1
      const ids = nextMissing(store.db, atOnce, skipped)
      if (ids.length === 0) {
        if (skipped.size === 0) return
        skipped.clear()
        await alarm.pause(unreadableRestMs)
        continue
      }
      const here = cameOtherwise(store.db, ids)
      if (here.length > 0) {
        store.write((db) => settleMissing(db, here))
        await clock.wait(0, signal)
        continue
      }
      const answer = await pace.run(() => withRetries(parts, () => fetchMessages(parts, ids)))
      if (answer === 'gone') return
      if (answer !== 'done') parts.log(`sync: the server does not give missing messages: ${answer.message}`)
      if (answer !== 'done' && answer.kind === 'malformed') {
        for (const id of ids) skipped.add(id)
        if (++unreadableInARow % mostUnreadable === 0) await alarm.pause(unreadableRestMs)
        continue
      }
      unreadableInARow = 0
      store.write((db) => (answer === 'done' ? settleMissing(db, ids) : giveUpMissing(db, ids)))
    }
  }

  return { resume: singleRun(parts, 'missing messages', run) }
}
