import { afterEach, expect, test } from 'vitest'
import { accountId, channelId, groupId as groupIdOf, userId } from '../../../src-shared/ids.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { feed } from '../../../src-main/queries/feed.ts'
import { lostChannels, noteLost } from '../../../src-main/store/lost-channels.ts'
import { putMessage } from '../../../src-main/store/messages.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import { messageFields } from '../../support/message-fields.ts'
import type { ModelDevice } from './device.ts'
import { createWorld, deviceOf, type World } from './world.ts'

// A private channel from which somebody takes the person out.

let world: World
let device: ModelDevice

afterEach(() => world.close())

const shown = (narrow: Narrow) => {
  const span = { around: 'newest', before: 100, after: 0 } as const
  const { messages } = feed(device.account.queryContext(), { accountId: accountId('model'), narrow, ...span })
  return messages.map(({ contentHtml }) => contentHtml.replaceAll(/<[^>]+>/g, ''))
}
const subscriptions = (method: 'POST' | 'DELETE', value: string, people: readonly number[]) =>
  world.ask(
    method,
    '/users/me/subscriptions',
    `invite_only=true&subscriptions=${encodeURIComponent(value)}&principals=${JSON.stringify(people)}`,
    world.other,
  )

test('what was sent in a private channel is gone as soon as the person can no longer read it', async () => {
  world = await createWorld(1)
  device = deviceOf(world)
  await world.pass(3_000)
  const both = [world.user.user_id, world.other.user_id]
  await subscriptions('POST', '[{"name":"secret"}]', both)
  const id = world.workspace.db.get<{ channel_id: number }>(
    "SELECT channel_id FROM channels WHERE name = 'secret'",
  )?.channel_id
  const say = (content: string, channel = id) =>
    world.ask(
      'POST',
      '/messages',
      `type=stream&to=${channel}&topic=x&content=${encodeURIComponent(content)}`,
      world.other,
    )
  await say('@**Maren** hidden')
  await say('open', world.channelId)
  await world.pass(3_000)
  expect(shown({ kind: 'mentions' })).toEqual(['@Maren hidden'])
  await subscriptions('DELETE', '["secret"]', [world.user.user_id])
  await world.pass(3_000)
  expect(shown({ kind: 'mentions' })).toEqual([])
  expect(shown({ kind: 'combined' })).toEqual(['open'])
  expect(device.store.db.all('SELECT message_id FROM unread')).toHaveLength(1)
  expect(device.account.unread).toMatchObject({ mentions: 0 })
})

test('a channel with many messages is removed in many short turns, also after a restart in between', async () => {
  world = await createWorld(1)
  device = deviceOf(world)
  await world.pass(3_000)
  await subscriptions('POST', '[{"name":"secret"}]', [world.user.user_id, world.other.user_id])
  await world.pass(3_000)
  const id = world.workspace.db.get<{ channel_id: number }>(
    "SELECT channel_id FROM channels WHERE name = 'secret'",
  )?.channel_id
  if (id === undefined) throw new Error('There is no channel.')
  const fill = () =>
    device.store.write((db) => {
      for (let number = 1; number <= 2_000; number++) {
        putMessage(db, messageFields({ id: 100_000 + number, conversation: topicConversation(id, 'x') }), 1)
      }
    })
  const left = () =>
    device.store.db.get<{ n: number }>('SELECT count(*) AS n FROM messages WHERE channel_id = ?', [id])?.n ??
    0
  fill()
  const steps: number[] = []
  let before = left()
  const stop = device.store.onChange(['messages'], () => {
    steps.push(before - left())
    before = left()
  })
  await subscriptions('DELETE', '["secret"]', [world.user.user_id])
  await world.pass(3_000)
  stop()
  expect(left()).toBe(0)
  expect(Math.max(...steps)).toBeLessThanOrEqual(1_000)
  fill()
  device.store.write((db) => noteLost(db, id))
  device.restart()
  await world.pass(120_000)
  expect(left()).toBe(0)
  expect(lostChannels(device.store.db)).toEqual([])
})

const idOf = (name: string) => {
  const { db } = world.workspace
  const row = db.get<{ id: number }>(`SELECT channel_id AS id FROM channels WHERE name = '${name}'`)
  if (row === undefined) throw new Error('There is no such channel.')
  return row.id
}
const sayIn = (channel: number, content: string) =>
  world.ask('POST', '/messages', `type=stream&to=${channel}&topic=x&content=${content}`, world.other)

/** The person is an administrator, and knows of every private channel. */
async function openAsAdministrator() {
  world = await createWorld(1)
  device = deviceOf(world)
  world.workspace.db.run('UPDATE users SET role = 200 WHERE user_id = ?', world.user.user_id)
  device.loseQueue()
  await world.pass(3_000)
  await subscriptions('POST', '[{"name":"secret"}]', [world.user.user_id, world.other.user_id])
  await sayIn(idOf('secret'), 'hidden')
  await sayIn(world.channelId, 'open')
  await world.pass(3_000)
  expect(shown({ kind: 'combined' })).toEqual(['hidden', 'open'])
}
const groupOf = (members: readonly number[]) =>
  encodeURIComponent(JSON.stringify({ new: { direct_members: members, direct_subgroups: [] } }))

test('an administrator who is taken out of a private channel still knows of it, but has nothing of it', async () => {
  await openAsAdministrator()
  await subscriptions('DELETE', '["secret"]', [world.user.user_id])
  await world.pass(3_000)
  expect(shown({ kind: 'combined' })).toEqual(['open'])
  expect(device.store.db.all('SELECT message_id FROM unread')).toHaveLength(1)
  expect(device.store.db.get(`SELECT 1 FROM channels WHERE name = 'secret'`)).toBeDefined()
  // Somebody lets them in again.
  await subscriptions('POST', '[{"name":"secret"}]', [world.user.user_id])
  await world.pass(60_000)
  expect(shown({ kind: 'channel', channelId: channelId(idOf('secret')) })).toEqual(['hidden'])
})

test('what an administrator may read without being in the channel stays until that ends', async () => {
  await openAsAdministrator()
  const secret = `/streams/${idOf('secret')}`
  const letIn = (members: readonly number[]) =>
    world.ask('PATCH', secret, `can_subscribe_group=${groupOf(members)}`, world.user)
  expect(await letIn([world.user.user_id])).toBe(200)
  await subscriptions('DELETE', '["secret"]', [world.user.user_id])
  await world.pass(3_000)
  expect(shown({ kind: 'combined' })).toEqual(['hidden', 'open'])
  expect(await letIn([])).toBe(200)
  await world.pass(3_000)
  expect(shown({ kind: 'combined' })).toEqual(['open'])
})

test('what an administrator has of a public channel that they left stays until it becomes private', async () => {
  await openAsAdministrator()
  const leave = `subscriptions=${encodeURIComponent('["gauges"]')}`
  expect(await world.ask('DELETE', '/users/me/subscriptions', leave)).toBe(200)
  await world.pass(3_000)
  expect(shown({ kind: 'combined' })).toEqual(['hidden', 'open'])
  expect(await world.ask('PATCH', `/streams/${world.channelId}`, 'is_private=true')).toBe(200)
  await world.pass(3_000)
  expect(shown({ kind: 'combined' })).toEqual(['hidden'])
})

/** Everything can be read while the change of a device without a connection waits, and the event of another one comes. */
async function changeWaits(meanwhile: () => Promise<unknown>) {
  device.faults.calls.push(...Array.from({ length: 20 }, () => 'failed' as const))
  device.setConnected(true)
  await meanwhile()
  await world.pass(3_000)
  expect(shown({ kind: 'combined' })).toEqual(['hidden', 'open'])
  device.faults.calls.length = 0
  await world.pass(120_000)
}

test.each([
  ['it is renamed', () => 'new_name=secrets'],
  ['others are let in', () => `can_subscribe_group=${groupOf([world.other.user_id])}`],
])('what was left only on this device stays until the server knows, also when %s', async (_what, change) => {
  await openAsAdministrator()
  device.setConnected(false)
  await world.pass(1_000)
  device.account.outbox.enqueue({ name: 'unsubscribe', channelId: channelId(idOf('secret')) })
  const secret = idOf('secret')
  await changeWaits(async () => {
    expect(await world.ask('PATCH', `/streams/${secret}`, change(), world.other)).toBe(200)
  })
  expect(shown({ kind: 'combined' })).toEqual(['open'])
})

test('a channel that was closed only on this device can be read until the server knows', async () => {
  await openAsAdministrator()
  const leave = `subscriptions=${encodeURIComponent('["gauges"]')}`
  expect(await world.ask('DELETE', '/users/me/subscriptions', leave)).toBe(200)
  await world.pass(3_000)
  device.setConnected(false)
  await world.pass(1_000)
  const gauges = channelId(world.channelId)
  const close = { name: 'change-channel', channelId: gauges, property: 'access', value: 'private' } as const
  device.account.outbox.enqueue(close)
  await changeWaits(async () => {
    expect(await world.ask('PATCH', `/streams/${gauges}`, 'new_name=buoys')).toBe(200)
  })
  expect(outboxRows(device.store.db)).toEqual([])
  expect(shown({ kind: 'combined' })).toEqual(['hidden'])
})

/** Somebody creates a group with the person in it; returns its id. */
async function createGroup(name: string): Promise<number> {
  const members = `members=[${world.user.user_id}]`
  expect(
    await world.ask('POST', '/user_groups/create', `name=${name}&description=&${members}`, world.other),
  ).toBe(200)
  const { db } = world.workspace
  const row = db.get<{ id: number }>(`SELECT group_id AS id FROM user_groups WHERE name = '${name}'`)
  return row?.id ?? 0
}
/** Somebody changes the members of a group. */
async function setMembers(groupId: number, change: string) {
  expect(await world.ask('POST', `/user_groups/${groupId}/members`, change, world.other)).toBe(200)
}
/** The person may read the private channel only as a member of this group. */
async function openTo(groupId: number) {
  const letIn = `can_subscribe_group=${encodeURIComponent(JSON.stringify({ new: groupId }))}`
  expect(await world.ask('PATCH', `/streams/${idOf('secret')}`, letIn, world.other)).toBe(200)
  await subscriptions('DELETE', '["secret"]', [world.user.user_id])
  await world.pass(3_000)
  expect(shown({ kind: 'combined' })).toEqual(['hidden', 'open'])
}
/** The person leaves the group without a connection. */
async function leaveOffline(groupId: number) {
  device.setConnected(false)
  await world.pass(1_000)
  const member = { kind: 'person', userId: userId(world.user.user_id) } as const
  device.account.outbox.enqueue({ name: 'set-group-member', groupId: groupIdOf(groupId), member, on: false })
}

test.each([
  [
    'the channel is renamed',
    () => world.ask('PATCH', `/streams/${idOf('secret')}`, 'new_name=secrets', world.other),
  ],
  ['somebody joins the group', (group: number) => setMembers(group, `add=[${world.other.user_id}]`)],
  [
    'the group is renamed',
    (group: number) => world.ask('PATCH', `/user_groups/${group}`, 'name=watch', world.other),
  ],
])(
  'what a waiting change of a group closes can be read until the server knows, also when %s',
  async (_what, meanwhile) => {
    await openAsAdministrator()
    const crew = await createGroup('crew')
    await openTo(crew)
    await leaveOffline(crew)
    await changeWaits(() => meanwhile(crew))
    expect(shown({ kind: 'combined' })).toEqual(['open'])
  },
)

test('what another group closes is gone at once, while a change of a group that lets nobody in waits', async () => {
  await openAsAdministrator()
  const [crew, deck] = [await createGroup('crew'), await createGroup('deck')]
  await openTo(crew)
  await leaveOffline(deck)
  device.faults.calls.push(...Array.from({ length: 20 }, () => 'failed' as const))
  device.setConnected(true)
  await setMembers(crew, `delete=[${world.user.user_id}]`)
  await world.pass(3_000)
  expect(outboxRows(device.store.db)).toMatchObject([{ name: 'set-group-member' }])
  expect(shown({ kind: 'combined' })).toEqual(['open'])
})

test('what was sent before the person came is gone when the channel’s history becomes protected', async () => {
  world = await createWorld(1)
  device = deviceOf(world)
  await world.pass(3_000)
  await subscriptions('POST', '[{"name":"secret"}]', [world.other.user_id])
  const secret = idOf('secret')
  const protect = (isShared: boolean) =>
    world.ask(
      'PATCH',
      `/streams/${secret}`,
      `is_private=true&history_public_to_subscribers=${isShared}`,
      world.other,
    )
  expect(await protect(true)).toBe(200)
  for (let count = 0; count < 450; count++) await sayIn(secret, 'earlier')
  await subscriptions('POST', '[{"name":"secret"}]', [world.user.user_id])
  await world.pass(3_000)
  await sayIn(secret, 'received')
  await world.pass(3_000)
  const narrow = { kind: 'channel', channelId: channelId(secret) } as const
  expect(shown(narrow)).toContain('earlier')
  expect(await protect(false)).toBe(200)
  await world.pass(120_000)
  expect(shown(narrow)).toEqual(['received'])
  expect(device.store.db.all(`SELECT message_id FROM messages WHERE channel_id = ${secret}`)).toHaveLength(1)
  expect(device.store.db.all('SELECT message_id FROM missing_messages')).toEqual([])
})
