import type { Store } from '../store/database.ts'
import { lostChannels, removeSomeLost } from '../store/lost-channels.ts'
import type { Step } from './snapshot.ts'

/** How many messages one step removes: a few milliseconds. */
const removedAtOnce = 50

/** Removes the messages of all channels that the person can no longer read. */
export function* lostSteps(store: Store): Generator<Step, void> {
  for (const id of lostChannels(store.db))
    for (let isMore = true; isMore;)
      yield (db) => {
        isMore = removeSomeLost(db, id, removedAtOnce)
      }
}
