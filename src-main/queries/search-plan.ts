import type { UserId } from '../../src-shared/ids.ts'
import { t } from '../../src-shared/texts/texts.ts'
import {
  conversationKey,
  directConversation,
  topicConversation,
  topicKey,
} from '../../src-shared/model/conversation.ts'
import {
  dayFrom,
  hasValues,
  parseSearch,
  type HasValue,
  type SearchTerm,
} from '../../src-shared/model/search.ts'
import { findConversation } from '../store/conversations.ts'
import type { ReadableDb, SqlValue } from '../store/database.ts'
import { foldName } from '../store/users.ts'
import type { QueryContext } from './labels.ts'
import { wordsMatch } from './search-words.ts'

/** A condition with its names looked up. */
export type ResolvedTerm =
  | { readonly kind: 'channel'; readonly channelId: number; readonly isNegated: boolean }
  | { readonly kind: 'topic'; readonly topic: string; readonly isNegated: boolean }
  | { readonly kind: 'sender'; readonly userIds: readonly number[]; readonly isNegated: boolean }
  | { readonly kind: 'dm'; readonly userIds: readonly UserId[]; readonly isNegated: boolean }
  | { readonly kind: 'is' | 'has'; readonly value: string; readonly isNegated: boolean }
  | { readonly kind: 'since' | 'until'; readonly at: number; readonly isNegated: boolean }

/** What a search means on this device. */
export interface SearchPlan {
  readonly terms: readonly ResolvedTerm[]
  /** Words and "phrases" as typed. */
  readonly words: string
  /** For the index; null when the search has neither words nor anything else that the index knows. */
  readonly match: string | null
  /** The part of `match` that is not about words. */
  readonly filters: string | null
  /** Conditions on the rows `m` (messages) and `c` (conversations). */
  readonly where: string
  readonly parameters: readonly SqlValue[]
  /** Texts to mark in excerpts. */
  readonly needles: readonly string[]
  /** What could not be understood, in words for people; then nothing is found. */
  readonly problem: string | null
}

const empty: SearchPlan = {
  terms: [],
  words: '',
  match: null,
  filters: null,
  where: 'TRUE',
  parameters: [],
  needles: [],
  problem: null,
}

/** Makes a plan of what a person typed; null when there is nothing to search for yet. */
export function searchPlan(context: QueryContext, text: string): SearchPlan | null {
  const { terms, words } = parseSearch(text)
  const resolved: ResolvedTerm[] = []
  for (const term of terms) {
    const one = resolve(context, term)
    if (typeof one === 'string') return { ...empty, words, problem: one }
    resolved.push(one)
  }
  const { match: wordMatch, needles } = wordsMatch(words)
  if (resolved.length === 0 && wordMatch === null) return null
  const filters: string[] = []
  const where: string[] = []
  const parameters: (string | number)[] = []
  for (const term of resolved) {
    const filter = term.isNegated ? null : filterOf(context.db, term, resolved)
    if (filter !== null) {
      filters.push(filter)
      continue
    }
    const { sql, values } = conditionOf(term)
    where.push(term.isNegated ? `NOT (${sql})` : sql)
    parameters.push(...values)
  }
  const filtersMatch = filters.length === 0 ? null : `filters : (${filters.join(' AND ')})`
  return {
    terms: resolved,
    words,
    match: matchOf(wordMatch, filtersMatch),
    filters: filtersMatch,
    where: where.length === 0 ? 'TRUE' : where.join(' AND '),
    parameters,
    needles,
    problem: null,
  }
}

/** What the index is asked for by words and by `SearchPlan.filters`; null for neither. */
export const matchOf = (words: string | null, filters: string | null): string | null =>
  words === null ? filters : [`words : (${words})`, ...(filters === null ? [] : [filters])].join(' AND ')

function resolve(context: QueryContext, term: SearchTerm): ResolvedTerm | string {
  const { db, ownUserId } = context
  const { operand, isNegated } = term
  switch (term.operator) {
    case 'channel': {
      const channelId = db.get<{ id: number }>(
        'SELECT channel_id AS id FROM channels WHERE folded_name = ? OR channel_id = ? ORDER BY is_subscribed DESC LIMIT 1',
        [foldName(operand.replace(/^#/, '')), /^\d+$/.test(operand) ? Number(operand) : -1],
      )?.id
      return channelId === undefined
        ? t.failures.search.noChannel(operand)
        : { kind: 'channel', channelId, isNegated }
    }
    case 'topic':
      return { kind: 'topic', topic: operand, isNegated }
    case 'sender': {
      const userIds = operand === 'me' ? [ownUserId] : usersNamed(db, operand)
      return userIds.length === 0 ? t.failures.search.nobody(operand) : { kind: 'sender', userIds, isNegated }
    }
    case 'dm': {
      const people: number[] = []
      for (const name of operand.split(',').map((part) => part.trim())) {
        const [found] = name === 'me' ? [ownUserId] : usersNamed(db, name)
        if (found === undefined) return t.failures.search.nobody(name)
        people.push(found)
      }
      const conversation = directConversation(people, ownUserId)
      return { kind: 'dm', userIds: conversation.kind === 'direct' ? conversation.userIds : [], isNegated }
    }
    case 'is':
      return Object.hasOwn(isConditions, operand)
        ? { kind: 'is', value: operand, isNegated }
        : t.failures.search.unknown(`is:${operand}`, Object.keys(isConditions))
    case 'has':
      return isHasValue(operand)
        ? { kind: 'has', value: operand, isNegated }
        : t.failures.search.unknown(`has:${operand}`, hasValues)
    case 'before':
    case 'after': {
      const at = dayFrom(operand)
      if (at === null) return t.failures.search.noDate(operand)
      return { kind: term.operator === 'before' ? 'until' : 'since', at, isNegated }
    }
  }
}

/** People of that name; if there are none, those whose name begins so. */
function usersNamed(db: ReadableDb, name: string): number[] {
  const folded = foldName(name.replace(/^@/, ''))
  const exact = db.all<{ user_id: number }>(
    'SELECT user_id FROM users WHERE folded_name = ? OR email = ? COLLATE NOCASE LIMIT 20',
    [folded, name],
  )
  const found =
    exact.length > 0
      ? exact
      : db.all<{ user_id: number }>(
          'SELECT user_id FROM users WHERE folded_name >= ? AND folded_name < ? ORDER BY folded_name LIMIT 20',
          [folded, `${folded}\u{10ffff}`],
        )
  return found.map(({ user_id }) => user_id)
}

/** What the index holds about each message beside its words (see message_words). */
function filterOf(db: ReadableDb, term: ResolvedTerm, all: readonly ResolvedTerm[]): string | null {
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
    default:
      return null
  }
}

// No conversation is 0, so that nothing is found where there is no such place.
const anyOf = (tokens: readonly string[]) => (tokens.length === 0 ? 'v0' : `(${tokens.join(' OR ')})`)

const mostSameTopics = 200

const conversationsOfTopic = (db: ReadableDb, topic: string): number[] =>
  db
    .all<{ conversation_id: number }>(
      `SELECT conversation_id FROM conversations
       WHERE kind = 'topic' AND key = 'topic:' || channel_id || ':' || ? LIMIT ?`,
      [topicKey(topic), mostSameTopics],
    )
    .map(({ conversation_id }) => conversation_id)

const isConditions: Readonly<Record<string, string>> = {
  starred: 'm.is_starred = 1',
  mentioned: 'm.is_mentioned = 1',
  alerted: 'm.has_alert_word = 1',
  unread: 'm.message_id IN (SELECT message_id FROM unread)',
  dm: 'm.channel_id IS NULL',
  resolved: `c.kind = 'topic' AND c.topic LIKE '✔ %'`,
  followed: `EXISTS (SELECT 1 FROM topic_visibility v WHERE v.visibility = 'followed'
    AND 'topic:' || v.channel_id || ':' || v.topic_key = c.key)`,
}

const hasConditions: Readonly<Record<HasValue, string>> = {
  link: `m.content_html LIKE '%<a href=%'`,
  image: `m.content_html LIKE '%message_inline_image%'`,
  attachment: `m.content_html LIKE '%/user_uploads/%'`,
  code: `(m.content_html LIKE '%<code>%' OR m.content_html LIKE '%codehilite%')`,
  reaction: 'EXISTS (SELECT 1 FROM reactions r WHERE r.message_id = m.message_id)',
}

const isHasValue = (value: string): value is HasValue => hasValues.some((known) => known === value)

/** The condition on a message `m` that it has something. */
export const hasCondition = (value: HasValue): string => hasConditions[value]

function conditionOf(term: ResolvedTerm): { sql: string; values: (string | number)[] } {
  switch (term.kind) {
    case 'channel':
      // A direct message is in no channel, and in no unwanted one either.
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
