/** The part of a connection that is used. */
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
  /** Whether it reads something else too: virtual tables, which have no page of their own, or temporary ones. */
  readonly readsElsewhere: boolean
}

/** Statements that are remembered for one form of file. */
const mostStatements = 2_000

/** What statements touch, by the form of the file and by their text: the files of all accounts have one form. */
const remembered = new Map<string, Map<string, TouchedTables>>()

/**
 * Tells which tables of the main file statements touch, from their bytecode: also through views, indexes and triggers,
 * and without running them. The tables have to be there. A statement is looked into once for all files of the same form,
 * as it is when this is called.
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
      // A DELETE without WHERE becomes a Clear, whose page stands in the first operand.
      const table = tableOfPage.get(opcode === 'Clear' ? p1 : p2)
      const isMain = opcode === 'Clear' || p3 === 0
      if (opcode === 'OpenRead' || opcode === 'ReopenIdx') {
        if (isMain && table !== undefined) read.add(table)
        else readsElsewhere = true
      } else if (opcode === 'OpenWrite' || opcode === 'Clear') {
        if (isMain && table !== undefined) written.add(table)
      }
      // Lists that come as JSON are virtual tables too, and have no changes.
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
