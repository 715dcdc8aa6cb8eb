import type { SearchInside, SearchResult, SearchResults } from '../../src-shared/model/search-results.ts'
import { messageId, userId } from '../../src-shared/ids.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import { conversationFromRow } from '../store/conversations.ts'
import type { ReadableDb } from '../store/database.ts'
import { idAtDepth, sentAtFrom } from '../store/messages.ts'
import { textFromHtml } from '../store/words.ts'
import { excerptAround, matchesIn } from './excerpt.ts'
import { labelOf, type QueryContext } from './labels.ts'
import { matchOf, searchPlan, type SearchPlan } from './search-plan.ts'
import { partsMatch, type PartsMatch } from './search-words.ts'

const countedUpTo = 1_000

/** How long a count of all messages is good enough, milliseconds: counting a million takes longer than finding in them. */
const countedMs = 10_000
const counted = new WeakMap<ReadableDb, { readonly at: number; readonly n: number }>()

function messageCount({ db, now }: QueryContext): number {
  const before = counted.get(db)
  if (before !== undefined && Math.abs(now - before.at) < countedMs) return before.n
  const n = db.get<{ n: number }>('SELECT count(*) AS n FROM messages')?.n ?? 0
  counted.set(db, { at: now, n })
  return n
}

/** As many matches of the index as are looked at for conditions that it does not know. */
const mostLooked = 20_000

/** Messages on this device that the search asks for, newest first. */
export function search(context: QueryContext, text: string, limit: number): SearchResults {
  const start = performance.now()
  const messagesOnDevice = messageCount(context)
  const plan = searchPlan(context, text)
  if (plan === null || plan.problem !== null) {
    return { ...nothing, messagesOnDevice, problem: plan?.problem ?? null }
  }
  const ids = matchingIds(context.db, plan)
  const oldest = ids.at(-1)
  return {
    results: resultsOf(context, ids.slice(0, limit), plan.needles),
    total: ids.length,
    oldestAt: oldest === undefined ? null : sentAtFrom(context.db, oldest),
    problem: null,
    tookMs: performance.now() - start,
    messagesOnDevice,
  }
}

const nothing = { results: [], total: 0, tookMs: 0, oldestAt: null }

/** Messages on this device that have what is searched for only as a part of longer words, newest first. */
export function searchInside(context: QueryContext, text: string, limit: number): SearchInside {
  const plan = searchPlan(context, text)
  const parts = plan === null || plan.problem !== null ? null : partsMatch(context.db, plan.words)
  if (plan === null || parts === null) return { results: [], total: 0 }
  const found = new Set(matchingIds(context.db, plan))
  const ids = matchingIds(context.db, inParts(plan, parts)).filter((id) => !found.has(id))
  return { results: resultsOf(context, ids.slice(0, limit), parts.needles), total: ids.length }
}

/** The same search for parts of words. */
const inParts = (plan: SearchPlan, parts: PartsMatch): SearchPlan => ({
  ...plan,
  match: matchOf(parts.match, plan.filters),
})

/** The newest messages that a plan finds by words or by parts of them, newest first; up to 1,000. */
export function allMatchingIds(db: ReadableDb, plan: SearchPlan): number[] {
  const found = matchingIds(db, plan)
  const parts = partsMatch(db, plan.words)
  if (parts === null) return found
  const all = new Set([...found, ...matchingIds(db, inParts(plan, parts))])
  return [...all].sort((a, b) => b - a).slice(0, countedUpTo)
}

/** The newest messages that a plan finds, newest first; up to 1,000. */
function matchingIds(db: ReadableDb, plan: SearchPlan): number[] {
  const limit = countedUpTo
  const { match, where, parameters } = plan
  // The index gives its matches newest first, so no more of them are looked at than are shown.
  const rows =
    match === null
      ? db.all<{ id: number }>(
          `SELECT m.message_id AS id FROM messages m JOIN conversations c ON c.conversation_id = m.conversation_id
           WHERE ${where} AND m.message_id >= ? ORDER BY m.message_id DESC LIMIT ?`,
          [...parameters, isFewByNature(plan) ? 0 : idAtDepth(db, mostLooked), limit],
        )
      : where === 'TRUE'
        ? // From the index alone: looking at a thousand messages to count them took longer than all the rest.
          newestMatches(db, match)
        : db.all<{ id: number }>(
            `SELECT m.message_id AS id FROM
               (SELECT rowid AS id FROM message_words WHERE message_words MATCH ? ORDER BY rowid DESC LIMIT ?) found
             JOIN messages m ON m.message_id = found.id
             JOIN conversations c ON c.conversation_id = m.conversation_id
             WHERE ${where} ORDER BY m.message_id DESC LIMIT ?`,
            [match, mostLooked, ...parameters, limit],
          )
  return rows.map(({ id }) => id)
}

/** Answers of the index that are remembered for as long as nothing is written. */
const mostAnswers = 8
const answers = new WeakMap<ReadableDb, { changes: number; readonly ids: Map<string, { id: number }[]> }>()

/** One key asks for the same several times: for results, for parts of words, and for each kind of facet. */
function newestMatches(db: ReadableDb, match: string): { id: number }[] {
  const changes = db.get<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0
  let known = answers.get(db)
  if (known?.changes !== changes || known.ids.size >= mostAnswers) {
    known = { changes, ids: new Map() }
    answers.set(db, known)
  }
  let found = known.ids.get(match)
  if (found === undefined) {
    found = db.all<{ id: number }>(
      'SELECT rowid AS id FROM message_words WHERE message_words MATCH ? ORDER BY rowid DESC LIMIT ?',
      [match, countedUpTo],
    )
    known.ids.set(match, found)
  }
  return found
}

/** Whether an index of its own holds all that the search can find. */
const isFewByNature = ({ terms }: SearchPlan) =>
  terms.some(
    (term) =>
      term.kind === 'is' && !term.isNegated && ['starred', 'mentioned', 'unread'].includes(term.value),
  )

function resultsOf(
  context: QueryContext,
  ids: readonly number[],
  needles: readonly string[],
): SearchResult[] {
  return context.db
    .all<FoundRow>(
      `SELECT m.message_id, c.kind, c.channel_id, c.topic, c.user_ids, m.sender_id,
         coalesce(u.full_name, m.sender_name) AS sender_name, u.avatar_url, m.sent_at, m.content_html
       FROM json_each(?) wanted
       JOIN messages m ON m.message_id = wanted.value
       JOIN conversations c ON c.conversation_id = m.conversation_id
       LEFT JOIN users u ON u.user_id = m.sender_id
       ORDER BY wanted.key`,
      [JSON.stringify(ids)],
    )
    .map((row) =>
      searchResult(
        context,
        {
          id: row.message_id,
          conversation: conversationFromRow(row),
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

interface FoundRow {
  message_id: number
  kind: 'topic' | 'direct'
  channel_id: number | null
  topic: string | null
  user_ids: string | null
  sender_id: number
  sender_name: string
  avatar_url: string | null
  sent_at: number
  content_html: string
}

/** A message that was found, wherever it came from. */
export interface FoundMessage {
  readonly id: number
  readonly conversation: Conversation
  readonly senderId: number
  readonly senderName: string
  readonly senderAvatarUrl: string | null
  readonly sentAt: number
  readonly contentHtml: string
}

/** A message as a result, with the part of its text in which the needles are. */
export function searchResult(
  context: QueryContext,
  found: FoundMessage,
  needles: readonly string[],
): SearchResult {
  const { id, conversation, senderId, senderName, senderAvatarUrl, sentAt, contentHtml } = found
  const label = labelOf(context, conversation)
  return {
    messageId: messageId(id),
    conversation,
    label,
    senderId: userId(senderId),
    senderName,
    senderAvatarUrl,
    sentAt,
    ...excerptAround(textFromHtml(contentHtml), needles),
    topicMatches: label.kind === 'topic' && !label.isEmptyTopic ? matchesIn(label.topic, needles) : [],
  }
}
