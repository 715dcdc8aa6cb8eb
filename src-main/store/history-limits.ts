import type { ReadableDb, WritableDb } from './database.ts'
import { notes, putNote } from './notes.ts'

// Where the organization's plan limits how much history the server shows. What is older exists, but is not returned.

/**
 * A page of a narrow ended at this message, because the plan does not show what is older. A page from farther back says
 * nothing about what is newer.
 */
export function noteHistoryLimit(db: WritableDb, narrowKey: string, oldestId: number): void {
  if (!isLimitedFrom(db, narrowKey, oldestId))
    putNote(db, 'history-limit', narrowKey, { narrowKey, oldestId })
}

/** Whether the server shows nothing of a narrow that is older than this message, although there is something. */
export const isLimitedFrom = (db: ReadableDb, narrowKey: string, id: number): boolean =>
  id <= (historyLimits(db).get(narrowKey) ?? -1)

const historyLimits = (db: ReadableDb): ReadonlyMap<string, number> =>
  db.remembered(
    'history-limits',
    () => new Map(notes(db, 'history-limit').map((limit) => [limit.narrowKey, limit.oldestId])),
  )

/** The plan may be another one: the next pages tell. */
export function forgetHistoryLimits(db: WritableDb): void {
  db.run("DELETE FROM objects WHERE kind = 'history-limit'")
}
