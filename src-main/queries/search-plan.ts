import type { UserId } from '../../src-shared/ids.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { conversationKey, topicConversation } from '../../src-shared/model/conversation.ts'
import { topicKey, resolvedPrefix } from '../../src-shared/topic-names.ts'
import { hasValues, parseSearch, type HasValue } from '../../src-shared/model/search.ts'
import { findConversation } from '../store/conversations.ts'
import type { ReadableDb, SqlValue } from '../store/database.ts'
import { hasOutdatedWords } from '../store/outdated-words.ts'
import type { QueryContext } from './context.ts'
import { isMutedSql, withVisibility } from '../store/muting.ts'
import { inConversationOf, resolve, type ResolvedTerm } from './search-terms.ts'
import { wordsMatch } from './search-words.ts'

/** A search as this device runs it. */
export interface SearchPlan {
  readonly terms: readonly ResolvedTerm[]
  /** The message in the middle of the shown results; null for the newest. */
  readonly near: number | null
  /** Words and "phrases" as typed. */
  readonly words: string
  /** The query for the word index; null if the search has nothing that the index can find. */
  readonly match: string | null
  /** The part of `match` that is not about words. */
  readonly filters: string | null
  /** The SQL condition on `m` (messages) and `c` (conversations). */
  readonly where: string
  readonly parameters: readonly SqlValue[]
  /** Whether some words must be adjacent: such messages take longer to find. */
  readonly hasPhrases: boolean
  /** Texts to mark in excerpts. */
  readonly needles: readonly string[]
  /** What could not be understood, in words for people; nothing is found then. */
  readonly problem: string | null
}

const empty: SearchPlan = {
  terms: [],
  near: null,
  words: '',
  match: null,
  filters: null,
  where: 'TRUE',
  parameters: [],
  hasPhrases: false,
  needles: [],
  problem: null,
}

/** The plan for what a person typed; null if there is nothing to search for yet. */
export function searchPlan(context: QueryContext, text: string): SearchPlan | null {
  const { terms, words } = parseSearch(text)
  const named: ResolvedTerm[] = []
  let near: number | null = null
  let withMessage: number | null = null
  for (const term of terms) {
    const one = resolve(context, term)
    if (typeof one === 'string') return { ...empty, words, problem: one }
    if (one.kind === 'near') near = one.messageId
    // The negation of a message's conversation is no condition (specification, "narrow").
    else if (one.kind !== 'with-message') named.push(one)
    else if (!one.isNegated) {
      if (withMessage !== null) return { ...empty, words, problem: t.failures.search.oneWith }
      withMessage = one.messageId
    }
  }
  const resolved = withMessage === null ? named : inConversationOf(context.db, withMessage, named)
  const { match: wordMatch, needles, hasPhrases } = wordsMatch(context.db, words)
  if (resolved.length === 0 && wordMatch === null && near === null) return null
  const filters: string[] = []
  const where: string[] = []
  const parameters: (string | number)[] = []
  const arePlacesOutdated = hasOutdatedWords(context.db)
  for (const term of resolved) {
    const isOutdated = arePlacesOutdated && (term.kind === 'channel' || term.kind === 'topic')
    const filter = term.isNegated || isOutdated ? null : filterOf(context, term, resolved)
    if (filter !== null) {
      filters.push(filter)
      continue
    }
    const { sql, values } = conditionOf(term, context.ownUserId)
    where.push(term.isNegated ? `NOT (${sql})` : sql)
    parameters.push(...values)
  }
  const filtersMatch = filters.length === 0 ? null : `filters : (${filters.join(' AND ')})`
  return {
    terms: resolved,
    near,
    words,
    match: matchOf(wordMatch, filtersMatch),
    filters: filtersMatch,
    where: where.length === 0 ? 'TRUE' : where.join(' AND '),
    parameters,
    hasPhrases,
    needles,
    problem: null,
  }
}

/** The index's query for words and for `SearchPlan.filters`; null if there are neither. */
export const matchOf = (words: string | null, filters: string | null): string | null =>
  words === null ? filters : [`words : (${words})`, ...(filters === null ? [] : [filters])].join(' AND ')

/** The index's filter for a condition (see message_words); null if the index cannot check it. */
function filterOf(
  { db, ownUserId }: QueryContext,
  term: ResolvedTerm,
  all: readonly ResolvedTerm[],
): string | null {
  switch (term.kind) {
    case 'channel':
      return `c${term.channelId}`
    case 'sender':
      return anyOf(term.userIds.map((id) => `u${id}`))
    case 'dm':
      return `v${findConversation(db, { kind: 'direct', userIds: term.userIds }) ?? 0}`
    case 'topic': {
      const channel = all.find((other) => other.kind === 'channel' && !other.isNegated)
      const homes =
        channel?.kind === 'channel'
          ? [findConversation(db, topicConversation(channel.channelId, term.topic)) ?? 0]
          : conversationsOfTopic(db, term.topic)
      return anyOf(homes.map((id) => `v${id}`))
    }
    case 'is':
      return term.value === 'dm' ? 'direct' : null
    case 'dm-including':
      return term.userIds.includes(ownUserId) && !term.isGroup
        ? 'direct'
        : anyOf(conversationsWith(db, term, ownUserId).map((id) => `v${id}`))
    default:
      return null
  }
}

// No conversation has the id 0, so nothing is found if there is no such place.
const anyOf = (tokens: readonly string[]) => (tokens.length === 0 ? 'v0' : `(${tokens.join(' OR ')})`)

const mostSameTopics = 200

const conversationsOfTopic = (db: ReadableDb, topic: string): number[] =>
  db.column<number>(
    `SELECT conversation_id FROM conversations
     WHERE kind = 'topic' AND key = 'topic:' || channel_id || ':' || ? LIMIT ?`,
    [topicKey(topic), mostSameTopics],
  )

/** Direct conversations with one of these people, newest first. */
const conversationsWith = (
  db: ReadableDb,
  term: Extract<ResolvedTerm, { kind: 'dm-including' }>,
  ownUserId: UserId,
): number[] => {
  const { sql, values } = conditionOf(term, ownUserId)
  return db.column<number>(
    `SELECT c.conversation_id FROM conversations c WHERE ${sql} ORDER BY c.newest_message_id DESC LIMIT ?`,
    [...values, mostSameTopics],
  )
}

/** SQL: whether a conversation `c` is muted; for rows of a search, which have only the conversation. */
const inMuted = `(SELECT ${isMutedSql} FROM (SELECT 1) ${withVisibility}) = 1`

const isConditions: Readonly<Record<string, string>> = {
  starred: 'm.is_starred = 1',
  mentioned: 'm.is_mentioned = 1',
  alerted: 'm.has_alert_word = 1',
  unread: 'm.message_id IN (SELECT message_id FROM unread)',
  dm: 'm.channel_id IS NULL',
  resolved: `c.kind = 'topic' AND c.topic LIKE '${resolvedPrefix}%'`,
  followed: `EXISTS (SELECT 1 FROM topic_visibility v WHERE v.visibility = 'followed'
    AND 'topic:' || v.channel_id || ':' || v.topic_key = c.key)`,
  muted: inMuted,
}

const hasConditions: Readonly<Record<HasValue, string>> = {
  link: `m.content_html LIKE '%<a href=%'`,
  image: `m.content_html LIKE '%message_inline_image%'`,
  attachment: `m.content_html LIKE '%/user_uploads/%'`,
  code: `(m.content_html LIKE '%<code>%' OR m.content_html LIKE '%codehilite%')`,
  reaction: 'EXISTS (SELECT 1 FROM reactions r WHERE r.message_id = m.message_id)',
}

/** How a mention of a person begins in a rendered message, up to the id; silent mentions begin differently. */
export const mentionStart = '<span class="user-mention" data-user-id="'

const isHasValue = (value: string): value is HasValue => hasValues.some((known) => known === value)

/** The SQL condition that a message `m` has something. */
export const hasCondition = (value: HasValue): string => hasConditions[value]

function conditionOf(term: ResolvedTerm, ownUserId: UserId): { sql: string; values: (string | number)[] } {
  switch (term.kind) {
    case 'channel':
      // A direct message is in no channel, so a negated channel condition includes it.
      return { sql: 'coalesce(m.channel_id, 0) = ?', values: [term.channelId] }
    case 'topic':
      return {
        sql: `c.kind = 'topic' AND c.key = 'topic:' || c.channel_id || ':' || ?`,
        values: [topicKey(term.topic)],
      }
    case 'sender':
      return {
        sql: 'm.sender_id IN (SELECT value FROM json_each(?))',
        values: [JSON.stringify(term.userIds)],
      }
    case 'dm':
      return { sql: 'c.key = ?', values: [conversationKey({ kind: 'direct', userIds: term.userIds })] }
    case 'dm-including':
      return {
        // The own user is in all of them.
        sql: `c.kind = 'direct' AND json_array_length(c.user_ids) >= ? AND EXISTS (
          SELECT 1 FROM json_each(?) WHERE value = ? OR value IN (SELECT value FROM json_each(c.user_ids)))`,
        values: [term.isGroup ? 2 : 0, JSON.stringify(term.userIds), ownUserId],
      }
    case 'mentions':
      return {
        sql: `EXISTS (SELECT 1 FROM json_each(?) WHERE instr(m.content_html, '${mentionStart}' || value || '"') > 0)`,
        values: [JSON.stringify(term.userIds)],
      }
    case 'in':
      // "all" includes everything, so the condition is constant.
      return {
        sql: term.value === 'home' ? `NOT ${inMuted}` : `${term.isNegated ? 'FALSE' : 'TRUE'}`,
        values: [],
      }
    case 'channels':
      return {
        sql: `coalesce(m.channel_id, 0) IN (SELECT channel_id FROM channels WHERE ${
          term.value === 'public' ? 'is_private = 0' : 'is_web_public = 1'
        })`,
        values: [],
      }
    case 'id':
      return { sql: 'm.message_id = ?', values: [term.messageId] }
    case 'with':
      return { sql: term.isNamed ? 'TRUE' : 'FALSE', values: [] }
    case 'is':
      return { sql: isConditions[term.value] ?? 'FALSE', values: [] }
    case 'has':
      return { sql: isHasValue(term.value) ? hasConditions[term.value] : 'FALSE', values: [] }
    case 'since':
      return { sql: 'm.sent_at >= ?', values: [term.at] }
    case 'until':
      return { sql: 'm.sent_at < ?', values: [term.at] }
  }
}
