import { channels } from '../../../src-shared/api/channels.ts'
import { isSubscribed, setSubscribed } from '../../store/channels.ts'
import { ownHolder, refreshPosting } from '../../store/permissions.ts'
import type { OfflineAction } from '../offline-action.ts'
import { channelName } from './channel-name.ts'

/** Leaves a channel (specification, DELETE /users/me/subscriptions). Its messages stay on this device. */
export const unsubscribe: OfflineAction<'unsubscribe'> = {
  isRepeatable: true,
  lane: ({ channelId }) => `subscription:${channelId}`,
  mayCancel: true,
  isApplied: (db, { channelId }) => !isSubscribed(db, channelId),
  apply(db, { channelId }, { ownUserId }) {
    if (!isSubscribed(db, channelId)) return
    setSubscribed(db, channelId, ownUserId, false)
    refreshPosting(db, ownHolder(db, ownUserId), [channelId])
  },
  async send({ channelId }, context) {
    const channel = await channelName(channelId, context)
    // A channel that does not exist has no subscribers.
    if (channel === null) return null
    const { connection, signal } = context
    await connection.call(channels.unsubscribe, { subscriptions: [channel.name] }, { signal })
    return null
  },
  join: (_earlier, later) => later,
  mayOvertake: (_action, { name }) => name === 'set-subscription',
  undoes: (_action, { name }) => name === 'subscribe',
}
