import type { Clock } from '../../src-shared/clock/clock.ts'
import type { Store } from '../store/database.ts'
import { finishSomeMoved } from '../store/moves.ts'
import { hasOutdatedWords, writeSomeOutdated } from '../store/outdated-words.ts'
import { singleRun } from './single-run.ts'
import { writeInSteps, type Step } from './snapshot.ts'

/** How many messages one step writes into the word index: a few milliseconds. */
const writtenAtOnce = 50

/**
 * Writes what a large move left to be written with its messages, and their words under their new places, some in each turn
 * of the event loop.
 */
export interface OutdatedWords {
  /** Must be called at the start, and after a commit that may have moved messages. */
  resume(): void
}

/** Creates what writes them for one account, until `signal` aborts. */
export function createOutdatedWords(parts: {
  readonly store: Store
  readonly clock: Clock
  readonly signal: AbortSignal
  log(line: string): void
}): OutdatedWords {
  const { store, clock, signal } = parts
  // It writes nothing of the server's, so nothing is reapplied. Another large move may come at any step.
  const run = async () => {
    while (!signal.aborted && hasOutdatedWords(store.db))
      await writeInSteps({ store, clock, signal }, outdatedSteps())
  }
  const begin = singleRun(parts, 'words of moved messages', run)
  return {
    resume() {
      if (hasOutdatedWords(store.db)) begin()
    },
  }
}

/** Writes what large moves left to be written with their messages, apart from the words. */
export function* movedSteps(): Generator<Step, void> {
  for (let isMore = true; isMore;)
    yield (db) => {
      isMore = finishSomeMoved(db)
    }
}

function* outdatedSteps(): Generator<Step, void> {
  yield* movedSteps()
  for (let isMore = true; isMore;)
    yield (db) => {
      isMore = writeSomeOutdated(db, writtenAtOnce)
    }
}
