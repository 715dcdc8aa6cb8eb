import Sqlite from 'better-sqlite3'
import { FailureError, failureOf, type Failure } from '../../src-shared/failure.ts'
import type { Checkpoints } from '../../src-shared/sqlite/checkpoints.ts'
import { LogWatch } from '../../src-shared/sqlite/log-watch.ts'
import { listingOfBeginnings } from './beginnings.ts'
import { deviceFailure } from './device-failure.ts'
import type { Migration } from './migrations/index.ts'
import type { Journal, JournalContent } from './journal.ts'
import {
  ownChangeNumber,
  ownRows,
  ownTableForms,
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

/** Values for the parameters of a statement, by place or by name. */
export type SqlParameters = readonly SqlValue[] | Readonly<Record<string, SqlValue>>

/** Read access. Every query function takes this, so that a query that writes does not compile. */
export interface ReadableDb {
  /** All rows. The caller bounds them with LIMIT; the row type is the caller's promise about its own SQL. */
  all<Row>(sql: string, parameters?: SqlParameters): Row[]
  /** The first row, or undefined. */
  get<Row>(sql: string, parameters?: SqlParameters): Row | undefined
  /** The first column of all rows, at less than half the cost of rows. */
  column<Value extends SqlValue>(sql: string, parameters?: SqlParameters): Value[]
  /**
   * The result of `read`, which must depend on the database alone. It is remembered by its name until a table that it
   * read changes. All callers share it, so none may change it. A result from virtual tables is not remembered.
   */
  remembered<T>(name: string, read: () => T): T
  /** The same for many things of one kind: `read` gets only the ids that are not remembered. */
  rememberedById<T>(
    name: string,
    ids: readonly number[],
    read: (ids: readonly number[]) => ReadonlyMap<number, T>,
  ): (id: number) => T | undefined
}

/** Write access; exists only inside `store.write`. */
export interface WritableDb extends ReadableDb {
  /** The number of the current change of own tables; 0 where changes are not counted. */
  readonly changeNumber: number
  /** Runs one statement; returns how many rows it changed. */
  run(sql: string, parameters?: SqlParameters): number
  /** Must be called after the words of a message were written into their index. */
  wordsWritten(messageId: number): void
  /** Must be called after a statement that wrote nothing of a draft but its text, with a new `changeNumber`. */
  draftTyped(draftId: string): void
}

/**
 * One SQLite file with live queries.
 *
 * 1. Every write is one synchronous transaction; it is on disk (WAL) when `write` returns.
 * 2. After a commit, the watches whose tables were touched run again, at most once in 16 ms (`watches.ts`).
 * 3. Neither reads nor writes declare their tables: the statements' bytecode says which they touch.
 */
export interface Store {
  /** Reads outside a transaction. */
  readonly db: ReadableDb
  /** One transaction. Throws a `FailureError` of kind device if the disk refuses. `work` must not be async. */
  write<T>(work: (db: WritableDb) => T): T
  /**
   * Like `write`, for work that runs a single statement. The statement is its own transaction, which halves the cost.
   * It is refused, with nothing written, if it changes a row of an own table without `changeNumber`.
   */
  writeOnce<T>(work: (db: WritableDb) => T): T
  /**
   * Calls `update` now and after every change of the result, with its JSON; returns a function that stops it. All that one
   * run of the query reads is of one state of the file.
   */
  watch(query: (db: ReadableDb) => unknown, update: (json: string) => void): () => void
  /** Calls `listener` after every commit that touched one of the tables; returns a function that stops it. */
  onChange(tables: readonly string[], listener: () => void): () => void
  /** The number of commits that touched a table since the file was opened: for listeners that already know some. */
  commitsTo(table: string): number
  /** Calls `listener` with the failure after every write that was refused as a whole. It must not throw. */
  onRefusal(listener: (failure: Failure) => void): void
  close(): void
}

/** Optional parts of a store. */
export interface StoreOptions {
  /** The migrations; tests leave some out. */
  readonly steps?: readonly Migration[]
  /** The second copy of the own tables; the store owns it from now on. */
  readonly journal?: Journal
  /** Called once, when SQLite finds the file damaged. */
  readonly onDamage?: () => void
  /** Moves the log into the file; by default, SQLite does that itself between two writes. */
  readonly checkpoints?: Checkpoints
}

/** Opens (and creates) a file and migrates it. Throws a `FailureError` of kind device if it cannot. */
export function openStore(path: string, log: (line: string) => void, options: StoreOptions = {}): Store {
  return createStore(openFile(path, options.steps), log, options)
}

/** Makes a store of an open file; closing the store closes the file. Throws a `FailureError` of kind device. */
export function createStore(
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

/** The content of all own tables, for the journal. */
export function journalContent(sqlite: Sqlite.Database): JournalContent {
  const forms = ownTableForms(sqlite)
  return {
    schema: Number(sqlite.pragma('user_version', { simple: true })),
    number: ownChangeNumber(sqlite),
    keys: Object.fromEntries(forms.map(({ name, keys }) => [name, keys])),
    rows: forms.flatMap((form) => ownRows(sqlite, form).map((row): OwnChange => [form.name, 'put', row])),
  }
}

/** A statement or a transaction that takes longer is logged, in milliseconds: no frame can be drawn meanwhile. */
const slowMs = 16

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
  /** Collects the tables that a transaction writes; null outside a transaction. */
  #writing: Set<string> | null = null
  readonly #journal: Journal | null
  /** Null if there is no journal to be told of own tables. */
  readonly #own: OwnTablesWatch | null
  /** The number of the last change of own tables in the journal. */
  #ownNumber = 0
  /** Whether the file already has the number of the next change. */
  #isNumbered = false
  #onDamage: (() => void) | null
  readonly #transactions: Transactions
  readonly #wordsUpkeep: WordsUpkeep
  readonly #writer: WritableDb
  /** Null if SQLite checkpoints its log itself. */
  readonly #logWatch: LogWatch | null

  constructor(sqlite: Sqlite.Database, log: (line: string) => void, options: StoreOptions) {
    this.#sqlite = sqlite
    this.#log = log
    this.#onDamage = options.onDamage ?? null
    this.#journal = options.journal ?? null
    const { checkpoints } = options
    this.#logWatch = checkpoints === undefined ? null : new LogWatch(sqlite, checkpoints, log)
    this.#own = this.#journal === null ? null : watchOwnTables(sqlite)
    if (this.#own !== null) this.#ownNumber = ownChangeNumber(sqlite)
    this.#watches = new Watches(log, () => {
      this.#mirror()
      this.#journal?.tidy(() => journalContent(this.#sqlite), false)
      this.#logWatch?.committed()
    })
    this.#statements = new Statements(sqlite)
    this.#reads = new Reads({
      statements: this.#statements,
      isWriting: () => this.#writing !== null,
      run: (sql, work) => this.#read(sql, work),
    })
    this.db = this.#reads.db
    this.#writer = this.#writerOver(this.db)
    sqlite.exec(listingOfBeginnings)
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
      // Changes that were rolled back never happened.
      this.#own?.forgetAfter(ownBefore)
      if (outer !== null) throw this.#refusal(error)
      this.#wordsUpkeep.undone()
      throw this.#refusedWrite(error)
    } finally {
      this.#writing = outer
    }
    // An inner write is a savepoint: its tables count when the outer write commits.
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
    this.#wordsUpkeep.committed(touched.has('messages') || touched.has('outdated_words'))
    this.#watches.changed(touched)
  }

  #upkeepFailed(error: unknown): void {
    // Reports damage like any other statement.
    const refusal = this.#refusal(error)
    this.#log(`store: words: ${refusal instanceof Error ? refusal.message : String(refusal)}`)
  }

  watch(query: (db: ReadableDb) => unknown, update: (json: string) => void): () => void {
    let last: string | null = null
    return this.#watches.add((tables) => {
      const result = this.#transactions.reading(() => this.#reads.into(tables, () => query(this.db)))
      const json = JSON.stringify(result)
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

  /** Makes the transaction record that own tables changed, unless it or an earlier one in this turn already does. */
  #numberChange(ownBefore: number): void {
    if (this.#own === null || this.#isNumbered || this.#own.count === ownBefore) return
    const next = this.#ownNumber + 1
    if (this.#own.number < next) this.#writer.run('INSERT OR REPLACE INTO own_changes VALUES (1, ?)', [next])
  }

  /** Appends this turn's committed changes of own tables to the journal. */
  #mirror(): void {
    const own = this.#own
    if (own === null || own.count === 0) return
    this.#isNumbered = false
    this.#ownNumber++
    this.#journal?.append(this.#ownNumber, () => own.take())
  }

  /** SQLite's error as a failure; damage is reported once, through `onDamage`. */
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
      // Inside a transaction, `write` refuses the transaction as a whole.
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
      draftTyped: (id) => this.#own?.draftTyped(id, next()),
      run: (sql, parameters = []) => {
        this.#transactions.aboutToWrite()
        const ownBefore = this.#own?.count ?? 0
        let changes: number
        try {
          changes = this.#timed(sql, () => changesOf(this.#statements.of(sql), parameters))
        } catch (error) {
          // A failed statement is undone by itself, whatever happens to the transaction.
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
    if (took > slowMs)
      this.#log(`store: ${took.toFixed(0)} ms in ${name.replace(/\s+/g, ' ').trim().slice(0, 120)}`)
    return result
  }
}

/** Runs a statement; SQLite binds separate values faster than a list. */
function changesOf(statement: Sqlite.Statement, parameters: SqlParameters): number {
  return (isList(parameters) ? statement.run(...parameters) : statement.run(parameters)).changes
}

const isList = (parameters: SqlParameters): parameters is readonly SqlValue[] => Array.isArray(parameters)
