import { logTextOf } from '../../src-shared/failure.ts'

/** After so many milliseconds, a pass goes on in the next turn of the event loop. */
const turnMs = 8
/** Passes begin at least so many milliseconds apart: the time of one frame on most screens. */
const passMs = 16

/** Work that runs again when one of its tables has changed. */
interface Watch {
  readonly tables: Set<string>
  run(): void
}

/** The time, and the later turns of the event loop. */
export interface Turns {
  /** Milliseconds. */
  now(): number
  /** Calls `work` once, in a later turn, when so many milliseconds have passed. */
  after(ms: number, work: () => void): void
}

const realTurns: Turns = {
  now: () => performance.now(),
  after(ms, work) {
    if (ms > 0) setTimeout(work, ms)
    else setImmediate(work)
  },
}

/**
 * Watched queries and listeners.
 *
 * 1. Listeners run in the turn of the event loop after their tables were touched.
 * 2. Queries run in passes. After a rest the first pass is in that same turn; while commits keep coming, passes begin
 *    16 ms apart. A pass that has taken 8 ms goes on in the next turn, so others wait for one query at most.
 * 3. A pass runs every query whose tables were touched before it began, once. A query that is touched after it ran
 *    has its turn in the next pass: it always ends with the newest state.
 */
export class Watches {
  readonly #log: (line: string) => void
  readonly #before: () => void
  readonly #turns: Turns
  readonly #listeners = new Set<Watch>()
  readonly #queries = new Set<Watch>()
  /** The queries whose tables were touched since they last ran. */
  readonly #due = new Set<Watch>()
  /** What the pass under way still has to run, the next one last. */
  #pass: Watch[] = []
  #passBegan = -Infinity
  /** Whether a pass is under way or planned. */
  #hasPass = false
  readonly #changed = new Set<string>()
  readonly #commits = new Map<string, number>()
  #scheduled = false
  #closed = false

  /** `before` is called in the turn after each commit, before anything runs. */
  constructor(log: (line: string) => void, before: () => void, turns = realTurns) {
    this.#log = log
    this.#before = before
    this.#turns = turns
  }

  /** Runs `work` now, and after each change of the tables that it adds to the set; returns a function to stop it. */
  add(work: (tables: Set<string>) => void): () => void {
    const query: Watch = {
      tables: new Set(),
      run() {
        const tables = new Set<string>()
        let isDone = false
        try {
          work(tables)
          isDone = true
        } finally {
          // A failed query runs again after changes of the tables that it read until then, or in the run before.
          if (isDone) query.tables.clear()
          for (const table of tables) query.tables.add(table)
        }
      },
    }
    query.run()
    this.#queries.add(query)
    return () => {
      this.#queries.delete(query)
      this.#due.delete(query)
    }
  }

  /** Calls `listener` after each commit that touched one of the tables; returns a function that stops it. */
  addListener(tables: readonly string[], listener: () => void): () => void {
    const watch: Watch = { tables: new Set(tables), run: listener }
    this.#listeners.add(watch)
    return () => this.#listeners.delete(watch)
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
    this.#turns.after(0, this.#turnOver)
  }

  close(): void {
    this.#closed = true
    this.#listeners.clear()
    this.#queries.clear()
    this.#due.clear()
  }

  // Created once, because it is scheduled at each keystroke.
  readonly #turnOver = (): void => {
    this.#scheduled = false
    if (this.#closed) return
    this.#before()
    const changed = [...this.#changed]
    this.#changed.clear()
    const isTouched = ({ tables }: Watch) => changed.some((table) => tables.has(table))
    for (const listener of [...this.#listeners].filter(isTouched))
      if (this.#listeners.has(listener)) this.#run(listener)
    for (const query of this.#queries) if (isTouched(query)) this.#due.add(query)
    if (this.#due.size === 0 || this.#hasPass) return
    this.#hasPass = true
    const restMs = this.#restMs()
    if (restMs > 0) this.#turns.after(restMs, this.#beginPass)
    else this.#beginPass()
  }

  /** How long to wait until the next pass may begin, in milliseconds. */
  #restMs(): number {
    return Math.max(0, this.#passBegan + passMs - this.#turns.now())
  }

  readonly #beginPass = (): void => {
    this.#passBegan = this.#turns.now()
    // Begins with what was opened last: it is most likely what the person looks at.
    this.#pass = [...this.#queries].filter((query) => this.#due.has(query))
    this.#runDue()
  }

  readonly #runDue = (): void => {
    const began = this.#turns.now()
    for (let query = this.#pass.pop(); query !== undefined; query = this.#pass.pop()) {
      // A query that was stopped meanwhile is not due any more.
      if (this.#due.delete(query)) this.#run(query)
      if (this.#pass.length === 0 || this.#turns.now() - began <= turnMs) continue
      this.#turns.after(0, this.#runDue)
      return
    }
    this.#hasPass = this.#due.size > 0
    if (this.#hasPass) this.#turns.after(this.#restMs(), this.#beginPass)
  }

  #run(watch: Watch): void {
    try {
      watch.run()
    } catch (error) {
      // A failing query must not stop the others.
      this.#log(`store: a watched query failed: ${logTextOf(error)}`)
    }
  }
}
