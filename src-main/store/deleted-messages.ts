import { chunk } from '../../src-shared/basics.ts'
import type { ReadableDb, WritableDb } from './database.ts'
import { removeMessages } from './messages.ts'
import { hasNote, lastNote, putNote, removeNote } from './notes.ts'

// One event may say that ten thousand messages were deleted, whose removal takes a second. So only the newest go with
// the event; the others follow, some at a time, before the next event that may concern them. The list is in the file,
// so that a restart continues with it.

/** How many messages are removed in one step: a few milliseconds. */
const removedAtOnce = 50

/** Whether a deletion of these messages leaves some of them to `removeSomeDeleted`. */
export const isLargeDeletion = (ids: readonly unknown[]): boolean => ids.length > removedAtOnce

/** Removes messages that were deleted: the newest now, and the others by `removeSomeDeleted`. */
export function removeDeleted(db: WritableDb, ids: readonly number[]): void {
  if (!isLargeDeletion(ids)) {
    removeMessages(db, ids)
    return
  }
  // Those that are not here, too: looking for ten thousand takes longer than a frame.
  const ascending = [...ids].sort((a, b) => a - b)
  const newest = ascending.splice(-removedAtOnce)
  for (const some of chunk(ascending, removedAtOnce)) {
    const [oldest = 0] = some
    // Notes are read in the order of their ids.
    putNote(db, 'deleted-messages', String(oldest).padStart(16, '0'), { messageIds: some })
  }
  // A topic may know its newest message without having it.
  removeMessages(db, newest, ids)
}

/** Whether deleted messages are still to be removed. */
export const hasDeleted = (db: ReadableDb): boolean => hasNote(db, 'deleted-messages')

/** Removes some of the deleted messages, newest first. Returns whether there may be more. */
export function removeSomeDeleted(db: WritableDb): boolean {
  const last = lastNote(db, 'deleted-messages')
  if (last === undefined) return false
  removeMessages(db, last.body.messageIds)
  removeNote(db, 'deleted-messages', last.id)
  return true
}
