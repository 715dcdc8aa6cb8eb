import type Sqlite from 'better-sqlite3'

/** Begins, nests and ends transactions on one connection. */
export interface Transactions {
  /** Runs work in a transaction: if it throws, nothing is written. Within another transaction it is a savepoint. */
  within<T>(work: () => T): T
  /**
   * Runs work that only reads in a transaction, unless one runs already: it sees one state of the file, and SQLite locks
   * the log once instead of once for each statement, which takes ten times as long as looking up a row.
   */
  reading<T>(work: () => T): T
  /** Must be called before each statement that writes. */
  aboutToWrite(): void
}

/**
 * A savepoint begins with the first statement that writes: most nested work finds nothing to do, and each savepoint
 * makes the word index write what it has buffered so far.
 */
export function createTransactions(sqlite: Sqlite.Database): Transactions {
  const begin = sqlite.prepare('BEGIN')
  const commit = sqlite.prepare('COMMIT')
  const rollback = sqlite.prepare('ROLLBACK')
  const savepoint = sqlite.prepare('SAVEPOINT inner_work')
  const release = sqlite.prepare('RELEASE inner_work')
  const rollbackTo = sqlite.prepare('ROLLBACK TO inner_work')
  let isRunning = false
  /** For each nested work, whether its savepoint has begun. */
  const begun: boolean[] = []

  const outermost = <T>(work: () => T): T => {
    begin.run()
    isRunning = true
    try {
      const result = finished(work())
      commit.run()
      return result
    } catch (error) {
      // Some errors end a transaction by themselves.
      if (sqlite.inTransaction) rollback.run()
      throw error
    } finally {
      isRunning = false
    }
  }

  const inner = <T>(work: () => T): T => {
    begun.push(false)
    try {
      const result = finished(work())
      if (begun.at(-1) === true) release.run()
      return result
    } catch (error) {
      if (begun.at(-1) === true && sqlite.inTransaction) {
        rollbackTo.run()
        release.run()
      }
      throw error
    } finally {
      begun.pop()
    }
  }

  return {
    within: (work) => (isRunning ? inner(work) : outermost(work)),
    reading(work) {
      if (sqlite.inTransaction) return work()
      begin.run()
      try {
        return finished(work())
      } finally {
        if (sqlite.inTransaction) commit.run()
      }
    },
    aboutToWrite() {
      for (let depth = 0; depth < begun.length; depth++) {
        if (begun[depth] === true) continue
        savepoint.run()
        begun[depth] = true
      }
    },
  }
}

/** The work's result. Throws for a promise: work that goes on later would write into another transaction. */
function finished<T>(result: T): T {
  if (result instanceof Promise) throw new TypeError('async work within a transaction')
  return result
}
