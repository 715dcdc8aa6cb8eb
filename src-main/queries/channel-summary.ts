import { isAble } from '../../src-shared/model/server-abilities.ts'
import { knownLevel } from '../store/cursor.ts'
import type { ChannelSummary } from '../../src-shared/model/channel.ts'
import { channelId, isProvisional } from '../../src-shared/ids.ts'
import { topicPolicies } from '../../src-shared/model/organization-edits.ts'
import type { ReadableDb } from '../store/database.ts'
import { organizationText, organizationValue } from '../store/organization.ts'
import { nearestColor } from './channel-color.ts'
import { privacyOf } from './labels.ts'

/** A row of the channel queries; flags are 0 or 1. */
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
  is_recently_active: number
  can_post: number
  topics_policy: string
  folder_id: number | null
  subscriber_count: number | null
  unread_count: number
  mention_count: number
  has_shared_history: number
  creator_id: number | null
  created_at: number | null
  retention_days: number | null
  weekly_traffic: number | null
  desktop_notifications: number | null
  audible_notifications: number | null
  push_notifications: number | null
  email_notifications: number | null
  wildcard_mentions_notify: number | null
}

/**
 * SQL: the unread counts of every channel with unread messages. In a muted channel only unmuted and followed topics
 * count, in others all but muted topics. The sums come from an index alone. Only topics with a visibility of their own
 * are read individually, and they are few. `which` restricts the channels, as in `AND channel_id = ?`.
 */
const unreadIn = (which: string): string => `
  SELECT sums.channel_id, sums.mention_count,
    CASE WHEN ch.is_muted = 1 THEN coalesce(special.wanted, 0)
         ELSE sums.unread_count - coalesce(special.muted, 0) END AS unread_count
  FROM (
    SELECT channel_id, sum(unread_count) AS unread_count, sum(mention_count) AS mention_count
    FROM conversations WHERE unread_count > 0 AND kind = 'topic' ${which} GROUP BY channel_id
  ) sums
  JOIN channels ch ON ch.channel_id = sums.channel_id
  LEFT JOIN (
    SELECT v.channel_id,
      sum(CASE WHEN v.visibility = 'muted' THEN c.unread_count ELSE 0 END) AS muted,
      sum(CASE WHEN v.visibility IN ('unmuted', 'followed') THEN c.unread_count ELSE 0 END) AS wanted
    FROM topic_visibility v JOIN conversations c ON c.key = 'topic:' || v.channel_id || ':' || v.topic_key
    WHERE c.unread_count > 0 GROUP BY v.channel_id
  ) special ON special.channel_id = sums.channel_id`

/** SQL: the unread counts of every channel with unread messages. */
export const unreadByChannel = unreadIn('')

const selectWith = (columns: string, counts: string): string => `
  SELECT ${columns}, coalesce(counts.unread_count, 0) AS unread_count, coalesce(counts.mention_count, 0) AS mention_count
  FROM channels LEFT JOIN (${counts}) counts ON counts.channel_id = channels.channel_id`

/** SQL: channels with their unread counts. */
export const channelSelect = selectWith('channels.*', unreadByChannel)

/** The columns that `channelFromRow` and the order of channels need, without the long ones. */
const listedColumns = [
  'channel_id',
  'name',
  'color',
  'is_private',
  'is_web_public',
  'is_archived',
  'is_subscribed',
  'is_muted',
  'is_pinned',
  'is_recently_active',
  'can_post',
  'topics_policy',
  'folder_id',
] as const

/** A channel in a list. */
export type ListedChannelRow = Pick<
  ChannelRow,
  (typeof listedColumns)[number] | 'unread_count' | 'mention_count'
>

/** SQL: `ListedChannelRow`s. */
export const listedChannelSelect = selectWith(
  listedColumns.map((column) => `channels.${column}`).join(', '),
  unreadByChannel,
)

const oneChannelSelect = `${selectWith('channels.*', unreadIn('AND channel_id = ?1'))} WHERE channels.channel_id = ?1`

/** One channel, without reading the others. */
export const channelById = (db: ReadableDb, id: number): ChannelRow | undefined =>
  db.get<ChannelRow>(oneChannelSelect, { 1: id })

/** A channel as lists show it. */
export function channelFromRow(
  row: ListedChannelRow,
  organizationTopics: OrganizationTopics,
): ChannelSummary {
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
    topics: topicRules[row.topics_policy] ?? organizationTopics,
    isWaiting: isProvisional(row.channel_id),
  }
}

const topicRules: Readonly<Record<string, ChannelSummary['topics']>> = {
  [topicPolicies.optional]: 'optional',
  [topicPolicies.required]: 'required',
  [topicPolicies.none]: 'none',
}

type OrganizationTopics = Exclude<ChannelSummary['topics'], 'none'>

/** Whether messages need a topic in channels without a policy of their own: the organization or the server's age decides. */
export function organizationTopics(db: ReadableDb): OrganizationTopics {
  if (!isAble(knownLevel(db), 'emptyTopics')) return 'required'
  const policy = organizationText(db, 'realm_topics_policy')
  // Servers before that policy have a switch.
  const isRequired =
    policy === undefined
      ? organizationValue(db, 'realm_mandatory_topics') === true
      : policy === topicPolicies.required
  return isRequired ? 'required' : 'optional'
}
