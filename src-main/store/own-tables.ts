import type Sqlite from 'better-sqlite3'
import type { SqlValue } from './database.ts'

/** Tables that hold what only this machine knows. Emptying the cache leaves them alone, whatever happens. */
export const ownTables = ['drafts', 'draft_versions', 'outbox'] as const

/** One row of an own table, by column. */
export type OwnRow = Readonly<Record<string, SqlValue>>
/** One change of an own table: the row as it is now, or the key of a row that is gone. */
export type OwnChange = readonly [table: string, kind: 'put' | 'gone', values: OwnRow]

/** What a table of the file is made of. */
export interface TableForm {
  readonly name: string
  readonly columns: readonly string[]
  /** The primary key. */
  readonly keys: readonly string[]
}

/** The form of every own table that the file has. */
export function ownTableForms(sqlite: Sqlite.Database): TableForm[] {
  return ownTables.flatMap((name): TableForm[] => {
    // The columns of this pragma, as SQLite documents them.
    const columns = sqlite.pragma(`table_info(${name})`) as { name: string; pk: number }[]
    if (columns.length === 0) return []
    return [
      {
        name,
        columns: columns.map((column) => column.name),
        keys: columns.filter(({ pk }) => pk > 0).map((column) => column.name),
      },
    ]
  })
}

/** One text per row: equal for equal keys. */
export const keyText = (keys: readonly string[], row: OwnRow): string =>
  JSON.stringify(keys.map((key) => row[key] ?? null))

/** Every row of an own table. */
export function ownRows(sqlite: Sqlite.Database, form: TableForm): OwnRow[] {
  // The columns are the table's own.
  return sqlite.prepare(`SELECT * FROM ${form.name} ORDER BY ${form.keys.join(', ')}`).all() as OwnRow[]
}

/** How many changes of own tables the file has seen. */
export function ownChangeNumber(sqlite: Sqlite.Database): number {
  // The one row that the migration made.
  const row = sqlite.prepare('SELECT number FROM own_changes').get() as { number: number } | undefined
  return row?.number ?? 0
}

export function setOwnChangeNumber(sqlite: Sqlite.Database, number: number): void {
  sqlite.prepare('INSERT OR REPLACE INTO own_changes VALUES (1, ?)').run(number)
}

/**
 * Writes rows into a table, those that do not fit it left out; answers how many were. Columns that the table does
 * not know are left out, those that the row lacks take their default.
 */
export function putOwnRows(sqlite: Sqlite.Database, form: TableForm, rows: Iterable<OwnRow>): number {
  let refused = 0
  for (const row of rows) {
    const columns = form.columns.filter((column) => row[column] !== undefined)
    try {
      sqlite
        .prepare(
          `INSERT OR REPLACE INTO ${form.name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
        )
        .run(columns.map((column) => row[column] ?? null))
    } catch (error) {
      // A value of the wrong kind is this row's fault; a full disk is not.
      const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
      if (!code.startsWith('SQLITE_CONSTRAINT') && !code.startsWith('SQLITE_MISMATCH')) throw error
      refused++
    }
  }
  return refused
}

/**
 * Reports every change of an own table on this connection, whichever statement made it: with triggers that live in
 * the connection only, so the file has no trace of them.
 */
export function watchOwnTables(sqlite: Sqlite.Database, report: (change: OwnChange) => void): void {
  const forms = new Map(ownTableForms(sqlite).map((form) => [form.name, form]))
  sqlite.function('own_change', { varargs: true }, (table: string, kind: string, ...values: SqlValue[]) => {
    const form = forms.get(table)
    if (form === undefined) return null
    const names = kind === 'put' ? form.columns : form.keys
    const row = Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]))
    report([table, kind === 'put' ? 'put' : 'gone', row])
    return null
  })
  // Otherwise a row that makes place for another (INSERT OR REPLACE) would leave without a word.
  sqlite.pragma('recursive_triggers = ON')
  for (const { name, columns, keys } of forms.values()) {
    const list = (prefix: string, of: readonly string[]) =>
      of.map((column) => `${prefix}.${column}`).join(', ')
    const put = `SELECT own_change('${name}', 'put', ${list('NEW', columns)});`
    const gone = `SELECT own_change('${name}', 'gone', ${list('OLD', keys)})`
    const isOtherKey = keys.map((key) => `OLD.${key} IS NOT NEW.${key}`).join(' OR ')
    sqlite.exec(`
      CREATE TEMP TRIGGER own_insert_${name} AFTER INSERT ON main.${name} BEGIN ${put} END;
      CREATE TEMP TRIGGER own_update_${name} AFTER UPDATE ON main.${name} BEGIN ${gone} WHERE ${isOtherKey}; ${put} END;
      CREATE TEMP TRIGGER own_delete_${name} AFTER DELETE ON main.${name} BEGIN ${gone}; END;`)
  }
}
