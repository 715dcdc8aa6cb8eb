import { dayMs } from '../../src-shared/durations.ts'
import type { SearchFacets } from '../../src-shared/model/search-results.ts'
import { channelId, userId } from '../../src-shared/ids.ts'
import { parseSearch, searchText, type HasValue, type SearchOperator } from '../../src-shared/model/search.ts'
import { nameOfChannel } from '../store/channels.ts'
import type { ReadableDb } from '../store/database.ts'
import type { QueryContext } from './context.ts'
import { personById, searchName } from './labels.ts'
import { allMatchingIds } from './search.ts'
import { hasCondition, searchPlan } from './search-plan.ts'

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
  const chosen = (wanted: SearchOperator) =>
    terms.flatMap(({ operator, operand, isNegated }) => (operator === wanted && !isNegated ? [operand] : []))
  const chosenIds = (operator: SearchOperator, query: string) =>
    db.column<number>(query, { 1: JSON.stringify(chosen(operator)) })
  const senderIds = chosenIds(
    'sender',
    `SELECT user_id AS id FROM users WHERE full_name IN (SELECT value FROM json_each(?1))
       OR user_id IN (SELECT value FROM json_each(?1))`,
  )
  const channelIds = chosenIds(
    'channel',
    'SELECT channel_id AS id FROM channels WHERE name IN (SELECT value FROM json_each(?1))',
  )
  const counted = (operator: SearchOperator, column: string, chosenOnes: readonly (number | string)[]) =>
    most(db, idsWithout(context, text, operator), column, chosenOnes)
  return {
    senders: counted('sender', 'm.sender_id', senderIds).map(({ value, count }) => {
      const person = personById(context, userId(Number(value)))
      return { person, operand: searchName(db, person), count }
    }),
    channels: counted('channel', 'm.channel_id', channelIds).flatMap(({ value, count }) => {
      const name = nameOfChannel(db, Number(value))
      return name === undefined ? [] : [{ channelId: channelId(Number(value)), name, count }]
    }),
    topics: isInOneChannel
      ? counted('topic', 'c.topic', chosen('topic')).map(({ value, count }) => ({
          topic: String(value),
          count,
        }))
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

/** The results without the search's own conditions of one kind, so that another value can be chosen. */
function idsWithout(context: QueryContext, text: string, operator: SearchOperator | null): number[] {
  const { terms, words } = parseSearch(text)
  const rest = terms.filter((term) => term.operator !== operator || term.isNegated)
  // Without any other condition a search finds nothing, so the chosen ones stay then.
  const isAll = rest.length === 0 && words.trim() === ''
  const plan = searchPlan(context, searchText({ terms: isAll ? terms : rest, words }))
  return plan === null || plan.problem !== null ? [] : allMatchingIds(context.db, plan)
}

/** The values with the most messages, followed by the chosen ones. */
function most(
  db: ReadableDb,
  ids: readonly number[],
  column: string,
  chosen: readonly (number | string)[],
): { value: number | string; count: number }[] {
  const all = db.all<{ value: number | string; count: number }>(
    `SELECT ${column} AS value, count(*) AS count FROM json_each(?) wanted
     JOIN messages m ON m.message_id = wanted.value
     JOIN conversations c ON c.conversation_id = m.conversation_id
     WHERE ${column} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, max(m.message_id) DESC`,
    [JSON.stringify(ids)],
  )
  const shown = all.slice(0, mostFacets)
  const others = chosen.filter((value) => shown.every((one) => one.value !== value))
  return [
    ...shown,
    ...others.map((value) => ({ value, count: all.find((one) => one.value === value)?.count ?? 0 })),
  ]
}

const countOf = (db: ReadableDb, ids: readonly number[], condition: string): number =>
  db.get<{ n: number }>(
    `SELECT count(*) AS n FROM json_each(?) wanted JOIN messages m ON m.message_id = wanted.value WHERE ${condition}`,
    [JSON.stringify(ids)],
  )?.n ?? 0
