import type { ChannelId, LocalId, UserId } from '../ids.ts'
import type { ChannelDetails } from './channel.ts'
import type { ChannelColor, ChannelPrivacy } from './message.ts'
import type {
  ChannelAccess,
  ChannelEdit,
  ChannelPermissionName,
  Holders,
  TopicPolicy,
} from './organization-edits.ts'
import type { ChannelPermissions } from './permissions.ts'
import type { SendState } from './outbox.ts'
import type { Person } from './user.ts'

/** Which channels to list: those the person is in, those they could join, or all that they know of. */
export const channelLists = ['subscribed', 'available', 'all'] as const
export type ChannelListName = (typeof channelLists)[number]

/** A channel in the list of channels to join and manage. */
export interface ListedChannel {
  readonly channelId: ChannelId
  readonly name: string
  readonly color: ChannelColor
  readonly privacy: ChannelPrivacy
  readonly isArchived: boolean
  readonly isSubscribed: boolean
  readonly isMuted: boolean
  /** Null if unknown. */
  readonly subscriberCount: number | null
  /** Messages per week; null if unknown. */
  readonly weeklyTraffic: number | null
  /** Whether a change by the person waits to be sent. */
  readonly isWaiting: boolean
}

/** The first channels of a list, sorted by name. */
export interface ChannelList {
  readonly channels: readonly ListedChannel[]
  /** How many there are in total. */
  readonly total: number
}

/** A change of one channel that is not on the server yet, or that the server refused. */
export interface ChannelChange {
  readonly localId: LocalId
  /**
   * What the change concerns: the person's subscription, one of their own settings for it, or something everybody
   * sees.
   */
  readonly what: 'membership' | ChannelProperty | ChannelEdit
  readonly state: SendState
}

/** Which messages of a channel notify. Where the person chose nothing, the account's settings apply. */
export const channelNotices = ['desktop', 'sound', 'push', 'email', 'wildcardMentions'] as const
export type ChannelNotice = (typeof channelNotices)[number]
/** The person's own settings for a channel. */
export type ChannelProperty = 'color' | 'muted' | 'pinned' | ChannelNotice

/** One channel with everything that its settings page shows. */
export interface ChannelSettings {
  readonly channel: ChannelDetails
  /** Null if it is in no folder. */
  readonly folderName: string | null
  /** Null if the creator is unknown. */
  readonly creatorName: string | null
  /** What the account's settings say; they apply where the channel has no setting of its own. */
  readonly defaults: Readonly<Record<ChannelNotice, boolean>>
  /** Whether the person could join now. */
  readonly mayJoin: boolean
  /** Whether a person who left could come back without being added by somebody. */
  readonly mayReturn: boolean
  readonly changes: readonly ChannelChange[]
  readonly access: ChannelAccess
  readonly topics: TopicPolicy
  /** The policies that this server supports. */
  readonly topicChoices: readonly TopicPolicy[]
  /** Who may do what in it; null if the server does not say. */
  readonly holders: Readonly<Record<ChannelPermissionName, Holders | null>>
  /** The names of the system groups that the server does not allow to hold the permission. */
  readonly barred: Readonly<Record<ChannelPermissionName, readonly string[]>>
  /** The people who hold it directly. */
  readonly holderNames: readonly { readonly userId: UserId; readonly fullName: string }[]
  /** Which of its properties the person may change. */
  readonly may: ChannelPermissions
  /** What this server does not support. */
  readonly missing: readonly ChannelEdit[]
}

/** A person whom the own user added or removed; the change is not on the server yet, or was refused. */
export interface ChannelMemberChange {
  readonly localId: LocalId
  readonly userId: UserId
  readonly fullName: string
  /** True if they were added. */
  readonly on: boolean
  readonly state: SendState
}

/** The subscribers of a channel, as far as this device knows. */
export interface ChannelPeople {
  /** The first people of the list, sorted by name. */
  readonly people: readonly Person[]
  readonly changes: readonly ChannelMemberChange[]
  /** How many of the known subscribers match the search. */
  readonly found: number
  /** How many subscribers are known. */
  readonly known: number
  /** How many subscribers the server counts; null if it does not say. */
  readonly total: number | null
}

/** What this device stores of a channel. */
export interface ChannelKept {
  readonly messages: number
  /** The time of the oldest message, epoch milliseconds; null if there are no messages. */
  readonly oldestAt: number | null
}
