import type Sqlite from 'better-sqlite3'
import { touchedTables, type TouchedTables } from '../src-shared/sqlite/touched-tables.ts'

/**
 * Tables that nearly every request reads and that seldom change: people, and the settings of people and organization.
 */
const steadyTables: ReadonlySet<string> = new Set([
  'realm',
  'users',
  'user_settings',
  'default_settings',
  'channels',
  'channel_folders',
  'subscriptions',
  'user_groups',
  'permission_values',
  'direct_groups',
  'direct_group_members',
  'user_topics',
  'linkifiers',
  'playgrounds',
  'muted_users',
  'alert_words',
  'realm_emoji',
  'profile_fields',
])

/** For statements that touch no tables, such as a pragma. */
const nothing: TouchedTables = { read: new Set(), written: new Set(), readsElsewhere: false }

/** How many rows are remembered at once, over all statements. */
const mostRows = 100_000

/** Counts the writes of a table. */
interface Table {
  readonly isSteady: boolean
  version: number
}

/** Answers by the values of their parameters; an answer is valid while its stamp is current. */
type Answers = Map<unknown, { readonly stamp: number; readonly rows: readonly unknown[] }>

/** The tables that a statement reads and writes, and its remembered answers. */
export interface StatementReads {
  /** Null: its answers are not remembered. */
  readonly reads: readonly Table[] | null
  readonly writes: readonly Table[]
  /** Answers of all rows, and answers of the first row alone. */
  readonly answers: { readonly all: Answers; readonly first: Answers }
}

/** An unambiguous key for a list of values: texts are preceded by their length. */
function keyOf(parameters: readonly unknown[]): string {
  let key = ''
  for (const value of parameters) {
    if (typeof value === 'number') key += `${value},`
    else if (typeof value === 'string') key += `${value.length}:${value},`
    else key += `${JSON.stringify(value)},`
  }
  return key
}

/**
 * Remembers what was read from steady tables until one of them is written. Every write must be reported, so this must
 * be the only connection that writes. The bytecode of a statement tells which tables it touches, also through
 * triggers.
 */
export class RememberedRows {
  readonly #touched: (sql: string) => TouchedTables
  readonly #tables = new Map<string, Table>()
  readonly #statements = new Set<StatementReads>()
  #rows = 0

  constructor(sqlite: Sqlite.Database) {
    this.#touched = touchedTables(sqlite)
  }

  /** Examines a statement once. */
  of(sql: string, isReadOnly: boolean): StatementReads {
    const isOfTables = /^\s*(?:SELECT|WITH|INSERT|REPLACE|UPDATE|DELETE)\b/i.test(sql)
    const { read, written, readsElsewhere } = isOfTables ? this.#touched(sql) : nothing
    const known = [...read].map((name) => this.#table(name))
    // Data outside these tables changes unnoticed.
    const isSteady = !readsElsewhere && known.length > 0 && known.every((table) => table.isSteady)
    const statement: StatementReads = {
      reads: isReadOnly && isSteady ? known : null,
      writes: [...written].map((name) => this.#table(name)).filter((table) => table.isSteady),
      answers: { all: new Map(), first: new Map() },
    }
    if (statement.reads !== null) this.#statements.add(statement)
    return statement
  }

  /**
   * The rows of a statement for these values; queried if they are not remembered. They are shared, so they are frozen.
   */
  rows(
    { reads, answers }: StatementReads,
    which: 'all' | 'first',
    parameters: readonly unknown[],
    ask: () => readonly unknown[],
  ): readonly unknown[] {
    const [only] = parameters
    const isPlain = parameters.length === 1 && (typeof only !== 'object' || only === null)
    const key = isPlain ? only : keyOf(parameters)
    let stamp = 0
    for (const table of reads ?? []) stamp += table.version
    const known = answers[which].get(key)
    if (known?.stamp === stamp) return known.rows
    if (this.#rows > mostRows) this.#forget()
    const rows = ask()
    for (const row of rows) Object.freeze(row)
    this.#rows += rows.length + 1 - (known === undefined ? 0 : known.rows.length + 1)
    answers[which].set(key, { stamp, rows })
    return rows
  }

  /** Call with a statement that nobody will run again. */
  drop(statement: StatementReads): void {
    this.#statements.delete(statement)
  }

  /** Call with every statement that was run and may write. */
  wrote({ writes }: StatementReads): void {
    for (const table of writes) table.version++
  }

  /** Call after writes were rolled back. */
  undone(): void {
    for (const table of this.#tables.values()) table.version++
  }

  #table(name: string): Table {
    const known = this.#tables.get(name)
    if (known !== undefined) return known
    const table = { isSteady: steadyTables.has(name), version: 0 }
    this.#tables.set(name, table)
    return table
  }

  #forget(): void {
    for (const { answers } of this.#statements) {
      answers.all.clear()
      answers.first.clear()
    }
    this.#rows = 0
  }
}
