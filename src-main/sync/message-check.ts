import { readCursor } from '../store/cursor.ts'
import { staleAmong } from '../store/stale-messages.ts'
import type { BackfillParts } from './backfill.ts'
import { fetchMessages } from './fetch-messages.ts'
import { singleRun } from './single-run.ts'
import { withRetries, type RetryParts } from './with-retries.ts'

/** Compares messages on screen with the server, as far as they may have changed while no events came. */
export interface MessageCheck {
  /** These messages are on screen. */
  shown(messageIds: readonly number[]): void
  /** Messages that were compared before may have changed since. */
  startOver(): void
}

/**
 * Fetches each stale message once after each new registration, with one request at a time. A server that asks for
 * patience, or has trouble, is asked again when it said, or later.
 */
export function createMessageCheck(
  parts: BackfillParts & RetryParts & { log(line: string): void },
): MessageCheck {
  const { store, link } = parts
  /** What was requested, or waits for its request: what the server refused is not requested again. */
  const asked = new Set<number>()
  let askedGeneration = 0
  const waiting = new Set<number>()

  const run = async () => {
    while (waiting.size > 0) {
      const ids = [...waiting]
      waiting.clear()
      const answer = await withRetries(parts, () => fetchMessages(parts, ids)).catch((error: unknown) => {
        // They are requested again when they are next shown.
        for (const id of ids) asked.delete(id)
        throw error
      })
      if (answer === 'gone') {
        for (const id of [...ids, ...waiting]) asked.delete(id)
        waiting.clear()
      } else if (answer !== 'done')
        parts.log(`sync: the server does not let messages on screen be compared: ${answer.message}`)
    }
  }

  const begin = singleRun(parts, 'messages on screen could not be compared', run)

  return {
    shown(messageIds) {
      if (link.state.status !== 'online') return
      const { generation } = readCursor(store.db)
      if (generation !== askedGeneration) asked.clear()
      askedGeneration = generation
      const stale = staleAmong(store.db, messageIds, generation).filter((id) => !asked.has(id))
      for (const id of stale) {
        asked.add(id)
        waiting.add(id)
      }
      if (stale.length > 0) begin()
    },
    startOver: () => asked.clear(),
  }
}
