import { compareAnew } from './cursor.ts'
import type { ReadableDb, WritableDb } from './database.ts'
import { highestId } from './messages.ts'
import { markUnconfirmed, wantAnew } from './missing.ts'
import { note, notes, putNote, removeNote } from './notes.ts'

// Channels whose messages here are to be compared with the server although no queue was lost. There may be a hundred
// thousand of them, so they are marked some at a time. The list is in the file, so that this goes on after a restart.

/** The person joined the channel: events did not keep up to date what is here of it. */
export function doubtJoined(db: WritableDb, channelId: number): void {
  const isUrgent = note(db, 'doubted-channel', channelId)?.isUrgent === true
  putNote(db, 'doubted-channel', channelId, { channelId, below: highestId, isUrgent })
}

/** The person may no longer be able to read the channel's messages below this one. */
export function doubtAccess(db: WritableDb, channelId: number, below: number): void {
  const listed = note(db, 'doubted-channel', channelId)?.below ?? 0
  putNote(db, 'doubted-channel', channelId, { channelId, below: Math.max(below, listed), isUrgent: true })
}

/** The channels of which messages are still to be marked. */
export const doubtedChannels = (db: ReadableDb): number[] =>
  notes(db, 'doubted-channel').map(({ channelId }) => channelId)

/** Marks the newest of them; returns whether there may be more. If not, the channel is not listed any more. */
export function doubtSome(db: WritableDb, channelId: number, limit: number): boolean {
  const body = note(db, 'doubted-channel', channelId)
  if (body === undefined) return false
  const ids = db.column<number>(
    'SELECT message_id FROM messages WHERE channel_id = ? AND message_id < ? ORDER BY message_id DESC LIMIT ?',
    [channelId, body.below, limit],
  )
  if (body.isUrgent) wantAnew(db, ids)
  else if (ids.length > 0) {
    markUnconfirmed(db, ids)
    compareAnew(db)
  }
  const last = ids.at(-1)
  if (last === undefined || ids.length < limit) {
    removeNote(db, 'doubted-channel', channelId)
    return false
  }
  putNote(db, 'doubted-channel', channelId, { ...body, below: last })
  return true
}
