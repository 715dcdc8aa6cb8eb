import { channels } from '../../src-shared/api/channels.ts'
import type { ChannelId } from '../../src-shared/ids.ts'
import { conversationKey, topicConversation } from '../../src-shared/model/conversation.ts'
import {
  conversationId,
  knownTopics,
  noteNewest,
  raiseNewest,
  recount,
  type KnownTopic,
} from '../store/conversations.ts'
import { isClosedTo, ownHolder } from '../store/permissions.ts'
import type { BackfillParts } from './backfill.ts'

/** How many names one transaction writes, so that windows stay responsive. */
const atOnce = 500

/**
 * Fetches and stores the topics of a channel with the newest message of each, including topics without a message here.
 * Topics that the server does not name, because they were renamed, moved or deleted while no event could tell, leave the
 * channel's list unless messages of them are here. Stores nothing of a channel that is lost meanwhile. Returns the number
 * of topics (specification, GET /users/me/{stream_id}/topics). Rejects with a FailureError.
 */
export async function fetchTopics(parts: BackfillParts, channelId: ChannelId): Promise<number> {
  const { count, isStale } = await fetchOnce(parts, channelId)
  // A topic whose newest message was moved or deleted meanwhile may have others, which only the server knows.
  return isStale && !parts.signal.aborted ? (await fetchOnce(parts, channelId)).count : count
}

/** The same; `isStale`: the answer has the newest message of a topic that lost it meanwhile. */
async function fetchOnce(
  { store, connection, clock, ownUserId, signal, requestsInFlight }: BackfillParts,
  channelId: ChannelId,
): Promise<{ count: number; isStale: boolean }> {
  const isClosed = () => isClosedTo(store.db, ownHolder(store.db, ownUserId), channelId)
  const wasClosed = isClosed()
  // What the person may not read any more is not stored.
  const isOver = () => signal.aborted || (!wasClosed && isClosed())
  const request = requestsInFlight.begin()
  let isStale = false
  try {
    const { topics } = await connection.call(
      channels.getStreamTopics,
      { stream_id: channelId, allow_empty_topic_name: true },
      { signal },
    )
    /** The newest message of each topic, by the topic's key; two spellings may be one topic here. */
    const named = new Map<string, number>()
    for (let from = 0; from < topics.length && !isOver(); from += atOnce) {
      store.write((db) => {
        for (const { name, max_id } of topics.slice(from, from + atOnce)) {
          const conversation = topicConversation(channelId, name)
          const id = conversationId(db, conversation)
          // Events moved or deleted this message since the request: the answer has it in its old place.
          if (request.displaced.has(max_id)) {
            isStale = true
            continue
          }
          noteNewest(db, id, max_id, conversation)
          const key = conversationKey(conversation)
          named.set(key, Math.max(max_id, named.get(key) ?? 0))
        }
      })
      await clock.wait(0, signal)
    }
    let last: KnownTopic | undefined
    do {
      if (isOver()) break
      const some = knownTopics(store.db, channelId, last, atOnce)
      last = some.at(-1)
      // What events moved there since the request is newer than the server's list.
      const outdated = some.filter(
        ({ key, newestMessageId: newest }) => newest > (named.get(key) ?? 0) && !request.touched.has(newest),
      )
      if (outdated.length > 0)
        store.write((db) => {
          for (const { id, key, newestMessageId } of outdated) {
            recount(db, [id], [newestMessageId])
            raiseNewest(db, id, named.get(key) ?? 0)
          }
        })
      await clock.wait(0, signal)
    } while (last !== undefined)
    return { count: topics.length, isStale }
  } finally {
    request.end()
  }
}
