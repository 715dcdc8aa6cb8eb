import { afterEach, expect, test } from 'vitest'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import { createChannel } from '../../../src-server/channels.ts'
import { createWorld, type ModelDevice, type World } from './world.ts'

let world: World
let device: ModelDevice

async function open(): Promise<void> {
  world = await createWorld(1)
  await world.pass(3_000)
  const [first] = world.devices
  if (first === undefined) throw new Error('There is no device.')
  device = first
}

afterEach(() => world.close())

const send = (channelId: number, content: string) =>
  device.account.outbox.enqueue({
    name: 'send-message',
    conversation: topicConversation(channelId, 'drift'),
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
  // The server has it; the row goes when the channel is read.
  expect(outboxRows(device.store.db).filter(({ state }) => state !== 'accepted')).toEqual([])
})

test.each([
  ['edited', 'content=is nobody there'],
  ['moved', 'topic=rope&propagate_mode=change_one&send_notification_to_new_thread=false'],
])('a message whose queue was lost is found although it was %s elsewhere', async (_what, change) => {
  await open()
  device.faults.calls.push('lost-after')
  send(world.channelId, 'is anybody there')
  await world.settle()
  device.setConnected(false)
  device.loseQueue()
  await world.ask('PATCH', '/messages/1', change)
  device.setConnected(true)
  await world.pass(120_000)
  expect(onService()).toHaveLength(1)
  expect(posts()).toBe(1)
  expect(outboxRows(device.store.db)).toEqual([])
})

test('the same words from another device are not taken for a message that never arrived', async () => {
  await open()
  device.faults.calls.push('lost-before')
  send(world.channelId, 'on my way')
  await world.settle()
  await world.ask('POST', '/messages', `type=stream&to=${world.channelId}&topic=drift&content=on my way`)
  await world.pass(120_000)
  expect(onService()).toEqual(['on my way', 'on my way'])
  expect(outboxRows(device.store.db)).toEqual([])
})
