import type { ReadableDb } from '../store/database.ts'

/** Unread messages that count (not muted) and unread mentions, of the whole account. */
export function unreadTotals(db: ReadableDb): { count: number; mentions: number } {
  const row = db.get<{ count: number | null; mentions: number | null }>(
    `SELECT sum(CASE
         WHEN c.kind = 'direct' THEN c.unread_count
         WHEN coalesce(v.visibility, '') = 'muted' THEN 0
         WHEN ch.is_muted = 1 AND coalesce(v.visibility, '') NOT IN ('unmuted', 'followed') THEN 0
         ELSE c.unread_count END) AS count,
       sum(c.mention_count) AS mentions
     FROM conversations c
     LEFT JOIN channels ch ON ch.channel_id = c.channel_id
     LEFT JOIN topic_visibility v ON v.channel_id = c.channel_id AND v.topic_key = substr(c.key, 7 + length(c.channel_id) + 1)
     WHERE c.unread_count > 0`,
  )
  return { count: row?.count ?? 0, mentions: row?.mentions ?? 0 }
}
