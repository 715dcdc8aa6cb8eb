import type { ChannelDetails, ChannelSummary, ChannelTopics } from '../../src-shared/model/channel.ts'
import type { CheckedParamsOf } from '../../src-shared/bridge/queries.ts'
import { messageId, userId, type ChannelId } from '../../src-shared/ids.ts'
import { conversationKey } from '../../src-shared/model/conversation.ts'
import { isResolved, topicKey } from '../../src-shared/topic-names.ts'
import { topicVisibility } from '../store/topic-visibility.ts'
import type { ConversationRow } from '../store/conversations.ts'
import {
  channelById,
  channelFromRow,
  listedChannelSelect,
  organizationTopics,
  type ListedChannelRow,
} from './channel-summary.ts'
import { idNow } from '../store/provisional.ts'
import { creationOf } from './send-state.ts'
import type { QueryContext } from './context.ts'
import { emptyTopicName } from './labels.ts'

/** Every channel in which messages can be written or read, by name. */
export function channels({ db }: QueryContext): ChannelSummary[] {
  const ordinaryTopics = organizationTopics(db)
  return db
    .all<ListedChannelRow>(`${listedChannelSelect} ORDER BY is_subscribed DESC, folded_name LIMIT 5000`)
    .map((row) => channelFromRow(row, ordinaryTopics))
}

/** A channel; one that was created here is also found by its provisional id. */
export function channel({ db }: QueryContext, id: ChannelId): ChannelDetails | null {
  const row = channelById(db, idNow(db, id))
  if (row === undefined) return null
  return {
    ...channelFromRow(row, organizationTopics(db)),
    description: row.description,
    subscriberCount: row.subscriber_count,
    creatorId: row.creator_id === null ? null : userId(row.creator_id),
    createdAt: row.created_at,
    retentionDays: row.retention_days,
    weeklyTraffic: row.weekly_traffic,
    folderId: row.folder_id,
    hasSharedHistory: row.has_shared_history === 1,
    creation: creationOf(db, id),
    notifications: {
      desktop: choice(row.desktop_notifications),
      sound: choice(row.audible_notifications),
      push: choice(row.push_notifications),
      email: choice(row.email_notifications),
      wildcardMentions: choice(row.wildcard_mentions_notify),
    },
  }
}

const choice = (value: number | null): boolean | null => (value === null ? null : value === 1)

/** What the sidebar needs of a topic's row. */
type TopicRow = Pick<ConversationRow, 'topic' | 'unread_count' | 'mention_count' | 'newest_message_id'>

/**
 * Topics of a channel: unread ones first, then by newest message. The open one is always among them, even if no message
 * of it is here.
 */
export function channelTopics(
  { db }: QueryContext,
  { channelId: id, limit, open }: CheckedParamsOf<'channel-topics'>,
): ChannelTopics {
  const where = `kind = 'topic' AND channel_id = ? AND newest_message_id > 0`
  const rows = db.all<TopicRow>(
    `SELECT * FROM conversations WHERE ${where} ORDER BY unread_count > 0 DESC, newest_message_id DESC LIMIT ?`,
    [id, limit],
  )
  if (open !== undefined && !rows.some(({ topic }) => topicKey(topic ?? '') === topicKey(open))) {
    const key = conversationKey({ kind: 'topic', channelId: id, topic: open })
    rows.push(
      db.get<TopicRow>('SELECT * FROM conversations WHERE key = ?', [key]) ??
        ({ topic: open, unread_count: 0, mention_count: 0, newest_message_id: 0 } satisfies TopicRow),
    )
  }
  const total = db.get<{ n: number }>(`SELECT count(*) AS n FROM conversations WHERE ${where}`, [id])?.n ?? 0
  const emptyName = emptyTopicName(db)
  return {
    topics: rows.map((row) => {
      const topic = row.topic ?? ''
      return {
        topic,
        displayName: topic === '' ? emptyName : topic,
        isEmptyTopic: topic === '',
        isResolved: isResolved(topic),
        visibility: topicVisibility(db, id, topic),
        unreadCount: row.unread_count,
        hasMention: row.mention_count > 0,
        newestMessageId: row.newest_message_id > 0 ? messageId(row.newest_message_id) : null,
      }
    }),
    more: total - rows.filter((row) => row.newest_message_id > 0).length,
  }
}
