import { channels } from '../../../src-shared/api/channels.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { isSubscribed, setSubscribed } from '../../store/channels.ts'
import { ownHolder, refreshPosting } from '../../store/permissions.ts'
import type { OfflineAction } from '../offline-action.ts'
import { channelName } from './channel-name.ts'
import { refused } from './refusals.ts'

/** Joins a channel (specification, POST /users/me/subscriptions). */
export const subscribe: OfflineAction<'subscribe'> = {
  isRepeatable: true,
  lane: ({ channelId }) => `subscription:${channelId}`,
  mayCancel: true,
  isApplied: (db, { channelId }) => isSubscribed(db, channelId),
  apply(db, { channelId }, { ownUserId }) {
    if (isSubscribed(db, channelId)) return
    setSubscribed(db, channelId, ownUserId, true)
    refreshPosting(db, ownHolder(db, ownUserId), [channelId])
  },
  async send({ channelId }, context) {
    const channel = await channelName(channelId, context)
    if (channel === null) throw refused(t.failures.join.gone, 'CHANNEL_GONE')
    if (channel.isArchived) throw refused(t.failures.join.archived(channel.name), 'CHANNEL_ARCHIVED')
    const { connection, signal } = context
    const { unauthorized = [] } = await connection.call(
      channels.subscribe,
      // Refusals are then listed in a field of the answer; as an error, they could not be told from other errors.
      { subscriptions: [{ name: channel.name }], authorization_errors_fatal: false },
      { signal },
    )
    if (unauthorized.length > 0) throw refused(t.failures.join.closed(channel.name), 'CHANNEL_CLOSED')
    return null
  },
  join: (_earlier, later) => later,
  mayOvertake: (_action, { name }) => name === 'set-subscription',
  undoes: (_action, { name }) => name === 'unsubscribe',
}
