import { channels } from '../../src-shared/api/channels.ts'
import type { ChannelId } from '../../src-shared/ids.ts'
import { replaceSubscribers, updateChannel } from '../store/channels.ts'
import type { BackfillParts } from './backfill.ts'

/**
 * Fetches and stores all subscribers of a channel, because a registration may have named only some; returns their
 * number (specification, GET /streams/{stream_id}/members). Rejects with a FailureError.
 */
export async function fetchSubscribers(
  { store, connection, signal, reapply }: BackfillParts,
  channelId: ChannelId,
): Promise<number> {
  const { subscribers } = await connection.call(channels.getSubscribers, { stream_id: channelId }, { signal })
  if (!signal.aborted) {
    store.write((db) => {
      replaceSubscribers(db, channelId, subscribers)
      updateChannel(db, channelId, { subscriberCount: subscribers.length })
      reapply()
    })
  }
  return subscribers.length
}
