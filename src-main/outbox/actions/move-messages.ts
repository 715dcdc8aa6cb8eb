import { messages, movablePart, type ApiMessage, type MovablePart } from '../../../src-shared/api/messages.ts'
import type { ActionOf } from '../../../src-shared/bridge/actions.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { messageId as toMessageId } from '../../../src-shared/ids.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { topicKey } from '../../../src-shared/topic-names.ts'
import { combinedDestination, changesOnlyMark, isSamePlace } from '../../../src-shared/model/move.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { isSameTopic, keptTopic } from '../../store/as-kept.ts'
import type { ReadableDb } from '../../store/database.ts'
import { outboxRow } from '../../store/outbox.ts'
import type { OfflineAction, SendContext } from '../offline-action.ts'
import { refused } from './refusals.ts'
import { messageNow } from './source-of.ts'

const modes = { one: 'change_one', later: 'change_later', all: 'change_all' } as const

/** The server's code for a topic of which some messages are too old to be moved. */
const tooOldCode = 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED'

/** Which part of a topic the server would move; null if it refused for another reason, or would move nothing. */
function movableIn(error: unknown): MovablePart | null {
  const failure = failureOf(error)
  if (failure.kind !== 'rejected' || failure.code !== tooOldCode) return null
  return movablePart.safeParse(failure.details).data ?? null
}

/** Whether a message is at the destination of a move, in exactly that spelling. */
const isMovedTo = (db: ReadableDb, message: ApiMessage, to: ActionOf<'move-messages'>['to']): boolean =>
  message.stream_id === to.channelId && keptTopic(db, message.subject) === keptTopic(db, to.topic)

/**
 * Whether the message was moved like this by the person when it left the old place, and was moved on since. Of a whole
 * topic, the event tells, unless the queue that held it was lost.
 */
function hasMovedOn(
  { which, from, to }: ActionOf<'move-messages'>,
  { stream_id, subject, edit_history = [] }: ApiMessage,
  { db, localId, ownUserId, queueId }: SendContext,
): boolean {
  if (which === 'all' && outboxRow(db, localId)?.sentQueue === queueId) return false
  const isAt = (place: typeof from, now: { channelId: number | undefined; topic: string }) =>
    now.channelId === place.channelId && isSameTopic(db, now.topic, place.topic)
  // Back from where it is now: the newest change is the first.
  let after = { channelId: stream_id, topic: subject }
  for (const { prev_stream, prev_topic, user_id } of edit_history) {
    const before = { channelId: prev_stream ?? after.channelId, topic: prev_topic ?? after.topic }
    if (isAt(from, before) && !isAt(from, after)) return user_id === ownUserId && isAt(to, after)
    after = before
  }
  return false
}

/**
 * Moves messages to another topic or channel (specification, PATCH /messages/{message_id}). It has no local effect,
 * because only the server knows all messages concerned and whether the person may move them. If somebody moved them since
 * the person saw them, it is refused: the whole topic would now be another one.
 */
export const moveMessages: OfflineAction<'move-messages'> = {
  isRepeatable: true,
  lane: ({ from }) => `move:${from.channelId}`,
  conversation: ({ from }) => `topic:${from.channelId}:${topicKey(from.topic)}`,
  moves: ({ which, from, to }) =>
    which === 'all'
      ? { from: topicConversation(from.channelId, from.topic), to: topicConversation(to.channelId, to.topic) }
      : null,
  apply() {},
  async send(move, context) {
    const { messageId, which, from, to } = move
    const { connection, signal, db } = context
    // The server moves them from wherever they are. After this question, nothing can be noticed.
    const now = await messageNow(messageId, context)
    if (now !== undefined) {
      if (isMovedTo(db, now, to)) return null
      const isHere = now.stream_id === from.channelId && isSameTopic(db, now.subject, from.topic)
      if (!isHere && hasMovedOn(move, now, context)) return 'elsewhere'
      if (!isHere) throw refused(t.failures.movedMeanwhile, 'MOVED_MEANWHILE')
    }
    try {
      await connection.call(
        messages.updateMessage,
        {
          message_id: messageId,
          propagate_mode: modes[which],
          ...(to.topic === from.topic ? {} : { topic: to.topic }),
          ...(to.channelId === from.channelId ? {} : { stream_id: to.channelId }),
        },
        { signal },
      )
    } catch (error) {
      const part = movableIn(error)
      if (part === null) throw error
      const count = part.total_messages_allowed_to_move
      const first = toMessageId(part.first_message_id_allowed_to_move)
      context.saveProgress({ ...move, movable: { messageId: first, count } })
      throw refused(t.failures.tooOldToMove(count, part.total_messages_in_topic), tooOldCode)
    }
    return null
  },
  forRetry: ({ movable, ...move }) =>
    movable === undefined ? move : { ...move, which: 'later', messageId: movable.messageId },
  // An attempt whose answer was lost may already have moved it.
  async isAlreadyDone({ messageId, to }, _code, context) {
    const message = await messageNow(messageId, context)
    return message !== undefined && isMovedTo(context.db, message, to)
  },
  concerns: ({ messageId }) => [messageId],
  isShownByEvent: true,
  join(earlier, later) {
    // A move of a whole topic may name any of its messages.
    const isOfSame =
      isSamePlace(earlier.from, later.from) ||
      (changesOnlyMark(earlier) && isSamePlace(earlier.to, later.from))
    const isWhole = earlier.which === 'all' && isOfSame
    if (earlier.which !== later.which || (earlier.messageId !== later.messageId && !isWhole)) return undefined
    const { from } = earlier
    const to = combinedDestination(earlier, later)
    return isSamePlace(from, to) ? null : { ...later, from, to }
  },
}
