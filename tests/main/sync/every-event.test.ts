import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { serverEvents } from '../../../src-shared/api/events.ts'
import { unusedEvents } from '../../../src-main/sync/appliers/unused.ts'
import { startScriptedServer, type ScriptedServer } from '../../fakes/scripted-server.ts'
import { openSync, type SyncedAccount } from './open-sync.ts'

// Every event of the API with its effect on the file; each case builds on those before it.

let server: ScriptedServer
let account: SyncedAccount

const person = (id: number, name: string) => ({ user_id: id, email: `${id}@example.org`, full_name: name })
const message = (id: number, change: object = {}) => ({
  id,
  type: 'stream',
  content: `<p>words ${id}</p>`,
  timestamp: 1_700_000_000,
  sender_id: 2,
  sender_email: '2@example.org',
  sender_full_name: 'Bo',
  display_recipient: 'tides',
  stream_id: 7,
  subject: 'ebb',
  ...change,
})

beforeAll(async () => {
  server = await startScriptedServer({
    realm_name: 'Skerry',
    user_id: 1,
    realm_users: [person(1, 'Ada'), person(2, 'Bo')],
    subscriptions: [
      { stream_id: 7, name: 'tides', color: '#112233', subscribers: [1, 2], subscriber_count: 2 },
    ],
    never_subscribed: [{ stream_id: 8, name: 'birds' }],
    channel_folders: [{ id: 1, name: 'Sea', order: 0 }],
    realm_user_groups: [{ id: 11, name: 'divers', members: [], direct_subgroup_ids: [] }],
    realm_bots: [{ ...person(5, 'Buoy'), api_key: 'secret-of-5', bot_type: 1 }],
    drafts: [],
  })
  account = openSync(() => server.baseUrl, { email: 'ada@example.org', apiKey: 'k', userId: 1 })
  await account.untilSynced()
})
afterAll(async () => {
  await account.close()
  await server.stop()
})

const lastEvent = () => account.rows<{ n: number }>('SELECT last_event_id AS n FROM sync')[0]?.n ?? -1

/** Sends an event to the account and waits until it is committed. */
async function tell(event: object): Promise<void> {
  const before = lastEvent()
  server.push(event)
  await account.untilStill(() => lastEvent() > before)
}

/** Type and op, the rest of the event, a query of one column, and its result afterwards. */
type Case = readonly [what: string, event: object, sql: string, expected: readonly unknown[]]

const messageColumn = (column: string, id = 50) =>
  `SELECT ${column} AS it FROM messages WHERE message_id = ${id}`
const channelColumn = (column: string, id = 7) =>
  `SELECT ${column} AS it FROM channels WHERE channel_id = ${id}`
const userColumn = (column: string, id = 2) => `SELECT ${column} AS it FROM users WHERE user_id = ${id}`
const bodies = (kind: string, path: string) =>
  `SELECT body ->> '${path}' AS it FROM objects WHERE kind = '${kind}' ORDER BY object_id`
const organization = (name: string) => `SELECT value AS it FROM organization WHERE name = '${name}'`
const folders = 'SELECT folder_id AS it FROM channel_folders ORDER BY position'
const emoji = { emoji_name: 'wave', emoji_code: '1f44b', reaction_type: 'unicode_emoji', user_id: 2 }
const typing = {
  message_type: 'stream',
  sender: { user_id: 2, email: '2@example.org' },
  stream_id: 7,
  topic: 'ebb',
}
const edited = { sender_id: 2, message_id: 50, recipient: { type: 'channel', channel_id: 7, topic: 'ebb' } }
const snippet = { id: 3, title: 'Hello', content: 'Hello all', date_created: 1 }
const later = {
  ...{ scheduled_message_id: 4, type: 'stream', to: 7, topic: 'ebb', content: 'later' },
  scheduled_delivery_timestamp: 1_900_000_000,
}
const reminder = {
  ...{ reminder_id: 6, type: 'private', to: [1], content: 'again', reminder_target_message_id: 50 },
  scheduled_delivery_timestamp: 1_900_000_000,
}
const file = { id: 9, name: 'a.png', path_id: '2/ab/a.png', size: 10, create_time: 1, messages: [] }
const settingOf = (name: string) => `SELECT value AS it FROM account_settings WHERE name = '${name}'`

const cases: readonly Case[] = [
  ['heartbeat', {}, 'SELECT 1 AS it', [1]],

  ['message', { message: message(50), flags: ['has_alert_word'] }, messageColumn('has_alert_word'), [1]],
  ['message', { message: message(51), flags: ['read'] }, 'SELECT message_id AS it FROM unread', [50]],
  [
    'submessage',
    { message_id: 50, submessage_id: 1, sender_id: 2, msg_type: 'widget', content: '{"type":"vote"}' },
    'SELECT content AS it FROM submessages',
    ['{"type":"vote"}'],
  ],
  ['reaction add', { message_id: 50, ...emoji }, 'SELECT emoji_name AS it FROM reactions', ['wave']],
  ['reaction remove', { message_id: 50, ...emoji }, 'SELECT emoji_name AS it FROM reactions', []],
  ['update_message_flags add', { flag: 'read', messages: [50] }, 'SELECT message_id AS it FROM unread', []],
  [
    'update_message_flags remove',
    { flag: 'read', messages: [50] },
    'SELECT message_id AS it FROM unread',
    [50],
  ],
  ['update_message_flags add', { flag: 'starred', messages: [50] }, messageColumn('is_starred'), [1]],
  ['update_message_flags add', { flag: 'collapsed', messages: [50] }, messageColumn('is_collapsed'), [1]],
  [
    'update_message_flags remove',
    { flag: 'has_alert_word', messages: [50] },
    messageColumn('has_alert_word'),
    [0],
  ],
  ['update_message_flags add', { flag: 'mentioned', messages: [50] }, messageColumn('is_mentioned'), [1]],
  [
    'update_message',
    {
      user_id: 2,
      message_id: 50,
      message_ids: [50],
      edit_timestamp: 1_700_000_009,
      flags: [],
      content: 'new',
      rendered_content: '<p>new</p>',
    },
    messageColumn('content_html'),
    ['<p>new</p>'],
  ],
  [
    'update_message',
    {
      user_id: 2,
      message_id: 50,
      message_ids: [50],
      edit_timestamp: 1_700_000_010,
      orig_subject: 'ebb',
      subject: 'flow',
      stream_id: 7,
      propagate_mode: 'change_one',
    },
    `SELECT c.topic AS it FROM messages m JOIN conversations c USING (conversation_id) WHERE message_id = 50`,
    ['flow'],
  ],
  [
    'delete_message',
    { message_ids: [50], message_type: 'stream', stream_id: 7, topic: 'flow' },
    messageColumn('1'),
    [],
  ],
  [
    'delete_message',
    { message_id: 51, message_type: 'stream', stream_id: 7, topic: 'ebb' },
    messageColumn('1', 51),
    [],
  ],
  ['typing start', typing, 'SELECT user_id AS it FROM typing', [2]],
  ['typing stop', typing, 'SELECT user_id AS it FROM typing', []],
  ['typing_edit_message start', edited, 'SELECT conversation_key AS it FROM typing', ['message:50']],
  ['typing_edit_message stop', edited, 'SELECT conversation_key AS it FROM typing', []],
  [
    'presence',
    { presences: { '2': { active_timestamp: 1_700_000_000, idle_timestamp: 0 } } },
    'SELECT user_id AS it FROM presence',
    [2],
  ],
  [
    'user_status',
    { user_id: 2, status_text: 'at sea', emoji_name: '' },
    bodies('user-status', '$.status_text'),
    ['at sea'],
  ],
  ['user_status', { user_id: 2, status_text: '' }, bodies('user-status', '$'), []],

  [
    'subscription update',
    { stream_id: 7, property: 'color', value: '#ffffff' },
    channelColumn('color'),
    ['#ffffff'],
  ],
  [
    'subscription update',
    { stream_id: 7, property: 'is_muted', value: true },
    channelColumn('is_muted'),
    [1],
  ],
  [
    'subscription update',
    { stream_id: 7, property: 'in_home_view', value: true },
    channelColumn('is_muted'),
    [0],
  ],
  [
    'subscription update',
    { stream_id: 7, property: 'pin_to_top', value: true },
    channelColumn('is_pinned'),
    [1],
  ],
  ...(['desktop', 'audible', 'push', 'email'] as const).map((kind): Case => [
    'subscription update',
    { stream_id: 7, property: `${kind}_notifications`, value: true },
    channelColumn(`${kind}_notifications`),
    [1],
  ]),
  [
    'subscription update',
    { stream_id: 7, property: 'wildcard_mentions_notify', value: false },
    channelColumn('wildcard_mentions_notify'),
    [0],
  ],
  ['subscription peer_add', { stream_ids: [7], user_ids: [3, 4] }, channelColumn('subscriber_count'), [4]],
  ['subscription peer_remove', { stream_ids: [7], user_ids: [3] }, channelColumn('subscriber_count'), [3]],
  [
    'subscription add',
    { subscriptions: [{ stream_id: 8, name: 'birds', color: '#111111', subscribers: [1] }] },
    channelColumn('is_subscribed', 8),
    [1],
  ],
  [
    'subscription remove',
    { subscriptions: [{ stream_id: 8, name: 'birds' }] },
    channelColumn('is_subscribed', 8),
    [0],
  ],
  ['stream create', { streams: [{ stream_id: 10, name: 'wind' }] }, channelColumn('name', 10), ['wind']],
  ...(
    [
      ['name', 'gale', 'name', 'gale'],
      ['description', 'all winds', 'description', 'all winds'],
      ['invite_only', true, 'is_private', 1],
      ['message_retention_days', 30, 'retention_days', 30],
      ['first_message_id', 77, 'first_message_id', 77],
      ['is_recently_active', false, 'is_recently_active', 0],
      ['folder_id', 1, 'folder_id', 1],
      ['topics_policy', 'empty_topic_only', 'topics_policy', 'empty_topic_only'],
      ['is_archived', true, 'is_archived', 1],
      ['stream_post_policy', 2, `permissions ->> '$.stream_post_policy'`, 2],
      ['can_send_message_group', 11, `permissions ->> '$.can_send_message_group'`, 11],
      [
        'can_resolve_topics_group',
        { direct_members: [2], direct_subgroups: [] },
        `permissions ->> '$.can_resolve_topics_group.direct_members[0]'`,
        2,
      ],
    ] as const
  ).map(([property, value, column, expected]): Case => [
    'stream update',
    { stream_id: 10, name: 'wind', property, value },
    channelColumn(column, 10),
    [expected],
  ]),
  ['stream delete', { stream_ids: [10] }, channelColumn('1', 10), []],
  [
    'user_topic',
    { stream_id: 7, topic_name: 'ebb', last_updated: 1, visibility_policy: 3 },
    'SELECT visibility AS it FROM topic_visibility',
    ['followed'],
  ],
  // Newer servers also send this form.
  [
    'muted_topics',
    { muted_topics: [['tides', 'ebb', 1]] },
    'SELECT visibility AS it FROM topic_visibility',
    ['followed'],
  ],
  ['default_streams', { default_streams: [7, 8] }, organization('realm_default_streams'), ['[7,8]']],
  [
    'channel_folder add',
    { channel_folder: { id: 2, name: 'Sky', order: 1, description: 'above' } },
    folders,
    [1, 2],
  ],
  [
    'channel_folder update',
    { channel_folder_id: 2, data: { description: 'far above' } },
    'SELECT description AS it FROM channel_folders WHERE folder_id = 2',
    ['far above'],
  ],
  ['channel_folder reorder', { order: [2, 1] }, folders, [2, 1]],

  ['realm_user add', { person: person(3, 'Cy') }, userColumn('full_name', 3), ['Cy']],
  ...(
    [
      [{ full_name: 'Bob' }, 'full_name', 'Bob'],
      [{ avatar_url: '/b.png', avatar_version: 2 }, 'avatar_url', '/b.png'],
      [{ email: '2@example.org', timezone: 'Europe/Oslo' }, 'timezone', 'Europe/Oslo'],
      [{ role: 300 }, 'role', 300],
      [{ bot_owner_id: 1 }, 'bot_owner_id', 1],
      [{ delivery_email: 'bo@example.org' }, 'delivery_email', 'bo@example.org'],
      [{ new_email: 'new@example.org' }, 'email', 'new@example.org'],
      [{ custom_profile_field: { id: 4, value: 'cook' } }, `profile ->> '$."4".value'`, 'cook'],
      [{ custom_profile_field: { id: 4, value: null } }, `profile`, '{}'],
      [{ is_active: false }, 'is_active', 0],
    ] as const
  ).map(([change, column, expected]): Case => [
    'realm_user update',
    { person: { user_id: 2, ...change } },
    userColumn(column),
    [expected],
  ]),
  ['realm_user remove', { person: { user_id: 3, full_name: 'Unknown' } }, userColumn('is_active', 3), []],
  [
    'realm_bot add',
    { bot: { ...person(6, 'Gull'), api_key: 'secret-of-6', bot_type: 1 } },
    bodies('bot', '$.full_name'),
    ['Buoy', 'Gull'],
  ],
  [
    'realm_bot update',
    { bot: { user_id: 6, full_name: 'Tern', api_key: 'another-secret' } },
    bodies('bot', '$.full_name'),
    ['Buoy', 'Tern'],
  ],
  ['realm_bot delete', { bot: { user_id: 6 } }, bodies('bot', '$.full_name'), ['Buoy']],
  [
    'user_group add',
    { group: { id: 12, name: 'crew', members: [1], direct_subgroup_ids: [] } },
    'SELECT group_id AS it FROM own_groups',
    [12],
  ],
  [
    'user_group add_subgroups',
    { group_id: 11, direct_subgroup_ids: [12] },
    'SELECT group_id AS it FROM own_groups',
    [11, 12],
  ],
  [
    'user_group remove_subgroups',
    { group_id: 11, direct_subgroup_ids: [12] },
    'SELECT group_id AS it FROM own_groups',
    [12],
  ],
  [
    'user_group add_members',
    { group_id: 11, user_ids: [1] },
    'SELECT group_id AS it FROM own_groups',
    [11, 12],
  ],
  [
    'user_group remove_members',
    { group_id: 11, user_ids: [1] },
    'SELECT group_id AS it FROM own_groups',
    [12],
  ],
  [
    'user_group update',
    { group_id: 12, data: { name: 'sailors' } },
    bodies('user-group', '$.name'),
    ['divers', 'sailors'],
  ],
  ['user_group remove', { group_id: 12 }, bodies('user-group', '$.name'), ['divers']],
  ['muted_users', { muted_users: [{ id: 2, timestamp: 5 }] }, 'SELECT user_id AS it FROM muted_users', [2]],
  [
    'custom_profile_fields',
    { fields: [{ id: 4, type: 1, order: 1, name: 'Craft' }] },
    bodies('profile-field', '$.name'),
    ['Craft'],
  ],
  [
    'user_settings update',
    { property: 'twenty_four_hour_time', value: true },
    settingOf('twenty_four_hour_time'),
    ['true'],
  ],
  ['alert_words', { alert_words: ['storm'] }, bodies('alert-word', '$.word'), ['storm']],

  ['realm update', { property: 'name', value: 'Reef' }, organization('realm_name'), ['"Reef"']],
  [
    'realm update_dict',
    {
      property: 'default',
      data: { can_resolve_topics_group: 11, allow_message_editing: false },
    },
    organization('realm_can_resolve_topics_group'),
    ['11'],
  ],
  ['realm deactivated', { realm_id: 1 }, organization('realm_name'), ['"Reef"']],
  [
    'realm_emoji update',
    { realm_emoji: { '1': { id: '1', name: 'tern', source_url: '/t.png', author_id: 2 } } },
    'SELECT author_id AS it FROM realm_emoji',
    [2],
  ],
  [
    'realm_linkifiers',
    { realm_linkifiers: [{ id: 1, pattern: '#(?P<n>[0-9]+)', url_template: 'https://x.example/{n}' }] },
    bodies('linkifier', '$.pattern'),
    ['#(?P<n>[0-9]+)'],
  ],
  [
    'realm_playgrounds',
    {
      realm_playgrounds: [
        { id: 1, name: 'Try', pygments_language: 'Rust', url_template: 'https://x.example/{code}' },
      ],
    },
    bodies('playground', '$.name'),
    ['Try'],
  ],
  ['saved_snippets add', { saved_snippet: snippet }, bodies('saved-snippet', '$.title'), ['Hello']],
  [
    'saved_snippets update',
    { saved_snippet: { ...snippet, title: 'Hi' } },
    bodies('saved-snippet', '$.title'),
    ['Hi'],
  ],
  ['saved_snippets remove', { saved_snippet_id: 3 }, bodies('saved-snippet', '$.title'), []],
  [
    'scheduled_messages add',
    { scheduled_messages: [later] },
    bodies('scheduled-message', '$.content'),
    ['later'],
  ],
  [
    'scheduled_messages update',
    { scheduled_message: { ...later, content: 'soon' } },
    bodies('scheduled-message', '$.content'),
    ['soon'],
  ],
  ['scheduled_messages remove', { scheduled_message_id: 4 }, bodies('scheduled-message', '$.content'), []],
  ['reminders add', { reminders: [reminder] }, bodies('reminder', '$.content'), ['again']],
  ['reminders remove', { reminder_id: 6 }, bodies('reminder', '$.content'), []],
  ['attachment add', { attachment: file, upload_space_used: 10 }, bodies('attachment', '$.name'), ['a.png']],
  [
    'attachment update',
    { attachment: { ...file, name: 'b.png' }, upload_space_used: 10 },
    bodies('attachment', '$.name'),
    ['b.png'],
  ],
  ['attachment remove', { attachment: { id: 9 }, upload_space_used: 0 }, bodies('attachment', '$.name'), []],
]

test.each(cases)('%s %j', async (what, event, sql, expected) => {
  const [type, op] = what.split(' ')
  await tell({ type, ...(op === undefined ? {} : { op }), ...event })
  expect(account.rows('SELECT reason FROM set_aside')).toEqual([])
  expect(account.rows<{ it: unknown }>(sql).map(({ it }) => it)).toEqual(expected)
})

test('drafts are given to whoever keeps them', async () => {
  const draft = { id: 1, type: 'stream', to: [7], topic: 'ebb', content: 'begun', timestamp: 1 }
  await tell({ type: 'drafts', op: 'add', drafts: [draft] })
  await tell({ type: 'drafts', op: 'update', draft: { ...draft, content: 'more' } })
  await tell({ type: 'drafts', op: 'remove', draft_id: 1 })
  expect(account.draftEvents).toMatchObject([{ op: 'add' }, { op: 'update' }, { op: 'remove' }])
})

test('the keys of bots never lie in the file', () => {
  const found = account.rows(`SELECT body FROM objects WHERE body LIKE '%secret%'`)
  expect(found).toEqual([])
})

test('a server of another level is registered with anew', async () => {
  const { generation } = account
  server.push({ type: 'restart', service_feature_level: 421, server_generation: 2 })
  await account.until(() => account.generation > generation)
})

/** The ops of an event type, from its schema. */
function opsOf(form: z.core.$ZodType): (string | undefined)[] {
  // What comes before the schema only renames.
  if (form instanceof z.ZodPipe) return opsOf(form.out)
  const forms = form instanceof z.ZodDiscriminatedUnion ? form.options : [form]
  return forms.flatMap((one) => {
    const op: unknown = one instanceof z.ZodObject ? one.shape['op'] : undefined
    if (op instanceof z.ZodLiteral) return [...op.values].map(String)
    return op instanceof z.ZodEnum ? op.options.map(String) : [undefined]
  })
}

/** Tested above in another way. */
const elsewhere = ['drafts add', 'drafts update', 'drafts remove', 'restart']

test('there is no event and no op of one that is not in the table', () => {
  const known = Object.entries<z.ZodType>(serverEvents).flatMap(([type, form]) =>
    opsOf(form).map((op) => (op === undefined ? type : `${type} ${op}`)),
  )
  const tested = new Set([...cases.map(([what]) => what), ...elsewhere])
  expect(known.filter((what) => !tested.has(what))).toEqual([])
  expect([...tested].filter((what) => !known.includes(what))).toEqual([])
})

test('no type of event is both applied and passed over', () => {
  expect(Object.keys(unusedEvents).filter((type) => Object.hasOwn(serverEvents, type))).toEqual([])
})
