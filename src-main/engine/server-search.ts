import { apiMessage, messages, type ApiNarrowTerm } from '../../src-shared/api/messages.ts'
import { readTolerantly } from '../../src-shared/api/tolerant.ts'
import type { ServerSearchResults } from '../../src-shared/bridge/calls.ts'
import { FailureError } from '../../src-shared/failure.ts'
import { messageId, type MessageId } from '../../src-shared/ids.ts'
import type { Connection } from '../api/connection.ts'
import type { MessageFields } from '../store/messages.ts'
import type { QueryContext } from '../queries/labels.ts'
import { searchResult } from '../queries/search.ts'
import { searchPlan, type ResolvedTerm } from '../queries/search-plan.ts'
import { messageFromApi } from '../sync/from-wire.ts'

/** How many messages one page asks for. */
const pageSize = 100

/**
 * A page of what the server finds and this device does not have, newest first. Nothing of it is kept: a message of
 * unknown surroundings would look like history. Dates are judged here, since servers have no such condition.
 */
export async function searchServer(
  connection: Connection,
  context: QueryContext,
  text: string,
  before: MessageId | null,
  signal: AbortSignal,
): Promise<ServerSearchResults> {
  const plan = searchPlan(context, text)
  if (plan === null) return { results: [], next: null }
  if (plan.problem !== null) {
    throw new FailureError({ kind: 'rejected', code: 'BAD_SEARCH', message: plan.problem, status: 0 })
  }
  const words: ApiNarrowTerm[] =
    plan.words.trim() === '' ? [] : [{ operator: 'search', operand: plan.words.trim() }]
  const page = await connection.call(
    messages.getMessages,
    {
      anchor: before ?? 'newest',
      include_anchor: before === null,
      num_before: pageSize,
      num_after: 0,
      narrow: [...plan.terms.flatMap(wireTerm), ...words],
      apply_markdown: true,
      client_gravatar: false,
      allow_empty_topic_name: true,
    },
    { signal },
  )
  const found = page.messages.flatMap((raw) => {
    const { read: message } = readTolerantly(apiMessage, raw)
    return message.success ? [message.data] : []
  })
  const isHere = (id: number) =>
    context.db.get('SELECT 1 FROM messages WHERE message_id = ?', [id]) !== undefined
  const results = found
    .map((message) => ({
      ...messageFromApi(message, message.flags ?? [], context.ownUserId),
      senderAvatarUrl: message.avatar_url ?? null,
    }))
    .filter((message) => plan.terms.every((term) => holds(term, message)) && !isHere(message.id))
    .sort((a, b) => b.id - a.id)
    .map((message) => searchResult(context, message, plan.needles))
  const oldest = Math.min(...found.map(({ id }) => id))
  const hasMore = !page.found_oldest && found.length > 0
  return { results, next: hasMore ? messageId(oldest) : null }
}

/** Whether a condition holds that the server was not asked for; all others are true of its answer. */
function holds(term: ResolvedTerm, message: MessageFields): boolean {
  switch (term.kind) {
    case 'since':
      return message.sentAt >= term.at !== term.isNegated
    case 'until':
      return message.sentAt < term.at !== term.isNegated
    case 'sender':
      return term.userIds.some((id) => id === message.senderId) !== term.isNegated
    case 'has':
      return term.value !== 'code' || /<code|codehilite/.test(message.contentHtml) !== term.isNegated
    default:
      return true
  }
}

/** A condition in the server's words (specification, GET /messages), as far as it has them. */
function wireTerm(term: ResolvedTerm): ApiNarrowTerm[] {
  const { isNegated: negated } = term
  switch (term.kind) {
    case 'channel':
      return [{ operator: 'channel', operand: term.channelId, negated }]
    case 'topic':
      return [{ operator: 'topic', operand: term.topic, negated }]
    case 'sender':
      // Terms are all of them together: one of several people cannot be asked for.
      if (!negated && term.userIds.length > 1) return []
      return term.userIds.map((id) => ({ operator: 'sender', operand: id, negated }))
    case 'dm':
      return [{ operator: 'dm', operand: [...term.userIds], negated }]
    case 'is':
    case 'has':
      return term.value === 'code' ? [] : [{ operator: term.kind, operand: term.value, negated }]
    case 'since':
    case 'until':
      return []
  }
}
