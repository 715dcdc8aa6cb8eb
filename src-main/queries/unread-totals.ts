import type { ReadableDb } from '../store/database.ts'
import { settingValue } from '../store/account-settings.ts'
import { unreadByChannel } from './channel-summary.ts'

/** The unread messages of a whole account, without muted ones. */
interface UnreadTotals {
  readonly count: number
  readonly mentions: number
  /** Direct messages, and mentions elsewhere. */
  readonly personal: number
}

/** The unread messages of the whole account. */
export function unreadTotals(db: ReadableDb): UnreadTotals {
  return db.remembered('unread-totals', () => {
    const row = db.get<{ [N in keyof UnreadTotals]: number | null }>(
      `SELECT sum(unread_count) AS count, sum(mention_count) AS mentions, sum(personal) AS personal FROM (
         SELECT unread_count, mention_count, mention_count AS personal FROM (${unreadByChannel})
         UNION ALL
         SELECT unread_count, mention_count, unread_count FROM conversations WHERE unread_count > 0 AND kind = 'direct')`,
    )
    return { count: row?.count ?? 0, mentions: row?.mentions ?? 0, personal: row?.personal ?? 0 }
  })
}

/**
 * SQL: of conversations in channels with unread messages, those in channels that are here. A channel that the person
 * lost leaves its unread ones behind on servers below feature level 378.
 */
const unreadTopics = `unread_count > 0 AND kind = 'topic' AND channel_id IN (SELECT channel_id FROM channels)`

/** The unread mentions of the whole account, from indexes alone. */
export function mentionTotal(db: ReadableDb): number {
  const sum = (of: string) =>
    db.get<{ n: number | null }>(`SELECT sum(mention_count) AS n FROM conversations WHERE ${of}`)?.n ?? 0
  return sum(unreadTopics) + sum(`unread_count > 0 AND kind = 'direct'`)
}

/** How many unread messages of an account the app's icon counts, according to its setting. */
export function badgeTotal(db: ReadableDb): number {
  const setting = settingValue(db, 'iconCount')
  if (setting === 'none') return 0
  if (setting === 'all') return unreadTotals(db).count
  const sum = (sql: string) => db.get<{ n: number | null }>(sql)?.n ?? 0
  const directs = sum(
    `SELECT sum(unread_count) AS n FROM conversations WHERE unread_count > 0 AND kind = 'direct'`,
  )
  const mentions = sum(`SELECT sum(mention_count) AS n FROM conversations WHERE ${unreadTopics}`)
  if (setting === 'personal') return directs + mentions
  // Mentions in followed topics were counted above.
  const followed = sum(
    `SELECT sum(c.unread_count - c.mention_count) AS n
     FROM topic_visibility v JOIN conversations c ON c.key = 'topic:' || v.channel_id || ':' || v.topic_key
     WHERE v.visibility = 'followed' AND c.unread_count > 0`,
  )
  return directs + mentions + followed
}
