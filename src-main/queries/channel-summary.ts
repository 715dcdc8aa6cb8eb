import type { ChannelSummary } from '../../src-shared/bridge/queries.ts'
import { channelId } from '../../src-shared/ids.ts'
import type { ReadableDb } from '../store/database.ts'
import { organizationText } from '../store/settings.ts'
import { nearestColor } from './channel-color.ts'
import { privacyOf } from './labels.ts'

export interface ChannelRow {
  channel_id: number
  name: string
  description: string
  color: string
  is_private: number
  is_web_public: number
  is_archived: number
  is_subscribed: number
  is_muted: number
  is_pinned: number
  can_post: number
  topics_policy: string
  folder_id: number | null
  subscriber_count: number | null
  unread_count: number
  mention_count: number
}

/**
 * Channels with what counts as unread in them: in a muted channel only unmuted and followed topics, in others
 * everything but muted topics.
 */
export const channelSelect = `
  SELECT channels.*, coalesce(counts.unread_count, 0) AS unread_count, coalesce(counts.mention_count, 0) AS mention_count
  FROM channels LEFT JOIN (
    SELECT c.channel_id,
      sum(CASE WHEN coalesce(v.visibility, '') = 'muted' THEN 0
               WHEN ch.is_muted = 1 AND coalesce(v.visibility, '') NOT IN ('unmuted', 'followed') THEN 0
               ELSE c.unread_count END) AS unread_count,
      sum(c.mention_count) AS mention_count
    FROM conversations c
    JOIN channels ch ON ch.channel_id = c.channel_id
    LEFT JOIN topic_visibility v ON v.channel_id = c.channel_id AND v.topic_key = substr(c.key, 7 + length(c.channel_id) + 1)
    WHERE c.unread_count > 0 AND c.kind = 'topic'
    GROUP BY c.channel_id
  ) counts ON counts.channel_id = channels.channel_id`

export function channelFromRow(row: ChannelRow, organizationRequiresTopic: boolean): ChannelSummary {
  return {
    channelId: channelId(row.channel_id),
    name: row.name,
    color: nearestColor(row.color),
    privacy: privacyOf(row),
    isArchived: row.is_archived === 1,
    isSubscribed: row.is_subscribed === 1,
    isMuted: row.is_muted === 1,
    isPinned: row.is_pinned === 1,
    unreadCount: row.unread_count,
    mentionCount: row.mention_count,
    canPost: row.can_post === 1 && row.is_archived === 0,
    requiresTopic:
      row.topics_policy === 'disable_empty_topic' ||
      (row.topics_policy === 'inherit' && organizationRequiresTopic),
  }
}

export function organizationRequiresTopic(db: ReadableDb): boolean {
  return organizationText(db, 'realm_topics_policy') === 'disable_empty_topic'
}
