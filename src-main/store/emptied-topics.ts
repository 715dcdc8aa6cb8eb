import type { Conversation } from '../../src-shared/model/conversation.ts'
import { sizesOf } from './conversation-sizes.ts'
import { homeIfKnown } from './conversations.ts'
import type { ReadableDb, WritableDb } from './database.ts'
import { hasNote, note, notes, putNote, removeNote } from './notes.ts'

// Topics whose newest message was deleted and of which nothing may be left here. Only the server knows whether they have
// older messages, so the topics of their channels are fetched again. The list is in the file, so that this is done after a
// restart, too, or when there is a connection.

/** A channel with such a topic. */
export interface EmptiedChannel {
  readonly channelId: number
  /** The newest message that its topic lost. */
  readonly lost: number
}

/** Lists a topic's channel if this deletes its newest message and may leave nothing of it here. Call it before that. */
export function noteEmptied(db: WritableDb, topic: Conversation, deleted: readonly number[]): void {
  const home = topic.kind === 'topic' ? homeIfKnown(db, topic) : undefined
  if (topic.kind !== 'topic' || home === undefined || !deleted.includes(home.newestMessageId)) return
  if (sizesOf(db, [home.id])(home.id) > deleted.length) return
  const { channelId } = topic
  putNote(db, 'emptied-topic', channelId, { channelId, lost: home.newestMessageId })
}

/** Whether any channel is listed. */
export const hasEmptied = (db: ReadableDb): boolean => hasNote(db, 'emptied-topic')

/** The channels whose topics are to be fetched again. */
export const emptiedChannels = (db: ReadableDb): EmptiedChannel[] => notes(db, 'emptied-topic')

/** The topics of the channel were fetched again, unless another one was emptied meanwhile. */
export function endEmptied(db: WritableDb, { channelId, lost }: EmptiedChannel): void {
  if (note(db, 'emptied-topic', channelId)?.lost === lost) removeNote(db, 'emptied-topic', channelId)
}
