import { failureOf, type Failure } from '../../src-shared/failure.ts'
import { channelId } from '../../src-shared/ids.ts'
import { emptiedChannels, endEmptied, hasEmptied, type EmptiedChannel } from '../store/emptied-topics.ts'
import type { BackfillParts } from './backfill.ts'
import type { Pace } from './pace.ts'
import { singleRun } from './single-run.ts'
import { fetchTopics } from './topics.ts'
import { unreadableRestMs, withRetries, type RetryParts } from './with-retries.ts'

/** Fetches the topics of channels again of which one lost all its messages that are here. */
export interface EmptiedTopics {
  /** Must be called after a commit that may have deleted or moved messages, and whenever the server was heard. */
  resume(): void
}

/**
 * Creates what fetches them for one account, each channel's once, one after another, until `signal` aborts. Channels that
 * the server refuses are not asked for again; those whose answers cannot be read are asked for later.
 */
export function createEmptiedTopics(
  parts: BackfillParts & RetryParts & { readonly pace: Pace; log(line: string): void },
): EmptiedTopics {
  const { store, signal, alarm, pace, log } = parts
  const fetch = async ({ channelId: id }: EmptiedChannel): Promise<'done' | 'gone' | Failure> => {
    try {
      return await pace.run(() => withRetries(parts, () => fetchTopics(parts, channelId(id))))
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind !== 'bug') throw error
      return failure
    }
  }
  const run = async () => {
    /** Channels whose answers could not be read: the others go first. */
    const skipped = new Set<number>()
    while (!signal.aborted) {
      const emptied = emptiedChannels(store.db).find((one) => !skipped.has(one.channelId))
      if (emptied === undefined) {
        if (skipped.size === 0) return
        skipped.clear()
        await alarm.pause(unreadableRestMs)
        continue
      }
      const answer = await fetch(emptied)
      if (answer === 'gone' || signal.aborted) return
      if (answer !== 'done') log(`sync: the topics of a channel are not to be had: ${answer.message}`)
      if (answer !== 'done' && answer.kind === 'malformed') skipped.add(emptied.channelId)
      else store.write((db) => endEmptied(db, emptied))
    }
  }
  const begin = singleRun(parts, 'topics of channels', run)
  return {
    resume() {
      if (hasEmptied(store.db)) begin()
    },
  }
}
