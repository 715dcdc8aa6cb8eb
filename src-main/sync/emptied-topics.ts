import { channelId } from '../../src-shared/ids.ts'
import { emptiedChannels, endEmptied, hasEmptied } from '../store/emptied-topics.ts'
import type { BackfillParts } from './backfill.ts'
import type { Pace } from './pace.ts'
import { singleRun } from './single-run.ts'
import { fetchTopics } from './topics.ts'
import { withRetries, type RetryParts } from './with-retries.ts'

/** Fetches the topics of channels again of which one may have lost all its messages. */
export interface EmptiedTopics {
  /** Must be called after a commit that may have deleted messages, and whenever the server was heard. */
  resume(): void
}

/** Creates what fetches them for one account, each channel's once, one after another, until `signal` aborts. */
export function createEmptiedTopics(
  parts: BackfillParts & RetryParts & { readonly pace: Pace; log(line: string): void },
): EmptiedTopics {
  const { store, signal, pace, link, log } = parts
  const run = async () => {
    while (!signal.aborted && link.state.status === 'online') {
      const [emptied] = emptiedChannels(store.db)
      if (emptied === undefined) return
      const id = channelId(emptied.channelId)
      const answer = await pace.run(() => withRetries(parts, () => fetchTopics(parts, id)))
      if (answer === 'gone' || signal.aborted) return
      // Without an answer the topic stays in the lists, until somebody looks at its channel's topics.
      if (answer !== 'done') log(`sync: the topics of a channel are not to be had: ${answer.message}`)
      store.write((db) => endEmptied(db, emptied))
    }
  }
  const begin = singleRun(parts, 'topics of channels', run)
  return {
    resume() {
      if (hasEmptied(store.db)) begin()
    },
  }
}
