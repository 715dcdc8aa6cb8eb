import type { UserId } from '../ids.ts'

/** A person's role in an organization. */
export type Role = 'owner' | 'administrator' | 'moderator' | 'member' | 'guest'

/**
 * Something that a person may do with a message for a limited time after it was sent: milliseconds, null without a
 * limit.
 * `isAllowed: false` means never.
 */
export interface TimedPermission {
  readonly isAllowed: boolean
  readonly withinMs: number | null
}

/** What the own user may do anywhere in the organization. */
export interface OrganizationPermissions {
  /** Change the organization's settings, people, linkifiers and similar. */
  readonly administer: boolean
  readonly createPublicChannels: boolean
  readonly createPrivateChannels: boolean
  readonly createWebPublicChannels: boolean
  readonly inviteByMail: boolean
  readonly inviteByLink: boolean
  /** Subscribe other people to channels that one can read. */
  readonly addSubscribers: boolean
  readonly createGroups: boolean
  readonly manageAllGroups: boolean
  readonly addEmoji: boolean
  readonly createBots: boolean
  readonly createWebhookBots: boolean
  /** See people with whom one shares no channel and no conversation. */
  readonly seeEverybody: boolean
  readonly changeOwnName: boolean
  readonly changeOwnPicture: boolean
  readonly changeOwnEmail: boolean
  /** The organization has passwords of its own, which people can change. */
  readonly changeOwnPassword: boolean
}

/** Why the server would refuse a direct message. */
export type DirectRefusal =
  /** These recipients have left the organization. */
  | { readonly kind: 'deactivated'; readonly names: readonly string[] }
  /**
   * not-allowed: the organization allows no direct messages between these people; not-begun: it lets the person only
   * answer.
   */
  | { readonly kind: 'not-allowed' | 'not-begun' }

/** What the own user may do in one channel. */
export interface ChannelPermissions {
  /** Read its messages. */
  readonly read: boolean
  /** Write in it. */
  readonly post: boolean
  /** Subscribe oneself; also true for subscribers. */
  readonly subscribe: boolean
  readonly addSubscribers: boolean
  /** Unsubscribe other people. */
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
  /** Make it a default channel. */
  readonly makeDefault: boolean
}

/** What the own user may do with messages in the given place. */
export interface MessagePermissions {
  readonly editOwn: TimedPermission
  readonly deleteOwn: TimedPermission
  /** Anyone's messages, at any time. */
  readonly deleteAny: boolean
  /** Move messages to another topic; never in direct messages. */
  readonly changeTopic: TimedPermission
  /** Move messages to another channel; never in direct messages. */
  readonly changeChannel: TimedPermission
  /** Mark topics that have a name as resolved or unresolved. */
  readonly resolve: boolean
  /** Give topics a name: not in channels where no topic has one. */
  readonly nameTopics: boolean
  readonly seeHistory: 'all' | 'moves' | 'none'
  readonly seeReaders: boolean
  /** Report a message to the moderators; only if they have a channel for reports. */
  readonly report: boolean
  /** Mark messages as unread: in a channel only its subscribers may. */
  readonly markUnread: boolean
  /** Be reminded of a message. */
  readonly remind: boolean
  /** Bots of the own user: the user may delete their messages like their own. */
  readonly ownBotIds: readonly UserId[]
}

/**
 * What the organization lets the own user do, as far as this device knows. The server has the last word. A permission
 * that the server does not report counts as its default.
 */
export interface Permissions {
  readonly role: Role
  readonly organization: OrganizationPermissions
  /** In the given channel; null if none was given, or if it is not known. */
  readonly channel: ChannelPermissions | null
  readonly messages: MessagePermissions
}

/** Whether a topic may be marked as resolved; the one without a name has no place for the mark. */
export const mayResolve = (may: Pick<MessagePermissions, 'resolve'> | undefined, topic: string): boolean =>
  may?.resolve === true && topic !== ''

/** What may be done with one message right now. */
export interface MessageActions {
  readonly edit: boolean
  readonly delete: boolean
  readonly changeTopic: boolean
  readonly changeChannel: boolean
  readonly report: boolean
}

/** Applies the permissions to one message. Times are epoch milliseconds. */
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
    changeTopic: permissions.nameTopics && isInTime(permissions.changeTopic),
    changeChannel: isInTime(permissions.changeChannel),
    report: !isOwn && permissions.report,
  }
}
