import { afterEach, beforeEach, expect, test } from 'vitest'
import { userId } from '../../../src-shared/ids.ts'
import { supports } from '../../../src-shared/model/server-abilities.ts'
import { diagnostics } from '../../../src-main/queries/diagnostics.ts'
import { accountSetting, putSettingValue, settingValue } from '../../../src-main/store/account-settings.ts'
import { readCursor } from '../../../src-main/store/cursor.ts'
import { organizationValue } from '../../../src-main/store/organization.ts'
import { permissions } from '../../../src-main/queries/permissions.ts'
import type { SyncHooks } from '../../../src-main/sync/sync.ts'
import type { ScriptedServer } from '../../fakes/scripted-server.ts'
import { openSync, type SyncedAccount } from './open-sync.ts'
import { ada, arrival, message, messageIds, setAside, startTides } from './tides.ts'

// What a server says in a form that is unknown here, cannot be read, or is of another version.

let server: ScriptedServer
let account: SyncedAccount

const ids = () => messageIds(account)
const asides = () => setAside(account)
const isOnline = () => account.sync.link.status === 'online'

const open = async (hooks: Partial<SyncHooks> = {}) => {
  account = openSync(() => server.baseUrl, ada, hooks)
  await account.untilSynced()
}

beforeEach(async () => {
  server = await startTides()
})

afterEach(async () => {
  await account.close()
  await server.stop()
})

test('what this version does not know is passed over and listed, each kind once with how often it came', async () => {
  server.snapshot['realm_tea_times'] = ['five']
  await open()
  const tea = { type: 'tea_time', cups: 3 }
  const folder = { type: 'channel_folder', op: 'remove', channel_folder_id: 3 }
  server.push(
    ...[tea, folder, arrival(1), tea, folder, tea],
    { type: 'subscription', op: 'update', stream_id: 7, property: 'is_steeped', value: true },
    { type: 'stream', op: 'update', stream_id: 7, property: 'kettle', value: 'a secret' },
    { type: 'realm', op: 'update', property: 'tea_cosy', value: true },
    { type: 'reaction', op: 'stir', message_id: 1 },
    { type: 'update_message_flags', op: 'add', flag: 'sparkled', messages: [1], all: false },
    { type: 'update_message_flags', op: 'add', flag: 'historical', messages: [1], all: false },
    {
      type: 'typing',
      op: 'stop',
      sender: { user_id: 2, mood: 'calm' },
      recipients: [],
      message_type: 'direct',
    },
    { type: 'typing', op: 'stop', sender: { user_id: 2, mood: 'calm' }, recipients: [] },
    // Known, and also sent in another form.
    { type: 'stream', op: 'update', stream_id: 7, property: 'stream_post_policy', value: 1 },
  )
  await account.until(() => account.rows('SELECT 1 FROM sync WHERE last_event_id = 14').length === 1)
  expect(ids()).toEqual([1])
  const listed = account.rows<{ what: string; times: number; body: string }>('SELECT * FROM set_aside')
  expect(listed.map(({ what, times }) => [what, times])).toEqual([
    ['unknown:realm_tea_times', 1],
    ['unknown:tea_time', 3],
    ['unknown:channel_folder/remove', 2],
    ['unknown:subscription/update/is_steeped', 1],
    ['unknown:stream/update/kettle', 1],
    ['unknown:realm/update/tea_cosy', 1],
    ['unknown:reaction/stir', 1],
    ['unknown:flag/sparkled', 1],
    // Once for each start, because such a field comes with every event of its type.
    ['unknown:typing.sender.mood', 1],
  ])
  expect(listed.every(({ body }) => body === 'null')).toBe(true)
  const noFile = { logBytes: 0, movedAt: null, freeBytes: null, journal: null, check: null }
  const { setAside } = diagnostics({ db: account.store.db, fileHealth: () => noFile })
  expect(setAside.map(({ count }) => count)).toContain(3)
  expect(server.received('POST /register')).toHaveLength(1)
})

test('an event that cannot be read costs a registration once, and only itself from then on', async () => {
  await open()
  const broken = { type: 'reaction', op: 'add', message_id: 'one', emoji_name: 'bird' }
  server.push(arrival(1), broken, arrival(2))
  await account.until(() => account.generation === 2 && isOnline(), 500)
  expect(asides()).toMatchObject([
    { what: 'register:reaction', reason: expect.stringContaining('malformed') },
  ])
  // The whole batch was rolled back: the new snapshot includes the old queue's events.
  expect(ids()).toEqual([])

  server.push(arrival(3), broken, arrival(4))
  await account.until(() => ids().length === 2)
  expect(ids()).toEqual([3, 4])
  expect(asides().map(({ what }) => what)).toEqual(['register:reaction', 'reaction'])

  // A restart of the program does not start it again either.
  await account.restart()
  await account.until(isOnline)
  server.push(broken, arrival(5))
  await account.until(() => ids().includes(5))
  expect(server.received('POST /register')).toHaveLength(2)
})

test('a row of the queue that is no event is passed over and listed, and the queue goes on behind it', async () => {
  await open()
  server.answer('GET /events', ({ fields }) => {
    const last = Number(fields['last_event_id'])
    const rows = [
      { ...arrival(1), id: 1 },
      { id: 2, op: 'add' },
      { id: '3', type: null },
      { type: 'message', message: message(9) },
      'an event',
      { ...arrival(2), id: 4 },
      { id: 5 },
    ]
    const rest = rows.filter((row) => typeof row !== 'object' || !('id' in row) || Number(row.id) > last)
    return last < 5 ? { success: { events: rest } } : { silence: true }
  })
  server.push({ type: 'heartbeat' })
  await account.until(() => account.rows('SELECT 1 FROM sync WHERE last_event_id = 5').length === 1)
  expect(ids()).toEqual([1, 2])
  expect(asides().map(({ what }) => what)).toEqual(['event', 'event', 'event', 'event'])
  expect(asides().map(({ reason }) => reason.split(':')[0])).toEqual(['type', 'type', 'id', ''])
  expect(isOnline()).toBe(true)
  expect(server.received('POST /register')).toHaveLength(1)
})

test('rows without an id alone do not make the account ask all the time', async () => {
  await open()
  server.answer('GET /events', { success: { events: [{ type: 'message' }] } })
  server.push({ type: 'heartbeat' })
  await account.until(() => asides().length > 0)
  const before = server.received('GET /events').length
  for (let second = 0; second < 60; second++) {
    await account.clock.advance(1_000)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expect(server.received('GET /events').length - before).toBeLessThanOrEqual(32)
  expect(asides()).toHaveLength(1)
  expect(isOnline()).toBe(true)
})

test('an applier that fails is treated the same way, however often', async () => {
  await open({
    draftsEvent() {
      throw new Error('the drafts are in disorder')
    },
  })
  const drafts = { type: 'drafts', op: 'remove', draft_id: 3 }
  server.push(arrival(1), drafts)
  await account.until(() => account.generation === 2 && isOnline(), 500)
  for (let id = 10; id < 20; id++) server.push(drafts, arrival(id))
  await account.until(() => ids().includes(19))
  expect(ids()).toHaveLength(10)
  expect(server.received('POST /register')).toHaveLength(2)
  expect(asides()[0]).toEqual({ what: 'register:drafts', reason: 'the drafts are in disorder' })
})

test('the wait before registering anew outlives the program', async () => {
  await open()
  server.answer('POST /register', { error: 'BAD_REQUEST', status: 400 })
  server.push({ type: 'reaction' })
  await account.untilStill(() => asides().length === 1)
  server.answerAsUsual('POST /register')
  await account.restart()
  const before = server.received('POST /register').length
  await account.clock.advance(1_500)
  expect(server.received('POST /register')).toHaveLength(before)
  await account.clock.advance(1_000)
  await account.untilStill(isOnline)
})

test('waiting changes that cannot be put back do not stop what the server says', async () => {
  await open({
    reapply() {
      throw new Error('an outbox row is broken')
    },
  })
  server.push(arrival(1))
  await account.until(() => ids().length === 1)
  expect(server.received('POST /register')).toHaveLength(1)
})

test('numbers beyond what a number holds are set aside, in events and in pages', async () => {
  server.answer('GET /messages', {
    text: JSON.stringify({
      result: 'success',
      msg: '',
      messages: [message(8), { ...message(9), id: 'nine' }, { ...message(10), timestamp: 'never' }],
      found_oldest: true,
      found_newest: true,
    }).replace('"id":8,', '"id":8,"recipient_id":1e400,'),
  })
  await open()
  expect(asides().every(({ what }) => what === 'message')).toBe(true)
  expect(asides().length).toBeGreaterThan(1)
  expect(isOnline()).toBe(true)
})

test('what cannot be read beside the words of a message hides nothing else of it', async () => {
  const eyes = { emoji_name: 'eyes', emoji_code: '1f440', user_id: 2, reaction_type: 'unicode_emoji' }
  const strange = {
    reactions: [{ ...eyes, reaction_type: 'tea_emoji' }, eyes],
    submessages: [{ id: 'one' }],
    topic_links: ['https://tides.example', 5],
    edit_history: [{ user_id: 2, timestamp: 'once' }],
  }
  server.answer('GET /messages', {
    success: {
      messages: [message(1, strange), message(2, strange)],
      found_oldest: true,
      found_newest: true,
    },
  })
  await open()
  expect(ids()).toEqual([1, 2])
  server.push(arrival(3, strange))
  await account.until(() => ids().includes(3))
  expect(account.rows('SELECT message_id AS id, emoji_name AS name FROM reactions')).toEqual(
    [1, 2, 3].map((id) => ({ id, name: 'eyes' })),
  )
  const listed = account.rows<{ what: string; times: number }>('SELECT what, times FROM set_aside')
  expect(listed.map(({ what }) => what).sort()).toEqual(
    ['edit_history', 'reactions', 'submessages', 'topic_links'].map((field) => `message:${field}`),
  )
  expect(listed.every(({ times }) => times >= 3)).toBe(true)
  expect(server.received('POST /register')).toHaveLength(1)
})

test('an event about one message that cannot be read has that message fetched anew, and costs no registration', async () => {
  await open()
  server.push(arrival(1), arrival(2))
  await account.until(() => ids().length === 2)
  const eyes = { emoji_name: 'eyes', emoji_code: '1f440', user_id: 2, reaction_type: 'unicode_emoji' }
  server.answer('GET /messages', ({ fields }) => ({
    success: {
      messages: fields['message_ids'] === '[1]' ? [message(1, { reactions: [eyes] })] : [],
      found_oldest: true,
      found_newest: true,
    },
  }))
  const strange = { type: 'reaction', op: 'add', ...eyes, reaction_type: 'tea_emoji' }
  server.push({ ...strange, message_id: 1 }, { ...strange, message_id: 9 }, arrival(3))
  await account.until(() => account.rows('SELECT * FROM reactions').length === 1, 500)
  expect(ids()).toEqual([1, 2, 3])
  expect(account.rows('SELECT what, times FROM set_aside')).toEqual([{ what: 'reaction', times: 2 }])
  expect(server.received('POST /register')).toHaveLength(1)
})

test('what is nested without an end costs itself, in events and in pages', async () => {
  const depth = 20_000
  const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`
  const deep = (value: unknown) => JSON.stringify(value).replace('"nested"', nested)
  const page = { messages: [message(8), { ...message(9), x: 'nested', timestamp: 'never' }] }
  server.answer('GET /messages', {
    text: deep({ result: 'success', msg: '', ...page, found_oldest: true, found_newest: true }),
  })
  await open()
  await account.until(() => ids().includes(8))
  const strange = { type: 'reaction', op: 'add', x: 'nested' }
  // The second names no message, so it costs a registration, and only itself from then on.
  const all = [{ ...strange, message_id: 8 }, arrival(10), strange, arrival(11)]
  server.answer('GET /events', ({ fields }) => {
    const last = Number(fields['last_event_id'])
    const events = all.map((event, id) => ({ ...event, id })).filter(({ id }) => id > last)
    return events.length === 0 ? { silence: true } : { text: deep({ result: 'success', msg: '', events }) }
  })
  server.push({ type: 'heartbeat' })
  await account.until(() => account.rows('SELECT 1 FROM sync WHERE last_event_id = 3').length === 1, 500)
  expect(ids()).toEqual([8, 10, 11])
  expect(isOnline()).toBe(true)
  const listed = asides().map(({ what }) => what)
  expect(listed).toContain('message')
  expect(listed.filter((what) => what !== 'message')).toEqual(['register:reaction', 'reaction', 'reaction'])
  expect(server.received('POST /register')).toHaveLength(2)
})

test('a property of a channel and a setting are understood when a number is text and nothing is null', async () => {
  server.snapshot['user_settings'] = { color_scheme: '2', web_font_size_px: '18', timezone: '7' }
  Object.assign((server.snapshot['subscriptions'] as object[])[0]!, { description: 'ebb and flow' })
  await open()
  const change = (property: string, value: unknown) => ({
    type: 'stream',
    op: 'update',
    stream_id: 7,
    property,
    value,
  })
  server.push(
    change('folder_id', '3'),
    change('message_retention_days', '30'),
    change('first_message_id', '12'),
    change('description', null),
    change('name', null),
    change('can_send_message_group', '11'),
    { type: 'user_settings', op: 'update', property: 'web_font_size_px', value: '20' },
    arrival(1),
  )
  await account.until(() => ids().length === 1)
  expect(
    account.rows(
      `SELECT name, description, folder_id, retention_days, first_message_id,
         json_extract(permissions, '$.can_send_message_group') AS senders FROM channels`,
    ),
  ).toEqual([
    {
      name: 'tides',
      description: '',
      folder_id: 3,
      retention_days: 30,
      first_message_id: 12,
      senders: 11,
    },
  ])
  const settings = account.rows<{ name: string; value: string }>('SELECT name, value FROM account_settings')
  expect(Object.fromEntries(settings.map(({ name, value }) => [name, JSON.parse(value) as unknown]))).toEqual(
    {
      color_scheme: 2,
      web_font_size_px: 20,
      timezone: '7',
    },
  )
  expect(asides()).toEqual([])
  expect(server.received('POST /register')).toHaveLength(1)
})

test('an old server says of typing in a direct message that it is private', async () => {
  await open()
  const people = [1, 2].map((id) => ({ user_id: id, email: `${id}@example.org` }))
  server.push({ type: 'typing', op: 'start', message_type: 'private', sender: people[1], recipients: people })
  await account.until(() => account.rows('SELECT 1 FROM typing').length === 1)
  expect(asides()).toEqual([])
})

test('unread direct messages are unread here when an old server names their sender only', async () => {
  server.snapshot['unread_msgs'] = { count: 2, pms: [{ sender_id: 2, unread_message_ids: [5, 6] }] }
  server.answer('GET /messages', { error: 'BAD_REQUEST', status: 400 })
  await open()
  expect(account.rows('SELECT message_id AS id FROM unread ORDER BY 1')).toEqual([{ id: 5 }, { id: 6 }])
  expect(account.rows('SELECT unread_count AS n FROM conversations')).toEqual([{ n: 2 }])
  expect(asides()).toEqual([])
})

test('flags, subscribers, linkifiers and playgrounds of an old server are understood by their older names', async () => {
  Object.assign(server.snapshot, {
    subscriptions: [{ stream_id: 7, name: 'tides', subscribers: [1] }],
    realm_linkifiers: [
      { id: 1, pattern: '#(?P<id>[0-9]+)', url_format: 'https://tides.example/%(id)s?a=50%%' },
    ],
    realm_playgrounds: [
      { id: 2, name: 'Try', pygments_language: 'Python', url_prefix: 'https://run.example/?c=' },
    ],
  })
  await open()
  server.push(
    arrival(1),
    { type: 'update_message_flags', operation: 'add', flag: 'starred', messages: [1], all: false },
    { type: 'subscription', op: 'peer_add', stream_id: 7, user_id: 2 },
    { type: 'subscription', op: 'peer_remove', stream_id: 7, user_id: 1 },
    arrival(2),
  )
  await account.until(() => ids().length === 2)
  expect(asides()).toEqual([])
  expect(account.rows('SELECT message_id AS id FROM messages WHERE is_starred = 1')).toEqual([{ id: 1 }])
  expect(account.rows('SELECT user_id AS id FROM subscribers')).toEqual([{ id: 2 }])
  const templates = account.rows<{ url: string }>(
    `SELECT json_extract(body, '$.url_template') AS url FROM objects
     WHERE kind IN ('linkifier', 'playground') ORDER BY object_id`,
  )
  expect(templates.map(({ url }) => url)).toEqual([
    'https://tides.example/{id}?a=50%',
    'https://run.example/?c={code}',
  ])
})

test('a channel that is not in the home view of an old server is muted here', async () => {
  server.snapshot['subscriptions'] = [
    { stream_id: 7, name: 'tides', color: '#112233', in_home_view: false },
    { stream_id: 8, name: 'birds', color: '#112233', in_home_view: true },
  ]
  await open()
  expect(account.rows('SELECT is_muted FROM channels ORDER BY channel_id')).toEqual([
    { is_muted: 1 },
    { is_muted: 0 },
  ])
})

test('default channels are known also if an old server tells all of them', async () => {
  server.snapshot['realm_default_streams'] = [{ stream_id: 7, name: 'tides' }]
  await open()
  const known = () => organizationValue(account.store.db, 'realm_default_streams')
  expect(known()).toEqual([7])
  server.push({ type: 'default_streams', default_streams: [{ stream_id: 8, name: 'birds' }] }, arrival(1))
  await account.until(() => ids().length === 1)
  expect(known()).toEqual([8])
  expect(asides()).toEqual([])
})

test('what the icon counts has the numbers of an old server', async () => {
  Object.assign(server.snapshot, {
    service_feature_level: 226,
    user_settings: { desktop_icon_count_display: 3 },
  })
  await open()
  const { db } = account.store
  expect(settingValue(db, 'iconCount')).toBe('none')
  account.store.write((writable) => putSettingValue(writable, 'iconCount', 'personal'))
  expect(accountSetting(db, 'desktop_icon_count_display')).toBe(2)
  const choice = { name: 'update-setting', property: 'iconCount', value: 'personal-and-followed' }
  expect([226, 227].map((level) => supports(level, choice))).toEqual([false, true])
})

test('topics that an old server calls muted are muted here', async () => {
  Object.assign(server.snapshot, { service_feature_level: 120, muted_topics: [['tides', 'ebb', 1]] })
  await open()
  const muted = () =>
    account
      .rows<{ topic: string }>(`SELECT topic FROM topic_visibility WHERE visibility = 'muted' ORDER BY 1`)
      .map(({ topic }) => topic)
  expect(muted()).toEqual(['ebb'])
  const [{ fields } = { fields: {} as Record<string, string> }] = server.received('POST /register')
  expect(JSON.parse(fields['fetch_event_types']!)).toContain('muted_topics')
  server.push({
    type: 'muted_topics',
    muted_topics: [
      ['tides', 'flow'],
      ['tides', 'spring', 2],
      ['elsewhere', 'neap', 3],
    ],
  })
  await account.until(() => muted().length === 2)
  expect(muted()).toEqual(['flow', 'spring'])
  expect(asides()).toEqual([])
})

test('a limit of 0 seconds, by which an old server means no limit, limits nothing', async () => {
  Object.assign(server.snapshot, {
    service_feature_level: 99,
    realm_users: [{ user_id: 1, email: 'ada@example.org', full_name: 'Ada', role: 200 }],
    realm_message_content_edit_limit_seconds: 0,
    realm_message_content_delete_limit_seconds: 0,
  })
  await open()
  const { messages } = permissions({ db: account.store.db, ownUserId: userId(1) }, null)
  const unlimited = { isAllowed: true, withinMs: null }
  expect(messages).toMatchObject({ editOwn: unlimited, deleteOwn: unlimited })
})

test('a newer server that repeats itself in the older form unmutes nothing', async () => {
  server.snapshot['user_topics'] = [
    { stream_id: 7, topic_name: 'ebb', visibility_policy: 1 },
    { stream_id: 7, topic_name: 'flow', visibility_policy: 3 },
  ]
  await open()
  server.push({ type: 'muted_topics', muted_topics: [] }, arrival(1))
  await account.until(() => ids().length === 1)
  expect(account.rows('SELECT topic, visibility FROM topic_visibility ORDER BY 1')).toEqual([
    { topic: 'ebb', visibility: 'muted' },
    { topic: 'flow', visibility: 'followed' },
  ])
  const [{ fields } = { fields: {} as Record<string, string> }] = server.received('POST /register')
  expect(JSON.parse(fields['fetch_event_types']!)).not.toContain('muted_topics')
})

test('a server that gives things its own names is understood', async () => {
  const own = { zulip_feature_level: 390, zulip_version: '12.0' }
  server.answer('GET /server_settings', { success: { ...own, realm_name: 'Scripted' } })
  Object.assign(server.snapshot, { service_feature_level: undefined, ...own })
  const tada = { emoji_name: 'tada', emoji_code: '1', user_id: 2, reaction_type: 'zulip_extra_emoji' }
  server.answer('GET /messages', {
    success: { messages: [message(1, { reactions: [tada] })], found_oldest: true, found_newest: true },
  })
  await open()
  const known = () => account.rows('SELECT feature_level, server_version FROM sync')
  expect(known()).toEqual([{ feature_level: 390, server_version: '12.0' }])
  server.push({ type: 'reaction', op: 'add', message_id: 1, ...tada, user_id: 3 })
  await account.until(() => account.rows('SELECT 1 FROM reactions').length === 2)
  expect(new Set(account.rows('SELECT emoji_type AS type FROM reactions').map(({ type }) => type))).toEqual(
    new Set(['service_extra_emoji']),
  )
  server.snapshot['zulip_feature_level'] = 391
  server.push({ type: 'restart', zulip_feature_level: 391 })
  await account.until(() => account.generation === 2)
  expect(known()).toEqual([{ feature_level: 391, server_version: '12.0' }])
})

test('registering asks for what this version can handle', async () => {
  await open()
  const [{ fields } = { fields: {} as Record<string, string> }] = server.received('POST /register')
  expect(fields).toMatchObject({
    apply_markdown: 'true',
    client_gravatar: 'false',
    slim_presence: 'true',
    include_subscribers: 'partial',
  })
  const declined = Object.entries(JSON.parse(fields['client_capabilities']!) as object)
    .filter(([, can]) => can !== true)
    .map(([name]) => name)
  // The pictures of all people are asked for.
  expect(declined).toEqual(['user_avatar_url_field_optional'])
  expect(JSON.parse(fields['fetch_event_types']!)).toContain('drafts')
})

test.each([
  [-5, 10_000],
  [120, 120_000],
  [9_000_000, 3_600_000],
])('a server whose polls wait %i seconds is believed within reason', async (seconds, believedMs) => {
  server.snapshot['event_queue_longpoll_timeout_seconds'] = seconds
  await open()
  expect(readCursor(account.store.db).longpollTimeoutMs).toBe(believedMs)
})

test('an older server is not asked for a value it would refuse', async () => {
  server.snapshot['service_feature_level'] = 411
  await open()
  expect(server.received('POST /register')[0]?.fields['include_subscribers']).toBe('true')
})

test('a server that became an older one is asked as such', async () => {
  await open()
  Object.assign(server.snapshot, { service_feature_level: 411 })
  let refused = 0
  server.answer('POST /register', ({ fields }) => {
    if (fields['include_subscribers'] === 'partial') {
      refused++
      return { error: 'BAD_REQUEST', status: 400 }
    }
    return { success: { queue_id: 'older', last_event_id: -1, ...server.snapshot } }
  })
  server.answer('GET /events', ({ fields }) =>
    fields['queue_id'] === 'older' ? { silence: true } : { error: 'BAD_EVENT_QUEUE_ID', status: 400 },
  )
  server.loseQueue()
  await account.until(() => account.generation === 2, 500)
  expect(refused).toBe(1)
  expect(account.rows('SELECT feature_level FROM sync')).toEqual([{ feature_level: 411 }])
})
