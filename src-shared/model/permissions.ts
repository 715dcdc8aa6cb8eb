import type { UserId } from '../ids.ts'

/** What a person is in an organization. */
export type Role = 'owner' | 'administrator' | 'moderator' | 'member' | 'guest'

/**
 * Something a person may do with a message, for so long after it was sent: milliseconds, null without a limit.
 * `isAllowed: false` is never.
 */
export interface TimedPermission {
  readonly isAllowed: boolean
  readonly withinMs: number | null
}

/** What the own user may do anywhere in the organization. */
export interface OrganizationPermissions {
  /** Change the organization's settings, people, linkifiers and the like. */
  readonly administer: boolean
  readonly createPublicChannels: boolean
  readonly createPrivateChannels: boolean
  readonly createWebPublicChannels: boolean
  readonly inviteByMail: boolean
  readonly inviteByLink: boolean
  /** Subscribe others to the channels that one can read. */
  readonly addSubscribers: boolean
  readonly createGroups: boolean
  readonly manageAllGroups: boolean
  readonly addEmoji: boolean
  readonly createBots: boolean
  readonly createWebhookBots: boolean
  /** Mention everybody where there are many. */
  readonly mentionMany: boolean
  /** Begin a conversation in direct messages; one that was begun can be gone on with. */
  readonly beginDirects: boolean
  /** See people with whom nothing is shared. */
  readonly seeEverybody: boolean
}

/** What the own user may do in one channel. */
export interface ChannelPermissions {
  /** Read its messages. */
  readonly read: boolean
  /** Write in it. */
  readonly post: boolean
  /** Subscribe oneself; also true for who is subscribed. */
  readonly subscribe: boolean
  readonly addSubscribers: boolean
  /** Unsubscribe others. */
  readonly removeSubscribers: boolean
  /** Change its name, description, folder and permissions, and archive it. */
  readonly administer: boolean
  /** Change who can see it. */
  readonly changePrivacy: boolean
  /** Change who may delete messages in it. */
  readonly changeDeletion: boolean
  /** Change whether its messages need a topic. */
  readonly changeTopics: boolean
  /** Change how long its messages are kept. */
  readonly changeRetention: boolean
  /** Make it one of those that new people are in. */
  readonly makeDefault: boolean
}

/** What the own user may do with messages, in the place that was asked for. */
export interface MessagePermissions {
  readonly editOwn: TimedPermission
  readonly deleteOwn: TimedPermission
  /** Whosever they are, at any time. */
  readonly deleteAny: boolean
  /** Give messages another topic; never in direct messages. */
  readonly changeTopic: TimedPermission
  /** Move messages to another channel; never in direct messages. */
  readonly changeChannel: TimedPermission
  /** Mark topics as resolved, and take that back. */
  readonly resolve: boolean
  readonly seeHistory: 'all' | 'moves' | 'none'
  readonly seeReaders: boolean
  /** Tell the moderators of a message; they have to have a channel for it. */
  readonly report: boolean
  /** Have oneself reminded of a message. */
  readonly remind: boolean
  /** Bots of the own user: their messages are deleted like one's own. */
  readonly ownBotIds: readonly UserId[]
}

/**
 * What the organization lets the own user do, as far as this device knows: the server decides in the end, and what
 * it does not tell counts as its default.
 */
export interface Permissions {
  readonly role: Role
  readonly organization: OrganizationPermissions
  /** In the channel that was asked for; null for none and for one that is not known. */
  readonly channel: ChannelPermissions | null
  readonly messages: MessagePermissions
}

/** What may be done with one message now. */
export interface MessageActions {
  readonly edit: boolean
  readonly delete: boolean
  readonly changeTopic: boolean
  readonly changeChannel: boolean
  readonly report: boolean
}

/** What of the permissions applies to one message. Times are epoch milliseconds. */
export function actionsFor(
  permissions: MessagePermissions,
  message: { readonly senderId: UserId; readonly sentAt: number },
  ownUserId: UserId,
  now: number,
): MessageActions {
  const isInTime = ({ isAllowed, withinMs }: TimedPermission) =>
    isAllowed && (withinMs === null || now - message.sentAt <= withinMs)
  const isOwn = message.senderId === ownUserId
  const countsAsOwn = isOwn || permissions.ownBotIds.includes(message.senderId)
  return {
    edit: isOwn && isInTime(permissions.editOwn),
    delete: permissions.deleteAny || (countsAsOwn && isInTime(permissions.deleteOwn)),
    changeTopic: isInTime(permissions.changeTopic),
    changeChannel: isInTime(permissions.changeChannel),
    report: !isOwn && permissions.report,
  }
}
