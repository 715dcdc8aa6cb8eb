import { afterEach, expect, test } from 'vitest'
import { channelId, userId } from '../../../src-shared/ids.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { hasMessage } from '../../../src-main/store/messages.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import { isPersonMuted } from '../../../src-main/store/muted-users.ts'
import { draftsOf } from '../../../src-server/handlers/drafts.ts'
import { createChannel } from '../../../src-server/channels/channels.ts'
import { userById } from '../../../src-server/workspace.ts'
import type { ModelDevice } from './device.ts'
import { silence } from './silence.ts'
import { createWorld, deviceOf, type World } from './world.ts'

let world: World
let device: ModelDevice

async function open(featureLevel?: number): Promise<void> {
  world = await createWorld(1, featureLevel)
  await world.pass(3_000)
  device = deviceOf(world)
}

afterEach(() => world.close())

const send = (to: number, content: string) =>
  device.account.outbox.enqueue({
    name: 'send-message',
    conversation: topicConversation(to, 'drift'),
    content,
    draftId: null,
  })
const onService = () =>
  world.workspace.db.all<{ content: string }>('SELECT content FROM messages').map(({ content }) => content)
const posts = () =>
  device.requests.filter(({ method, path }) => method === 'POST' && path === '/messages').length

test('a message to a channel that one only writes to is found there, though its queue was lost', async () => {
  await open()
  const { channel_id } = createChannel(world.workspace, world.other, { name: 'requests', description: '' })
  device.faults.calls.push('lost-after')
  send(channel_id, 'is anybody there')
  await world.settle()
  device.setConnected(false)
  device.loseQueue()
  device.setConnected(true)
  await world.pass(120_000)
  expect(onService()).toEqual(['is anybody there'])
  expect(posts()).toBe(1)
  expect(outboxRows(device.store.db)).toEqual([])
})

test('a message to a channel that one only writes to is fetched as soon as the server has it', async () => {
  await open()
  const { channel_id } = createChannel(world.workspace, world.other, { name: 'requests', description: '' })
  silence(world, channel_id)
  send(channel_id, 'is anybody there')
  await world.settle()
  expect(hasMessage(device.store.db, 1)).toBe(true)
  expect(outboxRows(device.store.db)).toEqual([])
})

test.each([
  ['', () => {}],
  [', after a restart', () => device.restart()],
])(
  'a message to such a channel that is deleted before it was fetched waits no more%s',
  async (_when, happens) => {
    await open()
    const { channel_id } = createChannel(world.workspace, world.other, { name: 'requests', description: '' })
    world.workspace.db.run('UPDATE users SET role = 200 WHERE user_id = ?', world.other.user_id)
    silence(world, channel_id)
    device.faults.calls.push('none', 'failed', 'failed', 'failed')
    send(channel_id, 'is anybody there')
    await world.settle()
    expect(outboxRows(device.store.db)).toMatchObject([{ state: 'accepted', messageId: 1 }])
    const moderator = userById(world.workspace.db, world.other.user_id)
    expect(await world.ask('DELETE', '/messages/1', '', moderator)).toBe(200)
    happens()
    await world.pass(120_000)
    expect(onService()).toEqual([])
    expect(outboxRows(device.store.db)).toEqual([])
  },
)

test('a message that is deleted after the person left its channel waits no more once the queue is lost', async () => {
  await open()
  world.workspace.db.run('UPDATE users SET role = 200 WHERE user_id = ?', world.other.user_id)
  // The echo does not come before the queue is lost. The current poll keeps its old latency.
  device.latency = { up: 0, down: 0, events: 20_000 }
  await world.ask('POST', '/messages', `type=stream&to=${world.channelId}&topic=drift&content=first`)
  send(world.channelId, 'is anybody there')
  await world.settle()
  device.setConnected(false)
  device.loseQueue()
  await world.ask('DELETE', '/users/me/subscriptions', `subscriptions=${encodeURIComponent('["gauges"]')}`)
  const moderator = userById(world.workspace.db, world.other.user_id)
  expect(await world.ask('DELETE', '/messages/2', '', moderator)).toBe(200)
  expect(outboxRows(device.store.db)).toMatchObject([{ state: 'accepted', messageId: 2 }])
  device.setConnected(true)
  await world.pass(120_000)
  expect(onService()).toEqual(['first'])
  expect(outboxRows(device.store.db)).toEqual([])
})

test.each([
  ['', () => {}],
  [', after a restart', () => device.restart()],
])(
  'a message to a channel that one only writes to is sent once, though a page brings it before anybody looks for it%s',
  async (_when, happens) => {
    await open()
    const { channel_id } = createChannel(world.workspace, world.other, { name: 'requests', description: '' })
    silence(world, channel_id)
    device.faults.calls.push('lost-after')
    send(channel_id, 'is anybody there')
    await world.settle()
    happens()
    await device.account.sync.loadOlder({ kind: 'channel', channelId: channelId(channel_id) }, null)
    await world.pass(120_000)
    expect(onService()).toEqual(['is anybody there'])
    expect(outboxRows(device.store.db)).toEqual([])
  },
)

test('a message to a channel that the person joins before anybody looks for it is sent once', async () => {
  await open()
  const { channel_id } = createChannel(world.workspace, world.other, { name: 'requests', description: '' })
  silence(world, channel_id)
  device.faults.calls.push('lost-after')
  send(channel_id, 'is anybody there')
  await world.settle()
  device.account.outbox.enqueue({ name: 'subscribe', channelId: channelId(channel_id) })
  await world.pass(120_000)
  expect(onService()).toEqual(['is anybody there'])
  expect(outboxRows(device.store.db)).toEqual([])
})

test.each([
  ['edited', 'content=is nobody there'],
  ['moved', 'topic=rope&propagate_mode=change_one&send_notification_to_new_thread=false'],
  [
    'moved at an older level',
    'topic=rope&propagate_mode=change_one&send_notification_to_new_thread=false',
    117,
  ],
])('a message whose queue was lost is found although it was %s elsewhere', async (_what, change, level?) => {
  await open(level)
  // The echo does not come before the queue is lost. The current poll keeps its old latency.
  device.latency = { up: 0, down: 0, events: 20_000 }
  await world.ask('POST', '/messages', `type=stream&to=${world.channelId}&topic=drift&content=first`)
  device.faults.calls.push('lost-after')
  send(world.channelId, 'is anybody there')
  await world.settle()
  device.setConnected(false)
  device.loseQueue()
  await world.ask('PATCH', '/messages/2', change)
  device.setConnected(true)
  await world.pass(120_000)
  expect(onService()).toHaveLength(2)
  expect(posts()).toBe(1)
  expect(outboxRows(device.store.db)).toEqual([])
})

test('the same words twice are sent twice, also to a service that gives the first of them with what came after it', async () => {
  await open()
  device.unknownParameters.push('include_anchor')
  send(world.channelId, 'on my way')
  await world.pass(20_000)
  expect(onService()).toEqual(['on my way'])
  device.faults.calls.push('lost-before')
  send(world.channelId, 'on my way')
  await world.pass(120_000)
  expect(onService()).toEqual(['on my way', 'on my way'])
  expect(outboxRows(device.store.db)).toEqual([])
})

test.each([
  ['heard of at once', 0],
  ['heard of late', 20_000],
])(
  'the same words from another device, %s, are not taken for a message that never arrived',
  async (_what, events) => {
    await open()
    device.latency = { up: 0, down: 0, events }
    // The current poll keeps its old latency.
    await world.ask('POST', '/messages', `type=stream&to=${world.channelId}&topic=drift&content=first`)
    device.faults.calls.push('lost-before')
    send(world.channelId, 'on my way')
    await world.settle()
    await world.ask('POST', '/messages', `type=stream&to=${world.channelId}&topic=drift&content=on my way`)
    await world.pass(120_000)
    expect(onService()).toEqual(['first', 'on my way', 'on my way'])
    expect(outboxRows(device.store.db)).toEqual([])
  },
)

test.each([
  ['the connection breaks', () => {}],
  ['the network goes and comes back', () => (device.setConnected(false), device.setConnected(true))],
  ['the app is killed and starts again', () => device.kill(0)],
  ['the person is impatient', () => device.account.outbox.wake()],
])('a message that a busy server comes to later is not sent twice: %s', async (_what, happens) => {
  await open()
  device.faults.calls.push('lost-during')
  send(world.channelId, 'is anybody there')
  await world.settle()
  happens()
  await world.settle()
  send(world.channelId, 'it is me')
  await world.pass(120_000)
  expect(onService()).toEqual(['is anybody there', 'it is me'])
  expect(posts()).toBe(2)
  expect(outboxRows(device.store.db)).toEqual([])
})

test('an older change of a draft that a busy server comes to later does not come after the newer one', async () => {
  await open()
  const { drafts } = device.account
  const recipient = topicConversation(world.channelId, 'drift')
  const { draftId: id } = drafts.save(null, { recipient, content: 'reef' })
  await world.pass(20_000)
  device.faults.calls.push('lost-during')
  drafts.save(id, { recipient, content: 'reef the main' })
  await world.pass(2_600)
  drafts.save(id, { recipient, content: 'reef the main and the jib' })
  drafts.leave(id)
  await world.pass(120_000)
  expect(draftsOf(world.workspace, world.user.user_id).map(({ content }) => content)).toEqual([
    'reef the main and the jib',
  ])
})

test('a draft that a busy server makes later is not made twice', async () => {
  await open()
  device.faults.calls.push('lost-during')
  const { draftId: id } = device.account.drafts.save(null, {
    recipient: topicConversation(world.channelId, 'drift'),
    content: 'reef',
  })
  device.account.drafts.leave(id)
  await world.settle()
  device.kill(0)
  await world.pass(120_000)
  expect(draftsOf(world.workspace, world.user.user_id)).toHaveLength(1)
})

test.each([true, false])(
  'muting somebody whose answer was lost is done (%s), and asked for once more only',
  async (on) => {
    await open()
    const { outbox } = device.account
    const person = userId(world.other.user_id)
    const isMuted = () => world.workspace.db.all('SELECT * FROM muted_users').length === 1
    if (!on) await world.ask('POST', `/users/me/muted_users/${person}`)
    await world.pass(1_000)
    device.faults.calls.push('lost-after')
    outbox.enqueue({ name: 'mute-person', userId: person, on })
    await world.pass(60_000)
    expect(isMuted()).toBe(on)
    expect(isPersonMuted(device.store.db, person)).toBe(on)
    expect(outboxRows(device.store.db)).toEqual([])
    expect(device.requests.filter(({ path }) => path.startsWith('/users/me/muted_users'))).toHaveLength(2)
  },
)

test('muting somebody whom the server does not know is refused in its words, and undone here', async () => {
  await open()
  const nobody = userId(4_711)
  device.account.outbox.enqueue({ name: 'mute-person', userId: nobody, on: true })
  await world.pass(60_000)
  expect(outboxRows(device.store.db)).toMatchObject([{ state: 'refused', reason: 'No such user' }])
  expect(isPersonMuted(device.store.db, nobody)).toBe(false)
})
