import type { UserId } from '../../src-shared/ids.ts'
import { directConversation } from '../../src-shared/model/conversation.ts'
import { dayFrom, searchValues, type SearchTerm } from '../../src-shared/model/search.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { keptTopic } from '../store/as-kept.ts'
import { conversationFromRow, type ConversationRow } from '../store/conversations.ts'
import type { ReadableDb } from '../store/database.ts'
import { foldName } from '../../src-shared/model/name-match.ts'
import type { QueryContext } from './context.ts'

/** A condition whose names have been looked up. */
export type ResolvedTerm =
  | { readonly kind: 'channel'; readonly channelId: number; readonly isNegated: boolean }
  | { readonly kind: 'topic'; readonly topic: string; readonly isNegated: boolean }
  | { readonly kind: 'sender'; readonly userIds: readonly number[]; readonly isNegated: boolean }
  | { readonly kind: 'dm'; readonly userIds: readonly UserId[]; readonly isNegated: boolean }
  /** Direct messages with one of the people; `isGroup`: in a group conversation. */
  | {
      readonly kind: 'dm-including'
      readonly userIds: readonly number[]
      readonly isGroup: boolean
      readonly isNegated: boolean
    }
  | { readonly kind: 'mentions'; readonly userIds: readonly number[]; readonly isNegated: boolean }
  | { readonly kind: 'is' | 'has' | 'in' | 'channels'; readonly value: string; readonly isNegated: boolean }
  | { readonly kind: 'id'; readonly messageId: number; readonly isNegated: boolean }
  /** The conversation of a message that is not here; ignored if another condition names one. */
  | {
      readonly kind: 'with'
      readonly messageId: number
      readonly isNamed: boolean
      readonly isNegated: false
    }
  | { readonly kind: 'since' | 'until'; readonly at: number; readonly isNegated: boolean }

/** The conditions, with the place that they name replaced by the conversation that a message is in now. */
export function inConversationOf(
  db: ReadableDb,
  messageId: number,
  terms: readonly ResolvedTerm[],
): readonly ResolvedTerm[] {
  const row = db.get<Pick<ConversationRow, 'kind' | 'channel_id' | 'topic' | 'user_ids'>>(
    `SELECT c.kind, c.channel_id, c.topic, c.user_ids FROM messages m
     JOIN conversations c ON c.conversation_id = m.conversation_id WHERE m.message_id = ?`,
    [messageId],
  )
  const isNegated = false
  if (row === undefined) {
    const has = (kind: ResolvedTerm['kind']) => terms.some((term) => term.kind === kind && !term.isNegated)
    const isNamed = has('dm') || (has('channel') && has('topic'))
    return [...terms, { kind: 'with', messageId, isNamed, isNegated }]
  }
  const rest = terms.filter(
    (term) => !['channel', 'topic', 'dm'].includes(term.kind) && !(term.kind === 'is' && term.value === 'dm'),
  )
  const conversation = conversationFromRow(row)
  return conversation.kind === 'direct'
    ? [...rest, { kind: 'dm', userIds: conversation.userIds, isNegated }]
    : [
        ...rest,
        { kind: 'channel', channelId: conversation.channelId, isNegated },
        { kind: 'topic', topic: conversation.topic, isNegated },
      ]
}

/** An operand that names a message and is not a condition on other messages. */
type NamedMessage =
  | { readonly kind: 'near'; readonly messageId: number }
  | { readonly kind: 'with-message'; readonly messageId: number; readonly isNegated: boolean }

const highestMessageId = 2_147_483_647

/** Looks up the names in a condition; returns a text for people if something is not understood. */
export function resolve(context: QueryContext, term: SearchTerm): ResolvedTerm | NamedMessage | string {
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
      return { kind: 'topic', topic: keptTopic(db, operand), isNegated }
    case 'sender':
    case 'mentions':
    case 'dm-including':
    case 'group-pm-with': {
      const userIds = operand === 'me' ? [ownUserId] : usersNamed(db, operand)
      if (userIds.length === 0) return t.failures.search.nobody(operand)
      if (term.operator === 'sender' || term.operator === 'mentions')
        return { kind: term.operator, userIds, isNegated }
      return { kind: 'dm-including', userIds, isGroup: term.operator === 'group-pm-with', isNegated }
    }
    case 'dm': {
      const people: number[] = []
      const names = operand.split(',').map((part) => part.trim())
      // A comma at the end begins nobody's name.
      for (const name of names.filter((one) => one !== '' || names.length === 1)) {
        const [found] = name === 'me' ? [ownUserId] : usersNamed(db, name)
        if (found === undefined) return t.failures.search.nobody(name)
        people.push(found)
      }
      const conversation = directConversation(people, ownUserId)
      return { kind: 'dm', userIds: conversation.kind === 'direct' ? conversation.userIds : [], isNegated }
    }
    case 'is':
    case 'has':
    case 'in':
    case 'channels': {
      const values = searchValues[term.operator] ?? []
      return values.includes(operand)
        ? { kind: term.operator, value: operand, isNegated }
        : t.failures.search.unknown(`${term.operator}:${operand}`, values)
    }
    case 'id':
    case 'near':
    case 'with': {
      const messageId = /^\d{1,10}$/.test(operand) ? Number(operand) : Infinity
      if (messageId > highestMessageId) return t.failures.search.noMessageNumber(operand)
      return term.operator === 'near'
        ? { kind: 'near', messageId }
        : { kind: term.operator === 'with' ? 'with-message' : 'id', messageId, isNegated }
    }
    case 'before':
    case 'after': {
      const at = dayFrom(operand)
      if (at === null) return t.failures.search.noDate(operand)
      return { kind: term.operator === 'before' ? 'until' : 'since', at, isNegated }
    }
  }
}

/** The people with that name; if there are none, those whose names begin with it. */
function usersNamed(db: ReadableDb, name: string): number[] {
  const folded = foldName(name.replace(/^@/, ''))
  if (folded === '') return []
  const exact = db.column<number>(
    'SELECT user_id FROM users WHERE folded_name = ? OR email = ? COLLATE NOCASE OR user_id = ? LIMIT 20',
    [folded, name, /^\d+$/.test(name) ? Number(name) : -1],
  )
  if (exact.length > 0) return exact
  return db.column<number>(
    'SELECT user_id FROM users WHERE folded_name >= ? AND folded_name < ? ORDER BY folded_name LIMIT 20',
    [folded, `${folded}\u{10ffff}`],
  )
}
