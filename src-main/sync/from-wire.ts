import type { ApiChannel, ApiChannelFolder, ApiSubscription } from '../../src-shared/api/channels.ts'
import type { ApiMessage } from '../../src-shared/api/messages.ts'
import { accountSettings } from '../../src-shared/api/settings.ts'
import { readTolerantly } from '../../src-shared/api/tolerant.ts'
import { legacyPresence, modernPresence, type ApiUser } from '../../src-shared/api/users.ts'
import type { UserId } from '../../src-shared/ids.ts'
import {
  directConversation,
  topicConversation,
  type Conversation,
} from '../../src-shared/model/conversation.ts'
import { topicPolicies, topicVisibilities, type TopicVisibility } from '../../src-shared/model/message.ts'
import { changesFromApi } from '../api/message-changes.ts'
import { timesOfChange } from '../api/times-of-change.ts'
import { subscriptionNames, type ChannelFields } from '../store/channels.ts'
import type { StoredFolder } from '../store/channel-folders.ts'
import type { MessageFields } from '../store/messages.ts'
import type { UserFields } from '../store/users.ts'

// Translates the server's names into ours; the code behind this file knows only ours.

const personalFlags = ['mentioned', 'group_mentioned']
const wildcardFlags = ['wildcard_mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned']

/** The flag of a message with one of the person's alert words. */
export const alertFlag = 'has_alert_word'

/** Whether any of the flags says that the message mentions the person. */
export const isMentionedBy = (flags: readonly string[]): boolean =>
  flags.some((flag) => personalFlags.includes(flag) || wildcardFlags.includes(flag))

/** Whether the message mentions the person, but neither by name nor by group. */
export const isOnlyByWildcard = (flags: readonly string[]): boolean =>
  isMentionedBy(flags) && !flags.some((flag) => personalFlags.includes(flag))

/** The conversation of a message from the wire. */
function conversationFromApi(message: ApiMessage, ownUserId: UserId): Conversation {
  if (message.type === 'stream') return topicConversation(message.stream_id ?? 0, message.subject)
  const people = typeof message.display_recipient === 'string' ? [] : message.display_recipient
  return directConversation(
    people.map(({ id }) => id),
    ownUserId,
  )
}

/** Converts a message from the wire; an event has the flags beside the message. */
export function messageFromApi(
  message: ApiMessage,
  flags: readonly string[],
  ownUserId: UserId,
): MessageFields {
  const { editedAt, movedAt } = timesOfChange(message)
  return {
    id: message.id,
    conversation: conversationFromApi(message, ownUserId),
    senderId: message.sender_id,
    senderName: message.sender_full_name,
    sentAt: Math.floor(message.timestamp * 1000),
    editedAt: editedAt === null ? null : editedAt * 1000,
    movedAt: movedAt === null ? null : movedAt * 1000,
    contentHtml: message.content,
    isMeMessage: message.is_me_message,
    isRead: flags.includes('read'),
    isStarred: flags.includes('starred'),
    isMentioned: isMentionedBy(flags),
    isOnlyByWildcard: isOnlyByWildcard(flags),
    hasAlertWord: flags.includes(alertFlag),
    isCollapsed: flags.includes('collapsed'),
    submessages: message.submessages.flatMap(({ id, sender_id, msg_type, content }) =>
      msg_type === 'widget' ? [{ id, senderId: sender_id, content }] : [],
    ),
    reactions: message.reactions.map(({ reaction_type, emoji_code, emoji_name, user_id }) => ({
      type: reaction_type,
      code: emoji_code,
      name: emoji_name,
      userId: user_id,
    })),
    changes: changesFromApi(message),
  }
}

/** An ISO 8601 date and time as epoch milliseconds; null if it is missing or invalid. */
function timeFromApi(text: string | undefined): number | null {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? null : time
}

/** A person in our words. On the wire, whether they are active may follow only from the list that they are in. */
export function userFromApi(user: ApiUser, isActive: boolean): UserFields {
  return {
    id: user.user_id,
    email: user.email,
    fullName: user.full_name,
    role: user.role,
    isBot: user.is_bot,
    isActive,
    avatarUrl: user.avatar_url ?? null,
    timezone: user.timezone,
    botOwnerId: user.bot_owner_id ?? null,
    joinedAt: timeFromApi(user.date_joined),
    deliveryEmail: user.delivery_email ?? null,
    profile: JSON.stringify(user.profile_data ?? {}),
  }
}

/** Whether a channel's field holds one of its permissions. */
export const isChannelPermission = (property: string): boolean =>
  /^can_\w+_group$/.test(property) || ['stream_post_policy', 'is_announcement_only'].includes(property)

const channelPermissions = (channel: ApiChannel): Record<string, unknown> =>
  Object.fromEntries(Object.entries(channel).filter(([property]) => isChannelPermission(property)))

/** Converts a channel with or without the person's own settings for it. */
export function channelFromApi(
  channel: ApiChannel | ApiSubscription,
  { isSubscribed }: { readonly isSubscribed: boolean },
): ChannelFields {
  const own = 'color' in channel && typeof channel.color === 'string' ? (channel as ApiSubscription) : null
  return {
    id: channel.stream_id,
    name: channel.name,
    description: channel.description,
    color: own?.color ?? '#c2c2c2',
    isPrivate: channel.invite_only,
    isWebPublic: channel.is_web_public,
    isArchived: channel.is_archived,
    hasSharedHistory: channel.history_public_to_subscribers,
    folderId: channel.folder_id ?? null,
    topicsPolicy: channel.topics_policy ?? 'inherit',
    permissions: JSON.stringify(channelPermissions(channel)),
    subscriberCount: channel.subscriber_count ?? own?.subscribers?.length ?? null,
    firstMessageId: channel.first_message_id ?? null,
    isSubscribed,
    isMuted:
      own?.[subscriptionNames.isMuted] ?? (own?.in_home_view === undefined ? false : !own.in_home_view),
    isPinned: own?.[subscriptionNames.isPinned] ?? false,
    desktopNotifications: own?.[subscriptionNames.desktopNotifications] ?? null,
    audibleNotifications: own?.[subscriptionNames.audibleNotifications] ?? null,
    wildcardMentionsNotify: own?.[subscriptionNames.wildcardMentionsNotify] ?? null,
    pushNotifications: own?.[subscriptionNames.pushNotifications] ?? null,
    emailNotifications: own?.[subscriptionNames.emailNotifications] ?? null,
    creatorId: channel.creator_id ?? null,
    createdAt: channel.date_created === undefined ? null : channel.date_created * 1_000,
    retentionDays: channel.message_retention_days ?? null,
    weeklyTraffic: channel.stream_weekly_traffic ?? null,
    isRecentlyActive: channel.is_recently_active ?? true,
  }
}

/** Converts a folder of channels. */
export const folderFromApi = (folder: ApiChannelFolder): StoredFolder => ({
  id: folder.id,
  name: folder.name,
  position: folder.order ?? folder.id,
  isArchived: folder.is_archived,
  description: folder.description,
  creatorId: folder.creator_id ?? null,
})

/**
 * When a person was last active and last connected, in the server's seconds; 0 for never. Null if the entry has neither
 * of the two forms in the specification.
 */
export function presenceFromApi(entry: unknown): { activeAt: number; idleAt: number } | null {
  const modern = modernPresence.safeParse(entry)
  if (modern.success && (modern.data.active_timestamp > 0 || modern.data.idle_timestamp > 0)) {
    return { activeAt: modern.data.active_timestamp, idleAt: modern.data.idle_timestamp }
  }
  const legacy = legacyPresence.safeParse(entry)
  if (!legacy.success) return modern.success ? { activeAt: 0, idleAt: 0 } : null
  const seen = legacy.data['website'] ?? legacy.data['aggregated']
  if (seen === undefined) return null
  return { activeAt: seen.status === 'active' ? seen.timestamp : 0, idleAt: seen.timestamp }
}

/** A schema of its own for each setting, made when it is first reported: a registration reports all of them, singly. */
const settingSchemas = new Map<string, ReturnType<typeof settingSchema>>()
type SettingName = keyof typeof accountSettings.shape
const settingSchema = (name: SettingName) => {
  // A computed key has no type of its own.
  const only = { [name]: true } as Partial<Record<SettingName, true>>
  return accountSettings.pick(only).partial()
}
const isSetting = (name: string): name is SettingName => Object.hasOwn(accountSettings.shape, name)

/** An account setting's value, parsed by that setting's schema; unchanged if the setting or the value is unknown. */
export function settingFromApi(name: string, value: unknown): unknown {
  if (!isSetting(name)) return value
  let schema = settingSchemas.get(name)
  if (schema === undefined) settingSchemas.set(name, (schema = settingSchema(name)))
  const { read } = readTolerantly(schema, { [name]: value })
  // Unreadable values are left out, so there is one value or none.
  const [understood] = Object.values(read.data ?? {})
  return understood ?? value
}

/** A muted topic of a server without topic visibility. */
export const mutedTopicFromApi = ([channelName, topic]: readonly [string, string, ...unknown[]]) => ({
  channelName,
  topic,
})

/** The visibility of a topic with one of the wire's policies. */
export const visibilityFromApi = (policy: number): TopicVisibility =>
  topicVisibilities.find((visibility) => topicPolicies[visibility] === policy) ?? 'none'
