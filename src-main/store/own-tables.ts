import type Sqlite from 'better-sqlite3'
import type { SqlValue } from './database.ts'

/** Tables that hold what only this machine knows. Emptying the cache leaves them alone, whatever happens. */
export const ownTables = ['drafts', 'draft_versions', 'outbox'] as const

/** Where a draft keeps the number of the change that wrote it, so that a keystroke writes a single page. */
const countColumn = 'change_number'

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

/**
 * How many changes of own tables the file has seen: the number that stands for itself, or a later one that a draft was
 * written with.
 */
export function ownChangeNumber(sqlite: Sqlite.Database): number {
  const counts = ownTableForms(sqlite).some(({ columns }) => columns.includes(countColumn))
  const sql = counts
    ? `SELECT max(number, (SELECT coalesce(max(${countColumn}), 0) FROM drafts)) AS number FROM own_changes`
    : 'SELECT number FROM own_changes'
  // The one row that the migration made.
  const row = sqlite.prepare(sql).get() as { number: number } | undefined
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

/** The rows of own tables that were written, moved or removed on a connection since they were last taken. */
export interface OwnTablesWatch {
  /** How many times a row was touched. */
  readonly count: number
  /** The highest number that a row was written with among them; 0 for none. */
  readonly number: number
  /** A row that is written without at least this number is refused; 0: none is. */
  needed: number
  /** Forgets what came after the first `count`: it was rolled back. */
  forgetAfter(count: number): void
  /** Answers each touched row as it is now, or as gone, and forgets them. Throws when the file refuses. */
  take(): OwnChange[]
}

interface Touched {
  readonly form: TableForm
  /** The number of the change, where the row keeps it; otherwise 0. */
  readonly number: number
  readonly key: readonly SqlValue[]
}

/**
 * Notes every row of an own table that changes on this connection, whichever statement does it: with triggers that
 * live in the connection only, so the file has no trace of them. They note keys alone, because they run at each
 * keystroke; what became of the rows is read when somebody takes them.
 */
export function watchOwnTables(sqlite: Sqlite.Database): OwnTablesWatch {
  const touched: Touched[] = []
  const rows = new Map<TableForm, Sqlite.Statement>()
  const watch: OwnTablesWatch = {
    needed: 0,
    get count() {
      return touched.length
    },
    get number() {
      return touched.reduce((highest, { number }) => Math.max(highest, number), 0)
    },
    forgetAfter(count) {
      touched.length = count
    },
    take() {
      const changes = new Map<string, OwnChange>()
      for (const { form, key } of touched.splice(0)) {
        const text = JSON.stringify([form.name, ...key])
        if (changes.has(text)) continue
        // The columns are the table's own.
        const row = rows.get(form)?.get(...key) as OwnRow | undefined
        const keyColumns = form.keys.map((name, index) => [name, key[index] ?? null] as const)
        changes.set(
          text,
          row === undefined ? [form.name, 'gone', Object.fromEntries(keyColumns)] : [form.name, 'put', row],
        )
      }
      return [...changes.values()]
    },
  }
  // Otherwise a row that makes place for another (INSERT OR REPLACE) would leave without a word.
  sqlite.pragma('recursive_triggers = ON')
  for (const form of ownTableForms(sqlite)) {
    const { name, columns, keys } = form
    rows.set(
      form,
      sqlite.prepare(`SELECT * FROM ${name} WHERE ${keys.map((key) => `${key} = ?`).join(' AND ')}`),
    )
    sqlite.function(`own_touched_${name}`, { varargs: true }, (number: number, ...key: SqlValue[]) => {
      if (number < watch.needed) throw new Error(`A row of ${name} is written without its number.`)
      touched.push({ form, number, key })
      return null
    })
    const note = (of: 'OLD' | 'NEW') => {
      const number = of === 'NEW' && columns.includes(countColumn) ? `NEW.${countColumn}` : '0'
      return `SELECT own_touched_${name}(${[number, ...keys.map((key) => `${of}.${key}`)].join(', ')})`
    }
    sqlite.exec(`
      CREATE TEMP TRIGGER own_insert_${name} AFTER INSERT ON main.${name} BEGIN ${note('NEW')}; END;
      CREATE TEMP TRIGGER own_update_${name} AFTER UPDATE ON main.${name} BEGIN ${note('NEW')}; END;
      CREATE TEMP TRIGGER own_move_${name} AFTER UPDATE OF ${keys.join(', ')} ON main.${name} BEGIN ${note('OLD')}; END;
      CREATE TEMP TRIGGER own_delete_${name} AFTER DELETE ON main.${name} BEGIN ${note('OLD')}; END;`)
  }
  return watch
}
