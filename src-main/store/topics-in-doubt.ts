import { conversationKey, topicConversation, type Conversation } from '../../src-shared/model/conversation.ts'
import { allDrafts } from './drafts.ts'
import { conversationFromRow, findConversation, type ConversationRow } from './conversations.ts'
import { readCursor } from './cursor.ts'
import type { ReadableDb, WritableDb } from './database.ts'
import { isLiveMessage } from './messages.ts'
import { object, objectsOf, putObject, removeObject } from './objects.ts'
import { outboxRows } from './outbox.ts'

/** So many topics are doubted at once, those with waiting messages first. */
const mostTopics = 200
/** So many messages tell where a topic went. */
const mostMessages = 200

/** A topic in which something is still to be written, and which may have moved while nobody listened. */
export interface TopicInDoubt {
  readonly topic: Conversation
  /** Messages that were in it when the account was last in touch; newest first, at least one. */
  readonly messageIds: readonly number[]
}

interface Body {
  readonly channelId: number
  readonly topic: string
  readonly messageIds: readonly number[]
}

/**
 * Notes every topic for which a draft is written or a message waits, with the messages that are known of it: events
 * were missed, so it may have another name by now. A topic of which nothing is here is not doubted. One that is in
 * doubt already stays as it is: its messages may have moved in the cache since.
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
 * Something is written for a conversation of which nothing was heard since events were last missed: answers whether
 * it is in doubt now and was not before.
 */
export function doubtIfStale(db: WritableDb, conversation: Conversation): boolean {
  if (conversation.kind !== 'topic' || isInDoubt(db, conversation)) return false
  const messageIds = newestOf(db, conversation)
  const [newest] = messageIds
  if (newest === undefined || isLiveMessage(db, newest, readCursor(db).generation)) return false
  putDoubt(db, conversation, messageIds)
  return true
}

function putDoubt(db: WritableDb, { channelId, topic }: Topic, messageIds: readonly number[]): void {
  putObject(db, 'topic-in-doubt', conversationKey(topicConversation(channelId, topic)), {
    channelId,
    topic,
    messageIds,
  } satisfies Body)
}

type Topic = Conversation & { readonly kind: 'topic' }

function topicsWritten(db: ReadableDb): Topic[] {
  const waiting = outboxRows(db).flatMap(({ action, state }) =>
    state !== 'accepted' && (action?.name === 'send-message' || action?.name === 'schedule-message')
      ? [action.conversation]
      : [],
  )
  const drafts = allDrafts(db)
    .filter(({ isDeleted }) => !isDeleted)
    .flatMap(({ local, remote }) => [local.recipient, remote?.recipient ?? null])
  return [...waiting, ...drafts].filter((one) => one?.kind === 'topic')
}

function newestOf(db: ReadableDb, topic: Conversation): number[] {
  return db
    .all<{ message_id: number }>(
      'SELECT message_id FROM messages WHERE conversation_id = ? ORDER BY message_id DESC LIMIT ?',
      [findConversation(db, topic) ?? -1, mostMessages],
    )
    .map((row) => row.message_id)
}

export function isInDoubt(db: ReadableDb, conversation: Conversation): boolean {
  return object(db, 'topic-in-doubt', conversationKey(conversation)) !== undefined
}

export function topicsInDoubt(db: ReadableDb): TopicInDoubt[] {
  // Only `doubtTopics` writes them.
  return (objectsOf(db, 'topic-in-doubt') as unknown as Body[]).map(({ channelId, topic, messageIds }) => ({
    topic: topicConversation(channelId, topic),
    messageIds,
  }))
}

export function endDoubt(db: WritableDb, topic: Conversation): void {
  removeObject(db, 'topic-in-doubt', conversationKey(topic))
}

/** Whether the newest message that was known of a topic is still in it. */
export function goesOn(db: ReadableDb, { topic, messageIds }: TopicInDoubt): boolean {
  const newest = db.get<{ conversation_id: number }>(
    'SELECT conversation_id FROM messages WHERE message_id = ?',
    [messageIds[0] ?? 0],
  )
  return newest !== undefined && newest.conversation_id === findConversation(db, topic)
}

/**
 * Where a whole topic went: to the one place in which all of its messages are that are left, while nobody writes in the
 * old one any more. Null when it did not move, or nobody can tell. The notices of the organization itself are no sign
 * of life: one of them may say in the old place that the topic moved.
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
