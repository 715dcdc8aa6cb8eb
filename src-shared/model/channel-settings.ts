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

/** Which channels are listed: those the person is in, those they could join, or all that they know of. */
export const channelLists = ['subscribed', 'available', 'all'] as const
export type ChannelListName = (typeof channelLists)[number]

/** A channel among those that can be joined and settled. */
export interface ListedChannel {
  readonly channelId: ChannelId
  readonly name: string
  readonly color: ChannelColor
  readonly privacy: ChannelPrivacy
  readonly isArchived: boolean
  readonly isSubscribed: boolean
  readonly isMuted: boolean
  /** Null when unknown. */
  readonly subscriberCount: number | null
  /** Messages in a week; null when unknown. */
  readonly weeklyTraffic: number | null
  /** Whether a change of the person's waits for the server. */
  readonly isWaiting: boolean
}

/** The beginning of a list of channels, by name. */
export interface ChannelList {
  readonly channels: readonly ListedChannel[]
  /** How many there are in all. */
  readonly total: number
}

/** A change of one channel that the server does not know yet, or refused. */
export interface ChannelChange {
  readonly localId: LocalId
  /** What it changes: whether the person is in it, one of the own settings for it, or what everybody sees of it. */
  readonly what: 'membership' | ChannelProperty | ChannelEdit
  readonly state: SendState
}

/** What notifies of a channel; the account's settings hold where nobody chose. */
export const channelNotices = ['desktop', 'sound', 'push', 'email', 'wildcardMentions'] as const
export type ChannelNotice = (typeof channelNotices)[number]
/** An own setting for a channel. */
export type ChannelProperty = 'color' | 'muted' | 'pinned' | ChannelNotice

/** One channel with everything that a person may want to know and to settle. */
export interface ChannelSettings {
  readonly channel: ChannelDetails
  /** Null when it is in none. */
  readonly folderName: string | null
  /** Null when nobody knows who it was. */
  readonly creatorName: string | null
  /** What the account's settings say, for where the channel has none of its own. */
  readonly defaults: Readonly<Record<ChannelNotice, boolean>>
  /** Whether the person could come in now. */
  readonly mayJoin: boolean
  /** Whether somebody who left it could come back without being added. */
  readonly mayReturn: boolean
  readonly changes: readonly ChannelChange[]
  readonly access: ChannelAccess
  readonly topics: TopicPolicy
  /** Who may do what in it; null where the server does not say. */
  readonly holders: Readonly<Record<ChannelPermissionName, Holders | null>>
  /** The system groups, by their names, that the server lets hold no such permission. */
  readonly barred: Readonly<Record<ChannelPermissionName, readonly string[]>>
  /** The people among the holders. */
  readonly holderNames: readonly { readonly userId: UserId; readonly fullName: string }[]
  /** What of it the person may change. */
  readonly may: ChannelPermissions
  /** What this server does not have. */
  readonly missing: readonly ChannelEdit[]
}

/** Somebody whom the person put into a channel or took out, which the server does not know yet, or refused. */
export interface ChannelMemberChange {
  readonly localId: LocalId
  readonly userId: UserId
  readonly fullName: string
  /** Whether they were put in. */
  readonly on: boolean
  readonly state: SendState
}

/** Who is in a channel, as far as this device knows. */
export interface ChannelPeople {
  /** The beginning of the list, by name. */
  readonly people: readonly Person[]
  readonly changes: readonly ChannelMemberChange[]
  /** How many of those that are known fit what is looked for. */
  readonly found: number
  /** How many are known. */
  readonly known: number
  /** How many the server counts; null when it does not say. */
  readonly total: number | null
}

/** What this device keeps of a channel. */
export interface ChannelKept {
  readonly messages: number
  /** Of the oldest, epoch milliseconds; null without messages. */
  readonly oldestAt: number | null
}
