import type { CheckedParamsOf } from '../../src-shared/bridge/queries.ts'
import type { RecentConversations, RecentRow } from '../../src-shared/model/conversation-lists.ts'
import { messageId } from '../../src-shared/ids.ts'
import { conversationKey, type Conversation } from '../../src-shared/model/conversation.ts'
import type { RecipientLabel } from '../../src-shared/model/message.ts'
import { conversationFromRow, type ConversationRow } from '../store/conversations.ts'
import type { ReadableDb } from '../store/database.ts'
import { recipientFromText } from '../store/drafts.ts'
import { foldName } from '../../src-shared/model/name-match.ts'
import { keptParts } from './kept-parts.ts'
import { labeler, type QueryContext } from './labels.ts'
import { isMutedSql, withVisibility } from './muted.ts'
import { newestLookup } from './newest.ts'

type Params = Omit<CheckedParamsOf<'recent-conversations'>, 'accountId'>

/** How many of the newest conversations are read when they are filtered by a text or sorted differently. */
const mostLooked = 2_000
const peopleLooked = 30

/** Conversations by their newest message; or, among the newest 2,000, by unread messages or name. */
export function recentConversations(context: QueryContext, params: Params): RecentConversations {
  const { db } = context
  const { filter, order, limit } = params
  const words = foldName(filter.text)
    .split(/[\s-]+/)
    .filter(Boolean)
  const isWhole = order === 'newest' && words.length === 0
  const conditions = [
    'c.newest_message_id > 0',
    ...(filter.withDirects ? [] : ["c.kind = 'topic'"]),
    ...(filter.withMuted ? [] : [`${isMutedSql} = 0`]),
    ...(filter.onlyUnread ? ['c.unread_count > 0'] : []),
    ...(filter.onlyOwn
      ? ['EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = c.conversation_id AND m.sender_id = ?1)']
      : []),
  ]
  const found = db.all<ConversationRow>(
    `SELECT c.* FROM conversations c ${withVisibility}
     WHERE ${conditions.join(' AND ')} AND ?1 IS NOT NULL ORDER BY c.newest_message_id DESC LIMIT ?2`,
    { 1: context.ownUserId, 2: isWhole ? limit + 1 : mostLooked },
  )
  const labelOf = labeler(context)
  const named = found.map((row) => {
    const conversation = conversationFromRow(row)
    const label = labelOf(conversation)
    const name = label.kind === 'topic' ? `${label.channelName} ${label.topic}` : label.names.join(' ')
    return { row, conversation, label, name: foldName(name) }
  })
  const wanted = named.filter(({ name }) =>
    words.every((word) => ` ${name}`.replaceAll('-', ' ').includes(` ${word}`)),
  )
  if (order === 'unread') wanted.sort((a, b) => b.row.unread_count - a.row.unread_count)
  if (order === 'name') wanted.sort((a, b) => a.name.localeCompare(b.name))
  return {
    rows: rowsOf(context, wanted.slice(0, limit)),
    hasMore: wanted.length > limit,
    total:
      db.get<{ n: number }>('SELECT count(*) AS n FROM conversations WHERE newest_message_id > 0')?.n ?? 0,
  }
}

/** A conversation with its names. */
export interface NamedConversation {
  readonly row: ConversationRow
  readonly conversation: Conversation
  readonly label: RecipientLabel
}

/** The fields that lists of conversations show. */
export function rowsOf(context: QueryContext, named: readonly NamedConversation[]): RecentRow[] {
  const { db } = context
  const withDraft = conversationsWithDraft(db)
  const newestOf = newestLookup(
    db,
    named.map(({ row }) => row),
  )
  const keptOf = keptParts(db, named)
  return named.map((one): RecentRow => {
    const { row, conversation, label } = one
    const key = conversationKey(conversation)
    const id = row.conversation_id
    return {
      conversation,
      label,
      unreadCount: row.unread_count,
      hasMention: row.mention_count > 0,
      newestMessageId: messageId(row.newest_message_id),
      ...newestOf(id),
      ...keptOf(one),
      messageCount: countOf(db, 'SELECT count(*) AS n FROM messages WHERE conversation_id = ?', id),
      peopleCount: countOf(
        db,
        `SELECT count(DISTINCT sender_id) AS n FROM
           (SELECT sender_id FROM messages WHERE conversation_id = ? ORDER BY message_id DESC LIMIT ${peopleLooked})`,
        id,
      ),
      hasDraft: withDraft.has(key),
      waitingCount: countOf(
        db,
        `SELECT count(*) AS n FROM outbox WHERE conversation_key = ? AND name = 'send-message' AND state <> 'accepted'`,
        key,
      ),
    }
  })
}

const countOf = (db: ReadableDb, sql: string, parameter: string | number): number =>
  db.get<{ n: number }>(sql, [parameter])?.n ?? 0

function conversationsWithDraft(db: ReadableDb): Set<string> {
  const rows = db.all<{ recipient: string }>('SELECT recipient FROM drafts WHERE is_deleted = 0')
  return new Set(
    rows.flatMap(({ recipient }) => {
      const conversation = recipientFromText(recipient)
      return conversation === null ? [] : [conversationKey(conversation)]
    }),
  )
}
