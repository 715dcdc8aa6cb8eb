import { channelId, userId } from '../../src-shared/ids.ts'
import { conversationKey, topicConversation, type Conversation } from '../../src-shared/model/conversation.ts'
import type { ReadableDb, WritableDb } from './database.ts'
import { countsAsMention } from './muting.ts'

/** A row of `conversations`. */
export interface ConversationRow {
  conversation_id: number
  key: string
  kind: 'topic' | 'direct'
  channel_id: number | null
  topic: string | null
  user_ids: string | null
  newest_message_id: number
  unread_count: number
  mention_count: number
}

/** The conversation of a row. */
export function conversationFromRow(
  row: Pick<ConversationRow, 'kind' | 'channel_id' | 'topic' | 'user_ids'>,
): Conversation {
  if (row.kind === 'topic')
    return { kind: 'topic', channelId: channelId(row.channel_id ?? 0), topic: row.topic ?? '' }
  // `conversationId` below writes it as an array of numbers.
  const ids = JSON.parse(row.user_ids ?? '[]') as number[]
  return { kind: 'direct', userIds: ids.map(userId) }
}

/** The row id of a conversation, or undefined if it has no row. */
export const findConversation = (db: ReadableDb, conversation: Conversation): number | undefined =>
  homeIfKnown(db, conversation)?.id

/** The row id of a conversation; creates the row if there is none. */
export const conversationId = (db: WritableDb, conversation: Conversation): number =>
  homeOf(db, conversation).id

/** The row id of a conversation, and its newest message; undefined if it has no row. */
export const homeIfKnown = (
  db: ReadableDb,
  conversation: Conversation,
): { id: number; newestMessageId: number } | undefined =>
  db.get(
    'SELECT conversation_id AS id, newest_message_id AS newestMessageId FROM conversations WHERE key = ?',
    [conversationKey(conversation)],
  )

/** The row id of a conversation, and its newest message; creates the row if there is none. */
export function homeOf(db: WritableDb, conversation: Conversation): { id: number; newestMessageId: number } {
  const known = homeIfKnown(db, conversation)
  if (known !== undefined) return known
  const isTopic = conversation.kind === 'topic'
  db.run('INSERT INTO conversations (key, kind, channel_id, topic, user_ids) VALUES (?, ?, ?, ?, ?)', [
    conversationKey(conversation),
    conversation.kind,
    isTopic ? conversation.channelId : null,
    isTopic ? conversation.topic : null,
    isTopic ? null : JSON.stringify(conversation.userIds),
  ])
  return { id: findConversation(db, conversation) ?? 0, newestMessageId: 0 }
}

/** Raises a conversation's newest message to this one, if it is newer. */
export function raiseNewest(db: WritableDb, id: number, messageId: number): void {
  db.run(
    'UPDATE conversations SET newest_message_id = ?2 WHERE conversation_id = ?1 AND newest_message_id < ?2',
    { 1: id, 2: messageId },
  )
}

/** The same, and takes over its spelling of the topic. */
export function noteNewest(db: WritableDb, id: number, messageId: number, conversation: Conversation): void {
  db.run(
    `UPDATE conversations SET newest_message_id = ?2, topic = coalesce(?3, topic)
     WHERE conversation_id = ?1 AND newest_message_id < ?2`,
    { 1: id, 2: messageId, 3: conversation.kind === 'topic' ? conversation.topic : null },
  )
}

/** Exchanges the ids of two conversations, and so the messages that they have. The caller recounts both. */
export function exchangeIds(db: WritableDb, one: number, other: number): void {
  const between = -1
  for (const [from, to] of [
    [one, between],
    [other, one],
    [between, other],
  ] as const)
    db.run('UPDATE conversations SET conversation_id = ? WHERE conversation_id = ?', [to, from])
}

/** SQL: sets the unread counters of a conversation, from an index alone unless wildcards mention the person there. */
const countUnread = `(unread_count, mention_count) = (
           SELECT count(*), coalesce(sum(${countsAsMention}), 0) FROM unread
           WHERE unread.conversation_id = conversations.conversation_id)`

/**
 * Computes the newest message and the counters of conversations anew, after messages left or moved. A newest message
 * that is not here, known only from the server's lists, stays the newest unless it is among those that `left`.
 */
export function recount(db: WritableDb, ids: Iterable<number>, left: readonly number[]): void {
  for (const id of new Set(ids)) {
    const newest = db.get<Pick<ConversationRow, 'newest_message_id'>>(
      'SELECT newest_message_id FROM conversations WHERE conversation_id = ?',
      [id],
    )?.newest_message_id
    if (newest === undefined) continue
    db.run(
      `UPDATE conversations SET
         newest_message_id = max(?2,
           coalesce((SELECT max(message_id) FROM messages WHERE conversation_id = ?1), 0),
           coalesce((SELECT max(message_id) FROM unread WHERE conversation_id = ?1), 0)),
         ${countUnread}
       WHERE conversation_id = ?1`,
      { 1: id, 2: left.includes(newest) ? 0 : newest },
    )
  }
}

/** A topic of a channel with its newest message, as far as it is known. */
export interface KnownTopic {
  readonly id: number
  readonly key: string
  readonly newestMessageId: number
}

/** The topics of a channel that have messages, newest first, after one of them; at most `limit`. */
export function knownTopics(
  db: ReadableDb,
  channelId: number,
  after: KnownTopic | undefined,
  limit: number,
): KnownTopic[] {
  return db.all<KnownTopic>(
    `SELECT conversation_id AS id, key, newest_message_id AS newestMessageId FROM conversations
     WHERE kind = 'topic' AND channel_id = ?1 AND newest_message_id > 0
       AND (?2 IS NULL OR (newest_message_id, conversation_id) < (?2, ?3))
     ORDER BY newest_message_id DESC, conversation_id DESC LIMIT ?4`,
    { 1: channelId, 2: after?.newestMessageId ?? null, 3: after?.id ?? null, 4: limit },
  )
}

/** How many conversations one step compares: a few milliseconds. */
const comparedAtOnce = 1_000

/**
 * Adds those of the next few conversations after one whose unread counters are wrong. Returns the last that was compared;
 * null at the end.
 */
export function findMiscounted(db: ReadableDb, after: number, found: Set<number>): number | null {
  const last = db.get<{ id: number }>(
    'SELECT conversation_id AS id FROM conversations WHERE conversation_id > ? ORDER BY conversation_id LIMIT 1 OFFSET ?',
    [after, comparedAtOnce - 1],
  )?.id
  const ofIt = 'FROM unread WHERE unread.conversation_id = conversations.conversation_id'
  const wrong = db.column<number>(
    `SELECT conversation_id FROM conversations WHERE conversation_id > ? AND conversation_id <= ?
       AND (unread_count <> (SELECT count(*) ${ofIt}) OR mention_count <> (SELECT count(*) ${ofIt} AND ${countsAsMention}))`,
    [after, last ?? Number.MAX_SAFE_INTEGER],
  )
  for (const id of wrong) found.add(id)
  return last ?? null
}

/** Computes the unread counters of all conversations anew. */
export function recountAllUnread(db: WritableDb): void {
  db.run(
    `UPDATE conversations SET unread_count = 0, mention_count = 0
     WHERE unread_count > 0 AND conversation_id NOT IN (SELECT conversation_id FROM unread)`,
  )
  db.run(
    `UPDATE conversations SET unread_count = n.unread, mention_count = n.mentions
     FROM (SELECT conversation_id AS id, count(*) AS unread, sum(${countsAsMention}) AS mentions
           FROM unread GROUP BY conversation_id) AS n
     WHERE conversation_id = n.id AND (unread_count <> n.unread OR mention_count <> n.mentions)`,
  )
}

/** Conversations that have unread messages whose text is not here, newest first. */
export function conversationsMissingUnread(db: ReadableDb, limit: number): Conversation[] {
  return db
    .all<ConversationRow>(
      `SELECT * FROM conversations WHERE unread_count > 0 AND EXISTS (
         SELECT 1 FROM unread WHERE unread.conversation_id = conversations.conversation_id
           AND NOT EXISTS (SELECT 1 FROM messages WHERE messages.message_id = unread.message_id))
       ORDER BY newest_message_id DESC LIMIT ?`,
      [limit],
    )
    .map(conversationFromRow)
}

/**
 * The topics that the person follows, and after them those of which a stretch was fetched by itself, as for somebody who
 * reads it; each newest first, at most `limit`, and only of channels that the person is in.
 */
export function followedAndReadTopics(
  db: ReadableDb,
  limit: number,
): Extract<Conversation, { kind: 'topic' }>[] {
  const rows = [
    ...db.all<ConversationRow>(
      `SELECT c.* FROM topic_visibility v
       JOIN conversations c ON c.key = 'topic:' || v.channel_id || ':' || v.topic_key
       JOIN channels ch ON ch.channel_id = c.channel_id AND ch.is_subscribed = 1
       WHERE v.visibility = 'followed' AND c.newest_message_id > 0
       ORDER BY c.newest_message_id DESC LIMIT ?`,
      [limit],
    ),
    // From the few stretches, not from all topics.
    ...db.all<ConversationRow>(
      `SELECT c.* FROM (
         SELECT DISTINCT narrow_key FROM ranges WHERE narrow_key >= 'topic:' AND narrow_key < 'topic;'
       ) r CROSS JOIN conversations c ON c.key = r.narrow_key
       JOIN channels ch ON ch.channel_id = c.channel_id AND ch.is_subscribed = 1
       WHERE c.newest_message_id > 0 ORDER BY c.newest_message_id DESC LIMIT ?`,
      [limit],
    ),
  ]
  const topics = new Map(rows.map((row) => [row.key, conversationFromRow(row)]))
  return [...topics.values()].flatMap((one) => (one.kind === 'topic' ? [one] : [])).slice(0, limit)
}

/** Computes only the unread counters of these conversations anew. */
export function recountUnread(db: WritableDb, ids: Iterable<number>): void {
  // In one statement, because a thousand messages may belong to nearly as many conversations.
  db.run(
    `UPDATE conversations SET ${countUnread}
     WHERE conversation_id IN (SELECT value FROM json_each(?))`,
    [JSON.stringify([...new Set(ids)])],
  )
}

/** Counts the unread mentions of a topic anew, or of a channel, after it was muted or is not muted any more. */
export function recountMentions(db: WritableDb, channelId: number, topic: string | null): void {
  const inTopic = topic === null ? '' : 'AND key = ?'
  recountUnread(
    db,
    db.column<number>(
      `SELECT conversation_id FROM conversations WHERE kind = 'topic' AND channel_id = ? AND unread_count > 0 ${inTopic}
         AND EXISTS (SELECT 1 FROM unread WHERE unread.conversation_id = conversations.conversation_id
           AND message_id IN (SELECT message_id FROM wildcard_mentions))`,
      [channelId, ...(topic === null ? [] : [conversationKey(topicConversation(channelId, topic))])],
    ),
  )
}
