import type { ReadableDb } from '../store/database.ts'
import { unreadByChannel } from './channel-summary.ts'

/** Unread messages that count (not muted) and unread mentions, of the whole account. */
export function unreadTotals(db: ReadableDb): { count: number; mentions: number } {
  const row = db.get<{ count: number | null; mentions: number | null }>(
    `SELECT sum(unread_count) AS count, sum(mention_count) AS mentions FROM (
       SELECT unread_count, mention_count FROM (${unreadByChannel})
       UNION ALL
       SELECT unread_count, mention_count FROM conversations WHERE unread_count > 0 AND kind = 'direct')`,
  )
  return { count: row?.count ?? 0, mentions: row?.mentions ?? 0 }
}
