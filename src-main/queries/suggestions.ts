import type {
  SavedSnippet,
  Suggestion,
  SuggestionRequest,
  Wildcard,
} from '../../src-shared/bridge/suggestion.ts'
import type { ChannelId, UserId } from '../../src-shared/ids.ts'
import { conversationKey, topicConversation, type Conversation } from '../../src-shared/model/conversation.ts'
import { isResolved, topicKey, topicWithoutMark } from '../../src-shared/topic-names.ts'
import { foldName } from '../../src-shared/model/name-match.ts'
import { listsAllSubscribers } from '../store/channels.ts'
import { findConversation, type ConversationRow } from '../store/conversations.ts'
import type { ReadableDb } from '../store/database.ts'
import { objectsOf } from '../store/objects.ts'
import { outboxRows } from '../store/outbox.ts'
import { mayMention, ownHolder } from '../store/permissions.ts'
import { isBehind, sendStateOf } from './send-state.ts'
import { channelFromRow, channelSelect, organizationTopics, type ChannelRow } from './channel-summary.ts'
import type { QueryContext } from './context.ts'
import { emptyTopicName, hasNamesake, personColumns, personFromRow, type PersonRow } from './labels.ts'

/** How many of a conversation's newest messages show who takes part in it. */
const newestMessages = 200
/** How many of a channel's newest topics are searched. */
const mostTopics = 2_000

/** What a person may mean, best first: never more than `limit`. */
export function suggestions(context: QueryContext, request: SuggestionRequest, limit: number): Suggestion[] {
  switch (request.kind) {
    case 'mention':
      return mentions(context, request.text, request.conversation, limit)
    case 'recipient':
      return people(context, request.text, limit, { without: request.chosen })
    case 'author':
      return people(context, request.text, limit, { withDeactivated: true })
    case 'channel':
      return channels(context, request, limit)
    case 'topic':
      return topics(context, request.channelId, request.text, limit)
  }
}

function mentions(
  context: QueryContext,
  text: string,
  conversation: Conversation | null,
  limit: number,
): Suggestion[] {
  const named = people(context, text, limit, { conversation })
  const others = [...wildcards(context, text, conversation), ...groups(context, text)].slice(0, limit)
  // After a few letters a person is the most likely meaning; a group's exact name still comes first.
  const folded = foldName(text)
  const exact = others.filter((one) => 'name' in one && foldName(one.name) === folded)
  const rest = others.filter((one) => !exact.includes(one))
  const room = Math.max(limit - exact.length - rest.length, Math.ceil(limit / 2))
  return [...exact, ...named.slice(0, room), ...rest].slice(0, limit)
}

/** SQL: the condition that every typed word begins a word of the name or the text is the name; its parameters. */
function wordsBegin(column: string, text: string): { sql: string; words: string[] } {
  const words = wordsOf(text)
  const begin = words.map(() => `instr(' ' || replace(${column}, '-', ' '), ?) > 0`).join(' AND ') || '1'
  return {
    words: [...words.map((word) => ` ${word}`), foldName(text.trim())],
    sql: `(${begin} OR ${column} = ?)`,
  }
}

const wordsOf = (text: string) =>
  foldName(text)
    .split(/[\s-]+/)
    .filter(Boolean)

interface CandidateRow extends PersonRow {
  is_subscribed: number
}

interface Wanted {
  /** Whoever takes part in it comes before others. */
  readonly conversation?: Conversation | null
  readonly without?: readonly UserId[]
  readonly withDeactivated?: boolean
}

/**
 * The people whom the text may name. The order: who has exactly that name, whoever is not deactivated, people of the
 * direct conversation, recent senders in the conversation, recent partners of the person, subscribers of the channel.
 */
function people(
  context: QueryContext,
  text: string,
  limit: number,
  { conversation = null, without = [], withDeactivated = false }: Wanted,
): Suggestion[] {
  const { db } = context
  const { sql, words } = wordsBegin('users.folded_name', text)
  const channelId = conversation?.kind === 'topic' ? conversation.channelId : -1
  const conversationId = conversation === null ? -1 : (findConversation(db, conversation) ?? -1)
  const members = conversation?.kind === 'direct' ? conversation.userIds : []
  const rows = db.all<CandidateRow>(
    `SELECT ${personColumns}, subscribers.user_id IS NOT NULL AS is_subscribed
     FROM users
     LEFT JOIN presence USING (user_id)
     LEFT JOIN (SELECT sender_id, max(message_id) AS newest FROM
         (SELECT sender_id, message_id FROM messages WHERE conversation_id = ? ORDER BY message_id DESC LIMIT ${newestMessages})
       GROUP BY sender_id) wrote ON wrote.sender_id = users.user_id
     LEFT JOIN subscribers ON subscribers.channel_id = ? AND subscribers.user_id = users.user_id
     LEFT JOIN conversations direct ON direct.key = 'direct:' || users.user_id
     WHERE (users.is_active = 1 OR ?) AND ${sql} AND users.user_id NOT IN (SELECT value FROM json_each(?))
     ORDER BY users.folded_name = ? DESC, users.is_active DESC, users.user_id IN (SELECT value FROM json_each(?)) DESC, coalesce(wrote.newest, 0) DESC,
       coalesce(direct.newest_message_id, 0) DESC, is_subscribed DESC, is_bot,
       instr(users.folded_name, ?) = 1 DESC, users.folded_name LIMIT ?`,
    [
      conversationId,
      channelId,
      withDeactivated ? 1 : 0,
      ...words,
      JSON.stringify(without),
      foldName(text.trim()),
      JSON.stringify(members),
      foldName(text.trim()),
      limit,
    ],
  )
  const isEverybodyListed = channelId !== -1 && listsAllSubscribers(db, channelId)
  return rows.map((row) => ({
    kind: 'person',
    person: personFromRow(row, context),
    hasNamesake: hasNamesake(db, row) || isWildcardName(row.full_name),
    isOutside: isEverybodyListed && row.is_subscribed === 0,
  }))
}

const wildcardNames: readonly Wildcard[] = ['all', 'everyone', 'channel', 'topic']
const isWildcardName = (name: string) =>
  wildcardNames.some((wildcard) => wildcard === name) || name === 'stream'

function wildcards(context: QueryContext, text: string, conversation: Conversation | null): Suggestion[] {
  const folded = foldName(text)
  const isTopic = conversation?.kind === 'topic'
  const fitting = wildcardNames.filter(
    (name) => name.startsWith(folded) && (isTopic || name === 'all' || name === 'everyone'),
  )
  // While nothing is typed, one name per meaning is enough.
  const shown = folded === '' ? fitting.filter((name) => name === 'all' || name === 'topic') : fitting
  return shown.map((name) => ({
    kind: 'wildcard',
    name,
    reach: conversation === null ? null : reachOf(context, conversation, name),
  }))
}

/** How many people a wildcard reaches there, in a topic those who wrote or reacted; null if this device cannot tell. */
export function reachOf(
  { db }: Pick<QueryContext, 'db'>,
  conversation: Conversation,
  name: Wildcard,
): number | null {
  if (conversation.kind === 'direct') return conversation.userIds.length
  if (name === 'topic') {
    const row = db.get<{ n: number }>(
      `SELECT count(*) AS n FROM (
         SELECT sender_id FROM messages WHERE conversation_id = ?1
         UNION SELECT user_id FROM messages JOIN reactions USING (message_id) WHERE conversation_id = ?1)`,
      { 1: findConversation(db, conversation) ?? -1 },
    )
    return row?.n ?? 0
  }
  return (
    db.get<{ subscriber_count: number | null }>(
      'SELECT subscriber_count FROM channels WHERE channel_id = ?',
      [conversation.channelId],
    )?.subscriber_count ?? null
  )
}

function groups({ db, ownUserId }: QueryContext, text: string): Suggestion[] {
  const words = wordsOf(text)
  const who = ownHolder(db, ownUserId)
  return objectsOf(db, 'user-group').flatMap((group): Suggestion[] => {
    const { id, name, description, members, is_system_group, deactivated } = group
    if (typeof id !== 'number' || typeof name !== 'string') return []
    if (is_system_group === true || deactivated === true || !beginsWords(name, words)) return []
    return [
      {
        kind: 'group',
        groupId: id,
        name,
        description: typeof description === 'string' ? description : '',
        memberCount: Array.isArray(members) ? members.length : null,
        mayMention: mayMention(db, who, group),
      },
    ]
  })
}

/** Whether every word begins a word of the name. */
function beginsWords(name: string, words: readonly string[]): boolean {
  const parts = foldName(name).split(/[\s\-_/.,:>›()]+/)
  return words.every((word) => parts.some((part) => part.startsWith(word)))
}

function channels(
  { db }: QueryContext,
  { text, toWriteIn }: { text: string; toWriteIn: boolean },
  limit: number,
): Suggestion[] {
  const { sql, words } = wordsBegin('channels.folded_name', text)
  const ordinaryTopics = organizationTopics(db)
  return db
    .all<ChannelRow>(
      `${channelSelect} WHERE is_archived = 0 AND ${toWriteIn ? 'can_post = 1' : '1'} AND ${sql}
       ORDER BY channels.folded_name = ? DESC, is_subscribed DESC, instr(channels.folded_name, ?) = 1 DESC, is_pinned DESC, is_muted,
         coalesce((SELECT max(newest_message_id) FROM conversations c
           WHERE c.kind = 'topic' AND c.channel_id = channels.channel_id), 0) DESC, folded_name LIMIT ?`,
      [...words, foldName(text.trim()), foldName(text.trim()), limit],
    )
    .map((row) => ({ kind: 'channel', channel: channelFromRow(row, ordinaryTopics) }))
}

function topics({ db }: QueryContext, id: ChannelId, text: string, limit: number): Suggestion[] {
  const words = wordsOf(text)
  const typed = text.trim()
  const folded = foldName(typed)
  const emptyName = emptyTopicName(db)
  const fitting = topicNames(db, id, typed)
    .map((topic) => ({ topic, name: topic === '' ? emptyName : topic }))
    .filter(({ name }) => beginsWords(name, words) || (folded !== '' && foldName(name).includes(folded)))
  const closeness = ({ topic, name }: { topic: string; name: string }) => {
    if (typed === '') return 0
    if (topicKey(topic) === topicKey(typed)) return 3
    const foldedName = foldName(topicWithoutMark(name))
    return foldedName === folded || foldName(name) === folded ? 2 : foldedName.startsWith(folded) ? 1 : 0
  }
  // The sort is stable, so the newest come first among equals; resolved topics are rarely meant.
  return fitting
    .sort((a, b) => closeness(b) - closeness(a) || Number(isResolved(a.topic)) - Number(isResolved(b.topic)))
    .slice(0, limit)
    .map(({ topic, name }) => ({
      kind: 'topic',
      topic,
      displayName: name,
      isEmptyTopic: topic === '',
      isResolved: isResolved(topic),
    }))
}

/** The channel's newest topics, and the one with exactly that name, however old it is. */
function topicNames(db: ReadableDb, id: ChannelId, name: string): string[] {
  const newest = db.all<Pick<ConversationRow, 'topic'>>(
    `SELECT topic FROM conversations WHERE kind = 'topic' AND channel_id = ? AND newest_message_id > 0
     ORDER BY newest_message_id DESC LIMIT ?`,
    [id, mostTopics],
  )
  const exact = db.all<Pick<ConversationRow, 'topic'>>(
    'SELECT topic FROM conversations WHERE key = ? AND newest_message_id > 0',
    [conversationKey(topicConversation(id, name))],
  )
  return [...new Set([...newest, ...exact].map(({ topic }) => topic ?? ''))]
}

/** The person's snippets by title, including those that still wait here. */
export function snippets(db: ReadableDb): SavedSnippet[] {
  const known = objectsOf(db, 'saved-snippet').flatMap(({ id, title, content }): SavedSnippet[] =>
    typeof id === 'number' && typeof title === 'string' && typeof content === 'string'
      ? [{ snippetId: id, waiting: null, title, content }]
      : [],
  )
  const rows = outboxRows(db, 1_000)
  const waiting = rows.flatMap((row): SavedSnippet[] => {
    if (row.action?.name !== 'save-snippet' || row.state === 'accepted') return []
    const { title, content } = row.action
    // The server's event may arrive before its answer.
    const isTold = row.state === 'sending' || row.state === 'unsure'
    if (isTold && known.some((one) => one.title === title.trim() && one.content === content.trim())) return []
    const state = sendStateOf(row, isBehind(rows, row))
    return [{ snippetId: null, waiting: { localId: row.localId, state }, title, content }]
  })
  return [...known, ...waiting].sort((a, b) => a.title.localeCompare(b.title))
}
