import { z } from 'zod'
import type { EndpointName } from '../../src-shared/api/index.ts'
import { alwaysReturned } from './state-forms.ts'
import {
  attachment,
  bot,
  botDefaults,
  channel,
  channelMessage,
  directMessage,
  draft,
  emoji,
  folder,
  id,
  ids,
  legacyPresence,
  linkifier,
  consent,
  dataExport,
  domain,
  navigationView,
  person,
  personWithoutProfile,
  profileField,
  reminder,
  scheduledMessage,
  seconds,
  snippet,
  subscription,
  subscriptionWithPeople,
  userGroup,
} from './wire-forms.ts'

const text = z.string()
const yes = z.boolean()

const historyEntry = z.strictObject({
  user_id: id.nullable(),
  timestamp: seconds,
  prev_content: text.optional(),
  prev_rendered_content: text.optional(),
  prev_stream: id.optional(),
  stream: id.optional(),
  prev_topic: text.optional(),
  topic: text.optional(),
})
/**
 * Fields that a message can have in addition: the reader's flags, its history, and the positions of search matches.
 */
const read = {
  flags: z.array(text),
  edit_history: z.array(historyEntry).min(1).optional(),
  last_edit_timestamp: seconds.optional(),
  last_moved_timestamp: seconds.optional(),
  match_content: text.optional(),
  match_subject: text.optional(),
}
const message = z.union([channelMessage.extend(read), directMessage.extend(read)])

const snapshotEntry = z.strictObject({
  topic: text,
  content: text,
  rendered_content: text,
  prev_content: text.optional(),
  prev_rendered_content: text.optional(),
  prev_topic: text.optional(),
  prev_stream: id.optional(),
  stream: id.optional(),
  content_html_diff: text.optional(),
  user_id: id.nullable(),
  timestamp: seconds,
})

const uploaded = { url: text, uri: text, filename: text }
const status = z.strictObject({
  status_text: text.optional(),
  emoji_name: text.optional(),
  emoji_code: text.optional(),
  reaction_type: text.optional(),
  away: yes.optional(),
})
const { pushable: _pushable, ...presenceKeys } = legacyPresence.shape
const byEmail = z.record(
  text.regex(/@/),
  z.strictObject({ website: legacyPresence, aggregated: z.strictObject(presenceKeys) }),
)
const onePresence = z.strictObject({ status: z.enum(['active', 'idle', 'offline']), timestamp: seconds })
const byPerson = z.record(text.regex(/^\d+$/), z.array(text))
const invitationKeys = {
  id,
  invited_by_user_id: id,
  invited: seconds,
  expiry_date: seconds.nullable(),
  invited_as: z.int(),
  notify_referrer_on_join: yes,
}
const invitation = z.union([
  z.strictObject({ ...invitationKeys, is_multiuse: z.literal(true), link_url: text }),
  z.strictObject({ ...invitationKeys, is_multiuse: z.literal(false), email: text }),
])
const botKeys = { user_id: id, api_key: text, avatar_url: text.nullable(), ...botDefaults }

const { bot_type: _type, bot_owner_id: _owner, ...ownUser } = person.options[0].shape

/** What each endpoint answers besides `result` and `msg`: exactly these keys. */
export const answerForms: Readonly<Partial<Record<EndpointName, z.ZodRawShape>>> = {
  getServerSettings: {
    authentication_methods: z.record(text, yes),
    external_authentication_methods: z.array(z.never()),
    service_feature_level: z.int(),
    service_version: text,
    service_merge_base: text,
    zulip_feature_level: z.int(),
    zulip_version: text,
    zulip_merge_base: text,
    push_notifications_enabled: yes,
    is_incompatible: yes,
    email_auth_enabled: yes,
    require_email_format_usernames: yes,
    realm_url: text,
    realm_uri: text,
    realm_name: text,
    realm_icon: text,
    realm_description: text,
    realm_web_public_access_enabled: yes,
  },
  fetchApiKey: { api_key: text, email: text, user_id: id },
  regenerateApiKey: { api_key: text },
  registerQueue: Object.fromEntries(
    Object.entries(alwaysReturned).filter(([key]) => key !== 'result' && key !== 'msg'),
  ),
  getEvents: { events: z.array(z.looseObject({ id: z.int(), type: text })), queue_id: text },
  getMessages: {
    messages: z.array(message).min(1),
    // For the newest end, a number above the safe integers.
    anchor: z.number(),
    found_anchor: yes,
    found_oldest: yes,
    found_newest: yes,
    history_limited: yes,
  },
  matchesNarrow: {
    messages: z.record(text, z.strictObject({ match_content: text, match_subject: text })),
  },
  renderMessage: { rendered: text },
  getMessage: { message, raw_content: text },
  getMessageHistory: { message_history: z.array(snapshotEntry).min(1) },
  getReadReceipts: { user_ids: ids },
  sendMessage: { id, automatic_new_visibility_policy: z.union([z.literal(2), z.literal(3)]).optional() },
  updateMessage: { detached_uploads: z.array(attachment) },
  deleteTopic: { complete: yes },
  updateMessageFlags: { messages: ids, ignored_because_not_subscribed_channels: ids },
  updateMessageFlagsForNarrow: {
    processed_count: z.int(),
    updated_count: z.int(),
    first_processed_id: id.nullable(),
    last_processed_id: id.nullable(),
    found_oldest: yes,
    found_newest: yes,
    ignored_because_not_subscribed_channels: ids,
  },
  markAllAsRead: { complete: yes },
  getDrafts: { count: z.int(), drafts: z.array(draft).min(1) },
  createDrafts: { ids: ids.min(1) },
  getOwnUser: { ...ownUser, max_message_id: z.int() },
  getUsers: { members: z.array(z.union([person, personWithoutProfile])).min(1) },
  getUser: { user: z.union([person, personWithoutProfile]) },
  getBotStorage: { storage: z.record(text, text) },
  getUserByEmail: { user: z.union([person, personWithoutProfile]) },
  updatePresence: { presences: byEmail, server_timestamp: z.number(), presence_last_update_id: z.int() },
  getRealmPresence: { presences: byEmail, server_timestamp: z.number() },
  getUserPresence: { presence: z.strictObject({ website: onePresence, aggregated: onePresence }) },
  getStreams: { streams: z.array(channel.extend({ is_default: yes.optional() })).min(1) },
  getSubscriptions: { subscriptions: z.array(z.union([subscription, subscriptionWithPeople])).min(1) },
  subscribe: {
    subscribed: byPerson,
    already_subscribed: byPerson,
    unauthorized: z.array(text).optional(),
    new_subscription_messages_sent: yes.optional(),
  },
  unsubscribe: { removed: z.array(text), not_removed: z.array(text) },
  updateSubscriptions: {
    subscribed: byPerson,
    already_subscribed: byPerson,
    not_removed: z.array(text),
    removed: z.array(text),
    new_subscription_messages_sent: yes.optional(),
  },
  getSubscriptionStatus: { is_subscribed: yes },
  createChannel: { id },
  getStreamId: { stream_id: id },
  getStreamById: { stream: channel },
  getSubscribers: { subscribers: ids },
  getStreamTopics: { topics: z.array(z.strictObject({ max_id: id, name: text })).min(1) },
  getSavedSnippets: { saved_snippets: z.array(snippet).min(1) },
  createSavedSnippet: { saved_snippet_id: id },
  getNavigationViews: { navigation_views: z.array(navigationView).min(1) },
  getDomains: { domains: z.array(domain).min(1) },
  getExports: { exports: z.array(dataExport).min(1) },
  startExport: { id },
  getExportConsents: { export_consents: z.array(z.strictObject(consent)).min(1) },
  getLinkifiers: { linkifiers: z.array(linkifier).min(1) },
  addLinkifier: { id },
  addPlayground: { id },
  getStatus: { status },
  getAlertWords: { alert_words: z.array(text) },
  addAlertWords: { alert_words: z.array(text) },
  removeAlertWords: { alert_words: z.array(text) },
  uploadFile: uploaded,
  getTemporaryUrl: { url: text },
  getAttachments: { attachments: z.array(attachment).min(1), upload_space_used: z.int() },
  getScheduledMessages: { scheduled_messages: z.array(scheduledMessage).min(1) },
  createScheduledMessage: { scheduled_message_id: id },
  getReminders: { reminders: z.array(reminder).min(1) },
  createReminder: { reminder_id: id },
  getCustomEmoji: { emoji },
  getBots: {
    bots: z
      .array(
        z.strictObject({ username: text, full_name: text, api_key: text, avatar_url: text, ...botDefaults }),
      )
      .min(1),
  },
  createBot: botKeys,
  updateBot: {
    full_name: text,
    avatar_url: text.nullable(),
    service_interface: z.int().nullable(),
    service_payload_url: text.nullable(),
    config_data: z.record(text, text),
    ...botDefaults,
    bot_owner: text.optional(),
  },
  regenerateBotKey: { api_key: bot.shape.api_key },
  getProfileFields: { custom_fields: z.array(profileField).min(1) },
  createProfileField: { id },
  getChannelEmailAddress: { email: text },
  testWelcomeMessage: { message_id: id },
  setIcon: { icon_url: text },
  removeIcon: { icon_url: text },
  createUser: { user_id: id },
  setAvatar: { avatar_url: text },
  removeAvatar: { avatar_url: text },
  getUserGroups: { user_groups: z.array(userGroup).min(1) },
  createUserGroup: { group_id: id },
  getUserGroupMembers: { members: ids },
  getUserGroupSubgroups: { subgroups: ids },
  getIsUserGroupMember: { is_user_group_member: yes },
  getInvitations: { invites: z.array(invitation).min(1) },
  createInvitation: { invite_link: text },
  getChannelFolders: { channel_folders: z.array(folder).min(1) },
  createChannelFolder: { channel_folder_id: id },
}
