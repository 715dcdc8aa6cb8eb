import { channels } from '../../../src-shared/api/channels.ts'
import type { ActionOf, SubscriptionProperty } from '../../../src-shared/bridge/actions.ts'
import type { SettingName } from '../../../src-shared/bridge/settings.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { channelColorValues } from '../../../src-shared/model/channel-color.ts'
import type { ChannelColor } from '../../../src-shared/model/message.ts'
import { settingValue } from '../../store/account-settings.ts'
import {
  subscriptionNames,
  subscriptionValue,
  updateChannel,
  type SubscriptionField,
} from '../../store/channels.ts'
import type { ReadableDb } from '../../store/database.ts'
import type { OfflineAction } from '../offline-action.ts'

interface Property {
  readonly field: SubscriptionField
  /** The account's setting that applies if the channel has none of its own. */
  readonly otherwise?: SettingName
}

const properties: Readonly<Record<SubscriptionProperty, Property>> = {
  color: { field: 'color' },
  muted: { field: 'isMuted' },
  pinned: { field: 'isPinned' },
  desktop: { field: 'desktopNotifications', otherwise: 'channelDesktop' },
  sound: { field: 'audibleNotifications', otherwise: 'channelSound' },
  push: { field: 'pushNotifications', otherwise: 'channelMobile' },
  email: { field: 'emailNotifications', otherwise: 'channelEmail' },
  wildcardMentions: { field: 'wildcardMentionsNotify', otherwise: 'wildcardMentionsNotify' },
}

type Change = ActionOf<'set-subscription'>

/**
 * The value to send. The API has no "follows the account's setting", so the setting's current value is sent instead.
 */
function settledValue(db: ReadableDb, { property, value }: Change): boolean | string {
  if (typeof value === 'boolean') return value
  // The action's schema allows a colour name only for the property that has one.
  if (value !== null) return channelColorValues[value satisfies ChannelColor]
  const { otherwise } = properties[property]
  return otherwise !== undefined && settingValue(db, otherwise) === true
}

function isApplied(db: ReadableDb, change: Change): boolean {
  const now = subscriptionValue(db, change.channelId, properties[change.property].field)
  return (now === null && change.value === null) || now === settledValue(db, change)
}

/** Changes one of the own settings for a channel (specification, POST /users/me/subscriptions/properties). */
export const setSubscription: OfflineAction<'set-subscription'> = {
  isRepeatable: true,
  // Shared with joining and leaving, because only subscribers can have settings for a channel.
  lane: ({ channelId }) => `subscription:${channelId}`,
  mayCancel: true,
  isApplied,
  apply(db, change) {
    if (!isApplied(db, change))
      updateChannel(db, change.channelId, { [properties[change.property].field]: settledValue(db, change) })
  },
  async send(change, { connection, signal, db }) {
    const { channelId, property } = change
    await connection.call(
      channels.updateSubscriptionSettings,
      {
        subscription_data: [
          {
            stream_id: channelId,
            property: subscriptionNames[properties[property].field],
            value: settledValue(db, change),
          },
        ],
      },
      { signal },
    )
    return null
  },
  // If the person has left the channel, the setting no longer matters.
  async isAlreadyDone({ channelId }, _code, { connection, signal, ownUserId }) {
    try {
      const { is_subscribed } = await connection.call(
        channels.getSubscriptionStatus,
        { user_id: ownUserId, stream_id: channelId },
        { signal },
      )
      return !is_subscribed
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind !== 'rejected') throw error
      return failure.code !== 'NOT_ON_THIS_SERVER'
    }
  },
  // A boolean has only two values, so a different value restores the state before.
  join: (earlier, later) =>
    (later.property === 'muted' || later.property === 'pinned') && earlier.value !== later.value
      ? null
      : later,
  mayOvertake: ({ property }, earlier) =>
    earlier.name === 'set-subscription' && earlier.property !== property,
}
