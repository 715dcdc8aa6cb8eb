import Sqlite from 'better-sqlite3'
import { createCheckpoints } from '../src-shared/sqlite/checkpoints.ts'
import { LogWatch } from '../src-shared/sqlite/log-watch.ts'
import { migrations } from './migrations/index.ts'
import { RememberedRows, type StatementReads } from './remembered-rows.ts'
import { Transactions } from './transactions.ts'

/**
 * The service's file, through the only connection that writes to it. Statements are cached by their text. Callers must
 * not change rows: rows of tables that seldom change are remembered and shared with later callers.
 */
export interface Database {
  all<Row>(sql: string, ...parameters: SqlParameter[]): Row[]
  get<Row>(sql: string, ...parameters: SqlParameter[]): Row | undefined
  /** The first column of all rows. */
  column<Value extends SqlValue>(sql: string, ...parameters: SqlParameter[]): Value[]
  run(sql: string, ...parameters: SqlParameter[]): { changes: number; lastId: number }
  /** All or nothing. It is written when the call returns, so a kill loses nothing that was acknowledged. */
  transaction<T>(work: () => T): T
  /**
   * Like `transaction`, but soon: in one commit with everything else that waits by then or arrives in the next few
   * turns of the event loop, because a commit costs more than most of what is written in it.
   * Works run in the order of the calls. If one fails, the others are unaffected, unless the disk itself fails. When
   * any promise resolves, everything is written. `work` may change nothing but the file, because it may run twice.
   */
  grouped<T>(work: () => T): Promise<T>
  /**
   * Runs something last before the current commit, or at once if there is none; in the order of the calls. It is
   * rolled back together with the work that called it. Use it for work that costs less in one go than between
   * savepoints.
   */
  beforeCommit(work: () => void): void
  close(): void
}
/** What a column holds. */
export type SqlValue = string | number | null
/** A positional value, or named values. */
export type SqlParameter = SqlValue | Readonly<Record<string, SqlValue>>

/** The value of a column that is 0 or 1, after a change that may not name it. */
export const flagColumn = (wanted: boolean | undefined, before: number): number =>
  wanted === undefined ? before : wanted ? 1 : 0

interface PreparedStatement {
  readonly sqlite: Sqlite.Statement
  readonly tables: StatementReads
}

/** Narrows produce many different statements; those of the hot paths are prepared again if they were evicted. */
const mostStatements = 1_000

/**
 * Opens (or creates) the file at `path` and migrates it; `:memory:`, or given content, makes a database in memory.
 * Committed data survives the end of the process; with 'power-cut' it also survives that of the machine, at the price
 * of waiting for the disk. A worker thread runs the checkpoints; `log` receives its failures.
 */
export function openDatabase(
  path: string | Buffer,
  survives: 'kill' | 'power-cut' = 'kill',
  log: (line: string) => void = () => {},
): Database {
  const sqlite = new Sqlite(path)
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma(`synchronous = ${survives === 'kill' ? 'NORMAL' : 'FULL'}`)
  sqlite.pragma('foreign_keys = ON')
  sqlite.pragma('cache_size = -65536')
  // Rollback data of statements and savepoints is kept in memory; by default SQLite uses a temporary file.
  sqlite.pragma('temp_store = MEMORY')
  // SQLite's own lower() handles only ASCII.
  sqlite.function('folded', { deterministic: true }, (text) => String(text).normalize('NFC').toLowerCase())
  const version = Number(sqlite.pragma('user_version', { simple: true }))
  for (const [number, sql] of migrations) {
    if (number <= version) continue
    sqlite.transaction(() => {
      sqlite.exec(sql)
      sqlite.pragma(`user_version = ${number}`)
    })()
  }
  const reads = new RememberedRows(sqlite)
  const statements = new Map<string, PreparedStatement>()
  /** Those that return only a column. */
  const columnStatements = new Map<string, PreparedStatement>()
  const statement = (sql: string, among = statements) => {
    let known = among.get(sql)
    if (known === undefined) {
      const prepared = sqlite.prepare(sql)
      if (among === columnStatements) prepared.pluck()
      known = { sqlite: prepared, tables: reads.of(sql, prepared.readonly) }
      among.set(sql, known)
      const [oldest] = among
      if (among.size > mostStatements && oldest !== undefined) {
        among.delete(oldest[0])
        reads.drop(oldest[1].tables)
      }
    }
    return known
  }
  const transactions = new Transactions(sqlite, () => reads.undone())
  const checkpoints = createCheckpoints(log)
  const logWatch = new LogWatch(sqlite, checkpoints, log)
  let isLogLookedAt = false
  // By then it is committed.
  const lookAtLogSoon = () => {
    if (isLogLookedAt || !logWatch.isDue) return
    isLogLookedAt = true
    setImmediate(() => {
      isLogLookedAt = false
      if (sqlite.open) logWatch.committed()
    })
  }
  const noteWrite = (tables: StatementReads) => {
    lookAtLogSoon()
    reads.wrote(tables)
    transactions.noteWrite()
  }
  const rowsOf = ({ sqlite: prepared, tables }: PreparedStatement, parameters: SqlParameter[]): unknown[] => {
    const ask = () => prepared.all(...parameters)
    // The list belongs to the caller, its rows do not.
    if (tables.reads !== null) return [...reads.rows(tables, 'all', parameters, ask)]
    if (!prepared.readonly) noteWrite(tables)
    return ask()
  }
  return {
    // The types of rows and values are the caller's promise about its own SQL.
    all: <Row>(sql: string, ...parameters: SqlParameter[]) => rowsOf(statement(sql), parameters) as Row[],
    column: <Value>(sql: string, ...parameters: SqlParameter[]) =>
      rowsOf(statement(sql, columnStatements), parameters) as Value[],
    get: <Row>(sql: string, ...parameters: SqlParameter[]) => {
      const { sqlite: prepared, tables } = statement(sql)
      const ask = () => {
        const row = prepared.get(...parameters)
        return row === undefined ? [] : [row]
      }
      if (tables.reads !== null) return reads.rows(tables, 'first', parameters, ask)[0] as Row | undefined
      if (!prepared.readonly) noteWrite(tables)
      return ask()[0] as Row | undefined
    },
    run: (sql, ...parameters) => {
      const { sqlite: prepared, tables } = statement(sql)
      noteWrite(tables)
      const { changes, lastInsertRowid } = prepared.run(...parameters)
      return { changes, lastId: Number(lastInsertRowid) }
    },
    transaction: (work) => transactions.transaction(work),
    grouped: (work) => transactions.grouped(work),
    beforeCommit: (work) => transactions.beforeCommit(work),
    close() {
      transactions.finish()
      logWatch.settle()
      sqlite.close()
      checkpoints.close()
    },
  }
}
