import type { CheckedParamsOf } from '../../src-shared/bridge/queries.ts'
import type { Feed } from '../../src-shared/model/feed.ts'
import { messageId, type MessageId } from '../../src-shared/ids.ts'
import { conversationKey, type Conversation } from '../../src-shared/model/conversation.ts'
import { isResolved, resolvedTopic, topicWithoutMark } from '../../src-shared/topic-names.ts'
import type { FeedMessage } from '../../src-shared/model/message.ts'
import { narrowKey, type Narrow } from '../../src-shared/model/narrow.ts'
import { settingValue } from '../store/account-settings.ts'
import { conversationFromRow, findConversation, type ConversationRow } from '../store/conversations.ts'
import type { ReadableDb } from '../store/database.ts'
import {
  conversationCondition,
  narrowCondition,
  unmutedCondition,
  type Condition,
} from '../store/narrow-condition.ts'
import { highestId } from '../store/messages.ts'
import { outboxRows } from '../store/outbox.ts'
import { readingPlace, type ReadingPlace } from '../store/reading-places.ts'
import { edgesOf } from './feed-edges.ts'
import { messagesOf } from './feed-messages.ts'
import { movingIn, waitingIn } from './feed-outbox.ts'
import type { QueryContext } from './context.ts'
import { messagesBeside, messagesWithHomes } from './messages-beside.ts'
import { unreadTotals } from './unread-totals.ts'

/** The condition for messages `m` of a narrow, and their conversations `c`; each has an index. */
interface Contents extends Condition {
  /** The condition for conversations `c` if only the messages of some are left out. */
  readonly homes: Condition | null
  /** Only for topics and direct conversations that have a row. */
  readonly conversation: ConversationCounts | undefined
}

interface ConversationCounts {
  readonly conversation_id: number
  readonly unread_count: number
}

/** The messages that a narrow has on this device. */
export function contentsOf(db: ReadableDb, narrow: Narrow): Contents {
  // Everything that is not muted.
  if (narrow.kind === 'combined') {
    const unmuted = unmutedCondition(db, 'm')
    const homes = unmuted.where === 'TRUE' ? null : unmutedCondition(db, 'c')
    return { ...unmuted, homes, conversation: undefined }
  }
  if (narrow.kind !== 'topic' && narrow.kind !== 'direct')
    return { ...narrowCondition(db, narrow), homes: null, conversation: undefined }
  const conversation = db.get<ConversationCounts>(
    'SELECT conversation_id, unread_count FROM conversations WHERE key = ?',
    [conversationKey(narrow)],
  )
  return { ...conversationCondition(conversation?.conversation_id), homes: null, conversation }
}

/** More than a person can have waiting; the rest is in the outbox's own view. */
const outboxLimit = 1_000

/** A window of a narrow's messages around an anchor, and what waits at its end. Bounded by its parameters. */
export function feed(context: QueryContext, params: CheckedParamsOf<'feed'>): Feed {
  const { db } = context
  const { narrow } = params
  const contents = contentsOf(db, narrow)
  const firstUnread = firstUnreadIn(db, narrow, contents)
  const left = params.around === 'opening' ? placeLeftIn(db, narrow, contents, firstUnread) : null
  const anchor = anchorOf(params, left, firstUnread)
  // One extra row on each side shows whether there are more.
  const beside = (side: 'older' | 'newer', count: number) =>
    messagesBeside(db, firstUnread, contents, side, anchor ?? highestId, count + 1)
  const older = beside('older', params.before)
  const newer = anchor === null ? [] : beside('newer', params.after)
  const hasOlder = older.length > params.before
  const hasNewer = newer.length > params.after
  const rows = [...older.slice(0, params.before).reverse(), ...newer.slice(0, params.after)]
  const { before, after, gapsAfter } = edgesOf(db, narrow, rows, hasOlder, hasNewer)
  const outbox = outboxRows(db, outboxLimit)
  const messages = messagesOf(context, rows, outbox)
  return {
    anchorId: shownAnchor(params, anchor, messages),
    anchorIsUnread: anchor !== null && anchor === firstUnread,
    leftAt: left?.top ?? null,
    messages,
    waiting: hasNewer ? [] : waitingIn(context, narrow, outbox),
    before,
    after,
    unreadCount: unreadIn(db, narrow, contents.conversation),
    moving: movingIn(outbox),
    movedTo: movedToFrom(db, params, contents, {
      hasAnchor: newer[0]?.message_id === anchor,
      isEmpty: messages.length === 0,
    }),
    firstUnreadId: firstUnread === null ? null : messageId(firstUnread),
    gapsAfter,
  }
}

/** The number of the message around which the feed is read; null stands for the newest, 0 for the oldest. */
function anchorOf(
  { around }: CheckedParamsOf<'feed'>,
  left: ReadingPlace | null,
  firstUnread: number | null,
): number | null {
  switch (around) {
    case 'newest':
      return null
    case 'oldest':
      return 0
    case 'opening':
      return left?.messageId ?? firstUnread
    default:
      return around
  }
}

/** The message at which the reader begins; null if there is none. */
function shownAnchor(
  { around }: CheckedParamsOf<'feed'>,
  anchor: number | null,
  messages: readonly FeedMessage[],
): MessageId | null {
  if (around === 'oldest') return messages[0]?.id ?? null
  if (anchor === null) return messages.at(-1)?.id ?? null
  return messageId(anchor)
}

/** Where the topic's message that was asked for, or the whole topic, is now; null if nothing says that it moved. */
function movedToFrom(
  db: ReadableDb,
  { narrow, around }: CheckedParamsOf<'feed'>,
  { conversation }: Contents,
  feed: { readonly hasAnchor: boolean; readonly isEmpty: boolean },
): Conversation | null {
  if (narrow.kind !== 'topic') return null
  const moved = typeof around === 'number' && !feed.hasAnchor ? elsewhere(db, conversation, around) : null
  if (moved !== null) return moved
  return feed.isEmpty ? resolvedTwin(db, narrow) : null
}

/** The first unread message whose text is here. */
function firstUnreadIn(
  db: ReadableDb,
  narrow: Narrow,
  { where, parameters, conversation }: Contents,
): number | null {
  if (narrow.kind === 'topic' || narrow.kind === 'direct') {
    if (conversation === undefined || conversation.unread_count === 0) return null
    return (
      db.get<{ id: number }>(
        `SELECT n.message_id AS id FROM unread n JOIN messages m USING (message_id)
         WHERE n.conversation_id = ? ORDER BY n.message_id LIMIT 1`,
        [conversation.conversation_id],
      )?.id ?? null
    )
  }
  if (narrow.kind === 'channel' || narrow.kind === 'directs') {
    // From the conversations with unread messages: a channel may have a hundred thousand messages.
    const inChannel = narrow.kind === 'channel'
    return (
      db.get<{ id: number | null }>(
        `SELECT min(m.message_id) AS id FROM conversations c
         CROSS JOIN unread n ON n.conversation_id = c.conversation_id
         CROSS JOIN messages m ON m.message_id = n.message_id
         WHERE c.unread_count > 0 AND m.conversation_id = c.conversation_id AND ${inChannel ? `c.kind = 'topic' AND c.channel_id = ?` : `c.kind = 'direct'`}`,
        inChannel ? [narrow.channelId] : [],
      )?.id ?? null
    )
  }
  const first = (from: string, of: Pick<Contents, 'where' | 'parameters'>): number | null =>
    db.get<{ id: number }>(
      `SELECT n.message_id AS id FROM ${from}
       WHERE m.message_id = n.message_id AND ${of.where} ORDER BY n.message_id LIMIT 1`,
      of.parameters,
    )?.id ?? null
  // Remembered: somebody who scrolls asks for it again and again. The first unread message that is not muted comes early
  // among the unread ones; one that is starred or mentions the person may be the last of them, or not be there.
  return narrow.kind === 'combined'
    ? db.remembered('first-unread', () =>
        first(`unread n CROSS JOIN ${messagesWithHomes}`, contentsOf(db, narrow)),
      )
    : first(`${messagesWithHomes} JOIN unread n`, { where, parameters })
}

/**
 * The reading place at which a narrow opens. It applies only if its message is here and nothing is unread. If reading
 * does not mark messages as read, unread messages say little about the reader's progress; then a place after the first
 * unread message applies too.
 */
function placeLeftIn(
  db: ReadableDb,
  narrow: Narrow,
  { where, parameters }: Contents,
  firstUnread: number | null,
): ReadingPlace | null {
  const left = readingPlace(db, narrowKey(narrow))
  if (left === null) return null
  const marks = settingValue(db, 'markReadOnScroll')
  const isMarking =
    marks === 'always' ||
    (marks === 'in-conversations' && (narrow.kind === 'topic' || narrow.kind === 'direct'))
  if (firstUnread !== null && (isMarking || left.messageId <= firstUnread)) return null
  const isHere =
    db.get(`SELECT 1 FROM ${messagesWithHomes} WHERE ${where} AND m.message_id = ?`, [
      ...parameters,
      left.messageId,
    ]) !== undefined
  return isHere ? left : null
}

function unreadIn(db: ReadableDb, narrow: Narrow, conversation: ConversationCounts | undefined): number {
  const one = (sql: string, parameters: number[]) => db.get<{ n: number | null }>(sql, parameters)?.n ?? 0
  switch (narrow.kind) {
    case 'topic':
    case 'direct':
      return conversation?.unread_count ?? 0
    case 'channel':
      return one(`SELECT sum(unread_count) AS n FROM conversations WHERE kind = 'topic' AND channel_id = ?`, [
        narrow.channelId,
      ])
    case 'mentions':
      return one('SELECT sum(mention_count) AS n FROM conversations WHERE unread_count > 0', [])
    case 'directs':
      return one(
        `SELECT sum(unread_count) AS n FROM conversations WHERE kind = 'direct' AND unread_count > 0`,
        [],
      )
    case 'starred':
    case 'reactions':
      return 0
    case 'combined':
      return unreadTotals(db).count
  }
}

/** The topic that a message is in now, if it has left this one. */
function elsewhere(
  db: ReadableDb,
  conversation: ConversationCounts | undefined,
  id: number,
): Conversation | null {
  const row = db.get<ConversationRow>(
    `SELECT c.* FROM conversations c JOIN messages m ON m.conversation_id = c.conversation_id
     WHERE m.message_id = ? AND c.kind = 'topic' AND c.conversation_id <> ?`,
    [id, conversation?.conversation_id ?? -1],
  )
  return row === undefined ? null : conversationFromRow(row)
}

/** The same topic under its other name, if it was resolved or unresolved. */
function resolvedTwin(db: ReadableDb, narrow: Narrow): Conversation | null {
  if (narrow.kind !== 'topic') return null
  const { topic } = narrow
  const twin = { ...narrow, topic: isResolved(topic) ? topicWithoutMark(topic) : resolvedTopic(topic) }
  const isThere =
    db.get('SELECT 1 FROM messages WHERE conversation_id = ? LIMIT 1', [findConversation(db, twin) ?? -1]) !==
    undefined
  return isThere ? twin : null
}
