import Sqlite from 'better-sqlite3'
import { FailureError, failureOf, type Failure } from '../../src-shared/failure.ts'
import type { Checkpoints } from '../../src-shared/sqlite/checkpoints.ts'
import { LogWatch } from '../../src-shared/sqlite/log-watch.ts'
import { deviceFailure } from './device-failure.ts'
import type { Migration } from './migrations/index.ts'
import type { Journal, JournalContent } from './journal.ts'
import {
  ownChangeNumber,
  ownRows,
  ownTableForms,
  ownTables,
  watchOwnTables,
  type OwnChange,
  type OwnTablesWatch,
} from './own-tables.ts'
import { asDeviceFailure, openFile } from './open-file.ts'
import { Reads } from './reads.ts'
import { Statements } from './statements.ts'
import { createTransactions, type Transactions } from './transactions.ts'
import { Watches } from './watches.ts'
import { createWordsUpkeep, type WordsUpkeep } from './words-upkeep.ts'

/** A value that SQLite stores. */
export type SqlValue = string | number | bigint | null | Uint8Array

/** How long the log of a file may be, in pages of 4 KiB. */
const logLengths = { much: 1_000, tooMuch: 16_000 }

type Parameters = readonly SqlValue[] | Readonly<Record<string, SqlValue>>

/** Reading. Every query function takes this, so that a query that writes does not compile. */
export interface ReadableDb {
  /** All rows. The caller bounds them with LIMIT; the row type is the caller's promise about its own SQL. */
  all<Row>(sql: string, parameters?: Parameters): Row[]
  /** The first row, or undefined. */
  get<Row>(sql: string, parameters?: Parameters): Row | undefined
  /** The first column of all rows, at less than half the cost of rows. */
  column<Value extends SqlValue>(sql: string, parameters?: Parameters): Value[]
  /**
   * What `read` makes of the database alone, kept by its name until a table that it read has changed. It is everybody's:
   * nobody may change it. What reads of virtual tables is never kept.
   */
  remembered<T>(name: string, read: () => T): T
  /** The same for many things of one kind: `read` is asked only for those that are not known. */
  rememberedById<T>(
    name: string,
    ids: readonly number[],
    read: (ids: readonly number[]) => ReadonlyMap<number, T>,
  ): (id: number) => T | undefined
}

/** Writing; exists only inside `store.write`. */
export interface WritableDb extends ReadableDb {
  /** The number of the change of own tables that is being made; 0 where nobody counts them. */
  readonly changeNumber: number
  /** Runs one statement; answers how many rows it changed. */
  run(sql: string, parameters?: Parameters): number
  /** To be called when the words of a message were written into their index. */
  wordsWritten(messageId: number): void
}

/**
 * One SQLite file with live queries.
 *
 * 1. Every write is one synchronous transaction; it is on disk (WAL) when `write` returns.
 * 2. After a commit the watches whose tables were touched run again, at most once per turn of the event loop.
 * 3. Neither reads nor writes declare their tables: the statements' own bytecode says which they touch.
 */
export interface Store {
  /** Reads outside a transaction. */
  readonly db: ReadableDb
  /** All or nothing. Throws a `FailureError` of kind device when the disk refuses. `work` must not be async. */
  write<T>(work: (db: WritableDb) => T): T
  /**
   * As `write`, for work that runs a single statement: that is a transaction of its own, at half the cost of one around
   * it. It is refused, with nothing written, when it changes a row of an own table without `changeNumber`.
   */
  writeOnce<T>(work: (db: WritableDb) => T): T
  /** Calls `update` now and after every change of the result, with its JSON; returns how to stop. */
  watch(query: (db: ReadableDb) => unknown, update: (json: string) => void): () => void
  /** Calls `listener` after every commit that touched one of the tables; returns how to stop. */
  onChange(tables: readonly string[], listener: () => void): () => void
  /** How many commits have touched a table since the file was opened: for listeners that know some of them already. */
  commitsTo(table: string): number
  /** Calls `listener` after every write that was refused as a whole, with why. It must not throw. */
  onRefusal(listener: (failure: Failure) => void): void
  close(): void
}

/** What a store may be given beside its path. */
export interface StoreOptions {
  /** The steps to the newest form; tests leave some out. */
  readonly steps?: readonly Migration[]
  /** The second copy of the own tables; it belongs to the store from now on. */
  readonly journal?: Journal
  /** Called once when SQLite finds the file damaged. */
  readonly onDamage?: () => void
  /** Who moves the log into the file; SQLite itself, between two writes, unless said. */
  readonly checkpoints?: Checkpoints
}

/** Opens (and creates) a file and brings it up to date. Throws a `FailureError` of kind device when it cannot. */
export function openStore(path: string, log: (line: string) => void, options: StoreOptions = {}): Store {
  return storeOver(openFile(path, options.steps), log, options)
}

/** A store over a file that is open; both end together. Throws a `FailureError` of kind device. */
export function storeOver(
  sqlite: Sqlite.Database,
  log: (line: string) => void,
  options: StoreOptions,
): Store {
  try {
    return new SqliteStore(sqlite, log, options)
  } catch (error) {
    sqlite.close()
    throw asDeviceFailure(error, sqlite.name)
  }
}

/** All that the own tables hold, for the journal. */
export function journalContent(sqlite: Sqlite.Database): JournalContent {
  const forms = ownTableForms(sqlite)
  return {
    schema: Number(sqlite.pragma('user_version', { simple: true })),
    number: ownChangeNumber(sqlite),
    keys: Object.fromEntries(forms.map(({ name, keys }) => [name, keys])),
    rows: forms.flatMap((form) => ownRows(sqlite, form).map((row): OwnChange => [form.name, 'put', row])),
  }
}

const isDamage = (error: unknown): boolean => {
  const failure = deviceFailure(error, '')
  return failure.kind === 'device' && failure.code === 'damaged'
}

class SqliteStore implements Store {
  readonly db: ReadableDb
  readonly #sqlite: Sqlite.Database
  readonly #log: (line: string) => void
  readonly #statements: Statements
  readonly #reads: Reads
  readonly #watches: Watches
  #closed = false
  readonly #refusalListeners: ((failure: Failure) => void)[] = []
  /** Set while a transaction runs: collects the tables it writes. */
  #writing: Set<string> | null = null
  readonly #journal: Journal | null
  /** Null where nobody wants to know of own tables. */
  readonly #own: OwnTablesWatch | null
  /** The change of own tables that the journal ends with. */
  #ownNumber = 0
  /** Whether the file has the number of the change after that already. */
  #isNumbered = false
  #onDamage: (() => void) | null
  readonly #transactions: Transactions
  readonly #wordsUpkeep: WordsUpkeep
  readonly #writer: WritableDb
  /** Null where SQLite looks after its log itself. */
  readonly #logWatch: LogWatch | null

  constructor(sqlite: Sqlite.Database, log: (line: string) => void, options: StoreOptions) {
    this.#sqlite = sqlite
    this.#log = log
    this.#onDamage = options.onDamage ?? null
    this.#journal = options.journal ?? null
    const { checkpoints } = options
    this.#logWatch = checkpoints === undefined ? null : new LogWatch(sqlite, checkpoints, logLengths, log)
    this.#own = this.#journal === null ? null : watchOwnTables(sqlite)
    if (this.#own !== null) this.#ownNumber = ownChangeNumber(sqlite)
    this.#watches = new Watches(log, () => {
      this.#mirror()
      this.#journal?.tidy(() => journalContent(this.#sqlite), false)
    })
    this.#statements = new Statements(sqlite)
    this.#reads = new Reads({
      statements: this.#statements,
      isWriting: () => this.#writing !== null,
      run: (sql, work) => this.#read(sql, work),
    })
    this.db = this.#reads.db
    this.#writer = this.#writerOver(this.db)
    this.#transactions = createTransactions(sqlite)
    this.#wordsUpkeep = createWordsUpkeep(
      sqlite,
      (error) => this.#upkeepFailed(error),
      () => {
        this.#reads.changed('vocabulary')
        this.#watches.changed(['vocabulary'])
      },
    )
  }

  write<T>(work: (db: WritableDb) => T): T {
    const outer = this.#writing
    const touched = outer ?? new Set<string>()
    this.#writing = touched
    const ownBefore = this.#own?.count ?? 0
    let result: T
    try {
      result = this.#timed('write', () =>
        this.#transactions.within(() => {
          const value = work(this.#writer)
          if (outer === null) {
            this.#numberChange(ownBefore)
            this.#wordsUpkeep.committing()
          }
          return value
        }),
      )
    } catch (error) {
      // What is rolled back was never changed.
      this.#own?.forgetAfter(ownBefore)
      if (outer !== null) throw this.#refusal(error)
      this.#wordsUpkeep.undone()
      throw this.#refusedWrite(error)
    } finally {
      this.#writing = outer
    }
    // An inner write is a savepoint: what it touched counts when the outer one commits.
    if (outer === null) this.#committed(touched, ownBefore)
    return result
  }

  writeOnce<T>(work: (db: WritableDb) => T): T {
    if (this.#writing !== null) return this.write(work)
    const touched = new Set<string>()
    this.#writing = touched
    const own = this.#own
    const ownBefore = own?.count ?? 0
    if (own !== null && !this.#isNumbered) own.needed = this.#ownNumber + 1
    let result: T
    try {
      result = work(this.#writer)
    } catch (error) {
      throw this.#refusedWrite(error)
    } finally {
      this.#writing = null
      if (own !== null) own.needed = 0
    }
    this.#committed(touched, ownBefore)
    return result
  }

  #committed(touched: ReadonlySet<string>, ownBefore: number): void {
    this.#isNumbered ||= (this.#own?.count ?? 0) > ownBefore
    for (const table of touched) this.#reads.changed(table)
    if (touched.has('messages')) this.#wordsUpkeep.due()
    this.#watches.changed(touched)
    this.#logWatch?.committed()
  }

  #upkeepFailed(error: unknown): void {
    // Tells of damage as any other statement does.
    const refusal = this.#refusal(error)
    this.#log(`store: words: ${refusal instanceof Error ? refusal.message : String(refusal)}`)
  }

  watch(query: (db: ReadableDb) => unknown, update: (json: string) => void): () => void {
    let last: string | null = null
    return this.#watches.add((tables) => {
      const json = this.#reads.into(tables, () => JSON.stringify(query(this.db)))
      if (json === last) return
      last = json
      update(json)
    })
  }

  onChange(tables: readonly string[], listener: () => void): () => void {
    return this.#watches.addListener(tables, listener)
  }

  commitsTo(table: string): number {
    return this.#watches.commitsTo(table)
  }

  onRefusal(listener: (failure: Failure) => void): void {
    this.#refusalListeners.push(listener)
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#watches.close()
    this.#wordsUpkeep.close()
    this.#mirror()
    this.#logWatch?.settle()
    this.#journal?.tidy(() => journalContent(this.#sqlite), true)
    this.#journal?.close()
    this.#sqlite.close()
  }

  /** Has the transaction say that own tables changed, unless it or one before it in this turn says so already. */
  #numberChange(ownBefore: number): void {
    if (this.#own === null || this.#isNumbered || this.#own.count === ownBefore) return
    const next = this.#ownNumber + 1
    if (this.#own.number < next) this.#writer.run('INSERT OR REPLACE INTO own_changes VALUES (1, ?)', [next])
  }

  /** What commits did to own tables in this turn goes into the journal. */
  #mirror(): void {
    const own = this.#own
    if (own === null || own.count === 0) return
    this.#isNumbered = false
    this.#ownNumber++
    this.#journal?.append(this.#ownNumber, () => own.take())
  }

  /** SQLite's refusal as a failure; damage is told once to whoever can do something about it. */
  #refusal(error: unknown): unknown {
    if (!(error instanceof Sqlite.SqliteError)) return error
    if (isDamage(error)) {
      const tell = this.#onDamage
      this.#onDamage = null
      if (tell !== null) setImmediate(tell)
    }
    return new FailureError(deviceFailure(error, this.#sqlite.name), { cause: error })
  }

  /** The same for a whole write. */
  #refusedWrite(error: unknown): unknown {
    const refusal = this.#refusal(error)
    for (const listener of this.#refusalListeners) listener(failureOf(refusal))
    return refusal
  }

  #read<T>(sql: string, work: () => T): T {
    try {
      return this.#timed(sql, work)
    } catch (error) {
      // Inside a transaction the whole of it is refused, by `write`.
      throw this.#writing === null ? this.#refusal(error) : error
    }
  }

  #writerOver(db: ReadableDb): WritableDb {
    const next = () => (this.#own === null ? 0 : this.#ownNumber + 1)
    return {
      ...db,
      get changeNumber() {
        return next()
      },
      wordsWritten: (id) => this.#wordsUpkeep.written(id),
      run: (sql, parameters = []) => {
        this.#transactions.aboutToWrite()
        const ownBefore = this.#own?.count ?? 0
        let changes: number
        try {
          changes = changesOf(this.#statements.of(sql), parameters)
        } catch (error) {
          // A statement that fails is undone by itself, whatever becomes of the transaction.
          this.#own?.forgetAfter(ownBefore)
          throw error
        }
        if (changes > 0) for (const table of this.#statements.tablesOf(sql)) this.#writing?.add(table)
        return changes
      },
    }
  }

  #timed<T>(name: string, work: () => T): T {
    const start = performance.now()
    const result = work()
    const took = performance.now() - start
    if (took > 40)
      this.#log(`store: ${took.toFixed(0)} ms in ${name.replace(/\s+/g, ' ').trim().slice(0, 120)}`)
    return result
  }
}

/** Runs a statement; values that are handed over one by one are read sooner than those of a list. */
function changesOf(statement: Sqlite.Statement, parameters: Parameters): number {
  return (isList(parameters) ? statement.run(...parameters) : statement.run(parameters)).changes
}

const isList = (parameters: Parameters): parameters is readonly SqlValue[] => Array.isArray(parameters)

/** Empties everything that repeats the server; what only this machine knows stays. */
export function resetCache(db: WritableDb): void {
  const kept = new Set<string>([...ownTables, 'own_changes'])
  const tables = db.all<{ name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
  )
  const virtual = tables.filter(({ sql }) => sql.startsWith('CREATE VIRTUAL')).map(({ name }) => name)
  for (const { name } of tables) {
    const isShadow = virtual.some((table) => name.startsWith(`${table}_`))
    if (kept.has(name) || isShadow) continue
    if (virtual.includes(name)) db.run(`INSERT INTO ${name} (${name}) VALUES ('delete-all')`)
    else db.run(`DELETE FROM ${name}`)
  }
  db.run('INSERT INTO sync (id) VALUES (1)')
}
