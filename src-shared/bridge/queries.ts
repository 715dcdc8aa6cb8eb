import { z } from 'zod'
import {
  accountIdSchema,
  channelIdSchema,
  draftIdSchema,
  groupIdSchema,
  messageIdSchema,
  userIdSchema,
} from './id-schemas.ts'
import type { AccountId, LocalId, MessageId, UserId } from '../ids.ts'
import type { Account, SyncState } from '../model/account.ts'
import type { ChannelDetails, ChannelSummary, ChannelTopics } from '../model/channel.ts'
import {
  channelLists,
  type ChannelKept,
  type ChannelList,
  type ChannelPeople,
  type ChannelSettings,
} from '../model/channel-settings.ts'
import type { Inbox, RecentConversations, TopicList } from '../model/conversation-lists.ts'
import type { Conversation } from '../model/conversation.ts'
import type { Diagnostics } from '../model/diagnostics.ts'
import type { Draft, DraftVersion, ListedDraft } from '../model/draft.ts'
import type { Reminder, ScheduledMessage } from '../model/later.ts'
import type { Emoji, FeedMessage, RecipientLabel, TopicLink, WaitingMessage } from '../model/message.ts'
import type { TopicMove } from '../model/move.ts'
import type { Narrow } from '../model/narrow.ts'
import type { Notice } from '../model/notice.ts'
import type { SendState } from '../model/outbox.ts'
import type { OutgoingFile } from '../model/outgoing-file.ts'
import type { AlertWord, ChosenTopic, MutedPerson } from '../model/own-lists.ts'
import type { Permissions } from '../model/permissions.ts'
import type {
  GroupProfile,
  OrganizationLists,
  PersonStatus,
  Playground,
  Profile,
  UserGroup,
} from '../model/profile.ts'
import {
  countedUpTo,
  type FoundInFeed,
  type JumpTarget,
  type SearchFacets,
  type SearchInside,
  type SearchResults,
  type StarredMessage,
} from '../model/search-results.ts'
import type { ServerAbilities } from '../model/server-abilities.ts'
import type { Sidebar } from '../model/sidebar.ts'
import type { EditedMessage, PeopleGroup, Person, TypingPerson } from '../model/user.ts'
import { conversationSchema, narrowSchema, searchTextSchema } from './schemas.ts'
import type { DeviceSettings, SettingName, SettingValues } from './settings.ts'
import { suggestionWish, type ComposeFacts, type SavedSnippet, type Suggestion } from './suggestion.ts'

// Windows name what a query answers beside the query.
export type { ChannelDetails, ChannelSummary } from '../model/channel.ts'
export type { Inbox, InboxDirect, InboxRow, RecentRow } from '../model/conversation-lists.ts'
export type { Reminder, ScheduledMessage } from '../model/later.ts'
export type { JumpTarget, SearchFacets, SearchResult, SearchResults } from '../model/search-results.ts'
export type { Sidebar } from '../model/sidebar.ts'

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
  'channel-topics': account.extend({
    channelId: channelIdSchema,
    limit: z.int().min(1).max(500),
    /** A topic that is listed in any case. */
    open: z.string().max(1_000).optional(),
  }),
  channel: account.extend({ channelId: channelIdSchema }),
  channels: account,
  /** Channels to join and to settle, by name. */
  'channel-list': account.extend({
    which: z.enum(channelLists),
    /** A part of the name or description. */
    text: typedText,
    limit: z.int().min(1).max(5_000),
  }),
  'channel-settings': account.extend({ channelId: channelIdSchema }),
  'channel-people': account.extend({
    channelId: channelIdSchema,
    /** A part of the name. */
    text: typedText,
    limit: z.int().min(1).max(5_000),
  }),
  'channel-kept': account.extend({ channelId: channelIdSchema }),
  people: account.extend({
    /** Whose people: of a topic, a channel or a direct conversation; any other narrow and null: everybody. */
    narrow: narrowSchema.nullable(),
    /** A part of the name; with one, whoever is elsewhere is found too. */
    text: typedText,
  }),
  /** What the words of a topic lead to. */
  'topic-links': account.extend({ topic: z.string().max(1_000) }),
  'direct-people': account.extend({ userIds: z.array(userIdSchema).max(500).readonly() }),
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
  editing: account,
  emoji: account,

  feed: account.extend({
    narrow: narrowSchema,
    /** `opening`: the first unread message, else where the reader left, else the newest. */
    around: z.union([z.literal('opening'), z.literal('newest'), messageIdSchema]),
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
  search: account.extend({ text: searchTextSchema, limit: z.int().min(1).max(countedUpTo) }),
  'search-inside': account.extend({ text: searchTextSchema, limit: z.int().min(1).max(countedUpTo) }),
  'search-facets': account.extend({ text: searchTextSchema }),
  /** Where a text stands in the messages of a narrow. */
  'find-in-feed': account.extend({ narrow: narrowSchema, text: typedText }),

  snippets: account,
  scheduled: account,
  reminders: account,
  /** Starred messages, the last starred first. */
  starred: account.extend({ limit: z.int().min(1).max(1_000) }),
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
  'channel-list': ChannelList
  /** Null when this device knows of no such channel. */
  'channel-settings': ChannelSettings | null
  'channel-people': ChannelPeople
  'channel-kept': ChannelKept
  people: readonly PeopleGroup[]
  /** In the order in which they stand in it. */
  'topic-links': readonly TopicLink[]
  /** The others of a direct conversation by name, or oneself where nobody else is in it. */
  'direct-people': readonly Person[]
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
  /** People who are typing there now. */
  typing: readonly TypingPerson[]
  /** Messages that others are changing now. */
  editing: readonly EditedMessage[]
  emoji: EmojiChoices

  feed: Feed
  inbox: Inbox
  'unread-ids': readonly MessageId[]
  'recent-conversations': RecentConversations
  'topic-list': TopicList
  search: SearchResults
  'search-inside': SearchInside
  'search-facets': SearchFacets
  'find-in-feed': FoundInFeed
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
  starred: readonly StarredMessage[]
  /** Files on their way into messages. */
  files: readonly OutgoingFile[]

  drafts: readonly ListedDraft[]
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
  /** Where code of messages can be run. */
  readonly playgrounds: readonly Playground[]
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

export interface Feed {
  /** The message the window stands around: first unread, the newest, or the one asked for; null when empty. */
  readonly anchorId: MessageId | null
  /** Whether the anchor is the first unread message. */
  readonly anchorIsUnread: boolean
  /**
   * Where the anchor stood when the reader left, pixels below the upper edge of the feed; null when the window does not
   * stand around the place that was left.
   */
  readonly leftAt: number | null
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
  /** The topics of which messages wait to be moved. */
  readonly moving: readonly TopicMove[]
  /**
   * Where a topic went: the topic that the message asked for is in now; or, where this one is empty, the one that
   * differs by the mark of a resolved one and is not.
   */
  readonly movedTo: Conversation | null
  /** The holes in what this device has, each after the message with this id; oldest first. */
  readonly gapsAfter: readonly MessageId[]
}

/** Anything that waits for the server. */
export interface OutboxItem {
  readonly localId: LocalId
  readonly action: string
  /** One line for people: the text of a message, "2 reactions". */
  readonly title: string
  /** How many messages a mark is for; 1 for anything else. */
  readonly count: number
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
