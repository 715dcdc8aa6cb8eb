import type { ReadableDb, WritableDb } from './database.ts'
import { removeMessages } from './messages.ts'
import { notes, putNote, removeNote } from './notes.ts'
import { forgetRangesOf } from './ranges.ts'
import { noteNotReceived } from './received-from.ts'

// Channels that the person can no longer read. A channel may have a hundred thousand messages, whose removal takes
// seconds, so they are removed some at a time. The list is in the file, so that the removal goes on after a restart.

/** Lists a channel as lost, and forgets which of its history is here. */
export function noteLost(db: WritableDb, channelId: number): void {
  forgetRangesOf(db, channelId)
  removeNote(db, 'doubted-channel', channelId)
  removeNote(db, 'emptied-topic', channelId)
  putNote(db, 'lost-channel', channelId, { channelId })
}

/** Whether messages of a channel are here, if only as unread ones without their text. */
export const hasMessagesOf = (db: ReadableDb, channelId: number): boolean =>
  db.get(
    `SELECT 1 FROM messages WHERE channel_id = ?1
     UNION ALL SELECT 1 FROM unread WHERE conversation_id IN
       (SELECT conversation_id FROM conversations WHERE kind = 'topic' AND channel_id = ?1) LIMIT 1`,
    { 1: channelId },
  ) !== undefined

/** The channels of which messages are still to be removed. */
export const lostChannels = (db: ReadableDb): number[] =>
  notes(db, 'lost-channel').map(({ channelId }) => channelId)

/**
 * Removes the newest messages of a lost channel, including unread ones whose text is not here. Returns whether there may
 * be more; if not, the channel is not listed any more.
 */
export function removeSomeLost(db: WritableDb, channelId: number, limit: number): boolean {
  const texts = db.column<number>(
    'SELECT message_id FROM messages WHERE channel_id = ? ORDER BY message_id DESC LIMIT ?',
    [channelId, limit],
  )
  const ids =
    texts.length > 0
      ? texts
      : db.column<number>(
          `SELECT message_id FROM unread WHERE conversation_id IN
             (SELECT conversation_id FROM conversations WHERE kind = 'topic' AND channel_id = ?) LIMIT ?`,
          [channelId, limit],
        )
  removeMessages(db, ids)
  // If the person is let in again, the combined history does not have these.
  if (ids.length > 0) noteNotReceived(db, channelId, Math.max(...ids))
  if (texts.length > 0 || ids.length === limit) return true
  // Also what was fetched since, in case the person was let in again before the app was started again.
  forgetRangesOf(db, channelId)
  removeNote(db, 'lost-channel', channelId)
  return false
}
