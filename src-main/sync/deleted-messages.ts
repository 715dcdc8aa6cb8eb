import type { Clock } from '../../src-shared/clock/clock.ts'
import type { Store } from '../store/database.ts'
import { hasDeleted, removeSomeDeleted } from '../store/deleted-messages.ts'
import { singleRun } from './single-run.ts'
import { writeInSteps, type Step } from './snapshot.ts'

/** Removes what a large deletion left to be removed, some in each turn of the event loop. */
export interface Deletions {
  /** Must be called at the start, and after a commit that may have deleted messages. */
  resume(): void
}

/** Creates what removes them for one account, until `signal` aborts. */
export function createDeletions(parts: {
  readonly store: Store
  readonly clock: Clock
  readonly signal: AbortSignal
  /** All of them are removed. */
  done(): void
  log(line: string): void
}): Deletions {
  const { store, clock, signal, done } = parts
  // Waiting changes are not reapplied: what they changed is removed or stays as it is. More may come at any step.
  const run = async () => {
    while (!signal.aborted && hasDeleted(store.db))
      await writeInSteps({ store, clock, signal }, deletedSteps())
    if (!signal.aborted) done()
  }
  const begin = singleRun(parts, 'deleted messages', run)
  return {
    resume() {
      if (hasDeleted(store.db)) begin()
    },
  }
}

/** The steps that remove all that is left. */
export function* deletedSteps(): Generator<Step, void> {
  for (let isMore = true; isMore;)
    yield (db) => {
      isMore = removeSomeDeleted(db)
    }
}
