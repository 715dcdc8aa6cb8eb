/** The part of a connection that is used here. */
interface Connection {
  prepare(sql: string): { all(): readonly unknown[] }
}

/** `explain` exists since better-sqlite3 13; its published types do not know it yet. */
interface ExplainingConnection {
  explain(sql: string): readonly { opcode: string; p1: number; p2: number; p3: number }[]
}

/** The tables that a statement opens, by name. */
export interface TouchedTables {
  readonly read: ReadonlySet<string>
  readonly written: ReadonlySet<string>
  /** Whether it also reads something else: virtual tables, which have no page of their own, or temporary tables. */
  readonly readsElsewhere: boolean
}

/** How many statements are remembered for one schema. */
const mostStatements = 2_000

/** Results by schema and statement text; all account files have the same schema. */
const remembered = new Map<string, Map<string, TouchedTables>>()

/**
 * Tells which tables of the main file a statement reads and writes. It uses the statement's bytecode, so it also sees
 * through views, indexes and triggers, and it does not run the statement. The tables must exist.
 * Each statement is examined once per schema; the schema is the one at the time of this call.
 */
export function touchedTables(sqlite: Connection): (sql: string) => TouchedTables {
  const tableOfPage = new Map<number, string>()
  const schema = sqlite
    .prepare(
      'SELECT rootpage, tbl_name, sql FROM sqlite_schema UNION ALL SELECT 0, name, sql FROM sqlite_temp_schema',
    )
    .all()
  // The columns are the ones selected above.
  for (const { rootpage, tbl_name } of schema as { rootpage: number; tbl_name: string }[])
    if (rootpage > 0) tableOfPage.set(rootpage, tbl_name)
  const form = JSON.stringify(schema)
  const ofForm = remembered.get(form) ?? new Map<string, TouchedTables>()
  remembered.set(form, ofForm)
  const lookInto = (sql: string): TouchedTables => {
    const read = new Set<string>()
    const written = new Set<string>()
    let readsElsewhere = false
    // Present in every version that package.json allows (see the type).
    for (const { opcode, p1, p2, p3 } of (sqlite as unknown as ExplainingConnection).explain(sql)) {
      // A DELETE without WHERE becomes a Clear, whose page is the first operand.
      const table = tableOfPage.get(opcode === 'Clear' ? p1 : p2)
      const isMain = opcode === 'Clear' || p3 === 0
      if (opcode === 'OpenRead' || opcode === 'ReopenIdx') {
        if (isMain && table !== undefined) read.add(table)
        else readsElsewhere = true
      } else if (opcode === 'OpenWrite' || opcode === 'Clear') {
        if (isMain && table !== undefined) written.add(table)
      }
      // Lists that arrive as JSON are virtual tables too; they never change.
      else if (opcode === 'VOpen' && !/json_each/i.test(sql)) readsElsewhere = true
    }
    return { read, written, readsElsewhere }
  }
  return (sql) => {
    const known = ofForm.get(sql)
    if (known !== undefined) return known
    if (ofForm.size >= mostStatements) ofForm.clear()
    const touched = lookInto(sql)
    ofForm.set(sql, touched)
    return touched
  }
}
