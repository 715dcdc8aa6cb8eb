/** Something that runs again when one of its tables has changed. */
interface Watch {
  readonly tables: Set<string>
  run(): void
}

/** Watched queries and listeners: they run once in the turn of the event loop after their tables were touched. */
export class Watches {
  readonly #log: (line: string) => void
  readonly #before: () => void
  readonly #watches = new Set<Watch>()
  readonly #changed = new Set<string>()
  readonly #commits = new Map<string, number>()
  #scheduled = false
  #closed = false
  // Made once: it is asked for at each keystroke.
  readonly #turnOver = () => {
    this.#scheduled = false
    if (!this.#closed) this.#runChanged()
  }

  /** `before` is called in each such turn, ahead of them. */
  constructor(log: (line: string) => void, before: () => void) {
    this.#log = log
    this.#before = before
  }

  /** Runs `work` now, and again after changes of what it added to the given set; returns how to stop. */
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
          // One that fails is asked again by whatever it read until then, and before.
          if (isDone) watch.tables.clear()
          for (const table of tables) watch.tables.add(table)
        }
      },
    }
    watch.run()
    return this.#added(watch)
  }

  /** Calls `listener` after each commit that touched one of the tables; returns how to stop. */
  addListener(tables: readonly string[], listener: () => void): () => void {
    return this.#added({ tables: new Set(tables), run: listener })
  }

  /** How many commits have touched a table so far. */
  commitsTo(table: string): number {
    return this.#commits.get(table) ?? 0
  }

  /** To be called after a commit with the tables that it touched. */
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
        // One broken query must not silence the others.
        this.#log(
          `store: a watched query failed: ${error instanceof Error ? (error.stack ?? '') : String(error)}`,
        )
      }
    }
  }
}
