import {
  countedUpTo,
  mostLookedThrough,
  type SearchInside,
  type SearchResult,
  type SearchResults,
  type StarredMessage,
} from '../../src-shared/model/search-results.ts'
import { messageId, userId } from '../../src-shared/ids.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import type { ReadableDb } from '../store/database.ts'
import { lastStarred } from '../store/flags.ts'
import { messageTotal } from '../store/message-words.ts'
import { highestId, idAtDistance, sentAtFrom } from '../store/messages.ts'
import { untilChange } from '../store/until-change.ts'
import { closedTextFromHtml } from '../store/html-text.ts'
import { excerptAround, matchesIn } from './excerpt.ts'
import type { QueryContext } from './context.ts'
import { labelOf, placeColumns, placesOf, type Place, type PlacedRow } from './labels.ts'
import { matchOf, searchPlan, type SearchPlan } from './search-plan.ts'
import { isFewByNature, oldestLooked, rangeOf } from './search-range.ts'
import { partsMatch, type PartsMatch } from './search-words.ts'

/** Facets and feeds read only this many of the newest messages. */
export const mostConsidered = 1_000

/** With more messages than this on the device, phrase matches are counted little further than they are shown. */
const manyMessages = 200_000
/** Phrase matches are then counted up to this number, even if fewer are shown. */
const phrasesCountedUpTo = 50

/** Messages on this device that match the search, newest first. */
export function search(context: QueryContext, text: string, limit: number): SearchResults {
  const start = performance.now()
  const messagesOnDevice = messageTotal(context.db)
  const plan = searchPlan(context, text)
  if (plan === null || plan.problem !== null) {
    return { ...nothing, messagesOnDevice, problem: plan?.problem ?? null }
  }
  const isCostly = plan.hasPhrases && messagesOnDevice > manyMessages
  const { ids, hasMore } = countedIds(
    context.db,
    plan,
    isCostly ? Math.max(limit, phrasesCountedUpTo) : countedUpTo,
  )
  const looked = hasMore ? null : oldestLooked(context.db, plan)
  const shown = plan.near === null ? ids.slice(0, limit) : idsAround(context.db, plan, plan.near, limit)
  return {
    results: resultsOf(context, shown, plan.needles),
    total: ids.length,
    hasMore,
    lookedBackTo: looked === null ? null : sentAtFrom(context.db, looked),
    problem: null,
    tookMs: performance.now() - start,
    messagesOnDevice,
  }
}

const nothing = { results: [], total: 0, hasMore: false, tookMs: 0, lookedBackTo: null }

/** Messages on this device that match the search only with parts of longer words, newest first. */
export function searchInside(context: QueryContext, text: string, limit: number): SearchInside {
  const plan = searchPlan(context, text)
  const parts = plan === null || plan.problem !== null ? null : partsMatch(context.db, plan.words)
  if (plan === null || parts === null) return { results: [], total: 0, hasMore: false }
  const found = new Set(countedIds(context.db, plan).ids)
  const inside = countedIds(context.db, inParts(plan, parts))
  const ids = inside.ids.filter((id) => !found.has(id))
  return {
    results: resultsOf(context, ids.slice(0, limit), parts.needles),
    total: ids.length,
    hasMore: inside.hasMore,
  }
}

/** The number from which on a search on this device finds all messages that match; 0 if it finds all. */
export const oldestFound = (db: ReadableDb, plan: SearchPlan): number =>
  countedIds(db, plan).hasMore ? 0 : (oldestLooked(db, plan) ?? 0)

/** The same search for parts of words. */
const inParts = (plan: SearchPlan, parts: PartsMatch): SearchPlan => ({
  ...plan,
  match: matchOf(parts.match, plan.filters),
})

/** The newest messages that match a plan by words or by parts of them, newest first; up to 1,000. */
export function allMatchingIds(db: ReadableDb, plan: SearchPlan): number[] {
  const found = matchingIds(db, plan, mostConsidered)
  const parts = partsMatch(db, plan.words)
  if (parts === null) return found
  const all = new Set([...found, ...matchingIds(db, inParts(plan, parts), mostConsidered)])
  return [...all].sort((a, b) => b - a).slice(0, mostConsidered)
}

/**
 * The newest messages that match a plan, newest first, up to `most`. For a phrase, the index reads all messages with
 * its words to find those in which they are adjacent, so each counted match costs time.
 */
function countedIds(
  db: ReadableDb,
  plan: SearchPlan,
  most = countedUpTo,
): { ids: readonly number[]; hasMore: boolean } {
  const found = matchingIds(db, plan, most + 1)
  return { ids: found.slice(0, most), hasMore: found.length > most }
}

/** A message and the matches of a plan on both sides of it, newest first. */
function idsAround(db: ReadableDb, plan: SearchPlan, near: number, limit: number): number[] {
  const newer = matchingIds(db, plan, Math.floor(limit / 2), 'after', near + 1)
  const older = matchingIds(db, plan, limit - newer.length, 'before', near)
  return [...newer.reverse(), ...older]
}

/** The newest matches of a plan, newest first; or those on one side of a message, nearest first. */
function matchingIds(
  db: ReadableDb,
  plan: SearchPlan,
  limit: number,
  side: 'before' | 'after' = 'before',
  from = highestId,
): number[] {
  const { match, where, parameters } = plan
  const { oldest, newest } = rangeOf(db, plan)
  const first = side === 'before' ? Math.min(from, newest) : Math.max(from, oldest)
  const last = side === 'before' ? oldest : newest
  const [compared, farther, order] = side === 'before' ? ['<=', '>=', 'DESC'] : ['>=', '<=', 'ASC']
  // The index returns its matches newest first, so no more of them are read than are shown.
  if (match === null) {
    const farthest = isFewByNature(plan) ? null : idAtDistance(db, first, side, mostLookedThrough)
    const bound = side === 'before' ? Math.max(last, farthest ?? last) : Math.min(last, farthest ?? last)
    return db.column<number>(
      `SELECT m.message_id AS id FROM messages m JOIN conversations c ON c.conversation_id = m.conversation_id
         WHERE ${where} AND m.message_id ${compared} ? AND m.message_id ${farther} ?
         ORDER BY m.message_id ${order} LIMIT ?`,
      [...parameters, first, bound, limit],
    )
  }
  // Uses the index alone: reading a thousand messages only to count them took longer than everything else.
  if (where === 'TRUE' && from === highestId) return newestMatches(db, match, limit)
  // FTS5 goes straight to the first number only if it is an integer, and every parameter arrives as a real number.
  return db.column<number>(
    `SELECT m.message_id AS id FROM
         (SELECT rowid AS id FROM message_words WHERE message_words MATCH ? AND rowid ${compared} CAST(? AS INTEGER)
            AND rowid ${farther} CAST(? AS INTEGER) ORDER BY rowid ${order} LIMIT ?) found
       JOIN messages m ON m.message_id = found.id
       JOIN conversations c ON c.conversation_id = m.conversation_id
       WHERE ${where} ORDER BY m.message_id ${order} LIMIT ?`,
    [match, first, last, mostLookedThrough, ...parameters, limit],
  )
}

const newestMatches = (db: ReadableDb, match: string, limit: number): number[] =>
  untilChange(db, `matches ${limit} ${match}`, () =>
    db.column<number>(
      'SELECT rowid FROM message_words WHERE message_words MATCH ? ORDER BY rowid DESC LIMIT ?',
      [match, limit],
    ),
  )

/** Starred messages, the last starred first. */
export function starred(context: QueryContext, limit: number): StarredMessage[] {
  const rows = lastStarred(context.db, limit)
  const times = new Map(rows.map((row) => [row.message_id, row.starred_at]))
  const ids = rows.map((row) => row.message_id)
  return resultsOf(context, ids, []).map((result) => ({
    ...result,
    starredAt: times.get(result.messageId) ?? null,
  }))
}

function resultsOf(
  context: QueryContext,
  ids: readonly number[],
  needles: readonly string[],
): SearchResult[] {
  const rows = context.db.all<FoundRow>(
    `SELECT m.message_id, ${placeColumns}, m.sender_id,
       coalesce(u.full_name, m.sender_name) AS sender_name, u.avatar_url, m.sent_at, m.content_html
     FROM json_each(?) wanted
     CROSS JOIN messages m ON m.message_id = wanted.value
     CROSS JOIN conversations c ON c.conversation_id = m.conversation_id
     LEFT JOIN users u ON u.user_id = m.sender_id
     ORDER BY wanted.key`,
    [JSON.stringify(ids)],
  )
  const placeOf = placesOf(context, rows)
  return rows.map((row) =>
    resultIn(
      context,
      placeOf(row),
      {
        id: row.message_id,
        senderId: row.sender_id,
        senderName: row.sender_name,
        senderAvatarUrl: row.avatar_url,
        sentAt: row.sent_at,
        contentHtml: row.content_html,
      },
      needles,
    ),
  )
}

interface FoundRow extends PlacedRow {
  message_id: number
  sender_id: number
  sender_name: string
  avatar_url: string | null
  sent_at: number
  content_html: string
}

/** A found message, from any source. */
export interface FoundMessage {
  readonly id: number
  readonly conversation: Conversation
  readonly senderId: number
  readonly senderName: string
  readonly senderAvatarUrl: string | null
  readonly sentAt: number
  readonly contentHtml: string
}

/** A message as a search result, with the part of its text that contains the needles. */
export const searchResult = (
  context: QueryContext,
  found: FoundMessage,
  needles: readonly string[],
): SearchResult => {
  const { conversation } = found
  return resultIn(context, { conversation, recipient: labelOf(context, conversation) }, found, needles)
}

function resultIn(
  { db }: QueryContext,
  { conversation, recipient }: Place,
  found: Omit<FoundMessage, 'conversation'>,
  needles: readonly string[],
): SearchResult {
  const { id, senderId, senderName, senderAvatarUrl, sentAt, contentHtml } = found
  return {
    messageId: messageId(id),
    conversation,
    label: recipient,
    senderId: userId(senderId),
    senderName,
    senderAvatarUrl,
    sentAt,
    ...excerptAround(closedTextFromHtml(db, contentHtml), needles),
    topicMatches:
      recipient.kind === 'topic' && !recipient.isEmptyTopic ? matchesIn(recipient.topic, needles) : [],
  }
}
