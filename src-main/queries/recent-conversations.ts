import type { CheckedParamsOf } from '../../src-shared/bridge/queries.ts'
import type { RecentConversations, RecentRow } from '../../src-shared/model/conversation-lists.ts'
import { messageId } from '../../src-shared/ids.ts'
import { conversationKey, type Conversation } from '../../src-shared/model/conversation.ts'
import type { RecipientLabel, TopicVisibility } from '../../src-shared/model/message.ts'
import { sizesOf } from '../store/conversation-sizes.ts'
import { conversationFromRow, type ConversationRow } from '../store/conversations.ts'
import type { ReadableDb } from '../store/database.ts'
import { recipientFromText } from '../store/draft-json.ts'
import { sentAtFrom } from '../store/messages.ts'
import { foldName } from '../../src-shared/model/name-match.ts'
import { completenessOf } from './completeness.ts'
import type { QueryContext } from './context.ts'
import { labeler, plainNames } from './labels.ts'
import { isMutedSql, withVisibility } from '../store/muting.ts'
import { newestLookup } from './newest.ts'

type Params = Omit<CheckedParamsOf<'recent-conversations'>, 'accountId'>

/** How many conversations are read at once where names are compared, and how many in all. */
const lookedAtOnce = 1_000
const mostLooked = 5_000
/** So many of the person's newest messages say which conversations have some: each costs a page of the file. */
const mostOwnLooked = 2_000

/** Ten times as fast as `localeCompare`, with the same order. */
export const byName = new Intl.Collator()

/** Conversations by their newest message, by unread messages or by name, or those of them that a text names. */
export function recentConversations(context: QueryContext, params: Params): RecentConversations {
  const { db } = context
  const { filter, order, limit } = params
  const words = foldName(filter.text)
    .split(/[\s-]+/)
    .filter(Boolean)
  // For an order by name, all names have to be compared.
  const enough = order === 'name' ? Number.POSITIVE_INFINITY : limit + 1
  const comparesNames = words.length > 0 || order === 'name'
  const atOnce = comparesNames ? lookedAtOnce : enough
  const labelOf = labeler(context)
  const found: {
    readonly row: RowWithVisibility
    readonly conversation: Conversation
    readonly name: string
  }[] = []
  let looked = 0
  let last: ConversationRow | undefined
  const own = filter.onlyOwn ? placesOfOwn(context) : null
  for (const rows of pagesOf(db, { filter, order, atOnce, own })) {
    const nameOf = plainNames(
      context,
      rows.flatMap((row) => row.channel_id ?? []),
    )
    for (const row of rows) {
      const conversation = conversationFromRow(row)
      const name = comparesNames ? foldName(nameOf(conversation)) : ''
      if (words.every((word) => ` ${name}`.replaceAll('-', ' ').includes(` ${word}`)))
        found.push({ row, conversation, name })
    }
    looked += rows.length
    last = rows.at(-1)
    if (found.length >= enough || looked >= mostLooked) break
  }
  const shown =
    order === 'name' ? firstOf(found, limit, (a, b) => byName.compare(a.name, b.name)) : found.slice(0, limit)
  const isCut = looked >= mostLooked && found.length < enough
  return {
    rows: rowsOf(
      context,
      shown.map(({ row, conversation }) => ({
        row,
        conversation,
        label: labelOf(conversation, row.visibility),
      })),
    ),
    hasMore: found.length > limit,
    lookedBackTo: isCut && last !== undefined ? sentAtFrom(db, last.newest_message_id) : null,
    wroteSince: own?.isCut === true ? sentAtFrom(db, own.oldest) : null,
    total:
      db.get<{ n: number }>('SELECT count(*) AS n FROM conversations WHERE newest_message_id > 0')?.n ?? 0,
  }
}

/** The first so many items in order, without ordering the others. */
function firstOf<T>(items: readonly T[], count: number, compare: (a: T, b: T) => number): T[] {
  const first: T[] = []
  for (const item of items) {
    const last = first.at(-1)
    if (first.length === count && last !== undefined && compare(item, last) >= 0) continue
    let from = 0
    for (let to = first.length; from < to;) {
      const middle = (from + to) >> 1
      const other = first[middle]
      if (other !== undefined && compare(other, item) <= 0) from = middle + 1
      else to = middle
    }
    first.splice(from, 0, item)
    if (first.length > count) first.pop()
  }
  return first
}

interface RowWithVisibility extends ConversationRow {
  readonly visibility: TopicVisibility
}

interface PlacesOfOwn {
  readonly homes: readonly number[]
  /** The oldest of the person's messages that was looked at. */
  readonly oldest: number
  /** Whether there may be older ones. */
  readonly isCut: boolean
}

/**
 * The conversations of the person's newest messages. It is tempting to ask each conversation whether it has one: that
 * reads thousands of messages for every conversation that has none.
 */
function placesOfOwn({ db, ownUserId }: QueryContext): PlacesOfOwn {
  const rows = db.all<{ id: number; home: number }>(
    `SELECT message_id AS id, conversation_id AS home FROM messages WHERE sender_id = ?
     ORDER BY message_id DESC LIMIT ?`,
    [ownUserId, mostOwnLooked + 1],
  )
  const looked = rows.slice(0, mostOwnLooked)
  return {
    homes: [...new Set(looked.map(({ home }) => home))],
    oldest: looked.at(-1)?.id ?? 0,
    isCut: rows.length > looked.length,
  }
}

/** All conversations that the filter leaves, in order and some at a time; in an order by name the newest come first. */
function* pagesOf(
  db: ReadableDb,
  {
    filter,
    order,
    atOnce,
    own,
  }: Pick<Params, 'filter' | 'order'> & { readonly atOnce: number; readonly own: PlacesOfOwn | null },
): Generator<RowWithVisibility[]> {
  const among = JSON.stringify(own?.homes ?? [])
  const read = (conditions: readonly string[], by: string, before: number, limit: number, index = '') =>
    db.all<RowWithVisibility>(
      `SELECT c.*, coalesce(v.visibility, 'none') AS visibility FROM ${
        own === null
          ? `conversations c ${index}`
          : 'json_each(?1) own CROSS JOIN conversations c ON c.conversation_id = own.value'
      } ${withVisibility}
       WHERE ${conditions.join(' AND ')} AND c.newest_message_id < ?2 AND ?1 IS NOT NULL
       ORDER BY ${by} DESC LIMIT ?3`,
      { 1: among, 2: before, 3: limit },
    )
  const conditions = [
    'c.newest_message_id > 0',
    ...(filter.withDirects ? [] : ["c.kind = 'topic'"]),
    ...(filter.withMuted ? [] : [`${isMutedSql} = 0`]),
    ...(filter.onlyUnread ? ['c.unread_count > 0'] : []),
  ]
  const newest = 'c.newest_message_id'
  let before = Number.MAX_SAFE_INTEGER
  if (order === 'unread') {
    const unread = [...conditions, 'c.unread_count > 0']
    const most = atOnce < lookedAtOnce ? atOnce : mostLooked
    yield read(unread, `c.unread_count DESC, ${newest}`, before, most, 'INDEXED BY conversations_unread')
    conditions.push('c.unread_count = 0')
  }
  for (;;) {
    const rows = read(conditions, newest, before, atOnce)
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
  const waiting = waitingByConversation(db)
  const newest = newestLookup(
    db,
    named.map(({ row }) => row),
  )
  const completeness = completenessOf(db, named)
  const sizeOf = sizesOf(
    db,
    named.map(({ row }) => row.conversation_id),
  )
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
      ...newest.of(id),
      ...completeness(one),
      messageCount: sizeOf(id),
      peopleCount: newest.peopleCountOf(id),
      hasDraft: withDraft.has(key),
      waitingCount: waiting.get(key) ?? 0,
    }
  })
}

function waitingByConversation(db: ReadableDb): Map<string, number> {
  const rows = db.all<{ key: string; n: number }>(
    `SELECT conversation_key AS key, count(*) AS n FROM outbox
     WHERE conversation_key IS NOT NULL AND name = 'send-message' AND state <> 'accepted' GROUP BY conversation_key`,
  )
  return new Map(rows.map(({ key, n }) => [key, n]))
}

function conversationsWithDraft(db: ReadableDb): Set<string> {
  const rows = db.column<string>('SELECT recipient FROM drafts WHERE is_deleted = 0')
  return new Set(
    rows.flatMap((recipient) => {
      const conversation = recipientFromText(recipient)
      return conversation === null ? [] : [conversationKey(conversation)]
    }),
  )
}
