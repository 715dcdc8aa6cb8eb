import type Sqlite from 'better-sqlite3'
import type { SqlParameters, SqlValue, WritableDb } from './database.ts'
import { nextMergePages } from './fts5-records.ts'
import { VocabularyBuilder } from './vocabulary-builder.ts'

/** The pause after a commit and between two rounds, in milliseconds. */
const restMs = 25
/** How long one round may take before it yields, in milliseconds. */
const roundMs = 4
/** How many pages one step merges: takes about a millisecond, unless one word has many more pages. */
const pagesPerStep = 4
/**
 * A merge that still has so many pages to read waits for a quiet moment: SQLite writes all pages of a word in one step,
 * which takes 12 to 19 ms for frequent words of 1,000,000 messages.
 */
const manyPages = 2_000
/** After a step that took longer than this, in milliseconds, the next one waits for a quiet moment. */
const longStepMs = 8
/** A moment is quiet if there was no commit for so many milliseconds. */
const quietMs = 300
/** After a long step and so many commits of words it no longer waits: each adds a segment that each search reads. */
const mostCommits = 200

/**
 * Maintains the word index in spare moments, in steps too short to notice.
 *
 * 1. Merges the index's segments. Each commit adds one, and each search reads all of them. SQLite would merge them
 *    within commits, some of which would then take a fifth of a second; so the file tells it to leave merging to us
 *    (migration 160).
 * 2. Gathers the words of messages into the vocabulary, so that a search finds them by a part.
 */
export interface WordsUpkeep {
  /** Must be called when the words of a message are written. */
  written(messageId: number): void
  /** Must be called before a transaction commits. */
  committing(): void
  /** Must be called after a rollback. */
  undone(): void
  /** Must be called after each commit; one that wrote words adds segments, and the upkeep is scheduled. */
  committed(hasWords: boolean): void
  /** Merges for a few milliseconds; false if nothing is left to merge. Throws if the disk refuses. */
  join(): boolean
  /** Gathers a little; false if nothing is left to gather. Throws if the disk refuses. */
  gather(): boolean
  /** Records in the file what is left to do. */
  close(): void
}

/**
 * A program that ends in the middle loses no progress: the next run continues. `gathered` is called when the vocabulary
 * has all words again.
 */
export function createWordsUpkeep(
  sqlite: Sqlite.Database,
  failed: (error: unknown) => void,
  gathered: () => void = () => {},
): WordsUpkeep {
  let timer: NodeJS.Timeout | null = null
  let isClosed = false
  /** Whether the last step took long: SQLite writes all pages of a word at once, and merges of large segments have many. */
  let wasLong = false
  let committedAt = -Infinity
  /** The commits since the last round. */
  let commits = 0
  const db = plainWriter(sqlite)
  const within = sqlite.transaction((work: () => unknown) => void work())
  const builder = hasVocabulary(db) ? new VocabularyBuilder(db, within) : null
  const changes = (): number => db.get<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0

  const indexes: readonly Index[] =
    builder === null ? ['message_words'] : ['message_words', 'vocabulary_parts']
  const isLarge = (index: Index): boolean => {
    const record = db.get<{ block: Uint8Array }>(`SELECT block FROM ${index}_data WHERE id = 10`)
    return record !== undefined && nextMergePages(record.block) >= manyPages
  }
  const joinsOf = (index: Index): boolean => {
    const before = changes()
    db.run(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ${pagesPerStep})`)
    // A merge that finds nothing to do counts as one change (SQLite FTS5, section 6.8).
    return changes() - before > 1
  }
  /** Repeats a step until it finds nothing to do or the round has taken long enough. */
  const forAWhile = (step: () => boolean): boolean => {
    const start = performance.now()
    let isMore = true
    for (let now = start; isMore && now - start < roundMs;) {
      const before = now
      isMore = step()
      now = performance.now()
      wasLong = now - before > longStepMs
    }
    return isMore
  }
  const joinWhere = (mayJoin: (index: Index) => boolean): boolean => {
    let isMore = false
    // In one transaction, because the steps write some of the same pages.
    within(() => (isMore = forAWhile(() => indexes.some((index) => mayJoin(index) && joinsOf(index)))))
    return isMore
  }

  const later = () => {
    timer ??= setTimeout(round, restMs).unref()
  }
  const round = () => {
    timer = null
    if (isClosed) return
    const isQuiet = performance.now() - committedAt >= quietMs
    if (wasLong && !isQuiet && commits < mostCommits) {
      later()
      return
    }
    commits = 0
    try {
      const wasPending = builder?.isPending === true
      // Asked before each step: when a small merge ends, SQLite begins the next one, which may be large.
      const isMore =
        joinWhere((index) => isQuiet || !isLarge(index)) ||
        forAWhile(() => builder?.step() === true) ||
        (!isQuiet && indexes.some(isLarge))
      const isPending = builder?.isPending === true
      if (isMore || isPending) later()
      if (wasPending && !isPending) gathered()
    } catch (error) {
      // Nothing has changed; the next commit tries again.
      failed(error)
    }
  }
  if (builder?.isPending === true) later()

  return {
    written: (id) => builder?.written(id),
    committing: () => builder?.begin(),
    undone: () => builder?.undone(),
    committed(hasWords) {
      committedAt = performance.now()
      if (!hasWords) return
      commits++
      later()
    },
    join: () => joinWhere(() => true),
    gather: () => builder?.gather() === true,
    close() {
      isClosed = true
      if (timer !== null) clearTimeout(timer)
      try {
        builder?.close()
      } catch (error) {
        failed(error)
      }
    },
  }
}

/** The full-text indexes whose segments are merged. */
type Index = 'message_words' | 'vocabulary_parts'

/** False for files that tests leave at an older schema. */
const hasVocabulary = (db: WritableDb): boolean =>
  db.get(`SELECT 1 FROM sqlite_schema WHERE name = 'vocabulary_progress'`) !== undefined

/** A writer whose statements notify no watched query: none of them changes what is searched. */
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
    draftTyped: () => {},
    // The row type is the caller's promise about its own SQL (see `ReadableDb`).
    all: <Row>(sql: string, parameters: SqlParameters = []) => prepared(sql).all(parameters) as Row[],
    get: <Row>(sql: string, parameters: SqlParameters = []) =>
      prepared(sql).get(parameters) as Row | undefined,
    column: <Value extends SqlValue>(sql: string, parameters: SqlParameters = []) =>
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
