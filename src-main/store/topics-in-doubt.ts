import { conversationKey, topicConversation, type Conversation } from '../../src-shared/model/conversation.ts'
import { allDrafts } from './drafts.ts'
import { conversationFromRow, findConversation, type ConversationRow } from './conversations.ts'
import { readCursor } from './cursor.ts'
import type { ReadableDb, WritableDb } from './database.ts'
import { isLiveMessage } from './stale-messages.ts'
import { note, notes, putNote, removeNote } from './notes.ts'
import { outboxRows, placeOf } from './outbox.ts'

/** At most this many topics are in doubt at once; those with waiting changes come first. */
const mostTopics = 200
/** At most this many messages are used to find where a topic went. */
const mostMessages = 200

/** A topic for which something is still to be sent, and which may have moved while events were missed. */
export interface TopicInDoubt {
  readonly topic: Conversation
  /** Messages that were in it at the account's last contact; newest first, at least one. */
  readonly messageIds: readonly number[]
}

/**
 * Marks every topic with a draft, a waiting message or a waiting change of its visibility as in doubt, together with
 * its known messages: events were missed, so the topic may have another name by now. A topic without messages here is
 * not marked. A topic that is already in doubt stays unchanged, because its messages may have moved in the cache since.
 */
export function doubtTopics(db: WritableDb): void {
  const doubted = new Set<string>()
  for (const topic of topicsWritten(db)) {
    if (doubted.size === mostTopics) return
    const key = conversationKey(topic)
    if (doubted.has(key)) continue
    const messageIds = newestOf(db, topic)
    if (messageIds.length === 0) continue
    doubted.add(key)
    if (!isInDoubt(db, topic)) putDoubt(db, topic, messageIds)
  }
}

/**
 * Marks a conversation for which something is written as in doubt, if none of its messages arrived since events were
 * last missed. Returns whether it was newly marked.
 */
export function doubtIfStale(db: WritableDb, conversation: Conversation): boolean {
  if (conversation.kind !== 'topic' || isInDoubt(db, conversation)) return false
  const messageIds = newestOf(db, conversation)
  const [newest] = messageIds
  if (newest === undefined || isLiveMessage(db, newest, readCursor(db).generation)) return false
  putDoubt(db, conversation, messageIds)
  return true
}

/**
 * Marks a topic as in doubt if something is written for it: these messages, which were in it, were moved, and only the
 * server knows whether the topic goes on without them.
 */
export function doubtRest(db: WritableDb, topic: Conversation, moved: readonly number[]): void {
  if (topic.kind !== 'topic' || isInDoubt(db, topic)) return
  const key = conversationKey(topic)
  if (!topicsWritten(db).some((one) => conversationKey(one) === key)) return
  putDoubt(db, topic, moved.toSorted((a, b) => b - a).slice(0, mostMessages))
}

function putDoubt(db: WritableDb, { channelId, topic }: Topic, messageIds: readonly number[]): void {
  putNote(db, 'topic-in-doubt', conversationKey(topicConversation(channelId, topic)), {
    channelId,
    topic,
    messageIds,
  })
}

type Topic = Conversation & { readonly kind: 'topic' }

function topicsWritten(db: ReadableDb): Topic[] {
  const waiting = outboxRows(db).map(({ action, state }) =>
    state === 'accepted' || action === null ? null : placeOf(action),
  )
  const drafts = allDrafts(db)
    .filter(({ isDeleted }) => !isDeleted)
    .flatMap(({ local, remote }) => [local.recipient, remote?.recipient ?? null])
  return [...waiting, ...drafts].filter((one) => one?.kind === 'topic')
}

/** The newest messages of a topic that are here, at most 200; newest first. */
export function newestOf(db: ReadableDb, topic: Conversation): number[] {
  return db.column<number>(
    'SELECT message_id FROM messages WHERE conversation_id = ? ORDER BY message_id DESC LIMIT ?',
    [findConversation(db, topic) ?? -1, mostMessages],
  )
}

/** Whether the topic may have moved unnoticed. */
export function isInDoubt(db: ReadableDb, conversation: Conversation): boolean {
  return note(db, 'topic-in-doubt', conversationKey(conversation)) !== undefined
}

/** All topics in doubt. */
export function topicsInDoubt(db: ReadableDb): TopicInDoubt[] {
  return notes(db, 'topic-in-doubt').map(({ channelId, topic, messageIds }) => ({
    topic: topicConversation(channelId, topic),
    messageIds,
  }))
}

/** It is known where the topic is. */
export function endDoubt(db: WritableDb, topic: Conversation): void {
  removeNote(db, 'topic-in-doubt', conversationKey(topic))
}

/** Whether the newest known message of a topic is still in it. */
export function isStillInPlace(db: ReadableDb, { topic, messageIds }: TopicInDoubt): boolean {
  const newest = db.get<{ conversation_id: number }>(
    'SELECT conversation_id FROM messages WHERE message_id = ?',
    [messageIds[0] ?? 0],
  )
  return newest !== undefined && newest.conversation_id === findConversation(db, topic)
}

/**
 * The place to which a whole topic moved: the only place that has its remaining messages, while nobody writes in the
 * old one any more. Null if it did not move, or if that cannot be told. The organization's own notices do not count as
 * writing: one of them may say in the old place that the topic moved.
 */
export function placeNow(db: ReadableDb, { topic, messageIds }: TopicInDoubt): Conversation | null {
  const homes = db.all<ConversationRow>(
    `SELECT * FROM conversations WHERE conversation_id IN (
       SELECT conversation_id FROM messages WHERE message_id IN (SELECT value FROM json_each(?)))`,
    [JSON.stringify(messageIds)],
  )
  const [home] = homes
  if (home === undefined || homes.length > 1 || home.kind !== 'topic') return null
  if (home.key === conversationKey(topic)) return null
  const isAlive = db.get(
    `SELECT 1 FROM messages LEFT JOIN users ON user_id = sender_id
     WHERE conversation_id = ? AND generation >= ? AND NOT (coalesce(is_bot, 0) = 1 AND bot_owner_id IS NULL)`,
    [findConversation(db, topic) ?? -1, readCursor(db).generation],
  )
  return isAlive === undefined ? conversationFromRow(home) : null
}
