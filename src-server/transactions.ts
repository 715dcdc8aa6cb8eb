import type Sqlite from 'better-sqlite3'

/** How many works share a commit at most, so that nobody else waits for long. */
const mostGrouped = 200

/** How many turns of the event loop a group waits for more works at most. */
const mostTurns = 4

/** A work that waits for the next commit. */
interface Waiting {
  /** Runs the work through `guard`. */
  run(guard: <T>(work: () => T) => T): void
  /** Resolves or rejects its promise. */
  settle(): void
  fail(error: unknown): void
}

/** Thrown if a work fails after it has written something, and had no savepoint to return to. */
const needsSavepoints = new Error('a work of the group has to be undone')

/** The transactions of a connection; `Database` documents what each guarantees. */
export class Transactions {
  readonly #sqlite: Sqlite.Database
  readonly #inTransaction: (work: () => unknown) => unknown
  readonly #undone: () => void
  readonly #endings: (() => void)[] = []
  readonly #waiting: Waiting[] = []
  #depth = 0
  #writes = 0

  /** `undone` is called after writes were rolled back. */
  constructor(sqlite: Sqlite.Database, undone: () => void) {
    this.#sqlite = sqlite
    this.#inTransaction = sqlite.transaction((work: () => unknown) => work())
    this.#undone = undone
  }

  /** Call before every statement that may write. */
  noteWrite(): void {
    this.#writes++
  }

  transaction<T>(work: () => T): T {
    const asked = this.#endings.length
    this.#depth++
    try {
      // Returns what `work` returns.
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
            // A full disk ends the whole transaction, so the following works would write outside of it.
            if (error === needsSavepoints || !this.#sqlite.inTransaction) throw error
            settle = () => reject(error)
          }
        },
        settle: () => settle(),
        fail: reject,
      })
    })
  }

  /** Runs everything that waits, now. */
  finish(): void {
    while (this.#waiting.length > 0) this.#runGroup()
  }

  /**
   * Waits for more works as long as every turn of the event loop brings some; `before` is how many waited at the end
   * of the last turn. A work that is alone does not wait.
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
      // Savepoints cost as much as what is written between them, and hardly any work needs one.
      if (!this.#isRun(group, (work) => this.#unguarded(work)))
        this.#isRun(group, (work) => this.transaction(work))
    } catch (error) {
      for (const { fail } of group) fail(error)
      return
    }
    for (const { settle } of group) settle()
  }

  /**
   * Runs works in one transaction. Returns false, with nothing written, if one of them needs a savepoint of its own.
   */
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

  /** Most failing works fail before they write anything; these need no rollback. */
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
