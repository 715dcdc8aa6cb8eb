import type Sqlite from 'better-sqlite3'

/** After a commit, and between two rounds of joining, milliseconds. */
const restMs = 25
/** How long one round may take before others get their turn, milliseconds. */
const roundMs = 4
/** How many pages one step joins: a millisecond or so. */
const pagesPerStep = 8

/**
 * Joins the parts of the index of words, in steps that nobody notices. Each commit adds a part, and whoever searches
 * looks into every one. SQLite would join them within the commits themselves, which then take a fifth of a second
 * every now and then; so the file tells it to leave that to us (migration 160).
 */
export interface WordsUpkeep {
  /** Parts were added: joins what there is to join, a little later. */
  due(): void
  /** Joins a little; false when there is nothing left to join. Throws when the disk refuses. */
  step(): boolean
  close(): void
}

/** Nothing of it is lost when the program ends in the middle: the next commit goes on with it. */
export function createWordsUpkeep(sqlite: Sqlite.Database, failed: (error: unknown) => void): WordsUpkeep {
  let timer: NodeJS.Timeout | null = null
  let isClosed = false
  let merge: Sqlite.Statement | null = null
  const written = sqlite.prepare('SELECT total_changes()').pluck()

  const step = (): boolean => {
    // Made late: the table is not there before the migrations.
    merge ??= sqlite.prepare(
      `INSERT INTO message_words (message_words, rank) VALUES ('merge', ${pagesPerStep})`,
    )
    const before = Number(written.get())
    merge.run()
    // A merge that finds nothing to do counts as one change (SQLite FTS5, section 6.8).
    return Number(written.get()) - before > 1
  }

  const later = () => {
    timer ??= setTimeout(round, restMs).unref()
  }
  const round = () => {
    timer = null
    if (isClosed) return
    const start = performance.now()
    try {
      do if (!step()) return
      while (performance.now() - start < roundMs)
      later()
    } catch (error) {
      // The parts stay as they are; the next commit tries again.
      failed(error)
    }
  }

  return {
    due: later,
    step,
    close() {
      isClosed = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}
