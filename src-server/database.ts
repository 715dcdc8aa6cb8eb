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

/** The service's file: one connection, statements cached by their text. */
export interface Database {
  all<Row>(sql: string, ...parameters: SqlParameter[]): Row[]
  get<Row>(sql: string, ...parameters: SqlParameter[]): Row | undefined
  run(sql: string, ...parameters: SqlParameter[]): { changes: number; lastId: number }
  /** All or nothing; written when it returns, so that nothing acknowledged is lost to a kill. */
  transaction<T>(work: () => T): T
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
  const statements = new Map<string, Sqlite.Statement>()
  const statement = (sql: string) => {
    let known = statements.get(sql)
    if (known === undefined) {
      known = sqlite.prepare(sql)
      statements.set(sql, known)
      const [oldest] = statements.keys()
      if (statements.size > mostStatements && oldest !== undefined) statements.delete(oldest)
    }
    return known
  }
  return {
    // The row type is the caller's promise about its own SQL.
    all: <Row>(sql: string, ...parameters: SqlParameter[]) => statement(sql).all(...parameters) as Row[],
    get: <Row>(sql: string, ...parameters: SqlParameter[]) =>
      statement(sql).get(...parameters) as Row | undefined,
    run: (sql, ...parameters) => {
      const { changes, lastInsertRowid } = statement(sql).run(...parameters)
      return { changes, lastId: Number(lastInsertRowid) }
    },
    transaction: (work) => sqlite.transaction(work)(),
    close: () => sqlite.close(),
  }
}
