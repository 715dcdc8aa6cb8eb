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

/**
 * Tells which tables of the main file statements touch, from their bytecode: also through views, indexes and triggers,
 * and without running them. The tables have to be there; a statement is looked into at each call.
 */
export function touchedTables(sqlite: Connection): (sql: string) => TouchedTables {
  const tableOfPage = new Map<number, string>()
  const pages = sqlite.prepare('SELECT rootpage, tbl_name FROM sqlite_schema WHERE rootpage > 0').all()
  // The columns are the ones selected above.
  for (const { rootpage, tbl_name } of pages as { rootpage: number; tbl_name: string }[])
    tableOfPage.set(rootpage, tbl_name)
  return (sql) => {
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
}
