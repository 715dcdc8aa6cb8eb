import Sqlite from 'better-sqlite3'
import { initial } from './migrations/0010-initial.ts'
import { belongings } from './migrations/0030-belongings.ts'
import { permissions } from './migrations/0040-permissions.ts'
import { directMembers } from './migrations/0050-direct-members.ts'
import { accounts } from './migrations/0060-accounts.ts'
import { attachments } from './migrations/0070-attachments.ts'
import { later } from './migrations/0080-later.ts'
import { profiles } from './migrations/0090-profiles.ts'
import { bots } from './migrations/0100-bots.ts'
import { indexes } from './migrations/0110-indexes.ts'
import { resumable } from './migrations/0120-resumable.ts'
import { counts } from './migrations/0130-counts.ts'
import { presence } from './migrations/0140-presence.ts'
import { hiddenAddresses } from './migrations/0150-hidden-addresses.ts'
import { navigationViews } from './migrations/0160-navigation-views.ts'
import { domains } from './migrations/0170-domains.ts'
import { defaultChannelGroups } from './migrations/0180-default-channel-groups.ts'
import { exports } from './migrations/0190-exports.ts'
import { animatedEmoji } from './migrations/0200-animated-emoji.ts'
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
   * As `transaction`, soon, in one commit with all that waits by then: a commit costs more than most of what is
   * written in it. One that fails undoes nothing of the others, unless the disk itself refuses. They are run in the
   * order in which they came; all is written when any is fulfilled. `work` must change nothing but the file: it may
   * be done twice.
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

const migrations: readonly (readonly [number: number, sql: string])[] = [
  [10, initial],
  [30, belongings],
  [40, permissions],
  [50, directMembers],
  [60, accounts],
  [70, attachments],
  [80, later],
  [90, profiles],
  [100, bots],
  [110, indexes],
  [120, resumable],
  [130, counts],
  [140, presence],
  [150, hiddenAddresses],
  [160, navigationViews],
  [170, domains],
  [180, defaultChannelGroups],
  [190, exports],
  [200, animatedEmoji],
]

/** Narrows make statements of many forms; those of the hot paths are prepared again when they were pushed out. */
const mostStatements = 1_000

/**
 * Opens (and creates) the file at `path`, or one in memory for `:memory:`, and brings it up to date. What is committed
 * survives the end of the process, or at the price of a wait for the disk also that of the machine.
 */
export function openDatabase(path: string, survives: 'kill' | 'power-cut' = 'kill'): Database {
  const sqlite = new Sqlite(path)
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma(`synchronous = ${survives === 'kill' ? 'NORMAL' : 'FULL'}`)
  sqlite.pragma('foreign_keys = ON')
  // What is written again and again goes into the file once; a log of 40 MB is soon read.
  sqlite.pragma('wal_autocheckpoint = 10000')
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
  const noteWrite = (tables: StatementReads) => {
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
      sqlite.close()
    },
  }
}
