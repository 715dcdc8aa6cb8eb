import type { CheckedParamsOf } from '../../src-shared/bridge/queries.ts'
import type { RecentConversations, RecentRow } from '../../src-shared/model/conversation-lists.ts'
import { messageId } from '../../src-shared/ids.ts'
import { conversationKey, type Conversation } from '../../src-shared/model/conversation.ts'
import type { RecipientLabel } from '../../src-shared/model/message.ts'
import { conversationFromRow, type ConversationRow } from '../store/conversations.ts'
import type { ReadableDb } from '../store/database.ts'
import { recipientFromText } from '../store/draft-json.ts'
import { sentAtFrom } from '../store/messages.ts'
import { foldName } from '../../src-shared/model/name-match.ts'
import { completenessOf } from './completeness.ts'
import type { QueryContext } from './context.ts'
import { labeler } from './labels.ts'
import { isMutedSql, withVisibility } from './muted.ts'
import { newestLookup } from './newest.ts'

type Params = Omit<CheckedParamsOf<'recent-conversations'>, 'accountId'>

/** How many conversations are read at once where names are compared, and how many in all. */
const lookedAtOnce = 1_000
const mostLooked = 5_000
const peopleLooked = 30

/** Conversations by their newest message, by unread messages or by name, or those of them that a text names. */
export function recentConversations(context: QueryContext, params: Params): RecentConversations {
  const { db } = context
  const { filter, order, limit } = params
  const words = foldName(filter.text)
    .split(/[\s-]+/)
    .filter(Boolean)
  // For an order by name, all names have to be compared.
  const enough = order === 'name' ? Number.POSITIVE_INFINITY : limit + 1
  const atOnce = words.length > 0 || order === 'name' ? lookedAtOnce : enough
  const labelOf = labeler(context)
  const found: (NamedConversation & { readonly name: string })[] = []
  let looked = 0
  let last: ConversationRow | undefined
  for (const rows of pagesOf(context, { filter, order, atOnce })) {
    for (const row of rows) {
      const conversation = conversationFromRow(row)
      const label = labelOf(conversation)
      const name = foldName(
        label.kind === 'topic' ? `${label.channelName} ${label.topic}` : label.names.join(' '),
      )
      if (words.every((word) => ` ${name}`.replaceAll('-', ' ').includes(` ${word}`)))
        found.push({ row, conversation, label, name })
    }
    looked += rows.length
    last = rows.at(-1)
    if (found.length >= enough || looked >= mostLooked) break
  }
  if (order === 'name') found.sort((a, b) => a.name.localeCompare(b.name))
  const isCut = looked >= mostLooked && found.length < enough
  return {
    rows: rowsOf(context, found.slice(0, limit)),
    hasMore: found.length > limit,
    lookedBackTo: isCut && last !== undefined ? sentAtFrom(db, last.newest_message_id) : null,
    total:
      db.get<{ n: number }>('SELECT count(*) AS n FROM conversations WHERE newest_message_id > 0')?.n ?? 0,
  }
}

/** All conversations that the filter leaves, in order and some at a time; in an order by name the newest come first. */
function* pagesOf(
  { db, ownUserId }: QueryContext,
  { filter, order, atOnce }: Pick<Params, 'filter' | 'order'> & { readonly atOnce: number },
): Generator<ConversationRow[]> {
  const conditions = [
    'c.newest_message_id > 0',
    ...(filter.withDirects ? [] : ["c.kind = 'topic'"]),
    ...(filter.withMuted ? [] : [`${isMutedSql} = 0`]),
    ...(filter.onlyUnread ? ['c.unread_count > 0'] : []),
    ...(filter.onlyOwn
      ? ['EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = c.conversation_id AND m.sender_id = ?1)']
      : []),
  ]
  const read = (from: string, by: string, before: number, limit: number) =>
    db.all<ConversationRow>(
      `SELECT c.* FROM conversations c ${from} AND c.newest_message_id < ?2 AND ?1 IS NOT NULL
       ORDER BY ${by} DESC LIMIT ?3`,
      { 1: ownUserId, 2: before, 3: limit },
    )
  const rest = `${withVisibility} WHERE ${conditions.join(' AND ')}`
  const newest = 'c.newest_message_id'
  let before = Number.MAX_SAFE_INTEGER
  if (order === 'unread') {
    const unread = `INDEXED BY conversations_unread ${rest} AND c.unread_count > 0`
    yield read(unread, `c.unread_count DESC, ${newest}`, before, atOnce < lookedAtOnce ? atOnce : mostLooked)
  }
  for (;;) {
    const rows = read(order === 'unread' ? `${rest} AND c.unread_count = 0` : rest, newest, before, atOnce)
    yield rows
    if (rows.length < atOnce) return
    before = rows.at(-1)?.newest_message_id ?? 0
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
  const completeness = completenessOf(db, named)
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
      ...completeness(one),
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
  const rows = db.column<string>('SELECT recipient FROM drafts WHERE is_deleted = 0')
  return new Set(
    rows.flatMap((recipient) => {
      const conversation = recipientFromText(recipient)
      return conversation === null ? [] : [conversationKey(conversation)]
    }),
  )
}
