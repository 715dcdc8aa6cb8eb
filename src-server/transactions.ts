import type Sqlite from 'better-sqlite3'

/** So many share a commit, so that nobody else has to wait for long. */
const mostGrouped = 200

/** So many turns of the event loop are waited for others at most. */
const mostTurns = 4

/** A work that waits for the next commit. */
interface Waiting {
  /** Does the work, as `guard` does it. */
  run(guard: <T>(work: () => T) => T): void
  /** Tells what came of it. */
  settle(): void
  fail(error: unknown): void
}

/** Thrown where a work failed that has written something, and had no savepoint to go back to. */
const needsSavepoints = new Error('a work of the group has to be undone')

/** The transactions of a connection; see `Database` for what each promises. */
export class Transactions {
  readonly #sqlite: Sqlite.Database
  readonly #inTransaction: (work: () => unknown) => unknown
  readonly #undone: () => void
  readonly #endings: (() => void)[] = []
  readonly #waiting: Waiting[] = []
  #depth = 0
  #writes = 0

  /** `undone` is called when writes were taken back. */
  constructor(sqlite: Sqlite.Database, undone: () => void) {
    this.#sqlite = sqlite
    this.#inTransaction = sqlite.transaction((work: () => unknown) => work())
    this.#undone = undone
  }

  /** To be called before every statement that may write. */
  noteWrite(): void {
    this.#writes++
  }

  transaction<T>(work: () => T): T {
    const asked = this.#endings.length
    this.#depth++
    try {
      // What `work` returns is handed through.
      return this.#inTransaction(() => {
        const result = work()
        if (this.#depth === 1) for (const end of this.#endings.splice(0)) end()
        return result
      }) as T
    } catch (error) {
      this.#endings.length = asked
      this.#undone()
      throw error
    } finally {
      this.#depth--
    }
  }

  beforeCommit(work: () => void): void {
    if (this.#depth === 0) work()
    else this.#endings.push(work)
  }

  grouped<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#gather(1, mostTurns))
      let settle = () => {}
      this.#waiting.push({
        run: (guard) => {
          try {
            const value = guard(work)
            settle = () => resolve(value)
          } catch (error) {
            // A full disk ends the whole transaction: what follows would be written by itself.
            if (error === needsSavepoints || !this.#sqlite.inTransaction) throw error
            settle = () => reject(error)
          }
        },
        settle: () => settle(),
        fail: reject,
      })
    })
  }

  /** Does all that waits, now. */
  finish(): void {
    while (this.#waiting.length > 0) this.#runGroup()
  }

  /**
   * Lets more come for as long as every turn of the event loop brings some: `before` waited at the end of the last one.
   * Who comes alone waits for nobody.
   */
  #gather(before: number, turns: number): void {
    const { length } = this.#waiting
    if (length === before || length >= mostGrouped || turns === 0) this.#runGroup()
    else setImmediate(() => this.#gather(length, turns - 1))
  }

  #runGroup(): void {
    const group = this.#waiting.splice(0, mostGrouped)
    if (this.#waiting.length > 0) setImmediate(() => this.#runGroup())
    try {
      // Savepoints cost as much as what is written between them, and hardly ever does anybody need one.
      if (!this.#isRun(group, (work) => this.#unguarded(work)))
        this.#isRun(group, (work) => this.transaction(work))
    } catch (error) {
      for (const { fail } of group) fail(error)
      return
    }
    for (const { settle } of group) settle()
  }

  /** Runs works in one transaction; false when nothing was written, since one of them has to be undone by itself. */
  #isRun(group: readonly Waiting[], guard: Parameters<Waiting['run']>[0]): boolean {
    try {
      this.transaction(() => {
        for (const { run } of group) run(guard)
      })
      return true
    } catch (error) {
      if (error === needsSavepoints) return false
      throw error
    }
  }

  /** A work that fails before it writes anything, as most do, leaves nothing to undo. */
  #unguarded<T>(work: () => T): T {
    const { length } = this.#endings
    const before = this.#writes
    try {
      return work()
    } catch (error) {
      if (this.#writes !== before) throw needsSavepoints
      this.#endings.length = length
      throw error
    }
  }
}
