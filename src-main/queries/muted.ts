import { conversationKey, type Conversation } from '../../src-shared/model/conversation.ts'
import type { ReadableDb } from '../store/database.ts'

/** SQL: joins everything that muting depends on to conversations `c`. */
export const withVisibility = `LEFT JOIN channels ch ON ch.channel_id = c.channel_id
     LEFT JOIN topic_visibility v
       ON v.channel_id = c.channel_id AND v.topic_key = substr(c.key, 7 + length(c.channel_id) + 1)`

/** SQL: 1 if a conversation is muted, otherwise 0; needs `withVisibility`. */
export const isMutedSql = `CASE
       WHEN c.kind = 'direct' THEN 0
       WHEN coalesce(v.visibility, '') = 'muted' THEN 1
       WHEN ch.is_muted = 1 AND coalesce(v.visibility, '') NOT IN ('unmuted', 'followed') THEN 1
       ELSE 0 END`

/** Whether a conversation is muted, even if nothing of it is here. */
export const conversationIsMuted = (db: ReadableDb, conversation: Conversation): boolean =>
  db.get<{ muted: number }>(
    `SELECT ${isMutedSql} AS muted FROM (SELECT ? AS kind, ? AS channel_id, ? AS key) c ${withVisibility}`,
    [
      conversation.kind,
      conversation.kind === 'topic' ? conversation.channelId : null,
      conversationKey(conversation),
    ],
  )?.muted === 1
