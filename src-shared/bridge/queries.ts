import { z } from 'zod'
import {
  accountIdSchema,
  channelIdSchema,
  draftIdSchema,
  groupIdSchema,
  messageIdSchema,
  userIdSchema,
} from './id-schemas.ts'
import type { AccountId, GroupId, LocalId, MessageId, UserId } from '../ids.ts'
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
import type { Draft, DraftVersion, EndedDraft, ListedDraft } from '../model/draft.ts'
import type { EmojiChoices } from '../model/emoji.ts'
import type { Feed } from '../model/feed.ts'
import type { Reminder, ScheduledMessage } from '../model/later.ts'
import type { Reactors, RecipientLabel, TopicLink } from '../model/message.ts'
import type { Narrow } from '../model/narrow.ts'
import type { Notice } from '../model/notice.ts'
import type { SendState } from '../model/outbox.ts'
import type { OutgoingFile } from '../model/outgoing-file.ts'
import type { AlertWord, ChosenTopic, MutedPerson } from '../model/own-lists.ts'
import type { DirectRefusal, Permissions } from '../model/permissions.ts'
import type {
  GroupProfile,
  OrganizationLists,
  OwnProfileField,
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
import type { DirectList, OpenDirect, Sidebar } from '../model/sidebar.ts'
import type { UnsavedEdit } from '../model/unsaved-edit.ts'
import type { DirectPerson, EditedMessage, FrequentPerson, PeopleGroup, TypingPerson } from '../model/user.ts'
import type { ActionName } from './actions.ts'
import { conversationSchema, narrowSchema, searchTextSchema, writtenText } from './schemas.ts'
import type { DeviceSettings, SettingsState, SettingValues } from './settings.ts'
import { suggestionRequest, type ComposeFacts, type SavedSnippet, type Suggestion } from './suggestion.ts'

const account = z.object({ accountId: accountIdSchema })
const typedText = z.string().max(200)

/** Every query that a window may watch, with the schema of its parameters. The results are `QueryResults`. */
export const queries = {
  accounts: z.object({}),
  notices: z.object({}),
  'open-request': z.object({}),
  'device-settings': z.object({}),

  'sync-state': account,
  'account-settings': account,
  settings: account,
  storage: account,
  /** `first` limits the list to the top channels; counts still cover all of them. */
  sidebar: account.extend({ first: z.int().min(1).optional() }),
  /** More direct conversations than the sidebar lists at first. */
  'direct-conversations': account.extend({ limit: z.int().min(1).max(500) }),
  /** A direct conversation that is open, for the sidebar. */
  'open-direct': account.extend({ userIds: z.array(userIdSchema).max(500).readonly() }),
  'channel-topics': account.extend({
    channelId: channelIdSchema,
    limit: z.int().min(1).max(500),
    /** A topic that is always listed. */
    open: z.string().max(1_000).optional(),
  }),
  channel: account.extend({ channelId: channelIdSchema }),
  channels: account,
  /** Channels that the person can join or manage, by name. */
  'channel-list': account.extend({
    which: z.enum(channelLists),
    /** A substring of the name or description. */
    text: typedText,
    limit: z.int().min(1).max(5_000),
  }),
  'channel-settings': account.extend({ channelId: channelIdSchema }),
  'channel-people': account.extend({
    channelId: channelIdSchema,
    /** A substring of the name. */
    text: typedText,
    limit: z.int().min(1).max(5_000),
  }),
  'channel-kept': account.extend({ channelId: channelIdSchema }),
  people: account.extend({
    /**
     * Whose people: those of a topic, a channel or a direct conversation. Any other narrow, and null, mean everybody.
     */
    narrow: narrowSchema.nullable(),
    /** A substring of the name; with it, people outside the narrow are found too. */
    text: typedText,
  }),
  /** The targets that the words of a topic link to. */
  'topic-links': account.extend({ topic: z.string().max(1_000) }),
  /** The people with whom the person writes most, one to one. */
  'frequent-people': account.extend({ limit: z.int().min(1).max(50) }),
  'direct-people': account.extend({ userIds: z.array(userIdSchema).max(500).readonly() }),
  /** Why the server would refuse a direct message to these people. */
  'direct-refusal': account.extend({ userIds: z.array(userIdSchema).max(500).readonly() }),
  profile: account.extend({ userId: userIdSchema }),
  'own-profile': account,
  'group-profile': account.extend({ groupId: groupIdSchema }),
  groups: account,
  lists: account,
  'alert-words': account,
  'muted-people': account,
  'chosen-topics': account,
  /**
   * What the organization lets the own user do: everywhere, and in the narrow. A topic or a channel means that
   * channel; any other narrow, and null, mean direct messages.
   */
  permissions: account.extend({ narrow: narrowSchema.nullable() }),
  typing: account.extend({ narrow: narrowSchema }),
  editing: account,
  emoji: account,

  feed: account.extend({
    narrow: narrowSchema,
    /** `opening`: the first unread message, else where the reader left, else the newest. */
    around: z.union([z.enum(['opening', 'newest', 'oldest']), messageIdSchema]),
    before: z.int().min(0).max(400),
    after: z.int().min(0).max(400),
  }),
  /** Who reacted to a message, by emoji, the most frequent first. */
  reactors: account.extend({ messageId: messageIdSchema }),
  inbox: account.extend({
    /** Which of the unread conversations to list. */
    filter: z.enum(['all', 'directs', 'mentions', 'followed']).default('all'),
    /** Limits the list to the top rows; counts still cover all of them. */
    first: z.int().min(1).optional(),
  }),
  /** The unread messages of a narrow up to a given one, oldest first. */
  'unread-ids': account.extend({ narrow: narrowSchema, upTo: messageIdSchema }),
  /** The newest messages of a narrow on this device that are read or starred, up to as many as one change covers. */
  'marked-ids': account.extend({ narrow: narrowSchema, mark: z.enum(['read', 'starred']) }),
  'recent-conversations': account.extend({
    filter: z.object({
      /** Includes direct messages. */
      withDirects: z.boolean(),
      withMuted: z.boolean(),
      onlyUnread: z.boolean(),
      /** Only conversations in which the person wrote something. */
      onlyOwn: z.boolean(),
      /** Prefixes of words in the channel's, topic's or a person's name. */
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
      onlyFollowed: z.boolean(),
      /** Substrings of the topic's name. */
      text: typedText,
    }),
    order: z.enum(['newest', 'unread', 'name']),
    limit: z.int().min(1).max(1_000),
  }),
  /** Places to go to. Without text, the recent ones, unread ones first. */
  'jump-targets': account.extend({
    text: typedText,
    of: z.enum(['everything', 'channels', 'people']),
    /** What the person chooses most often, in the form of `jumpKey`, best first. */
    often: z.array(z.string().max(1_100)).max(100).readonly(),
    /** Of conversations and channels together, and of people and groups together. */
    limit: z.int().min(1).max(50),
  }),
  suggestions: account.extend({ request: suggestionRequest, limit: z.int().min(1).max(50) }),
  'compose-facts': account.extend({
    conversation: conversationSchema,
    content: writtenText,
    /** The message's text before it is edited, whose mentions have been told; null for a new message. */
    before: writtenText.nullable(),
  }),
  search: account.extend({ text: searchTextSchema, limit: z.int().min(1).max(countedUpTo) }),
  'search-inside': account.extend({ text: searchTextSchema, limit: z.int().min(1).max(countedUpTo) }),
  'search-facets': account.extend({ text: searchTextSchema }),
  /** The occurrences of a text in the messages of a narrow. */
  'find-in-feed': account.extend({ narrow: narrowSchema, text: typedText }),

  snippets: account,
  scheduled: account,
  reminders: account,
  /** Starred messages, the last starred one first. */
  starred: account.extend({ limit: z.int().min(1).max(1_000) }),
  files: account,
  drafts: account,
  /** Those that were changed on two devices, until the person decides. */
  'drafts-in-conflict': account,
  /** All drafts for that conversation, newest first. */
  'conversation-drafts': account.extend({ conversation: conversationSchema }),
  draft: account.extend({ draftId: draftIdSchema }),
  'conversation-draft': account.extend({ conversation: conversationSchema }),
  'draft-versions': account.extend({ draftId: draftIdSchema }),
  /** The last version of each draft that was deleted here or ended elsewhere, newest first. */
  'ended-drafts': account,
  /** The edits that the person has begun and not saved, newest first. */
  'unsaved-edits': account,
  outbox: account,
  /** The state of the file and of sync, in numbers; contains nothing that anybody wrote. */
  diagnostics: account,
} as const satisfies Record<string, z.ZodObject>

export type QueryName = keyof typeof queries
/** Parameters as a window sends them. */
export type ParamsOf<N extends QueryName> = z.input<(typeof queries)[N]>
/** Parameters after validation. */
export type CheckedParamsOf<N extends QueryName> = z.output<(typeof queries)[N]>
/** The answer of a query. */
export type ResultOf<N extends QueryName> = QueryResults[N]

/** The result of each query. */
export interface QueryResults {
  accounts: readonly Account[]
  /** Recent notices, newest last. A host without notifications of its own shows those that it has not shown yet. */
  notices: readonly Notice[]
  /** The last request from outside the window to open a place (notification, link); null if there was none. */
  'open-request': OpenRequest | null
  'device-settings': DeviceSettings

  'sync-state': SyncState
  'account-settings': AccountSettings
  settings: SettingsState
  storage: Storage
  sidebar: Sidebar
  'direct-conversations': DirectList
  'open-direct': OpenDirect
  'channel-topics': ChannelTopics
  channel: ChannelDetails | null
  channels: readonly ChannelSummary[]
  'channel-list': ChannelList
  /** Null if this device knows no such channel. */
  'channel-settings': ChannelSettings | null
  'channel-people': ChannelPeople
  'channel-kept': ChannelKept
  people: readonly PeopleGroup[]
  /** In the order in which they appear in the topic. */
  'topic-links': readonly TopicLink[]
  /** Most messages first. */
  'frequent-people': readonly FrequentPerson[]
  /** The other people of a direct conversation by name, or oneself if nobody else is in it. */
  'direct-people': readonly DirectPerson[]
  /** Null if it would not, as far as this device knows. */
  'direct-refusal': DirectRefusal | null
  /** Null if nobody has that id. */
  profile: Profile | null
  /** In the organization's order. */
  'own-profile': readonly OwnProfileField[]
  'group-profile': GroupProfile | null
  /** Sorted by name. */
  groups: readonly UserGroup[]
  lists: OrganizationLists
  /** Sorted by name. */
  'alert-words': readonly AlertWord[]
  /** Sorted by name. */
  'muted-people': readonly MutedPerson[]
  /** Topics that were muted, unmuted or followed, sorted by channel and name. */
  'chosen-topics': readonly ChosenTopic[]
  permissions: Permissions
  /** People who are typing there now. */
  typing: readonly TypingPerson[]
  /** Messages that other people are editing now. */
  editing: readonly EditedMessage[]
  emoji: EmojiChoices

  feed: Feed
  reactors: readonly Reactors[]
  inbox: Inbox
  'unread-ids': readonly MessageId[]
  'marked-ids': readonly MessageId[]
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
  /** Sorted by title. */
  snippets: readonly SavedSnippet[]
  /** Sorted by the moment of sending. */
  scheduled: readonly ScheduledMessage[]
  /** Sorted by the moment of the reminder. */
  reminders: readonly Reminder[]
  starred: readonly StarredMessage[]
  /** Files attached to messages that are not sent yet. */
  files: readonly OutgoingFile[]

  drafts: readonly ListedDraft[]
  'drafts-in-conflict': readonly Pick<Draft, 'id' | 'label'>[]
  'conversation-drafts': readonly Draft[]
  draft: Draft | null
  /** The newest draft for that conversation. */
  'conversation-draft': Draft | null
  'draft-versions': readonly DraftVersion[]
  'ended-drafts': readonly EndedDraft[]
  'unsaved-edits': readonly UnsavedEdit[]
  outbox: readonly OutboxItem[]
  diagnostics: Diagnostics
}

/** A request from outside the window: to open a place, or to find something where the person is. */
export type OpenRequest = {
  /**
   * Epoch milliseconds, rising with every request: it distinguishes a new request from one that was already followed.
   */
  readonly requestedAt: number
} & (({ readonly kind: 'place' } & RequestedPlace) | { readonly kind: 'find' })

/** A place that the host wants shown, for example after a click on a notification. */
export interface RequestedPlace {
  readonly accountId: AccountId
  /** Null: the account's inbox. */
  readonly narrow: Narrow | null
  readonly messageId: MessageId | null
  /** A message of the topic that is meant, which may have been renamed since. */
  readonly topicOf?: MessageId | null | undefined
}

/** The account settings that screens act on, with the specification's defaults filled in. */
export interface AccountSettings extends SettingValues {
  readonly maxMessageLength: number
  readonly maxTopicLength: number
  readonly emptyTopicName: string
  readonly ownUserId: UserId
  /** Empty until the first answer of the server. */
  readonly ownFullName: string
  readonly ownAvatarUrl: string | null
  /** False if the person's picture is one that the server made up. */
  readonly hasOwnPicture: boolean
  /** The person's real address; null while it is unknown. */
  readonly ownEmail: string | null
  /** The status beside one's own name. */
  readonly ownStatus: PersonStatus | null
  /** Words that notify the person, as they wrote them. */
  readonly alertWords: readonly string[]
  /** Websites that can run code from messages. */
  readonly playgrounds: readonly Playground[]
  /** The groups that the person is in, also through groups inside them. */
  readonly ownGroupIds: readonly GroupId[]
  /** What the account's server supports; until it has said so, everything. */
  readonly abilities: ServerAbilities
}

/** What this device stores for an account, and which server it has. */
export interface Storage {
  readonly messages: number
  /** Epoch milliseconds; null if there are no messages. */
  readonly oldestAt: number | null
  /** The size of the account's file. */
  readonly bytes: number
  /** Drafts and changes that only this device has. */
  readonly unsent: number
  readonly serverVersion: string
  readonly featureLevel: number
}

/** Anything that waits to be sent. */
export interface OutboxItem {
  readonly localId: LocalId
  /** Null if this version cannot read it. */
  readonly action: ActionName | null
  /** One line for people: the text of a message, or "2 reactions". */
  readonly title: string
  /** How many messages a mark (read, unread or star) covers; 1 for anything else. */
  readonly count: number
  /** Where it belongs; null when it belongs to no conversation. */
  readonly conversation: Conversation | null
  readonly label: RecipientLabel | null
  /** What was typed for it, such as the text of a message or a note, which can become a draft; null for nothing. */
  readonly contentMarkdown: string | null
  /** What of it the title does not show; null for nothing. */
  readonly beyondTitle: string | null
  readonly messageId: MessageId | null
  /** How many messages a retry moves of a topic whose other messages are too old; null for anything else. */
  readonly movableCount: number | null
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly state: SendState
}
