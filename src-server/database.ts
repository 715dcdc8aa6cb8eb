import Sqlite from 'better-sqlite3'
import { createCheckpoints } from '../src-shared/sqlite/checkpoints.ts'
import { LogWatch } from '../src-shared/sqlite/log-watch.ts'
import { migrations } from './migrations/index.ts'
import { RememberedReads, type StatementReads } from './remembered-reads.ts'
import { Transactions } from './transactions.ts'

/**
 * The service's file: one connection, the only one that writes; statements cached by their text. Rows must not be
 * changed: those of tables that seldom change are remembered, and the next who asks is given the same.
 */
export interface Database {
  all<Row>(sql: string, ...parameters: SqlParameter[]): Row[]
  get<Row>(sql: string, ...parameters: SqlParameter[]): Row | undefined
  run(sql: string, ...parameters: SqlParameter[]): { changes: number; lastId: number }
  /** All or nothing; written when it returns, so that nothing acknowledged is lost to a kill. */
  transaction<T>(work: () => T): T
  /**
   * As `transaction`, soon, in one commit with all that waits by then, or comes in the next few turns of the event
   * loop: a commit costs more than most of what is written in it. One that fails undoes nothing of the others, unless
   * the disk itself refuses. They are run in the order in which they came; all is written when any is fulfilled. `work`
   * must change nothing but the file: it may be done twice.
   */
  grouped<T>(work: () => T): Promise<T>
  /**
   * Does something as the last thing before the commit that is under way, or at once when there is none; in the order
   * of the calls. Undone together with what asked for it. For what costs less in one go than between savepoints.
   */
  beforeCommit(work: () => void): void
  close(): void
}
export type SqlValue = string | number | null
/** A value in its place, or named values. */
export type SqlParameter = SqlValue | Readonly<Record<string, SqlValue>>

/** Narrows make statements of many forms; those of the hot paths are prepared again when they were pushed out. */
const mostStatements = 1_000

/**
 * How long the log may be, in pages of 4 KiB. What is written again and again goes into the file once; and a log of
 * that length is soon read.
 */
const logLengths = { much: 4_000, tooMuch: 32_000 }

/**
 * Opens (and creates) the file at `path`, or one in memory for `:memory:` or of the content that is given, and brings it
 * up to date. What is committed survives the end of the process, or at the price of a wait for the disk also that of the
 * machine. A thread of its own moves the log into the file; `log` is told when it cannot.
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
  // What a statement or a savepoint may have to take back is kept here, and by default in a file of its own.
  sqlite.pragma('temp_store = MEMORY')
  // SQLite's own lower() knows only ASCII.
  sqlite.function('folded', { deterministic: true }, (text) => String(text).normalize('NFC').toLowerCase())
  const version = Number(sqlite.pragma('user_version', { simple: true }))
  for (const [number, sql] of migrations) {
    if (number <= version) continue
    sqlite.transaction(() => {
      sqlite.exec(sql)
      sqlite.pragma(`user_version = ${number}`)
    })()
  }
  const reads = new RememberedReads(sqlite)
  const statements = new Map<string, { sqlite: Sqlite.Statement; tables: StatementReads }>()
  const statement = (sql: string) => {
    let known = statements.get(sql)
    if (known === undefined) {
      const prepared = sqlite.prepare(sql)
      known = { sqlite: prepared, tables: reads.of(sql, prepared.readonly) }
      statements.set(sql, known)
      const [oldest] = statements
      if (statements.size > mostStatements && oldest !== undefined) {
        statements.delete(oldest[0])
        reads.drop(oldest[1].tables)
      }
    }
    return known
  }
  const transactions = new Transactions(sqlite, () => reads.undone())
  const checkpoints = createCheckpoints(log)
  const logWatch = new LogWatch(sqlite, checkpoints, logLengths, log)
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
  return {
    // The row type is the caller's promise about its own SQL.
    all: <Row>(sql: string, ...parameters: SqlParameter[]) => {
      const { sqlite: prepared, tables } = statement(sql)
      const ask = () => prepared.all(...parameters)
      // The list is the caller's own, its rows are not.
      if (tables.reads !== null) return [...reads.rows(tables, 'all', parameters, ask)] as Row[]
      if (!prepared.readonly) noteWrite(tables)
      return ask() as Row[]
    },
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
