import { channels, type ApiChannel } from '../../../src-shared/api/channels.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import type { ChannelId } from '../../../src-shared/ids.ts'
import type { SendContext } from '../offline-action.ts'

/** A channel as the server has it at this moment; null when it has none for this person. */
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
 * What the server calls a channel at this moment; null when it has none for this person. Joining and leaving name the
 * channel (specification, POST and DELETE /users/me/subscriptions), and a name that nobody has any more would found
 * another one.
 */
export async function channelName(
  id: ChannelId,
  context: SendContext,
): Promise<{ readonly name: string; readonly isArchived: boolean } | null> {
  const found = await channelOnServer(id, context)
  return found === null ? null : { name: found.name, isArchived: found.is_archived }
}
