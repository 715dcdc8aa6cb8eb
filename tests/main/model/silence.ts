import type { World } from './world.ts'

/**
 * From now on no events come from this channel, not even of own messages, as the specification says of channels that
 * the person is not in (POST /register, `narrow`).
 */
export function silence({ workspace: { queues } }: World, channelId: number): void {
  const push = queues.push.bind(queues)
  queues.push = (queue, event) => {
    const { stream_id: streamId } = 'message' in event ? Object(event['message']) : event
    if (streamId !== channelId) push(queue, event)
  }
}
