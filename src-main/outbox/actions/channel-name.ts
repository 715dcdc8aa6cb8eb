import { channels, type ApiChannel } from '../../../src-shared/api/channels.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import type { ChannelId } from '../../../src-shared/ids.ts'
import type { SendContext } from '../offline-action.ts'

/** The server's current state of a channel; null if it does not exist or the person cannot see it. */
export async function channelOnServer(
  id: ChannelId,
  { connection, signal }: SendContext,
): Promise<ApiChannel | null> {
  try {
    const { stream } = await connection.call(channels.getStreamById, { stream_id: id }, { signal })
    return stream
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind !== 'rejected') throw error
    if (failure.code !== 'NOT_ON_THIS_SERVER') return null
  }
  const { streams } = await connection.call(channels.getStreams, {}, { signal })
  return streams.find(({ stream_id }) => stream_id === id) ?? null
}

/**
 * The current name of a channel on the server; null if it does not exist or the person cannot see it. Joining and
 * leaving address a channel by name (specification, POST and DELETE /users/me/subscriptions), and joining an outdated
 * name would create a new channel.
 */
export async function channelName(
  id: ChannelId,
  context: SendContext,
): Promise<{ readonly name: string; readonly isArchived: boolean } | null> {
  const found = await channelOnServer(id, context)
  return found === null ? null : { name: found.name, isArchived: found.is_archived }
}
