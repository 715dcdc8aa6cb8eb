import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startScriptedServer, type ScriptedServer } from '../../fakes/scripted-server.ts'
import { openSync, type SyncedAccount } from './open-sync.ts'

// Presence, typing, and account data that events change bit by bit.

let server: ScriptedServer
let account: SyncedAccount
let isActive = false

const ada = { email: 'ada@example.org', apiKey: 'k', userId: 1 }
const person = (id: number, name: string) => ({ user_id: id, email: `${id}@example.org`, full_name: name })
const one = (sql: string) => account.rows(sql)[0]
const lastEvent = () => account.rows<{ n: number }>('SELECT last_event_id AS n FROM sync')[0]?.n

beforeEach(async () => {
  server = await startScriptedServer({
    realm_name: 'Skerry',
    realm_users: [person(1, 'Ada'), person(2, 'Bo')],
    realm_non_active_users: [person(3, 'Cy')],
    cross_realm_bots: [{ ...person(4, 'Welcome'), is_bot: true }],
    subscriptions: [{ stream_id: 7, name: 'tides', color: '#112233', subscribers: [1, 2] }],
    never_subscribed: [{ stream_id: 8, name: 'birds' }],
    user_settings: { twenty_four_hour_time: true },
    user_topics: [{ stream_id: 7, topic_name: 'ebb', visibility_policy: 3 }],
    muted_users: [{ id: 2, timestamp: 5 }],
    channel_folders: [{ id: 1, name: 'Sea', order: 0 }],
    drafts: [],
  })
})

afterEach(async () => {
  await account.close()
  await server.stop()
})

const open = async () => {
  account = openSync(() => server.baseUrl, ada, {}, { isActive: () => isActive })
  await account.untilSynced()
}

const tell = async (event: object) => {
  const before = lastEvent() ?? -1
  server.push(event)
  await account.untilStill(() => (lastEvent() ?? -1) > before)
}

test.each([
  [221, [{ is_active: 0 }]],
  [222, []],
])('who is removed is deactivated at level %i, or nobody whom a guest may know', async (level, left) => {
  server.snapshot['service_feature_level'] = level
  await open()
  await tell({ type: 'realm_user', op: 'remove', person: { user_id: 2, full_name: 'Unknown user' } })
  expect(account.rows('SELECT is_active FROM users WHERE user_id = 2')).toEqual(left)
})

test('the snapshot is written whole', async () => {
  await open()
  expect(account.rows('SELECT user_id, full_name, is_active, is_bot FROM users ORDER BY 1')).toEqual([
    { user_id: 1, full_name: 'Ada', is_active: 1, is_bot: 0 },
    { user_id: 2, full_name: 'Bo', is_active: 1, is_bot: 0 },
    { user_id: 3, full_name: 'Cy', is_active: 0, is_bot: 0 },
    { user_id: 4, full_name: 'Welcome', is_active: 1, is_bot: 1 },
  ])
  expect(account.rows('SELECT name, is_subscribed, color FROM channels ORDER BY 1')).toEqual([
    { name: 'birds', is_subscribed: 0, color: '#c2c2c2' },
    { name: 'tides', is_subscribed: 1, color: '#112233' },
  ])
  expect(account.rows('SELECT user_id FROM subscribers WHERE channel_id = 7')).toEqual([
    { user_id: 1 },
    { user_id: 2 },
  ])
  expect(account.rows('SELECT topic, visibility FROM topic_visibility')).toEqual([
    { topic: 'ebb', visibility: 'followed' },
  ])
  expect(account.rows('SELECT user_id FROM muted_users')).toEqual([{ user_id: 2 }])
  expect(account.rows('SELECT name FROM channel_folders')).toEqual([{ name: 'Sea' }])
  expect(account.rows('SELECT * FROM account_settings')).toEqual([
    { name: 'twenty_four_hour_time', value: 'true' },
  ])
  expect(one(`SELECT value FROM organization WHERE name = 'realm_name'`)).toEqual({ value: '"Skerry"' })
  expect(account.snapshots).toEqual([[]])
})

test('who and what the next snapshot does not name is gone', async () => {
  await open()
  server.snapshot['realm_users'] = [person(1, 'Ada'), person(5, 'Di')]
  server.snapshot['realm_non_active_users'] = []
  server.snapshot['never_subscribed'] = []
  server.snapshot['user_topics'] = []
  server.snapshot['subscriptions'] = [{ stream_id: 7, name: 'currents', subscribers: [5] }]
  server.loseQueue()
  await account.untilStill(() => account.generation === 2)
  await account.untilSynced()
  expect(account.rows('SELECT user_id FROM users ORDER BY 1')).toEqual([
    { user_id: 1 },
    { user_id: 4 },
    { user_id: 5 },
  ])
  expect(account.rows('SELECT name FROM channels')).toEqual([{ name: 'currents' }])
  expect(account.rows('SELECT * FROM subscribers')).toEqual([{ channel_id: 7, user_id: 5 }])
  expect(account.rows('SELECT * FROM topic_visibility')).toEqual([])
})

test('the list of unread messages is replaced, and messages and counters agree with it', async () => {
  const unread = (ids: number[], change: object = {}) => ({
    count: ids.length,
    streams: [{ stream_id: 7, topic: 'ebb', unread_message_ids: ids }],
    pms: [],
    huddles: [{ user_ids_string: '1,2,3', unread_message_ids: [40] }],
    mentions: ids.slice(0, 1),
    ...change,
  })
  server.snapshot['unread_msgs'] = unread([20, 30])
  const message = (id: number, flags: string[]) => ({
    ...{
      id,
      type: 'stream',
      content: '',
      timestamp: 1,
      sender_id: 2,
      sender_email: '',
      sender_full_name: '',
    },
    ...{ display_recipient: 'tides', stream_id: 7, subject: 'ebb', flags },
  })
  const page = [message(10, ['read']), message(20, []), message(30, [])]
  // The server refuses to return unread messages that are not in the page.
  server.answer('GET /messages', ({ fields }) =>
    fields['message_ids'] === undefined
      ? { success: { messages: page, found_oldest: true, found_newest: true } }
      : { error: 'BAD_REQUEST', status: 400 },
  )
  await open()
  const counts = () => account.rows('SELECT key, unread_count, mention_count FROM conversations ORDER BY key')
  expect(counts()).toEqual([
    { key: 'direct:2,3', unread_count: 1, mention_count: 0 },
    { key: 'topic:7:ebb', unread_count: 2, mention_count: 0 },
  ])
  server.answer('GET /messages', { error: 'BAD_REQUEST', status: 400 })
  server.snapshot['unread_msgs'] = unread([10, 30])
  server.loseQueue()
  await account.untilStill(() => account.generation === 2)
  await account.untilSynced()
  expect(
    account.rows('SELECT message_id FROM messages JOIN unread USING (message_id) ORDER BY message_id'),
  ).toEqual([{ message_id: 10 }, { message_id: 30 }])
  expect(counts()[1]).toEqual({ key: 'topic:7:ebb', unread_count: 2, mention_count: 1 })
  // A truncated list says nothing about older messages.
  server.snapshot['unread_msgs'] = unread([30], { old_unreads_missing: true, huddles: [] })
  server.loseQueue()
  // The second lost queue in a row waits a moment.
  await account.until(() => account.generation === 3)
  await account.untilSynced()
  expect(account.rows('SELECT message_id FROM unread')).toEqual([{ message_id: 10 }, { message_id: 30 }])
})

test('the list of starred messages is replaced', async () => {
  server.snapshot['starred_messages'] = [1]
  const message = (id: number, flags: string[]) => ({
    ...{
      id,
      type: 'stream',
      content: '',
      timestamp: 1,
      sender_id: 2,
      sender_email: '',
      sender_full_name: '',
    },
    ...{ display_recipient: 'tides', stream_id: 7, subject: 'ebb', flags },
  })
  server.answer('GET /messages', {
    success: {
      messages: [message(1, ['read', 'starred']), message(2, ['read'])],
      found_oldest: true,
      found_newest: true,
    },
  })
  await open()
  server.answer('GET /messages', { error: 'BAD_REQUEST', status: 400 })
  server.snapshot['starred_messages'] = [2]
  server.loseQueue()
  await account.untilStill(() => account.generation === 2)
  await account.untilSynced()
  expect(account.rows('SELECT message_id FROM messages WHERE is_starred = 1')).toEqual([{ message_id: 2 }])
})

test('presence is told every minute, and at once when the person comes or the connection is back', async () => {
  isActive = true
  await open()
  const told = () => server.received('POST /users/me/presence')
  expect(told()).toHaveLength(1)
  expect(told()[0]?.fields).toMatchObject({ status: 'active', new_user_input: 'true', last_update_id: '-1' })
  isActive = false
  await account.clock.advance(60_000)
  await account.untilStill(() => told().length === 2)
  expect(told()[1]?.fields).toMatchObject({ status: 'idle', new_user_input: 'false' })
  isActive = true
  account.sync.personCame()
  await account.untilStill(() => told().length === 3)
  expect(told()[2]?.fields).toMatchObject({ status: 'active' })
  account.sync.personCame()
  await server.stop()
  await account.until(() => account.sync.link.status === 'offline', 1_000)
  await account.clock.advance(180_000)
  expect(told()).toHaveLength(3)
  await server.start()
  account.sync.wake()
  await account.untilStill(() => told().length === 4)
})

test('who comes is told as soon as the server may be asked again if the last report did not arrive', async () => {
  isActive = true
  server.answer('POST /users/me/presence', { error: 'INTERNAL', status: 500 })
  await open()
  const told = () => server.received('POST /users/me/presence')
  expect(told()).toHaveLength(1)
  await account.clock.advance(100)
  server.answerAsUsual('POST /users/me/presence')
  account.sync.personCame()
  await account.clock.advance(2_000)
  await account.untilStill(() => told().length === 2)
})

test('a server that asks for patience is not told of every step of who is here', async () => {
  isActive = true
  const patience = { error: 'RATE_LIMIT_HIT', status: 429, extra: { 'retry-after': 60 } }
  server.answer('POST /users/me/presence', patience)
  account = openSync(() => server.baseUrl, ada, {}, { isActive: () => isActive })
  const told = () => server.received('POST /users/me/presence')
  await account.until(() => told().length === 1)
  await sleep(20)
  for (let times = 0; times < 10; times++) {
    account.sync.personCame()
    await account.clock.advance(3_000)
    await sleep(2)
  }
  expect(told()).toHaveLength(1)
  await account.until(() => told().length === 2, 1_000)
})

test('who is here does not depend on whose clock is wrong', async () => {
  // The server's clock is a day ahead of this device's.
  const serverNow = Date.UTC(2026, 2, 3, 9) / 1000
  server.snapshot['server_timestamp'] = serverNow
  server.snapshot['presences'] = { 2: { active_timestamp: serverNow - 20, idle_timestamp: serverNow - 10 } }
  server.answer('POST /users/me/presence', {
    success: {
      presences: { 3: { active_timestamp: 0, idle_timestamp: serverNow - 100 }, x: 5 },
      server_timestamp: serverNow,
      presence_last_update_id: 77,
    },
  })
  const start = Date.UTC(2026, 2, 2, 9)
  account = openSync(() => server.baseUrl, ada)
  await account.untilStill(() => account.rows('SELECT * FROM presence').length === 2)
  expect(account.rows('SELECT * FROM presence')).toEqual([
    { user_id: 2, active_at: start - 20_000, idle_at: start - 10_000 },
    { user_id: 3, active_at: 0, idle_at: start - 100_000 },
  ])
  await account.untilSynced()
  await account.clock.advance(60_000)
  await account.untilStill(() => server.received('POST /users/me/presence').length === 2)
  expect(server.received('POST /users/me/presence')[1]?.fields['last_update_id']).toBe('77')
  // Events of both forms.
  await tell({
    type: 'presence',
    presences: { 2: { active_timestamp: serverNow, idle_timestamp: serverNow } },
  })
  await tell({
    type: 'presence',
    user_id: 3,
    server_timestamp: serverNow,
    presence: { website: { client: 'website', status: 'active', timestamp: serverNow - 5 } },
  })
  const now = account.clock.now()
  expect(Number(one('SELECT active_at FROM presence WHERE user_id = 3')?.['active_at'])).toBe(now - 5_000)
})

test('a bot keeps no presence and does not ask again', async () => {
  server.answer('POST /users/me/presence', { error: 'BAD_REQUEST', status: 400 })
  await open()
  await account.clock.advance(10 * 60_000)
  expect(server.received('POST /users/me/presence')).toHaveLength(1)
  expect(account.sync.link.status).toBe('online')
})

test('typing ends when it is said, when the message comes, or by itself', async () => {
  await open()
  const typing = (op: string, sender: number) => ({
    type: 'typing',
    op,
    message_type: 'stream',
    sender: { user_id: sender, email: '' },
    stream_id: 7,
    topic: 'ebb',
  })
  const typists = () =>
    account.rows<{ user_id: number }>('SELECT user_id FROM typing ORDER BY 1').map((row) => row.user_id)
  await tell(typing('start', 2))
  await tell(typing('start', 3))
  await tell(typing('start', ada.userId))
  expect(typists()).toEqual([2, 3])
  await tell(typing('stop', 2))
  expect(typists()).toEqual([3])
  await account.clock.advance(44_000)
  expect(typists()).toEqual([3])
  await account.clock.advance(1_100)
  expect(typists()).toEqual([])
  await tell(typing('start', 2))
  await account.restart()
  expect(typists()).toEqual([])
})

test('events change the state of the account in every part', async () => {
  await open()
  await tell({ type: 'realm_user', op: 'add', person: person(9, 'Eve') })
  await tell({ type: 'realm_user', op: 'update', person: { user_id: 9, full_name: 'Evelyn' } })
  await tell({ type: 'realm_user', op: 'update', person: { user_id: 2, is_active: false } })
  expect(
    account.rows('SELECT full_name, is_active FROM users WHERE user_id IN (2, 9) ORDER BY user_id'),
  ).toEqual([
    { full_name: 'Bo', is_active: 0 },
    { full_name: 'Evelyn', is_active: 1 },
  ])
  await tell({ type: 'subscription', op: 'update', stream_id: 7, property: 'is_muted', value: true })
  await tell({ type: 'subscription', op: 'update', stream_id: 7, property: 'color', value: '#445566' })
  await tell({ type: 'subscription', op: 'peer_add', stream_ids: [7], user_ids: [9] })
  await tell({ type: 'subscription', op: 'peer_remove', stream_ids: [7], user_ids: [2] })
  await tell({
    type: 'stream',
    op: 'update',
    stream_id: 7,
    name: 'tides',
    property: 'name',
    value: 'currents',
  })
  expect(account.rows('SELECT name, is_muted, color FROM channels WHERE channel_id = 7')).toEqual([
    { name: 'currents', is_muted: 1, color: '#445566' },
  ])
  expect(account.rows('SELECT user_id FROM subscribers WHERE channel_id = 7')).toEqual([
    { user_id: 1 },
    { user_id: 9 },
  ])
  await tell({ type: 'stream', op: 'create', streams: [{ stream_id: 11, name: 'mud' }] })
  await tell({ type: 'stream', op: 'delete', stream_ids: [8] })
  expect(account.rows('SELECT name FROM channels ORDER BY 1')).toEqual([
    { name: 'currents' },
    { name: 'mud' },
  ])
  await tell({ type: 'user_topic', stream_id: 7, topic_name: 'EBB', visibility_policy: 1, last_updated: 1 })
  expect(account.rows('SELECT topic, visibility FROM topic_visibility')).toEqual([
    { topic: 'EBB', visibility: 'muted' },
  ])
  await tell({ type: 'user_topic', stream_id: 7, topic_name: 'ebb', visibility_policy: 0, last_updated: 1 })
  expect(account.rows('SELECT * FROM topic_visibility')).toEqual([])
  await tell({ type: 'user_settings', op: 'update', property: 'twenty_four_hour_time', value: false })
  expect(account.rows('SELECT value FROM account_settings')).toEqual([{ value: 'false' }])
  await tell({ type: 'muted_users', muted_users: [] })
  expect(account.rows('SELECT * FROM muted_users')).toEqual([])
  await tell({ type: 'channel_folder', op: 'add', channel_folder: { id: 2, name: 'Land', order: 1 } })
  await tell({ type: 'channel_folder', op: 'reorder', order: [2, 1] })
  expect(account.rows('SELECT name FROM channel_folders ORDER BY position')).toEqual([
    { name: 'Land' },
    { name: 'Sea' },
  ])
  await tell({
    type: 'realm_emoji',
    op: 'update',
    realm_emoji: { 5: { id: '5', name: 'heron', source_url: '/h.png', still_url: null, deactivated: false } },
  })
  expect(account.rows('SELECT name FROM realm_emoji')).toEqual([{ name: 'heron' }])
  await tell({ type: 'drafts', op: 'remove', draft_id: 4 })
  expect(account.draftEvents).toMatchObject([{ op: 'remove', draft_id: 4 }])
  expect(account.rows('SELECT * FROM set_aside')).toEqual([])
})
