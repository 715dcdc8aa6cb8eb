import type Sqlite from 'better-sqlite3'
import type { SqlValue, WritableDb } from './database.ts'
import { Gathering } from './gathering.ts'

/** After a commit, and between two rounds, milliseconds. */
const restMs = 25
/** How long one round may take before others get their turn, milliseconds. */
const roundMs = 4
/** How many pages one step joins: a millisecond or so. */
const pagesPerStep = 8

/**
 * Looks after the index of words in spare moments, in steps that nobody notices.
 *
 * 1. Joins its parts. Each commit adds one, and whoever searches looks into every one. SQLite would join them within the
 *    commits themselves, which then take a fifth of a second every now and then; so the file tells it to leave that to
 *    us (migration 160).
 * 2. Gathers the words that messages have into the vocabulary, so that a part of one finds it.
 */
export interface WordsUpkeep {
  /** The words of a message are being written. */
  written(messageId: number): void
  /** A transaction is about to be committed. */
  committing(): void
  /** A transaction was undone. */
  undone(): void
  /** Parts were added: does what there is to do, a little later. */
  due(): void
  /** Joins a little; false when there is nothing left to join. Throws when the disk refuses. */
  join(): boolean
  /** Gathers a little; false when there is nothing left to gather. Throws when the disk refuses. */
  gather(): boolean
  /** Has the file say what is left to do. */
  close(): void
}

/**
 * Nothing of it is lost when the program ends in the middle: the next run goes on with it. `gathered` is called when all
 * words are in the vocabulary again.
 */
export function createWordsUpkeep(
  sqlite: Sqlite.Database,
  failed: (error: unknown) => void,
  gathered: () => void = () => {},
): WordsUpkeep {
  let timer: NodeJS.Timeout | null = null
  let isClosed = false
  const db = plainWriter(sqlite)
  const within = sqlite.transaction((work: () => void) => {
    work()
  })
  const gathering = hasVocabulary(db) ? new Gathering(db, within) : null
  const changes = (): number => db.get<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0

  const joinsOf = (table: 'message_words' | 'vocabulary_parts'): boolean => {
    const before = changes()
    db.run(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ${pagesPerStep})`)
    // A merge that finds nothing to do counts as one change (SQLite FTS5, section 6.8).
    return changes() - before > 1
  }
  const join = () => joinsOf('message_words') || (gathering !== null && joinsOf('vocabulary_parts'))

  const later = () => {
    timer ??= setTimeout(round, restMs).unref()
  }
  const round = () => {
    timer = null
    if (isClosed) return
    const start = performance.now()
    try {
      const wasPending = gathering?.isPending === true
      let isMore: boolean
      do isMore = join() || gathering?.step() === true
      while (isMore && performance.now() - start < roundMs)
      const isPending = gathering?.isPending === true
      if (isMore || isPending) later()
      if (wasPending && !isPending) gathered()
    } catch (error) {
      // All stays as it is; the next commit tries again.
      failed(error)
    }
  }
  if (gathering?.isPending === true) later()

  return {
    written: (id) => gathering?.written(id),
    committing: () => gathering?.begin(),
    undone: () => gathering?.undone(),
    due: later,
    join,
    gather: () => gathering?.gather() === true,
    close() {
      isClosed = true
      if (timer !== null) clearTimeout(timer)
      try {
        gathering?.close()
      } catch (error) {
        failed(error)
      }
    },
  }
}

/** Files that tests leave at an older form have none. */
const hasVocabulary = (db: WritableDb): boolean =>
  db.get(`SELECT 1 FROM sqlite_schema WHERE name = 'vocabulary_progress'`) !== undefined

type Parameters = readonly SqlValue[] | Readonly<Record<string, SqlValue>>

/** Statements that no watched query hears of: what is searched for changes by none of them. */
function plainWriter(sqlite: Sqlite.Database): WritableDb {
  const statements = new Map<string, Sqlite.Statement>()
  const prepared = (sql: string): Sqlite.Statement => {
    let statement = statements.get(sql)
    if (statement === undefined) {
      statement = sqlite.prepare(sql)
      statements.set(sql, statement)
    }
    return statement
  }
  return {
    changeNumber: 0,
    wordsWritten: () => {},
    // The row type is the caller's promise about its own SQL (see `ReadableDb`).
    all: <Row>(sql: string, parameters: Parameters = []) => prepared(sql).all(parameters) as Row[],
    get: <Row>(sql: string, parameters: Parameters = []) => prepared(sql).get(parameters) as Row | undefined,
    column: <Value extends SqlValue>(sql: string, parameters: Parameters = []) =>
      prepared(sql)
        .all(parameters)
        .map((row) => Object.values(row as object)[0] as Value),
    remembered: (_, read) => read(),
    rememberedById(_, ids, read) {
      const all = read(ids)
      return (id) => all.get(id)
    },
    run: (sql, parameters = []) => prepared(sql).run(parameters).changes,
  }
}
