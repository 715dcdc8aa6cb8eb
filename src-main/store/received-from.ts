import type { ReadableDb, WritableDb } from './database.ts'
import { note, notes, putNote } from './notes.ts'
import { endLiveRangesOf } from './ranges.ts'

// The combined history has what the person received. In a channel whose history is shared they can also read what was
// sent while they were not in it: before they joined, or between leaving and joining again. For each such channel this
// notes from which message on they received everything, as far as this device can tell: by the event or the snapshot
// that shows that they joined, or by a message of which the server says that they did not receive it.

/** The person joined, and it is not known yet which message of the channel was the first after that. */
const unknown = Number.MAX_SAFE_INTEGER

/** From which message on the combined history has all of the channel, as far as this device can tell. */
export const receivedFrom = (db: ReadableDb, channelId: number): number =>
  note(db, 'received-from', channelId)?.from ?? 0

const put = (db: WritableDb, channelId: number, from: number) =>
  putNote(db, 'received-from', channelId, { channelId, from })

/** The person did not receive this message of the channel. */
export function noteNotReceived(db: WritableDb, channelId: number, messageId: number): void {
  if (receivedFrom(db, channelId) <= messageId) put(db, channelId, messageId + 1)
}

/**
 * The person joined the channel: until its newest message was fetched, the combined history counts for nothing there,
 * and events do not extend what was fetched before.
 */
export function noteJoined(db: WritableDb, channelId: number): void {
  endLiveRangesOf(db, channelId)
  put(db, channelId, unknown)
}

/** The channel's history is here up to this message, and that was fetched after the person joined. */
export function noteFetchedSince(db: WritableDb, channelId: number, newestId: number): void {
  if (receivedFrom(db, channelId) === unknown) put(db, channelId, newestId + 1)
}

/** The channels that the person joined, and whose newest messages were not fetched since. */
export const joinedUnfetched = (db: ReadableDb): number[] =>
  notes(db, 'received-from')
    .filter(({ from }) => from === unknown)
    .map(({ channelId }) => channelId)
