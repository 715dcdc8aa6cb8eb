import type { Store } from '../store/database.ts'
import { doubtedChannels, doubtSome } from '../store/doubted-channels.ts'
import type { Step } from './snapshot.ts'

/** How many messages one step marks: about a millisecond. */
const markedAtOnce = 200

/** Marks the messages of all channels that are to be compared with the server, each channel's newest first. */
export function* doubtSteps(store: Store): Generator<Step, void> {
  for (const id of doubtedChannels(store.db))
    for (let isMore = true; isMore;)
      yield (db) => {
        isMore = doubtSome(db, id, markedAtOnce)
      }
}
