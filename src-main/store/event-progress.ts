import { readCursor } from './cursor.ts'
import type { ReadableDb, WritableDb } from './database.ts'
import { note, putNote, removeNote } from './notes.ts'

// How much of an event that is applied in parts is applied. The cursor moves with its last part only, so after a restart
// the queue gives the event again. Only a number says which entries are applied: the order in which they are applied
// (`sync/event-transactions.ts`) must stay the same, also in later versions of the app.

const only = 'only'

/** How many entries of this event's list are applied. */
export function appliedOf(db: ReadableDb, eventId: number): number {
  const known = note(db, 'event-progress', only)
  return known?.eventId === eventId && known.queueId === readCursor(db).queueId ? known.applied : 0
}

/** So many entries of this event's list are applied with this transaction; null once all of them are. */
export function noteApplied(db: WritableDb, eventId: number, applied: number | null): void {
  const { queueId } = readCursor(db)
  if (applied === null) removeNote(db, 'event-progress', only)
  else if (queueId !== null) putNote(db, 'event-progress', only, { queueId, eventId, applied })
}

/** There is a new queue, which does not give events of the former one. */
export const forgetProgress = (db: WritableDb): void => removeNote(db, 'event-progress', only)
