import { logTextOf } from '../../src-shared/failure.ts'

/** Work that runs again when one of its tables has changed. */
interface Watch {
  readonly tables: Set<string>
  run(): void
}

/** Watched queries and listeners; each runs once in the turn of the event loop after its tables were touched. */
export class Watches {
  readonly #log: (line: string) => void
  readonly #before: () => void
  readonly #watches = new Set<Watch>()
  readonly #changed = new Set<string>()
  readonly #commits = new Map<string, number>()
  #scheduled = false
  #closed = false
  // Created once, because it is scheduled at each keystroke.
  readonly #turnOver = () => {
    this.#scheduled = false
    if (!this.#closed) this.#runChanged()
  }

  /** `before` is called in each such turn, before the watches run. */
  constructor(log: (line: string) => void, before: () => void) {
    this.#log = log
    this.#before = before
  }

  /** Runs `work` now, and after each change of the tables that it adds to the set; returns a function to stop it. */
  add(work: (tables: Set<string>) => void): () => void {
    const watch: Watch = {
      tables: new Set(),
      run() {
        const tables = new Set<string>()
        let isDone = false
        try {
          work(tables)
          isDone = true
        } finally {
          // A failed query runs again after changes of the tables that it read until then, or in the run before.
          if (isDone) watch.tables.clear()
          for (const table of tables) watch.tables.add(table)
        }
      },
    }
    watch.run()
    return this.#added(watch)
  }

  /** Calls `listener` after each commit that touched one of the tables; returns a function that stops it. */
  addListener(tables: readonly string[], listener: () => void): () => void {
    return this.#added({ tables: new Set(tables), run: listener })
  }

  /** How many commits have touched a table so far. */
  commitsTo(table: string): number {
    return this.#commits.get(table) ?? 0
  }

  /** Must be called after a commit, with the tables that it touched. */
  changed(tables: Iterable<string>): void {
    for (const table of tables) {
      this.#changed.add(table)
      this.#commits.set(table, this.commitsTo(table) + 1)
    }
    if (this.#changed.size === 0 || this.#scheduled) return
    this.#scheduled = true
    setImmediate(this.#turnOver)
  }

  close(): void {
    this.#closed = true
    this.#watches.clear()
  }

  #added(watch: Watch): () => void {
    this.#watches.add(watch)
    return () => this.#watches.delete(watch)
  }

  #runChanged(): void {
    this.#before()
    const changed = [...this.#changed]
    this.#changed.clear()
    for (const watch of [...this.#watches]) {
      if (!this.#watches.has(watch) || !changed.some((table) => watch.tables.has(table))) continue
      try {
        watch.run()
      } catch (error) {
        // A failing query must not stop the others.
        this.#log(`store: a watched query failed: ${logTextOf(error)}`)
      }
    }
  }
}
