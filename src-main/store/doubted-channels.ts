import { compareAnew } from './cursor.ts'
import type { ReadableDb, WritableDb } from './database.ts'
import { highestId } from './messages.ts'
import { markUnconfirmed, wantAnew } from './missing.ts'
import { object, objectsOf, putObject, removeObject } from './objects.ts'

// Channels whose messages here are to be compared with the server although no queue was lost. There may be a hundred
// thousand of them, so they are marked some at a time. The list is in the file, so that this goes on after a restart.

interface Body {
  readonly channelId: number
  /** Those below this message are still to be marked. */
  readonly below: number
  /** Whether they are fetched as missing ones are; the others wait until they are shown, or for the slow comparison. */
  readonly isUrgent: boolean
}

const listed = (db: ReadableDb, channelId: number) =>
  // Only `put` writes them.
  object(db, 'doubted-channel', channelId) as Body | undefined

const put = (db: WritableDb, body: Body) => putObject(db, 'doubted-channel', body.channelId, body)

/** The person joined the channel: events did not keep up to date what is here of it. */
export function doubtJoined(db: WritableDb, channelId: number): void {
  put(db, { channelId, below: highestId, isUrgent: listed(db, channelId)?.isUrgent === true })
}

/** The person may no longer be able to read the channel's messages below this one. */
export function doubtAccess(db: WritableDb, channelId: number, below: number): void {
  put(db, { channelId, below: Math.max(below, listed(db, channelId)?.below ?? 0), isUrgent: true })
}

/** The channels of which messages are still to be marked. */
export const doubtedChannels = (db: ReadableDb): number[] =>
  // As above.
  (objectsOf(db, 'doubted-channel') as unknown as Body[]).map(({ channelId }) => channelId)

/** Marks the newest of them; returns whether there may be more. If not, the channel is not listed any more. */
export function doubtSome(db: WritableDb, channelId: number, limit: number): boolean {
  const body = listed(db, channelId)
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
    removeObject(db, 'doubted-channel', channelId)
    return false
  }
  put(db, { ...body, below: last })
  return true
}
