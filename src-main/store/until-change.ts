import type { ReadableDb } from './database.ts'

/** How many results are remembered per file. */
const mostResults = 16
const results = new WeakMap<ReadableDb, { changes: number; readonly known: Map<string, unknown> }>()

/**
 * The result of `read`, remembered by its name as long as nothing is written: for reads of the word index, which
 * `ReadableDb.remembered` cannot track. One keystroke searches for results, for parts of words and for each kind of
 * facet. `read` must depend on the database alone, and no caller may change its result.
 */
export function untilChange<T>(db: ReadableDb, name: string, read: () => T): T {
  const changes = db.get<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0
  let own = results.get(db)
  if (own?.changes !== changes || own.known.size >= mostResults) {
    own = { changes, known: new Map() }
    results.set(db, own)
  }
  // Remembered by a name that stands for one kind of result.
  if (own.known.has(name)) return own.known.get(name) as T
  const result = read()
  own.known.set(name, result)
  return result
}
