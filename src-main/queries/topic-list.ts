import type { CheckedParamsOf } from '../../src-shared/bridge/queries.ts'
import type { TopicList } from '../../src-shared/model/conversation-lists.ts'
import { isResolved, topicKey, topicWithoutMark } from '../../src-shared/topic-names.ts'
import { conversationFromRow, type ConversationRow } from '../store/conversations.ts'
import { followedTopics } from '../store/topic-visibility.ts'
import { foldName } from '../../src-shared/model/name-match.ts'
import type { QueryContext } from './context.ts'
import { emptyTopicName, labelOf } from './labels.ts'
import { rowsOf } from './recent-conversations.ts'

type Params = Omit<CheckedParamsOf<'topic-list'>, 'accountId'>

/** More topics than a person can look for by name; the oldest are left out. */
const mostLooked = 20_000

/** The topics of a channel that this device knows: by newest message, name or unread messages. */
export function topicList(context: QueryContext, params: Params): TopicList {
  const { db } = context
  const { channelId, filter, order, limit } = params
  const emptyName = emptyTopicName(db)
  const words = foldName(filter.text).split(/\s+/).filter(Boolean)
  const all = db.all<ConversationRow>(
    `SELECT * FROM conversations WHERE kind = 'topic' AND channel_id = ? AND newest_message_id > 0
     ORDER BY newest_message_id DESC LIMIT ${mostLooked}`,
    [channelId],
  )
  const nameOf = ({ topic }: ConversationRow) => topicWithoutMark(topic === '' ? emptyName : (topic ?? ''))
  const followed = filter.onlyFollowed ? followedTopics(db, channelId) : null
  const found = all.filter((row) => {
    if (filter.resolved !== 'any' && isResolved(row.topic ?? '') !== (filter.resolved === 'yes')) return false
    if (filter.onlyUnread && row.unread_count === 0) return false
    if (followed !== null && !followed.has(topicKey(row.topic ?? ''))) return false
    const name = foldName(nameOf(row))
    return words.every((word) => name.includes(word))
  })
  if (order === 'unread') found.sort((a, b) => b.unread_count - a.unread_count)
  if (order === 'name') found.sort((a, b) => foldName(nameOf(a)).localeCompare(foldName(nameOf(b))))
  const named = found.slice(0, limit).map((row) => {
    const conversation = conversationFromRow(row)
    return { row, conversation, label: labelOf(context, conversation) }
  })
  return { rows: rowsOf(context, named), found: found.length, total: all.length }
}
