import type { Narrow } from '../../src-shared/model/narrow.ts'
import { findConversation } from './conversations.ts'
import type { ReadableDb } from './database.ts'

/** The unread messages of a narrow up to one, oldest first; at most 50,000. */
export function unreadInNarrow(db: ReadableDb, narrow: Narrow, upTo: number): number[] {
  const limit = 50_000
  const ids = (sql: string, parameters: (number | string)[]) =>
    db
      .all<{ message_id: number }>(`${sql} ORDER BY message_id LIMIT ${limit}`, parameters)
      .map((row) => row.message_id)
  switch (narrow.kind) {
    case 'topic':
    case 'direct':
      return ids('SELECT message_id FROM unread WHERE conversation_id = ? AND message_id <= ?', [
        findConversation(db, narrow) ?? -1,
        upTo,
      ])
    case 'channel':
      return ids(
        `SELECT message_id FROM unread WHERE conversation_id IN
           (SELECT conversation_id FROM conversations WHERE kind = 'topic' AND channel_id = ?) AND message_id <= ?`,
        [narrow.channelId, upTo],
      )
    case 'mentions':
      return ids('SELECT message_id FROM unread WHERE is_mentioned = 1 AND message_id <= ?', [upTo])
    case 'directs':
      return ids(
        `SELECT message_id FROM unread WHERE conversation_id IN
           (SELECT conversation_id FROM conversations WHERE kind = 'direct') AND message_id <= ?`,
        [upTo],
      )
    case 'starred':
      return ids(
        `SELECT message_id FROM unread JOIN messages USING (message_id) WHERE is_starred = 1 AND message_id <= ?`,
        [upTo],
      )
    case 'reactions':
      // A person's own messages are never unread for them.
      return []
    case 'combined':
      return ids('SELECT message_id FROM unread WHERE message_id <= ?', [upTo])
  }
}
