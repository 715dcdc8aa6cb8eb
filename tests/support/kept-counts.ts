import { countsAsMention } from '../../src-main/store/muting.ts'
import type { ReadableDb } from '../../src-main/store/database.ts'

/** The conversations whose stored counts differ from what is counted in the tables, with both. */
export const wrongCounts = (db: ReadableDb): unknown[] =>
  db.all(
    `SELECT * FROM (
       SELECT key, unread_count, mention_count,
         coalesce((SELECT message_count FROM conversation_sizes s WHERE s.conversation_id = c.conversation_id), 0)
           AS message_count,
         (SELECT count(*) FROM messages m WHERE m.conversation_id = c.conversation_id) AS messages,
         (SELECT count(*) FROM unread n WHERE n.conversation_id = c.conversation_id) AS unread,
         (SELECT count(*) FROM unread WHERE unread.conversation_id = c.conversation_id AND ${countsAsMention}) AS mentions
       FROM conversations c
     ) WHERE message_count <> messages OR unread_count <> unread OR mention_count <> mentions`,
  )
