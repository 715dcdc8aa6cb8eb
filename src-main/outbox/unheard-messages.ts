import { topicConversation } from '../../src-shared/model/conversation.ts'
import { isSubscribed, receivesSince } from '../store/channels.ts'
import type { ReadableDb } from '../store/database.ts'
import { hasMessage, messageInPlace } from '../store/messages.ts'
import type { OutboxRow } from '../store/outbox.ts'
import { newestOf } from '../store/topics-in-doubt.ts'
import { actionFor } from './actions/index.ts'
import { messagesConcerned } from './lanes.ts'

/**
 * What an accepted change sent or changed, if no event tells of it because the person is not in the channel.
 * `messageId` is what the server calls what it sent. Of a topic that was moved, only the newest messages.
 */
export function unheardMessages(
  db: ReadableDb,
  { action, sentAfter }: OutboxRow,
  messageId: number | null,
): readonly number[] {
  if (action === null) return []
  if (action.name === 'send-message') {
    if (messageId === null || hasMessage(db, messageId)) return []
    return receivesSince(db, action.conversation, sentAfter ?? 0) ? [] : [messageId]
  }
  if (actionFor(action).isShownByEvent !== true) return []
  const concerned = messagesConcerned(action).filter((id) => isUnheard(db, id))
  if (concerned.length === 0 || action.name !== 'move-messages' || action.which === 'one') return concerned
  const { channelId, topic } = action.from
  return [...new Set([...concerned, ...newestOf(db, topicConversation(channelId, topic))])]
}

function isUnheard(db: ReadableDb, messageId: number): boolean {
  const place = messageInPlace(db, messageId)?.conversation
  return place?.kind === 'topic' && !isSubscribed(db, place.channelId)
}
