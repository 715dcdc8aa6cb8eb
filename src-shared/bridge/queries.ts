import { z } from 'zod'
import {
  accountIdSchema,
  channelIdSchema,
  draftIdSchema,
  groupIdSchema,
  messageIdSchema,
  userIdSchema,
} from './id-schemas.ts'
import { type AccountId, type ChannelId, type GroupId, type MessageId, type UserId } from '../ids.ts'
import type { Account, SyncState } from '../model/account.ts'
import type { Diagnostics } from '../model/diagnostics.ts'
import type { Conversation } from '../model/conversation.ts'
import type { Draft, DraftVersion } from '../model/draft.ts'
import type {
  ChannelColor,
  ChannelPrivacy,
  Emoji,
  FeedMessage,
  RecipientLabel,
  TopicVisibility,
  WaitingMessage,
} from '../model/message.ts'
import type { Narrow } from '../model/narrow.ts'
import type { AlertWord, ChosenTopic, MutedPerson } from '../model/own-lists.ts'
import type { Notice } from '../model/notice.ts'
import type { HasValue } from '../model/search.ts'
import type { ServerAbilities } from '../model/server-abilities.ts'
import type { OutgoingFile } from '../model/outgoing-file.ts'
import type { SendState } from '../model/outbox.ts'
import type { LocalId } from '../ids.ts'
import type { Permissions } from '../model/permissions.ts'
import type { GroupProfile, OrganizationLists, PersonStatus, Profile, UserGroup } from '../model/profile.ts'
import type { Person } from '../model/user.ts'
import { conversationSchema, narrowSchema, searchTextSchema } from './schemas.ts'
import type { DeviceSettings, SettingName, SettingValues } from './settings.ts'
import { suggestionWish, type ComposeFacts, type SavedSnippet, type Suggestion } from './suggestion.ts'

const account = z.object({ accountId: accountIdSchema })
const typedText = z.string().max(200)

/** Every query that a window may watch, with the form of its parameters. Results are `QueryResults`. */
export const queries = {
  accounts: z.object({}),
  notices: z.object({}),
  'open-request': z.object({}),
  'device-settings': z.object({}),

  'sync-state': account,
  'account-settings': account,
  settings: account,
  storage: account,
  /** `first`: only so many channels from the top; what is counted is still all of it. */
  sidebar: account.extend({ first: z.int().min(1).optional() }),
  'channel-topics': account.extend({ channelId: channelIdSchema, limit: z.int().min(1).max(500) }),
  channel: account.extend({ channelId: channelIdSchema }),
  channels: account,
  people: account.extend({ conversation: conversationSchema.nullable() }),
  profile: account.extend({ userId: userIdSchema }),
  'group-profile': account.extend({ groupId: groupIdSchema }),
  groups: account,
  lists: account,
  'alert-words': account,
  'muted-people': account,
  'chosen-topics': account,
  /**
   * What the organization lets the own user do: everywhere, and in the channel of the narrow (a topic or a channel;
   * any other narrow and null: with direct messages).
   */
  permissions: account.extend({ narrow: narrowSchema.nullable() }),
  typing: account.extend({ narrow: narrowSchema }),
  emoji: account,

  feed: account.extend({
    narrow: narrowSchema,
    around: z.union([z.literal('first-unread'), z.literal('newest'), messageIdSchema]),
    before: z.int().min(0).max(400),
    after: z.int().min(0).max(400),
  }),
  inbox: account.extend({
    /** Which of the unread conversations. */
    filter: z.enum(['all', 'directs', 'mentions', 'followed']).default('all'),
    /** Only so many rows from the top; what is counted is still all of it. */
    first: z.int().min(1).optional(),
  }),
  /** The unread messages of a narrow up to one, oldest first. */
  'unread-ids': account.extend({ narrow: narrowSchema, upTo: messageIdSchema }),
  'recent-conversations': account.extend({
    filter: z.object({
      /** Direct messages too. */
      withDirects: z.boolean(),
      withMuted: z.boolean(),
      onlyUnread: z.boolean(),
      /** Only where the person wrote something. */
      onlyOwn: z.boolean(),
      /** Words that begin words of the channel, topic or a person. */
      text: typedText,
    }),
    order: z.enum(['newest', 'unread', 'name']),
    limit: z.int().min(1).max(1_000),
  }),
  'topic-list': account.extend({
    channelId: channelIdSchema,
    filter: z.object({
      resolved: z.enum(['any', 'yes', 'no']),
      onlyUnread: z.boolean(),
      /** Parts of the topic's name. */
      text: typedText,
    }),
    order: z.enum(['newest', 'unread', 'name']),
    limit: z.int().min(1).max(1_000),
  }),
  /** Places to go to. Without text the recent ones, unread first. */
  'jump-targets': account.extend({
    text: typedText,
    of: z.enum(['everything', 'channels', 'people']),
    /** What the person chose most, as `jumpKey` writes it, best first. */
    often: z.array(z.string().max(1_100)).max(100).readonly(),
    /** Of conversations and channels, and of people and groups. */
    limit: z.int().min(1).max(50),
  }),
  suggestions: account.extend({ wish: suggestionWish, limit: z.int().min(1).max(50) }),
  'compose-facts': account.extend({
    conversation: conversationSchema,
    /** Who is mentioned, as written in mentions: "Name" or "Name|id". */
    names: z.array(z.string().max(300)).max(100).readonly(),
  }),
  search: account.extend({ text: searchTextSchema, limit: z.int().min(1).max(200) }),
  'search-inside': account.extend({ text: searchTextSchema, limit: z.int().min(1).max(200) }),
  'search-facets': account.extend({ text: searchTextSchema }),

  snippets: account,
  scheduled: account,
  reminders: account,
  files: account,
  drafts: account,
  /** All drafts for that conversation, the newest first. */
  'conversation-drafts': account.extend({ conversation: conversationSchema }),
  draft: account.extend({ draftId: draftIdSchema }),
  'conversation-draft': account.extend({ conversation: conversationSchema }),
  'draft-versions': account.extend({ draftId: draftIdSchema }),
  outbox: account,
  /** How the file and the sync stand, in numbers; no words of anybody. */
  diagnostics: account,
} as const satisfies Record<string, z.ZodObject>

export type QueryName = keyof typeof queries
/** Parameters as a window gives them. */
export type ParamsOf<N extends QueryName> = z.input<(typeof queries)[N]>
/** Parameters after the check. */
export type CheckedParamsOf<N extends QueryName> = z.output<(typeof queries)[N]>
export type ResultOf<N extends QueryName> = QueryResults[N]

/** What each query answers. */
export interface QueryResults {
  accounts: readonly Account[]
  /** Recent notices, newest last; a host without notifications of its own shows those it has not shown. */
  notices: readonly Notice[]
  /** The last time something outside the window asked to open a place (notification, link); null before that. */
  'open-request': OpenRequest | null
  'device-settings': DeviceSettings

  'sync-state': SyncState
  'account-settings': AccountSettings
  settings: SettingsState
  storage: Storage
  sidebar: Sidebar
  'channel-topics': ChannelTopics
  channel: ChannelDetails | null
  channels: readonly ChannelSummary[]
  people: readonly Person[]
  /** Null when nobody has that id. */
  profile: Profile | null
  'group-profile': GroupProfile | null
  /** By name. */
  groups: readonly UserGroup[]
  lists: OrganizationLists
  /** By name. */
  'alert-words': readonly AlertWord[]
  /** By name. */
  'muted-people': readonly MutedPerson[]
  /** Topics that were muted, unmuted or followed, by channel and name. */
  'chosen-topics': readonly ChosenTopic[]
  permissions: Permissions
  /** Names of people who are typing there now. */
  typing: readonly string[]
  emoji: EmojiChoices

  feed: Feed
  inbox: Inbox
  'unread-ids': readonly MessageId[]
  'recent-conversations': RecentConversations
  'topic-list': TopicList
  search: SearchResults
  'search-inside': SearchInside
  'search-facets': SearchFacets
  'jump-targets': readonly JumpTarget[]
  /** Best first. */
  suggestions: readonly Suggestion[]
  'compose-facts': ComposeFacts
  /** By title. */
  snippets: readonly SavedSnippet[]
  /** By the moment they are sent. */
  scheduled: readonly ScheduledMessage[]
  /** By the moment they come. */
  reminders: readonly Reminder[]
  /** Files on their way into messages. */
  files: readonly OutgoingFile[]

  drafts: readonly Draft[]
  'conversation-drafts': readonly Draft[]
  draft: Draft | null
  /** The newest draft for that conversation. */
  'conversation-draft': Draft | null
  'draft-versions': readonly DraftVersion[]
  outbox: readonly OutboxItem[]
  diagnostics: Diagnostics
}

export interface OpenRequest {
  /** Epoch milliseconds, rising with every request: tells a new one from one that was followed. */
  readonly requestedAt: number
  readonly accountId: AccountId
  /** Null: the account's inbox. */
  readonly narrow: Narrow | null
  readonly messageId: MessageId | null
}

/** Settings of the account that screens act on, with the defaults of the specification put in. */
export interface AccountSettings extends SettingValues {
  readonly maxMessageLength: number
  readonly maxTopicLength: number
  readonly emptyTopicName: string
  readonly ownUserId: UserId
  readonly ownFullName: string
  readonly ownAvatarUrl: string | null
  /** What stands beside one's own name. */
  readonly ownStatus: PersonStatus | null
  /** Words that the person wants to be told of, as they wrote them. */
  readonly alertWords: readonly string[]
  /** What the account's server can do; everything, as long as it has not said. */
  readonly abilities: ServerAbilities
}

/** Settings of the account for the screen that changes them. */
export interface SettingsState {
  readonly values: SettingValues
  /** Those that the account's server does not keep. */
  readonly missing: readonly SettingName[]
  /** Those whose last change the server does not know yet, or refused. */
  readonly changes: readonly SettingChange[]
}

/** What this device keeps of an account, and what its server is. */
export interface Storage {
  readonly messages: number
  /** Epoch milliseconds; null without messages. */
  readonly oldestAt: number | null
  /** Of the account's file. */
  readonly bytes: number
  /** Drafts and changes that only this device has. */
  readonly unsent: number
  readonly serverVersion: string
  readonly featureLevel: number
}

export interface SettingChange {
  readonly localId: LocalId
  readonly name: SettingName
  readonly state: SendState
}

/** The emoji a person may choose beside those of Unicode. */
export interface EmojiChoices {
  /** What the person chose lately, the most frequent first. */
  readonly often: readonly EmojiChoice[]
  /** The organization's own, by name. */
  readonly organization: readonly EmojiChoice[]
}

export interface EmojiChoice {
  readonly emoji: Emoji
  /** Address of the picture; null for what is written with characters. */
  readonly imageUrl: string | null
}

export interface ChannelSummary {
  readonly channelId: ChannelId
  readonly name: string
  readonly color: ChannelColor
  readonly privacy: ChannelPrivacy
  readonly isArchived: boolean
  readonly isSubscribed: boolean
  readonly isMuted: boolean
  readonly isPinned: boolean
  /** Unread messages that count: not muted. */
  readonly unreadCount: number
  readonly mentionCount: number
  readonly canPost: boolean
  /** Whether a topic has to be named. */
  readonly requiresTopic: boolean
}

export interface ChannelDetails extends ChannelSummary {
  readonly description: string
  readonly subscriberCount: number | null
  readonly creatorId: UserId | null
  /** Epoch milliseconds; null when unknown. */
  readonly createdAt: number | null
  /** How long messages are kept; null: as the organization says, -1: for ever. */
  readonly retentionDays: number | null
  /** Messages in a week; null when unknown. */
  readonly weeklyTraffic: number | null
  readonly folderId: number | null
  readonly hasSharedHistory: boolean
  /** What the person chose for this channel; null: as the account's setting says. */
  readonly notifications: {
    readonly desktop: boolean | null
    readonly sound: boolean | null
    readonly push: boolean | null
    readonly email: boolean | null
    readonly wildcardMentions: boolean | null
  }
}

export interface Sidebar {
  readonly inboxCount: number
  readonly mentionCount: number
  readonly starredCount: number
  readonly draftCount: number
  readonly outboxCount: number
  readonly scheduledCount: number
  readonly reminderCount: number
  readonly needsYouCount: number
  readonly directs: readonly DirectSummary[]
  /** Pinned channels first, then the organization's folders in its order, then the rest, then inactive ones. */
  readonly folders: readonly {
    readonly key: string
    readonly name: string
    readonly channels: readonly ChannelSummary[]
  }[]
}

export interface DirectSummary {
  readonly conversation: Conversation
  readonly people: readonly Person[]
  readonly unreadCount: number
}

export interface TopicSummary {
  readonly topic: string
  readonly displayName: string
  readonly isEmptyTopic: boolean
  readonly isResolved: boolean
  readonly visibility: TopicVisibility
  readonly unreadCount: number
  readonly hasMention: boolean
  readonly newestMessageId: MessageId
}

export interface ChannelTopics {
  readonly topics: readonly TopicSummary[]
  /** How many more this device knows. */
  readonly more: number
}

export interface Feed {
  /** The message the window stands around: first unread, the newest, or the one asked for; null when empty. */
  readonly anchorId: MessageId | null
  /** Whether the anchor is the first unread message. */
  readonly anchorIsUnread: boolean
  readonly messages: readonly FeedMessage[]
  /** Messages of this narrow that wait for the server, in the order in which they will be sent. */
  readonly waiting: readonly WaitingMessage[]
  /** What lies before the first message: more here, more on the server, or the beginning. */
  readonly before: 'here' | 'on-server' | 'beginning'
  /** What lies after the last message: more here, more on the server, or nothing. */
  readonly after: 'here' | 'on-server' | 'end'
  readonly unreadCount: number
  /** The first unread message of the narrow that is here, in or outside the window. */
  readonly firstUnreadId: MessageId | null
  /** Keys of conversations of which messages wait to be moved. */
  readonly moving: readonly string[]
  /**
   * Where a topic went: the topic that the message asked for is in now; or, where this one is empty, the one that
   * differs by the mark of a resolved one and is not.
   */
  readonly movedTo: Conversation | null
  /** A hole in what this device has, after the message with this id; null when there is none in the window. */
  readonly gapAfter: MessageId | null
}

/** Unread conversations that are not muted; the newest where there are very many. */
export interface Inbox {
  readonly directs: readonly InboxDirect[]
  readonly directUnreadCount: number
  readonly folders: readonly {
    readonly key: string
    readonly name: string
    readonly unreadCount: number
    readonly channels: readonly InboxChannel[]
  }[]
  /** How many rows there are, here or after what is here. */
  readonly rowCount: number
  /** Whether there are more than these. */
  readonly hasMore: boolean
}

export interface InboxChannel {
  readonly channel: ChannelSummary
  /** Of its rows. */
  readonly unreadCount: number
  readonly topics: readonly InboxRow[]
}

export interface InboxDirect extends InboxRow {
  /** With whom, a few of them; oneself for notes to oneself. */
  readonly recipients: readonly Person[]
}

export interface InboxRow {
  readonly conversation: Conversation
  readonly label: RecipientLabel
  readonly unreadCount: number
  readonly hasMention: boolean
  readonly newestMessageId: MessageId
  /** Epoch milliseconds. */
  readonly newestAt: number
  readonly newestSender: string
  /** Plain text, cut. */
  readonly newestText: string
  readonly people: readonly {
    readonly userId: UserId
    readonly name: string
    readonly avatarUrl: string | null
  }[]
}

/** Conversations by when something was written in them. */
export interface RecentConversations {
  readonly rows: readonly RecentRow[]
  /** Whether there are more than were asked for. */
  readonly hasMore: boolean
  /** All conversations on this device. */
  readonly total: number
}

/** Topics of one channel. */
export interface TopicList {
  readonly rows: readonly RecentRow[]
  /** How many there are of the wanted ones. */
  readonly found: number
  /** All topics of the channel that this device knows. */
  readonly total: number
}

export interface RecentRow extends InboxRow {
  /** How many of its messages are on this device. */
  readonly messageCount: number
  /** How many people wrote on this device, `people` among them; counted among the newest 30 messages. */
  readonly peopleCount: number
  readonly hasDraft: boolean
  /** Messages that wait in the outbox. */
  readonly waitingCount: number
}

export interface SearchResults {
  readonly results: readonly SearchResult[]
  /** How many there are on this device; counted up to 1,000. */
  readonly total: number
  /** When the oldest that was counted was sent; null when nothing was found. */
  readonly oldestAt: number | null
  /** What of the search could not be understood, in words for people; null when all was. */
  readonly problem: string | null
  /** Milliseconds the search took. */
  readonly tookMs: number
  readonly messagesOnDevice: number
}

/** What is on this device beside `SearchResults`: messages with what was typed as a part of longer words. */
export interface SearchInside {
  readonly results: readonly SearchResult[]
  /** How many there are; of the newest 1,000 with such words. */
  readonly total: number
}

/** How a search can be made narrower: what is in its results, without the condition of the same kind. */
export interface SearchFacets {
  /** Most first; a few. */
  readonly senders: readonly { readonly person: Person; readonly count: number }[]
  readonly channels: readonly {
    readonly channelId: ChannelId
    readonly name: string
    readonly count: number
  }[]
  /** Only where one channel is asked for. */
  readonly topics: readonly { readonly topic: string; readonly count: number }[]
  readonly has: readonly { readonly value: HasValue; readonly count: number }[]
  /** How many are younger than 30 days. */
  readonly pastMonth: number
  /** The oldest message on this device, epoch milliseconds. */
  readonly keptSince: number | null
}

export interface SearchResult {
  readonly messageId: MessageId
  readonly conversation: Conversation
  readonly label: RecipientLabel
  readonly senderId: UserId
  readonly senderName: string
  readonly senderAvatarUrl: string | null
  readonly sentAt: number
  /** Plain text around the first match. */
  readonly excerpt: string
  /** Where the matches stand in `excerpt`: start and end, in order. */
  readonly matches: readonly (readonly [start: number, end: number])[]
}

/** A place to go to; what is not a conversation or channel comes after those that are. */
export type JumpTarget =
  | {
      readonly kind: 'conversation'
      readonly conversation: Conversation
      readonly label: RecipientLabel
      /** With whom, a few of them; nobody in a topic. */
      readonly people: readonly Person[]
      readonly unreadCount: number
      readonly hasMention: boolean
      /** Epoch milliseconds; 0 when no message is here. */
      readonly newestAt: number
    }
  | {
      readonly kind: 'channel'
      readonly channel: ChannelSummary
      /** Null when unknown. */
      readonly subscriberCount: number | null
      readonly topicCount: number
    }
  | { readonly kind: 'person'; readonly person: Person }
  | {
      readonly kind: 'group'
      readonly groupId: GroupId
      readonly name: string
      readonly memberCount: number | null
    }

/** A message that the server sends at its time. */
export interface ScheduledMessage {
  /** Null as long as the server does not know it. */
  readonly scheduledId: number | null
  /** What of it waits in the outbox: the whole message, or the last change of it; null when nothing does. */
  readonly localId: LocalId | null
  readonly state: SendState | null
  /** It is to be sent at once. */
  readonly isSentNow: boolean
  readonly conversation: Conversation
  readonly label: RecipientLabel
  /** Markdown. */
  readonly content: string
  /** Epoch milliseconds. */
  readonly sendAt: number
  /** Its time came and it could not be sent. */
  readonly hasFailed: boolean
}

/** A message that the server brings back at a time. */
export interface Reminder {
  /** Null as long as the server does not know it. */
  readonly reminderId: number | null
  /** What of it waits in the outbox: the wish for it, or the last change of it; null when nothing does. */
  readonly localId: LocalId | null
  readonly state: SendState | null
  readonly messageId: MessageId
  /** Where the message is; null when it is not on this device, as its label and its sender. */
  readonly conversation: Conversation | null
  readonly label: RecipientLabel | null
  readonly senderName: string | null
  /** The beginning of the message; empty when it is not on this device. */
  readonly text: string
  /** What the person wants to remember of it; empty when nothing. */
  readonly note: string
  /** Epoch milliseconds. */
  readonly remindAt: number
  readonly hasFailed: boolean
}

/** Anything that waits for the server. */
export interface OutboxItem {
  readonly localId: LocalId
  readonly action: string
  /** One line for people: the text of a message, "2 reactions". */
  readonly title: string
  /** Where it belongs; null when it belongs to no conversation. */
  readonly conversation: Conversation | null
  readonly label: RecipientLabel | null
  /** The Markdown of a message, so that it can be edited; null for anything else. */
  readonly contentMarkdown: string | null
  readonly messageId: MessageId | null
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly state: SendState
}
