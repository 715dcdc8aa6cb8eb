import { z } from 'zod'
import type { ActionInput, ActionName, SubscriptionProperty } from '../../../src-shared/bridge/actions.ts'
import type { CallInputOf, CallName } from '../../../src-shared/bridge/calls.ts'
import { settingForms, type SettingName } from '../../../src-shared/bridge/settings.ts'
import type {
  ChannelEdit,
  ChannelPermissionName,
  GroupPermissionName,
} from '../../../src-shared/model/organization-edits.ts'
import { channelPermissionNames, groupPermissionNames } from '../../../src-shared/model/organization-edits.ts'
import { png } from '../../support/files.ts'

// Every act and every question to the server, for tests that do all of them. A new one that is missing here does not
// compile.

type InputOf<N extends ActionName> = Omit<Extract<ActionInput, { name: N }>, 'name'>

/** The acts that make something that the others then change. */
type Making =
  | 'send-message'
  | 'schedule-message'
  | 'save-snippet'
  | 'remind-me'
  | 'create-channel'
  | 'create-group'
  | 'create-folder'

/** What is there before anything is made. Ids are the service's. */
export interface Place {
  readonly own: number
  readonly other: number
  /** The person made it and is in it with the other one. */
  readonly channel: number
  /** A channel that the person is in, and one that they are not in. */
  readonly leaving: number
  readonly joining: number
  /** A message of the other person there. */
  readonly heard: number
  /** Epoch milliseconds. */
  readonly now: number
}

/** The messages that are made, each with its topic and its words. */
export const written = {
  edited: ['ebb', 'to be edited'],
  deleted: ['ebb', 'to be deleted'],
  collapsed: ['ebb', 'to be collapsed'],
  poll: ['ebb', '/poll Which boat?\nskiff\nketch'],
  list: ['ebb', '/todo Aboard\nrope: twenty fathoms'],
  alone: ['ebb', 'to be moved alone'],
  andLater: ['flow', 'to be moved with what follows'],
  whole: ['slack', 'to be moved with its topic'],
} as const

/** What was made; what the server does not support is missing. */
export interface Made extends Place {
  readonly messages: Readonly<Record<keyof typeof written, number>>
  readonly spare: number
  readonly closing: number
  readonly group: number
  readonly inner: number
  readonly idle: number
  readonly folders: readonly number[]
  /** Profile fields: one for a text, one for people. */
  readonly fields: readonly [text: number, people: number]
  readonly scheduled: readonly number[]
  readonly snippets: readonly number[]
  readonly reminders: readonly number[]
  /** Settings that the server has, with their values. */
  readonly settings: readonly (readonly [SettingName, unknown])[]
}

const hours = (count: number) => count * 3_600_000

/** Makes two of most things: one to be changed, and one to be ended. */
export const making: { readonly [N in Making]: (place: Place) => readonly InputOf<N>[] } = {
  'send-message': ({ channel: channelId }) =>
    Object.values(written).map(([topic, content]) => ({
      conversation: { kind: 'topic', channelId, topic },
      content,
      draftId: null,
    })),
  'schedule-message': ({ channel: channelId, other, now }) => [
    {
      conversation: { kind: 'topic', channelId, topic: 'ebb' },
      content: 'scheduled',
      draftId: null,
      sendAt: now + hours(2),
    },
    {
      conversation: { kind: 'direct', userIds: [other] },
      content: 'cancelled',
      draftId: null,
      sendAt: now + hours(3),
    },
  ],
  'save-snippet': () => [
    { title: 'Kept', content: 'kept' },
    { title: 'Thrown away', content: 'thrown away' },
  ],
  'remind-me': ({ heard: messageId, now }) => [
    { messageId, at: now + hours(2), note: 'kept' },
    { messageId, at: now + hours(3), note: 'thrown away' },
  ],
  'create-channel': () =>
    ['spare', 'closing'].map((channelName) => ({
      channelName,
      description: '',
      access: 'public' as const,
      folderId: null,
      people: [],
    })),
  'create-group': () =>
    ['deck', 'galley', 'oars'].map((groupName) => ({ groupName, description: '', people: [], groups: [] })),
  'create-folder': () =>
    ['Fieldwork', 'Harbour'].map((folderName) => ({ folderName, description: 'a folder' })),
}

const eyes = { name: 'eyes', code: '1f440', type: 'unicode_emoji' } as const

const subscriptionValues: { readonly [P in SubscriptionProperty]: InputOf<'set-subscription'>['value'] } = {
  color: 'plum',
  muted: true,
  pinned: true,
  desktop: true,
  sound: false,
  push: true,
  email: false,
  wildcardMentions: false,
}

type GroupEdit = Exclude<InputOf<'change-group'>['property'], GroupPermissionName>
const groupValues = (): { readonly [E in GroupEdit]: InputOf<'change-group'>['value'] } => ({
  name: 'the deck',
  description: 'On watch',
  active: false,
})

type OwnChannelEdit = Exclude<ChannelEdit, ChannelPermissionName>
const channelValues = ({
  folders,
}: Made): { readonly [E in OwnChannelEdit]: InputOf<'change-channel'>['value'] } => ({
  name: 'spare ropes',
  description: 'Whatever is left',
  access: 'private',
  folder: folders[0] ?? 1,
  topics: 'required',
  retention: 30,
  archived: true,
})

/** Another value of a setting than it has. */
function anotherValue(name: SettingName, now: unknown): boolean | number | string {
  const form: z.ZodType = settingForms[name]
  if (form instanceof z.ZodBoolean) return now !== true
  // The service has no sounds beside these, and knows languages and time zones.
  const known = { notificationSound: 'none', timezone: 'Europe/Oslo', language: 'de' }
  if (name === 'notificationSound' || name === 'timezone' || name === 'language') return known[name]
  if (form instanceof z.ZodEnum) return String(form.options.find((value) => value !== now))
  return Number(now) + 1
}

/** The entries of a plain object, with the types of its keys and values. */
export const entries = <K extends string, V>(table: Readonly<Record<K, V>>) =>
  // It has no other keys than its type says.
  Object.entries(table) as [K, V][]

/** Everything else that a person can do, at least once, and each property at least once. */
export const changing: {
  readonly [N in Exclude<ActionName, Making>]: (made: Made) => readonly InputOf<N>[]
} = {
  'edit-message': ({ messages }) => [
    { messageId: messages.edited, content: 'edited', previousContent: written.edited[1] },
  ],
  'delete-message': ({ messages }) => [{ messageId: messages.deleted }],
  'move-messages': ({ messages, channel: channelId, spare }) => [
    {
      messageId: messages.alone,
      which: 'one',
      from: { channelId, topic: 'ebb' },
      to: { channelId, topic: 'alone' },
    },
    {
      messageId: messages.andLater,
      which: 'later',
      from: { channelId, topic: 'flow' },
      to: { channelId, topic: 'later' },
    },
    {
      messageId: messages.whole,
      which: 'all',
      from: { channelId, topic: 'slack' },
      to: { channelId: spare, topic: 'whole' },
    },
  ],
  react: ({ heard: messageId }) => [{ messageId, emoji: eyes, on: true }],
  'star-message': ({ heard }) => [{ messageIds: [heard], on: true }],
  'collapse-message': ({ messages }) => [{ messageIds: [messages.collapsed], on: true }],
  'mark-read': ({ heard }) => [{ messageIds: [heard] }],
  'mark-unread': ({ messages }) => [{ messageIds: [messages.collapsed] }],
  'mark-narrow-read': ({ channel: channelId, messages }) => [
    { narrow: { kind: 'topic', channelId, topic: 'flow' }, upTo: messages.whole },
    { narrow: { kind: 'channel', channelId }, upTo: messages.edited },
    { narrow: { kind: 'combined' }, upTo: messages.edited },
  ],
  'set-topic-visibility': ({ channel: channelId }) => [
    { channelId, topic: 'ebb', visibility: 'muted' },
    { channelId, topic: 'flow', visibility: 'followed' },
  ],
  subscribe: ({ joining }) => [{ channelId: joining }],
  unsubscribe: ({ leaving }) => [{ channelId: leaving }],
  'set-subscription': ({ channel: channelId }) =>
    entries(subscriptionValues).map(([property, value]) => ({ channelId, property, value })),
  'edit-scheduled': ({ scheduled: [scheduledId], channel: channelId, now }) =>
    scheduledId === undefined
      ? []
      : [
          {
            scheduledId,
            conversation: { kind: 'topic', channelId, topic: 'ebb' },
            content: 'scheduled anew',
            sendAt: now + hours(4),
          },
        ],
  'cancel-scheduled': ({ scheduled: [, scheduledId] }) =>
    scheduledId === undefined ? [] : [{ scheduledId }],
  'change-snippet': ({ snippets: [snippetId] }) =>
    snippetId === undefined ? [] : [{ snippetId, title: 'Kept still', content: 'changed' }],
  'delete-snippet': ({ snippets: [, snippetId] }) =>
    snippetId === undefined ? [] : [{ snippetId, title: '' }],
  'change-reminder': ({ reminders: [kept, ended], heard: messageId, now }) =>
    kept === undefined || ended === undefined
      ? []
      : [
          { reminderId: kept, messageId, at: now + hours(5), note: 'changed' },
          { reminderId: ended, messageId, at: null, note: '' },
        ],
  'widget-step': ({ messages: { poll, list } }) => [
    { messageId: poll, step: { type: 'vote', key: 'canned,0', vote: 1 } },
    { messageId: poll, step: { type: 'new_option', idx: 0, option: 'yawl' } },
    { messageId: poll, step: { type: 'question', question: 'Which of the boats?' } },
    {
      messageId: list,
      step: { type: 'new_task', key: 0, task: 'lamp', desc: 'with oil', completed: false },
    },
    { messageId: list, step: { type: 'strike', key: '0,canned', on: true } },
    { messageId: list, step: { type: 'new_task_list_title', title: 'All aboard' } },
  ],
  'report-message': ({ heard: messageId }) => [{ messageId, reason: 'other', words: 'not a gauge' }],
  'mute-person': ({ other: userId }) => [{ userId, on: true }],
  'set-alert-word': () => [{ word: 'gale', on: true }],
  'set-status': () => [{ text: 'ashore', emoji: eyes }],
  'set-own-name': () => [{ fullName: 'Maren A.' }],
  'set-profile-field': ({ fields: [text, people], other }) => [
    { fieldId: text, value: 'she, her' },
    { fieldId: people, value: [other] },
  ],
  'update-setting': ({ settings }) =>
    settings.map(([property, value]) => ({ property, value: anotherValue(property, value) })),
  'set-group-member': ({ group: groupId, inner, other }) => [
    { groupId, member: { kind: 'person', userId: other }, on: true },
    { groupId, member: { kind: 'group', groupId: inner }, on: true },
  ],
  'change-group': ({ group: groupId, idle, own }) => [
    ...entries(groupValues()).map(([property, value]) => ({
      // What is not active can be changed in no other way.
      groupId: property === 'active' ? idle : groupId,
      property,
      value,
    })),
    ...groupPermissionNames.map((property) => ({ groupId, property, value: { people: [own], groups: [] } })),
  ],
  'change-folder': ({ folders: [kept = 1, ended = 2] }) => [
    { folderId: kept, property: 'name', value: 'Field work' },
    { folderId: kept, property: 'description', value: 'The field' },
    { folderId: ended, property: 'archived', value: true },
  ],
  'order-folders': ({ folders }) => [{ order: folders.toReversed() }],
  'set-channel-member': ({ spare, channel, other: userId }) => [
    { channelId: spare, userId, on: true },
    { channelId: channel, userId, on: false },
  ],
  'change-channel': (made) => [
    ...entries(channelValues(made)).map(([property, value]) => ({
      channelId: property === 'archived' ? made.closing : made.spare,
      property,
      value,
    })),
    ...channelPermissionNames.map((property) => ({
      channelId: made.spare,
      property,
      value: { people: [made.own], groups: [] },
    })),
  ],
}

/** The calls that ask the server nothing, or for which a test has to do something of its own. */
type OtherCall =
  | 'find-organization'
  | 'sign-in'
  | 'sign-in-again'
  | 'sign-out'
  | 'start-demo'
  | 'read-network'
  | 'set-network'
  | 'network-is-back'
  | 'report-network'
  | 'report-focus'
  | 'try-now'
  | 'act'
  | 'retry-outbox-item'
  | 'discard-outbox-item'
  | 'change-waiting'
  | 'take-back-message'
  | 'undo-send'
  | 'begin-file'
  | 'put-file-part'
  | 'cancel-file'
  | 'save-draft'
  | 'leave-draft'
  | 'delete-draft'
  | 'restore-draft-version'
  | 'resolve-draft-conflict'
  | 'keep-edit'
  | 'keep-place'
  | 'preview-message'
  | 'dismiss-file-notice'
  | 'report-typing'
  | 'about'
  | 'open-notice'
  | 'open-link'
  | 'set-device-setting'

type Asking = Exclude<CallName, OtherCall>

/** Every question to the server, except for the account. */
export const asking: {
  readonly [N in Asking]: (made: Made) => readonly Omit<CallInputOf<N>, 'accountId'>[]
} = {
  ping: () => [{}],
  'set-own-picture': () => [{ name: 'dot.png', mediaType: 'image/png', bytes: png.toString('base64') }],
  'remove-own-picture': () => [{}],
  'change-own-email': () => [{ email: 'maren.a@example.org' }],
  // The service's people have one password.
  'change-own-password': () => [
    { oldPassword: 'a-long-enough-password', newPassword: 'another-long-enough-password' },
  ],
  'load-older': ({ channel: channelId, other }) => [
    { narrow: { kind: 'channel', channelId }, before: null },
    { narrow: { kind: 'direct', userIds: [other] }, before: null },
    { narrow: { kind: 'combined' }, before: null },
    { narrow: { kind: 'mentions' }, before: null },
    { narrow: { kind: 'directs' }, before: null },
    { narrow: { kind: 'starred' }, before: null },
    { narrow: { kind: 'reactions', userId: other }, before: null },
  ],
  'load-newer': ({ channel: channelId, heard }) => [{ narrow: { kind: 'channel', channelId }, after: heard }],
  'load-topics': ({ channel: channelId }) => [{ channelId }],
  'load-subscribers': ({ channel: channelId }) => [{ channelId }],
  'preview-on-server': () => [{ content: '**spring** tide' }],
  'search-server': () => [{ text: 'to be moved', before: null }],
  'message-history': ({ messages }) => [{ messageId: messages.edited }],
  'read-receipts': ({ messages }) => [{ messageId: messages.collapsed }],
  'message-source': ({ heard: messageId }) => [{ messageId }],
}
