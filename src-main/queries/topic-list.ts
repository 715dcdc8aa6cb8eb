import type { CheckedParamsOf } from '../../src-shared/bridge/queries.ts'
import type { TopicList } from '../../src-shared/model/conversation-lists.ts'
import { isResolved, topicKey, topicWithoutMark } from '../../src-shared/topic-names.ts'
import { conversationFromRow, type ConversationRow } from '../store/conversations.ts'
import { followedTopics } from '../store/topic-visibility.ts'
import { foldName } from '../../src-shared/model/name-match.ts'
import type { QueryContext } from './context.ts'
import { emptyTopicName, labelOf } from './labels.ts'
import { byName, rowsOf } from './recent-conversations.ts'

type Params = Omit<CheckedParamsOf<'topic-list'>, 'accountId'>

/** More topics than a person can look for by name; the oldest are left out. */
const mostLooked = 20_000

/** The topics of a channel that this device knows: by newest message, name or unread messages. */
export function topicList(context: QueryContext, params: Params): TopicList {
  const { db } = context
  const { channelId, filter, order, limit } = params
  const emptyName = emptyTopicName(db)
  const words = foldName(filter.text).split(/\s+/).filter(Boolean)
  const comparesNames = words.length > 0 || order === 'name'
  const isFiltered = filter.resolved !== 'any' || filter.onlyUnread || filter.onlyFollowed
  const looksAtAll = comparesNames || isFiltered || order !== 'newest'
  const known = `FROM conversations WHERE kind = 'topic' AND channel_id = ? AND newest_message_id > 0`
  const total = db.get<{ n: number }>(`SELECT count(*) AS n ${known}`, [channelId])?.n ?? 0
  const all = db.all<ConversationRow>(
    `SELECT * ${known} ORDER BY newest_message_id DESC LIMIT ${looksAtAll ? mostLooked : limit}`,
    [channelId],
  )
  const nameOf = ({ topic }: ConversationRow) =>
    foldName(topicWithoutMark(topic === '' ? emptyName : (topic ?? '')))
  const followed = filter.onlyFollowed ? followedTopics(db, channelId) : null
  const found = all.flatMap((row) => {
    if (filter.resolved !== 'any' && isResolved(row.topic ?? '') !== (filter.resolved === 'yes')) return []
    if (filter.onlyUnread && row.unread_count === 0) return []
    if (followed !== null && !followed.has(topicKey(row.topic ?? ''))) return []
    const name = comparesNames ? nameOf(row) : ''
    return words.every((word) => name.includes(word)) ? [{ row, name }] : []
  })
  if (order === 'unread') found.sort((a, b) => b.row.unread_count - a.row.unread_count)
  if (order === 'name') found.sort((a, b) => byName.compare(a.name, b.name))
  const named = found.slice(0, limit).map(({ row }) => {
    const conversation = conversationFromRow(row)
    return { row, conversation, label: labelOf(context, conversation) }
  })
  return { rows: rowsOf(context, named), found: looksAtAll ? found.length : total, total }
}
