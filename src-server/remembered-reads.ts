import type Sqlite from 'better-sqlite3'

/** `explain` exists since better-sqlite3 13; its published types do not know it yet. */
type ExplainingDatabase = Sqlite.Database & {
  explain(sql: string): readonly { opcode: string; p1: number; p2: number; p3: number }[]
}

/** Tables that nearly every request asks, and that seldom change: who people are, and what they and the organization chose. */
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

/** Rows that are kept in memory at once, over all statements. */
const mostRows = 100_000

/** Counts the writes of a table. */
interface Table {
  readonly isSteady: boolean
  version: number
}

/** Answers by the values that were asked for; true for as long as the stamp is. */
type Answers = Map<unknown, { readonly stamp: number; readonly rows: readonly unknown[] }>

/** What a statement does to tables, and its answers. */
export interface StatementReads {
  /** Null: its answers are not kept. */
  readonly reads: readonly Table[] | null
  readonly writes: readonly Table[]
  /** All rows, and the first one alone. */
  readonly answers: { readonly all: Answers; readonly first: Answers }
}

/**
 * Remembers what was read of steady tables until one of them is written. All writes must be made known: the
 * connection has to be the only one that writes. Which tables a statement touches, its own bytecode tells, also
 * through triggers.
 */
export class RememberedReads {
  // Present in every version that package.json allows (see the type).
  readonly #sqlite: ExplainingDatabase
  readonly #tableOfPage = new Map<number, Table>()
  readonly #tables = new Map<string, Table>()
  readonly #statements = new Set<StatementReads>()
  #rows = 0

  constructor(sqlite: Sqlite.Database) {
    this.#sqlite = sqlite as ExplainingDatabase
    // The columns of SQLite's own table.
    const objects = sqlite
      .prepare('SELECT tbl_name AS name, rootpage AS page FROM sqlite_schema WHERE rootpage > 0')
      .all() as { name: string; page: number }[]
    for (const { name, page } of objects) {
      const table = this.#tables.get(name) ?? { isSteady: steadyTables.has(name), version: 0 }
      this.#tables.set(name, table)
      this.#tableOfPage.set(page, table)
    }
  }

  /** Looks into a statement once. */
  of(sql: string, isReadOnly: boolean): StatementReads {
    const read = new Set<Table | undefined>()
    const written = new Set<Table | undefined>()
    if (/^\s*(?:SELECT|WITH|INSERT|REPLACE|UPDATE|DELETE)\b/i.test(sql)) {
      for (const { opcode, p1, p2, p3 } of this.#sqlite.explain(sql)) {
        const table = () => (p3 === 0 ? this.#tableOfPage.get(p2) : undefined)
        if (opcode === 'OpenRead' || opcode === 'ReopenIdx') read.add(table())
        else if (opcode === 'OpenWrite') written.add(table())
        // What a DELETE without WHERE becomes.
        else if (opcode === 'Clear') written.add(this.#tableOfPage.get(p1))
        // Virtual tables tell nothing of their changes; lists that come as JSON have none.
        else if (opcode === 'VOpen' && !/json_each/i.test(sql)) read.add(undefined)
      }
    }
    const known = [...read].filter((table) => table !== undefined)
    const isSteady = known.length > 0 && known.length === read.size && known.every((table) => table.isSteady)
    const statement: StatementReads = {
      reads: isReadOnly && isSteady ? known : null,
      writes: [...written].filter((table) => table?.isSteady === true).flatMap((table) => table ?? []),
      answers: { all: new Map(), first: new Map() },
    }
    if (statement.reads !== null) this.#statements.add(statement)
    return statement
  }

  /** The rows of a statement for these values, asked when they are not known. They are everybody's: frozen. */
  rows(
    { reads, answers }: StatementReads,
    which: 'all' | 'first',
    parameters: readonly unknown[],
    ask: () => readonly unknown[],
  ): readonly unknown[] {
    const [only] = parameters
    const isPlain = parameters.length === 1 && (typeof only !== 'object' || only === null)
    const key = isPlain ? only : JSON.stringify(parameters)
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

  /** To be called with a statement that nobody will run again. */
  drop(statement: StatementReads): void {
    this.#statements.delete(statement)
  }

  /** To be called with every statement that was run and may write. */
  wrote({ writes }: StatementReads): void {
    for (const table of writes) table.version++
  }

  /** To be called when writes were taken back. */
  undone(): void {
    for (const table of this.#tables.values()) table.version++
  }

  #forget(): void {
    for (const { answers } of this.#statements) {
      answers.all.clear()
      answers.first.clear()
    }
    this.#rows = 0
  }
}
