import type Sqlite from 'better-sqlite3'
import { touchedTables, type TouchedTables } from '../../src-shared/sqlite/touched-tables.ts'

/** Stands for everything a statement reads that has no commits of its own: virtual and temporary tables. */
export const untrackedTable = '(untracked)'

/**
 * The text of which a statement is prepared. SQLite's planner looks at the value of a parameter that is a limit by
 * itself, and therefore prepares such a statement again for each run, which takes as long as reading a dozen rows.
 */
const preparedText = (sql: string): string => sql.replaceAll(/\bLIMIT (?=\?)/g, 'LIMIT 0 + ')

/** The statements of one connection, each prepared once, and the tables that they touch. */
export class Statements {
  readonly #sqlite: Sqlite.Database
  readonly #statements = new Map<string, Sqlite.Statement>()
  /** Statements that return only a column. */
  readonly #columns = new Map<string, Sqlite.Statement>()
  readonly #tables = new Map<string, readonly string[]>()
  readonly #touched: (sql: string) => TouchedTables

  constructor(sqlite: Sqlite.Database) {
    this.#sqlite = sqlite
    this.#touched = touchedTables(sqlite)
  }

  of(sql: string): Sqlite.Statement {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#sqlite.prepare(preparedText(sql))
      this.#statements.set(sql, statement)
    }
    return statement
  }

  /** A statement that returns the first column of its rows. */
  column(sql: string): Sqlite.Statement {
    let statement = this.#columns.get(sql)
    if (statement === undefined) {
      statement = this.#sqlite.prepare(preparedText(sql)).pluck()
      this.#columns.set(sql, statement)
    }
    return statement
  }

  /** The tables that a statement reads or writes; includes `untrackedTable` if it reads other things too. */
  tablesOf(sql: string): readonly string[] {
    let tables = this.#tables.get(sql)
    if (tables === undefined) {
      const { read, written, readsElsewhere } = this.#touched(sql)
      tables = [...new Set([...read, ...written, ...(readsElsewhere ? [untrackedTable] : [])])]
      this.#tables.set(sql, tables)
    }
    return tables
  }
}
