import { channels } from '../../../src-shared/api/channels.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { addSubscribers, isMember, removeSubscribers, setSubscribed } from '../../store/channels.ts'
import { ownHolder, refreshPosting } from '../../store/permissions.ts'
import type { OfflineAction } from '../offline-action.ts'
import { channelName } from './channel-name.ts'
import { refused } from './refusals.ts'

/**
 * Adds a person to a channel or removes them (specification, POST and DELETE /users/me/subscriptions with principals).
 */
export const setChannelMember: OfflineAction<'set-channel-member'> = {
  isRepeatable: true,
  lane: ({ channelId }) => `subscription:${channelId}`,
  mayCancel: true,
  isApplied: (db, { channelId, userId, on }) => isMember(db, channelId, userId) === on,
  apply(db, { channelId, userId, on }, { ownUserId }) {
    if (userId === ownUserId) {
      setSubscribed(db, channelId, ownUserId, on)
      refreshPosting(db, ownHolder(db, ownUserId), [channelId])
    } else if (on) addSubscribers(db, channelId, [userId])
    // A person who is not listed was removed before, or the list of subscribers is not known.
    else if (isMember(db, channelId, userId) === true) removeSubscribers(db, channelId, [userId])
  },
  async send({ channelId, userId, on }, context) {
    const channel = await channelName(channelId, context)
    const { connection, signal } = context
    if (!on) {
      // A channel that does not exist has no subscribers.
      if (channel === null) return null
      const input = { subscriptions: [channel.name], principals: [userId] }
      await connection.call(channels.unsubscribe, input, { signal })
      return null
    }
    if (channel === null) throw refused(t.failures.adding.gone, 'CHANNEL_GONE')
    if (channel.isArchived) throw refused(t.failures.adding.archived(channel.name), 'CHANNEL_ARCHIVED')
    const input = { subscriptions: [{ name: channel.name }], principals: [userId] }
    // Refusals are reported in a field of the answer, as for joining.
    const { unauthorized = [] } = await connection.call(
      channels.subscribe,
      { ...input, authorization_errors_fatal: false },
      { signal },
    )
    if (unauthorized.length > 0) throw refused(t.failures.adding.notYours(channel.name), 'CHANNEL_CLOSED')
    return null
  },
  // Only two states, so the opposite of a change restores the state before it.
  join: (earlier, later) =>
    earlier.userId !== later.userId ? undefined : earlier.on === later.on ? later : null,
  mayOvertake: ({ userId }, earlier) =>
    earlier.name === 'set-subscription' ||
    (earlier.name === 'set-channel-member' && earlier.userId !== userId),
}
