import { afterEach, beforeEach, expect, test } from 'vitest'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { allDrafts } from '../../../src-main/store/drafts.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import type { ModelDevice } from './device.ts'
import { createWorld, deviceOf, type World } from './world.ts'

// A machine wakes, or its network is back: in these tests the clock does not move after that.

let world: World
let device: ModelDevice

beforeEach(async () => {
  world = await createWorld(1)
  device = deviceOf(world)
  await world.pass(3_000)
})
afterEach(() => world.close())

const conversation = (topic = 'drift') => topicConversation(world.channelId, topic)
const send = (content: string, topic?: string) =>
  device.account.outbox.enqueue({
    name: 'send-message',
    conversation: conversation(topic),
    content,
    draftId: null,
  })
const write = (content: string) => {
  const { draftId } = device.account.drafts.save(null, { recipient: conversation(), content })
  device.account.drafts.leave(draftId)
}
const hear = (content: string) =>
  world.ask(
    'POST',
    '/messages',
    `type=stream&to=${world.channelId}&topic=drift&content=${content}`,
    world.other,
  )
const onService = () =>
  world.workspace.db
    .all<{ content: string }>('SELECT content FROM messages ORDER BY message_id')
    .map(({ content }) => content)
const onDevice = () =>
  device.store.db
    .all<{ content_html: string }>('SELECT content_html FROM messages ORDER BY message_id')
    .map(({ content_html }) => content_html.replaceAll(/<[^>]*>/g, ''))

test.each([
  ['waking from its sleep', () => device.wake()],
  ['told that the network is back', () => device.networkIsBack()],
])(
  'after hours without a network it is in touch at once when %s, and what waited goes',
  async (_name, act) => {
    device.setConnected(false)
    send('from here')
    write('for later')
    // Long enough that a minute lies between two attempts.
    await world.pass(3 * 60 * 60 * 1_000)
    await hear('meanwhile')
    expect(device.account.sync.link.status).toBe('offline')
    device.setConnected(true)
    await world.settle()
    expect(onService()).toEqual(['meanwhile'])
    act()
    await world.settle()
    expect(device.account.sync.link.status).toBe('online')
    expect(onService()).toEqual(['meanwhile', 'from here'])
    expect(onDevice()).toEqual(['meanwhile', 'from here'])
    expect(allDrafts(device.store.db).map(({ state }) => state)).toEqual(['synced'])
  },
)

test('a connection that died in its sleep is not waited for', async () => {
  device.latency = { up: 0, down: 0, events: 10 * 60_000 }
  // This event's answer was already on its way.
  await hear('first')
  await hear('second')
  await world.settle()
  expect(onDevice()).toEqual(['first'])
  device.latency = { up: 0, down: 0, events: 0 }
  device.wake()
  await world.settle()
  expect(onDevice()).toEqual(['first', 'second'])
})

test('what waits for its next attempt does not wait any longer', async () => {
  device.faults.calls.push('refused', 'refused')
  send('from here')
  write('for later')
  await world.settle()
  expect(outboxRows(device.store.db).map(({ state }) => state)).toEqual(['waiting'])
  expect(allDrafts(device.store.db).map(({ state }) => state)).toEqual(['edited'])
  device.wake()
  await world.settle()
  expect(onService()).toEqual(['from here'])
  expect(allDrafts(device.store.db).map(({ state }) => state)).toEqual(['synced'])
})

test('the next message does not wait for the answer to one whose echo has come', async () => {
  device.latency.down = 10 * 60_000
  send('one')
  await world.settle()
  expect(outboxRows(device.store.db)).toEqual([])
  send('two')
  await world.settle()
  expect(onService()).toEqual(['one', 'two'])
  // Both requests are given up.
  await world.pass(35_000)
  send('three')
  await world.settle()
  expect(onService()).toEqual(['one', 'two', 'three'])
  expect(outboxRows(device.store.db)).toEqual([])
})

test('requests that are only waiting for their answers hold nothing back', async () => {
  device.latency.down = 10 * 60_000
  const topics = ['drift', 'ebb', 'flood', 'surge', 'spray']
  for (const topic of topics) send(topic, topic)
  await world.settle()
  expect(onService().toSorted()).toEqual(topics.toSorted())
})

test('the next message goes as soon as the echo of one comes whose connection broke', async () => {
  device.latency.events = 2_000
  device.faults.calls.push('lost-after')
  send('one')
  send('two')
  await world.pass(1_900)
  expect(onService()).toEqual(['one'])
  await world.pass(200)
  expect(onService()).toEqual(['one', 'two'])
})
