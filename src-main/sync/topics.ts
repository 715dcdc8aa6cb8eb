import { channels } from '../../src-shared/api/channels.ts'
import type { ChannelId } from '../../src-shared/ids.ts'
import { topicConversation } from '../../src-shared/model/conversation.ts'
import { conversationId, noteNewest } from '../store/conversations.ts'
import type { BackfillParts } from './backfill.ts'

/** How many names one transaction writes, so that windows stay responsive. */
const atOnce = 500

/**
 * Fetches and stores the topics of a channel with the newest message of each, including topics without a message here;
 * returns their number (specification, GET /users/me/{stream_id}/topics). Rejects with a FailureError.
 */
export async function fetchTopics(
  { store, connection, clock, signal }: BackfillParts,
  channelId: ChannelId,
): Promise<number> {
  const { topics } = await connection.call(
    channels.getStreamTopics,
    { stream_id: channelId, allow_empty_topic_name: true },
    { signal },
  )
  for (let from = 0; from < topics.length && !signal.aborted; from += atOnce) {
    store.write((db) => {
      for (const { name, max_id } of topics.slice(from, from + atOnce)) {
        const conversation = topicConversation(channelId, name)
        noteNewest(db, conversationId(db, conversation), max_id, conversation)
      }
    })
    await clock.wait(0, signal)
  }
  return topics.length
}
