import { dayMs } from '../../src-shared/durations.ts'
import type { SearchFacets } from '../../src-shared/model/search-results.ts'
import { channelId, userId } from '../../src-shared/ids.ts'
import { parseSearch, searchText, type HasValue, type SearchOperator } from '../../src-shared/model/search.ts'
import { topicKey } from '../../src-shared/topic-names.ts'
import { nameOfChannel } from '../store/channels.ts'
import type { ReadableDb } from '../store/database.ts'
import type { QueryContext } from './context.ts'
import { personById, searchName } from './labels.ts'
import { allMatchingIds } from './search.ts'
import { hasCondition, searchPlan } from './search-plan.ts'
import { resolve } from './search-terms.ts'

/** How many values of a kind are counted; the window shows the first ones at first. */
const mostFacets = 50
const monthMs = 30 * dayMs
const offeredHas: readonly HasValue[] = ['link', 'image', 'code', 'reaction']

/**
 * The ways to narrow a search, counted over the newest thousand messages that it finds on this device. Chosen values
 * are listed even if they find nothing, so that a choice can be undone where it was made.
 */
export function searchFacets(context: QueryContext, text: string): SearchFacets {
  const { db, now } = context
  const found = idsWithout(context, text, null)
  const terms = parseSearch(text).terms
  const isInOneChannel = terms.some(({ operator, isNegated }) => operator === 'channel' && !isNegated)
  const counted = (operator: SearchOperator, column: string) => {
    const chosen = new Map(
      terms
        .filter((term) => term.operator === operator && !term.isNegated)
        .flatMap((term) =>
          valuesOf(resolve(context, term)).map((value) => [keyOf(value), { value, operand: term.operand }]),
        ),
    )
    const all = most(db, idsWithout(context, text, operator), column)
    const shown = all.slice(0, mostFacets)
    const keys = new Set(shown.map(({ value }) => keyOf(value)))
    const others = [...chosen].flatMap(([key, { value }]) =>
      keys.has(key) ? [] : [all.find((one) => keyOf(one.value) === key) ?? { value, count: 0 }],
    )
    return [...shown, ...others].map((one) => ({
      ...one,
      chosenAs: chosen.get(keyOf(one.value))?.operand ?? null,
    }))
  }
  return {
    senders: counted('sender', 'm.sender_id').map(({ value, ...facet }) => {
      const person = personById(context, userId(Number(value)))
      return { person, operand: searchName(db, person), ...facet }
    }),
    channels: counted('channel', 'm.channel_id').flatMap(({ value, ...facet }) => {
      const name = nameOfChannel(db, Number(value))
      return name === undefined ? [] : [{ channelId: channelId(Number(value)), operand: name, ...facet }]
    }),
    topics: isInOneChannel
      ? counted('topic', 'c.topic').map(({ value, ...facet }) => ({ operand: String(value), ...facet }))
      : [],
    has: offeredHas.flatMap((value) => {
      const count = countOf(db, found, hasCondition(value))
      return count === 0 ? [] : [{ value, count }]
    }),
    pastMonth: countOf(db, found, `m.sent_at >= ${Math.floor(now - monthMs)}`),
    keptSince:
      db.get<{ at: number }>('SELECT sent_at AS at FROM messages ORDER BY message_id LIMIT 1')?.at ?? null,
  }
}

/** A value in the columns that are counted: an id, or a topic. */
type Value = number | string

/** Two spellings of a topic are the same topic. */
const keyOf = (value: Value): Value => (typeof value === 'string' ? topicKey(value) : value)

/** The values that a condition finds. */
function valuesOf(found: ReturnType<typeof resolve>): readonly Value[] {
  if (typeof found === 'string') return []
  switch (found.kind) {
    case 'channel':
      return [found.channelId]
    case 'topic':
      return [found.topic]
    case 'sender':
      return found.userIds
    default:
      return []
  }
}

/** The results without the search's own conditions of one kind, so that another value can be chosen. */
function idsWithout(context: QueryContext, text: string, operator: SearchOperator | null): number[] {
  const { terms, words } = parseSearch(text)
  const rest = terms.filter((term) => term.operator !== operator || term.isNegated)
  // Without any other condition a search finds nothing, so the chosen ones stay then.
  const isAll = rest.length === 0 && words.trim() === ''
  const plan = searchPlan(context, searchText({ terms: isAll ? terms : rest, words }))
  return plan === null || plan.problem !== null ? [] : allMatchingIds(context.db, plan)
}

/** All values, those with the most messages first. */
const most = (db: ReadableDb, ids: readonly number[], column: string) =>
  db.all<{ value: Value; count: number }>(
    `SELECT ${column} AS value, count(*) AS count FROM json_each(?) wanted
     JOIN messages m ON m.message_id = wanted.value
     JOIN conversations c ON c.conversation_id = m.conversation_id
     WHERE ${column} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, max(m.message_id) DESC`,
    [JSON.stringify(ids)],
  )

const countOf = (db: ReadableDb, ids: readonly number[], condition: string): number =>
  db.get<{ n: number }>(
    `SELECT count(*) AS n FROM json_each(?) wanted JOIN messages m ON m.message_id = wanted.value WHERE ${condition}`,
    [JSON.stringify(ids)],
  )?.n ?? 0
