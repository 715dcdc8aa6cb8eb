import { messages } from '../../../src-shared/api/messages.ts'
import { topicConversation, topicKey } from '../../../src-shared/model/conversation.ts'
import { combinedDestination, changesOnlyMark, isSamePlace } from '../../../src-shared/model/move.ts'
import { keptTopic } from '../../store/as-kept.ts'
import type { OfflineAction } from '../offline-action.ts'
import { messageNow } from './source-of.ts'

const modes = { one: 'change_one', later: 'change_later', all: 'change_all' } as const

/**
 * Moves messages to another topic or channel (specification, PATCH /messages/{message_id}). It has no local effect,
 * because only the server knows all messages concerned and whether the person may move them.
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
  async send({ messageId, which, from, to }, { connection, signal }) {
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
    return null
  },
  // An attempt whose answer was lost may already have moved it.
  async isDone({ messageId, to }, _code, context) {
    const { db } = context
    const message = await messageNow(messageId, context)
    return message?.stream_id === to.channelId && keptTopic(db, message.subject) === keptTopic(db, to.topic)
  },
  concerns: ({ messageId }) => [messageId],
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
