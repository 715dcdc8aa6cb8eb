import { apiMessage, messages, type ApiNarrowTerm } from '../../src-shared/api/messages.ts'
import { readTolerantly } from '../../src-shared/api/tolerant.ts'
import type { ServerSearchResults } from '../../src-shared/bridge/calls.ts'
import { refusedHere } from '../../src-shared/failure.ts'
import { messageId, type MessageId, type UserId } from '../../src-shared/ids.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import { isAble } from '../../src-shared/model/server-abilities.ts'
import type { Connection } from '../api/connection.ts'
import { hasMessage, type MessageFields } from '../store/messages.ts'
import type { QueryContext } from '../queries/context.ts'
import { topicVisibility } from '../store/topic-visibility.ts'
import { oldestFound, searchResult } from '../queries/search.ts'
import { conversationIsMuted } from '../queries/muted.ts'
import { mentionStart, searchPlan } from '../queries/search-plan.ts'
import type { ResolvedTerm } from '../queries/search-terms.ts'
import { readCursor } from '../store/cursor.ts'
import { messageFromApi } from '../sync/from-wire.ts'

/** How many messages one page asks for; around a message, as many on each side. */
const pageSize = 100

/**
 * A page of what the server finds and this device does not, newest first: messages that are not here, and those that
 * its own search did not look through. Nothing is stored, because history here is stored as complete ranges only.
 * Conditions that the server does not have, such as dates, are checked here.
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
  if (plan.problem !== null) throw refusedHere('BAD_SEARCH', plan.problem)
  const words: ApiNarrowTerm[] =
    plan.words.trim() === '' ? [] : [{ operator: 'search', operand: plan.words.trim() }]
  const { featureLevel } = readCursor(context.db)
  const page = await connection.call(
    messages.getMessages,
    {
      anchor: before ?? plan.near ?? 'newest',
      include_anchor: before === null,
      num_before: pageSize,
      num_after: before === null && plan.near !== null ? pageSize : 0,
      narrow: [...plan.terms.flatMap((term) => wireTerm(term, context.ownUserId, featureLevel)), ...words],
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
  const looked = oldestFound(context.db, plan)
  const results = found
    .map((message) => ({
      ...messageFromApi(message, message.flags ?? [], context.ownUserId),
      senderAvatarUrl: message.avatar_url ?? null,
    }))
    .filter(
      (message) =>
        plan.terms.every((term) => holds(context, term, message, featureLevel)) &&
        (message.id < looked || !hasMessage(context.db, message.id)),
    )
    .sort((a, b) => b.id - a.id)
    .map((message) => ({
      ...searchResult(context, message, plan.needles),
      isOnDevice: hasMessage(context.db, message.id),
    }))
  const oldest = Math.min(...found.map(({ id }) => id))
  const hasMore = !page.found_oldest && found.length > 0
  return { results, next: hasMore ? messageId(oldest) : null }
}

/** Checks the conditions that the request may not have contained; the server has checked all others. */
function holds(
  context: QueryContext,
  term: ResolvedTerm,
  message: MessageFields,
  featureLevel: number,
): boolean {
  const { conversation, contentHtml } = message
  switch (term.kind) {
    case 'since':
      return message.sentAt >= term.at !== term.isNegated
    case 'until':
      return message.sentAt < term.at !== term.isNegated
    case 'sender':
      return term.userIds.some((id) => id === message.senderId) !== term.isNegated
    case 'mentions':
      return term.userIds.some((id) => contentHtml.includes(`${mentionStart}${id}"`)) !== term.isNegated
    case 'dm-including': {
      const others = conversation.kind === 'direct' ? conversation.userIds : null
      const isWith = (id: number) =>
        id === context.ownUserId || others?.some((other) => other === id) === true
      const isOne = others !== null && (!term.isGroup || others.length > 1) && term.userIds.some(isWith)
      return isOne !== term.isNegated
    }
    case 'in':
      return term.value === 'all' || conversationIsMuted(context.db, conversation) === term.isNegated
    case 'is':
      if (term.value === 'muted') return conversationIsMuted(context.db, conversation) !== term.isNegated
      return term.value !== 'followed' || isFollowed(context, conversation) !== term.isNegated
    case 'with':
      return term.isNamed || isAble(featureLevel, 'withOperator')
    case 'has':
      return term.value !== 'code' || /<code|codehilite/.test(contentHtml) !== term.isNegated
    default:
      return true
  }
}

const isFollowed = ({ db }: QueryContext, conversation: Conversation): boolean =>
  conversation.kind === 'topic' &&
  topicVisibility(db, conversation.channelId, conversation.topic) === 'followed'

/** A condition as narrow terms (specification, GET /messages); empty if a server of that level has none for it. */
function wireTerm(term: ResolvedTerm, ownUserId: UserId, featureLevel: number): ApiNarrowTerm[] {
  const { isNegated: negated } = term
  switch (term.kind) {
    case 'channel':
      return [{ operator: 'channel', operand: term.channelId, negated }]
    case 'topic':
      return [{ operator: 'topic', operand: term.topic, negated }]
    case 'mentions':
      return isAble(featureLevel, 'mentionsOperator') ? ofPeople('mentions', term) : []
    case 'sender':
      return ofPeople('sender', term)
    case 'dm':
      // The wire names a conversation with oneself by the own id.
      return [{ operator: 'dm', operand: term.userIds.length > 0 ? [...term.userIds] : [ownUserId], negated }]
    case 'dm-including': {
      if (term.isGroup) return ofPeople('group-pm-with', term)
      if (isAble(featureLevel, 'dmOperator')) return ofPeople('dm-including', term)
      return negated ? [] : [{ operator: 'is', operand: 'dm' }]
    }
    case 'is':
      if (term.value === 'muted' && !isAble(featureLevel, 'mutedOperator')) return []
      if (term.value === 'followed' && !isAble(featureLevel, 'followedOperator')) return []
      return [{ operator: 'is', operand: term.value, negated }]
    case 'in':
    case 'channels':
      return [{ operator: term.kind, operand: term.value, negated }]
    case 'has':
      return term.value === 'code' ? [] : [{ operator: 'has', operand: term.value, negated }]
    case 'id':
      // Older servers accept only text.
      return [{ operator: 'id', operand: String(term.messageId), negated }]
    case 'with':
      return isAble(featureLevel, 'withOperator') ? [{ operator: 'with', operand: term.messageId }] : []
    case 'since':
    case 'until':
      return []
  }
}

/** The server combines terms by "and", so "one of these people" cannot be asked; `holds` checks it instead. */
const ofPeople = (
  operator: string,
  { userIds, isNegated: negated }: { readonly userIds: readonly number[]; readonly isNegated: boolean },
): ApiNarrowTerm[] =>
  !negated && userIds.length > 1 ? [] : userIds.map((operand) => ({ operator, operand, negated }))
