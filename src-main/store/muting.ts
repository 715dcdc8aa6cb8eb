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

/**
 * SQL: whether a row of `unread` counts as a mention: not if it mentions the person only by a wildcard, in what is muted.
 */
export const countsAsMention = `(unread.is_mentioned = 1 AND NOT (
       unread.message_id IN (SELECT message_id FROM wildcard_mentions) AND EXISTS (
         SELECT 1 FROM conversations c ${withVisibility}
         WHERE c.conversation_id = unread.conversation_id AND ${isMutedSql} = 1)))`
