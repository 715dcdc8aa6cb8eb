import type { ReadableDb, SqlParameters, SqlValue } from './database.ts'
import { RememberedValues } from './remembered-values.ts'
import { untrackedTable, type Statements } from './statements.ts'

/** How many things of one kind are remembered at a time. */
const mostRememberedById = 5_000

/** The reads of one connection: tracks which tables they read, and remembers results. */
export class Reads {
  readonly db: ReadableDb
  readonly #statements: Statements
  readonly #isWriting: () => boolean
  readonly #remembered = new RememberedValues()
  /** Collects the tables that are read while a caller wants to know; otherwise null. */
  #reading: Set<string> | null = null

  /** `run` executes a statement's reading and translates its errors. */
  constructor(parts: {
    readonly statements: Statements
    readonly isWriting: () => boolean
    readonly run: <T>(sql: string, work: () => T) => T
  }) {
    const { statements, run } = parts
    this.#statements = statements
    this.#isWriting = parts.isWriting
    this.db = {
      // The row type is the caller's promise about its own SQL (see `ReadableDb`).
      all: <Row>(sql: string, parameters: SqlParameters = []) => {
        this.#note(sql)
        return run(sql, () => statements.of(sql).all(parameters)) as Row[]
      },
      get: <Row>(sql: string, parameters: SqlParameters = []) => {
        this.#note(sql)
        return run(sql, () => statements.of(sql).get(parameters)) as Row | undefined
      },
      column: <Value extends SqlValue>(sql: string, parameters: SqlParameters = []) => {
        this.#note(sql)
        return run(sql, () => statements.column(sql).all(parameters)) as Value[]
      },
      remembered: (name, read) => this.#remember(name, read),
      rememberedById: (name, ids, read) => this.#rememberById(name, ids, read),
    }
  }

  /** Runs `work` and adds the tables that it reads to `tables`, even if it fails. */
  into<T>(tables: Set<string>, work: () => T): T {
    const outer = this.#reading
    this.#reading = tables
    try {
      return work()
    } finally {
      this.#reading = outer
      if (outer !== null) for (const table of tables) outer.add(table)
    }
  }

  /** Must be called with each table that a commit touched. */
  changed(table: string): void {
    this.#remembered.changed(table)
  }

  #note(sql: string): void {
    if (this.#reading !== null) this.#noteTables(this.#statements.tablesOf(sql))
  }

  #noteTables(tables: Iterable<string>): void {
    if (this.#reading !== null) for (const table of tables) this.#reading.add(table)
  }

  #remember<T>(name: string, read: () => T): T {
    // Uncommitted data may be rolled back, so it is not remembered.
    if (this.#isWriting()) return read()
    const known = this.#remembered.find(name)
    if (known !== undefined) {
      this.#noteTables(known.names)
      // Stored below under the same name, which stands for one function.
      return known.value as T
    }
    const tables = new Set<string>()
    const value = this.into(tables, read)
    if (!tables.has(untrackedTable)) this.#remembered.keep(name, value, tables)
    return value
  }

  #rememberById<T>(
    name: string,
    ids: readonly number[],
    read: (ids: readonly number[]) => ReadonlyMap<number, T>,
  ): (id: number) => T | undefined {
    if (this.#isWriting()) {
      const all = read(ids)
      return (id) => all.get(id)
    }
    const known = this.#remembered.find(name)
    // Stored below under the same name, which stands for one function.
    let all = known?.value as Map<number, T | undefined> | undefined
    if (known === undefined || all === undefined || all.size > mostRememberedById) all = new Map()
    const tables = new Set(known?.names)
    const unknown = ids.filter((id) => !all.has(id))
    if (unknown.length === 0) this.#noteTables(tables)
    else {
      const found = this.into(tables, () => read(unknown))
      for (const id of unknown) all.set(id, found.get(id))
      if (!tables.has(untrackedTable)) this.#remembered.keep(name, all, tables)
    }
    return (id) => all.get(id)
  }
}
