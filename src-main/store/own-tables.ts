import type Sqlite from 'better-sqlite3'
import type { SqlValue } from './database.ts'

/** The tables with what only this device knows. Emptying the cache never touches them. */
export const ownTables = ['drafts', 'draft_versions', 'outbox', 'unsaved_edits'] as const

/** The column in which a draft keeps the number of its last change, so that a keystroke writes only one page. */
const countColumn = 'change_number'

/**
 * The columns that a keystroke writes. A statement that writes only these runs no trigger, which would take a tenth of
 * the time of a keystroke: it names the draft itself (`WritableDb.draftTyped`). One that forgets to is seen, unless it
 * gives the draft a new number.
 */
const typedColumns: readonly string[] = ['content', 'edited_at', countColumn]

/** A row of an own table, by column. */
export type OwnRow = Readonly<Record<string, SqlValue>>
/** A change of an own table: the row as it is now, or the key of a removed row. */
export type OwnChange = readonly [table: string, kind: 'put' | 'gone', values: OwnRow]

/** The structure of a table in the file. */
export interface TableForm {
  readonly name: string
  readonly columns: readonly string[]
  /** The primary key. */
  readonly keys: readonly string[]
}

/** The forms of all own tables that the file has. */
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

/** A text that is equal for rows with equal keys. */
export const keyText = (keys: readonly string[], row: OwnRow): string =>
  JSON.stringify(keys.map((key) => row[key] ?? null))

/** Every row of an own table. */
export function ownRows(sqlite: Sqlite.Database, form: TableForm): OwnRow[] {
  // The query selects exactly the table's columns.
  return sqlite.prepare(`SELECT * FROM ${form.name} ORDER BY ${form.keys.join(', ')}`).all() as OwnRow[]
}

/**
 * The number of changes of own tables that the file has seen: the value in `own_changes`, or a higher one stored with
 * a draft.
 */
export function ownChangeNumber(sqlite: Sqlite.Database): number {
  const counts = ownTableForms(sqlite).some(({ columns }) => columns.includes(countColumn))
  const sql = counts
    ? `SELECT max(number, (SELECT coalesce(max(${countColumn}), 0) FROM drafts)) AS number FROM own_changes`
    : 'SELECT number FROM own_changes'
  // The single row that the migration created.
  const row = sqlite.prepare(sql).get() as { number: number } | undefined
  return row?.number ?? 0
}

/** Sets the number of changes of own tables that the file has seen. */
export function setOwnChangeNumber(sqlite: Sqlite.Database, number: number): void {
  sqlite.prepare('INSERT OR REPLACE INTO own_changes VALUES (1, ?)').run(number)
}

/**
 * Writes rows into a table and returns how many of them were refused because they do not fit. Columns that the table
 * does not have are ignored; columns that the row lacks take their default.
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
      // A value of the wrong kind concerns only this row; a full disk concerns all.
      const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
      if (!code.startsWith('SQLITE_CONSTRAINT') && !code.startsWith('SQLITE_MISMATCH')) throw error
      refused++
    }
  }
  return refused
}

/** The rows of own tables that were written, moved or removed on a connection since the last `take`. */
export interface OwnTablesWatch {
  /** How often a row was touched. */
  readonly count: number
  /** The highest change number among those rows; 0 for none. */
  readonly number: number
  /** Rows written with a lower number than this are refused; 0 refuses none. */
  needed: number
  /** A draft's text was written with this number, by a statement that runs no trigger. */
  draftTyped(id: string, number: number): void
  /** Forgets everything after the first `count`, because it was rolled back. */
  forgetAfter(count: number): void
  /** Returns each touched row in its present state, or as gone, and forgets them. Throws if the file refuses. */
  take(): OwnChange[]
}

interface Touched {
  readonly form: TableForm
  /** The number of the change if the row stores it; otherwise 0. */
  readonly number: number
  readonly key: readonly SqlValue[]
}

/**
 * Records every row of an own table that changes on this connection, whichever statement changes it. It uses triggers
 * that exist only in the connection, so they leave no trace in the file. The triggers record only keys, because they
 * run at each keystroke; `take` reads the rows.
 */
export function watchOwnTables(sqlite: Sqlite.Database): OwnTablesWatch {
  const forms = ownTableForms(sqlite)
  const drafts = forms.find(({ name }) => name === 'drafts')
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
    draftTyped(id, number) {
      if (drafts !== undefined) touched.push({ form: drafts, number, key: [id] })
    },
    forgetAfter(count) {
      touched.length = count
    },
    take() {
      const changes = new Map<string, OwnChange>()
      for (const { form, key } of touched.splice(0)) {
        const text = JSON.stringify([form.name, ...key])
        if (changes.has(text)) continue
        // The query selects exactly the table's columns.
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
  // Without this, a row that is replaced by another (INSERT OR REPLACE) would fire no delete trigger.
  sqlite.pragma('recursive_triggers = ON')
  for (const form of forms) {
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
      ${updateTriggers(form, note('NEW'))}
      CREATE TEMP TRIGGER own_move_${name} AFTER UPDATE OF ${keys.join(', ')} ON main.${name} BEGIN ${note('OLD')}; END;
      CREATE TEMP TRIGGER own_delete_${name} AFTER DELETE ON main.${name} BEGIN ${note('OLD')}; END;`)
  }
  return watch
}

function updateTriggers({ name, columns }: TableForm, body: string): string {
  if (!columns.includes(countColumn))
    return `CREATE TEMP TRIGGER own_update_${name} AFTER UPDATE ON main.${name} BEGIN ${body}; END;`
  const others = columns.filter((column) => !typedColumns.includes(column))
  return `
    CREATE TEMP TRIGGER own_update_${name} AFTER UPDATE OF ${others.join(', ')} ON main.${name} BEGIN ${body}; END;
    CREATE TEMP TRIGGER own_typed_${name} AFTER UPDATE OF content ON main.${name}
      WHEN NEW.${countColumn} = OLD.${countColumn} BEGIN ${body}; END;`
}
