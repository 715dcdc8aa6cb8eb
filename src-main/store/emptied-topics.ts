import type { ReadableDb, WritableDb } from './database.ts'
import { hasNote, note, notes, putNote, removeNote } from './notes.ts'
import { isWholeUpTo } from './ranges.ts'

// Topics that lost all their messages that are here. Only the server knows whether they have older ones, so the topics
// of their channels are fetched again. The list is in the file, so that this is done after a restart, too, or when there
// is a connection.

/** A channel with such a topic. */
export interface EmptiedChannel {
  readonly channelId: number
  /** The newest message that its topic lost. */
  readonly lost: number
}

/**
 * Lists the channels of those of these conversations that are topics and have nothing left here, unless nothing older
 * can be on the server or the person can no longer read the channel. `gone`: the messages that they lost.
 */
export function noteEmptied(db: WritableDb, homes: readonly number[], gone: readonly number[]): void {
  const emptied = db.all<{ key: string; channelId: number }>(
    `SELECT key, channel_id AS channelId FROM conversations
     WHERE kind = 'topic' AND newest_message_id = 0 AND conversation_id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(homes)],
  )
  if (emptied.length === 0) return
  const lost = gone.reduce((most, id) => Math.max(most, id), 0)
  for (const { key, channelId } of emptied) {
    if (isWholeUpTo(db, channelId, key, lost) || note(db, 'lost-channel', channelId) !== undefined) continue
    putNote(db, 'emptied-topic', channelId, { channelId, lost })
  }
}

/** Whether any channel is listed. */
export const hasEmptied = (db: ReadableDb): boolean => hasNote(db, 'emptied-topic')

/** The channels whose topics are to be fetched again. */
export const emptiedChannels = (db: ReadableDb): EmptiedChannel[] => notes(db, 'emptied-topic')

/** The topics of the channel were fetched again, unless another one was emptied meanwhile. */
export function endEmptied(db: WritableDb, { channelId, lost }: EmptiedChannel): void {
  if (note(db, 'emptied-topic', channelId)?.lost === lost) removeNote(db, 'emptied-topic', channelId)
}
