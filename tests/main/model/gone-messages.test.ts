import { afterEach, expect, test } from 'vitest'
import { channelId, messageId } from '../../../src-shared/ids.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import { movingIn } from './moving.ts'
import { createWorld, deviceOf, type World } from './world.ts'

// Changes of messages that others deleted while the device was offline.

let world: World
afterEach(() => world.close())

const count = 300

/** An offline device that marked all messages as read; the others deleted all of them except those in `stays`. */
async function awayWithMarks(featureLevel: number, stays: readonly number[]) {
  world = await createWorld(1, featureLevel, 200)
  await world.pass(3_000)
  const device = deviceOf(world)
  const { db } = world.workspace
  for (let sent = 0; sent < count; sent++) {
    if (sent % 100 === 99) await world.pass(70_000)
    const form = `type=stream&to=${world.channelId}&topic=drift&content=${sent}`
    await world.ask('POST', '/messages', form, world.other)
  }
  await world.pass(70_000)
  const ids = db.all<{ id: number }>('SELECT message_id AS id FROM messages').map(({ id }) => id)
  device.setConnected(false)
  await world.pass(10_000)
  device.account.outbox.enqueue({ name: 'mark-read', messageIds: ids.map(messageId) })
  const gone = ids.filter((_, index) => !stays.includes(index))
  for (const [index, id] of gone.entries()) {
    if (index % 100 === 99) await world.pass(70_000)
    expect(await world.ask('DELETE', `/messages/${id}`, '', world.other)).toBe(200)
  }
  await world.pass(70_000)
  return device
}
const unread = () =>
  world.workspace.db.all('SELECT 1 FROM user_messages WHERE user_id = ? AND is_read = 0', world.user.user_id)
    .length

test('marks of them are dropped with one question, and the others are reached', async () => {
  const device = await awayWithMarks(420, [0, 150, 299])
  const before = device.requests.length
  device.setConnected(true)
  device.wake()
  await world.pass(60_000)
  expect(outboxRows(device.store.db)).toEqual([])
  expect(unread()).toBe(0)
  const later = device.requests.slice(before)
  expect(later.filter(({ path }) => path.startsWith('/messages/flags')).length).toBe(2)
  expect(later.filter(({ outcome }) => outcome === 429)).toEqual([])
}, 120_000)

test('they are left out of marks one by one where the service cannot be asked for many, over all its pauses', async () => {
  const device = await awayWithMarks(299, [0, 150, 299])
  device.setConnected(true)
  device.wake()
  await world.pass(10 * 60_000)
  expect(outboxRows(device.store.db)).toEqual([])
  expect(unread()).toBe(0)
  const flags = device.requests.filter(
    ({ path, outcome }) => path.startsWith('/messages/flags') && outcome !== 429,
  )
  // One request for each half, and those down to the point where an attempt broke off.
  expect(flags.length).toBeLessThan(2 * count + 100)
}, 120_000)

test('a mark of all of a channel or topic that is gone is dropped', async () => {
  world = await createWorld(1)
  await world.pass(3_000)
  const device = deviceOf(world)
  const gone = channelId(world.channelId + 100)
  for (const narrow of [{ kind: 'channel', channelId: gone } as const, topicConversation(gone, 'drift')])
    device.account.outbox.enqueue({ name: 'mark-narrow-read', narrow, upTo: messageId(9) })
  expect(outboxRows(device.store.db)).toHaveLength(2)
  await world.pass(60_000)
  expect(outboxRows(device.store.db)).toEqual([])
})

test('a move of a topic from one of them is refused, and what was written to the topic is sent', async () => {
  world = await createWorld(1)
  const { hear, send, ownMessages } = movingIn(() => world)
  await world.pass(3_000)
  for (const content of ['it drifts', 'still']) await hear('drift', content)
  await world.pass(1_000)
  const device = deviceOf(world)
  device.setConnected(false)
  const from = { channelId: channelId(world.channelId), topic: 'drift' }
  device.account.outbox.enqueue({
    name: 'move-messages',
    messageId: messageId(1),
    which: 'all',
    from,
    to: { ...from, topic: 'lee' },
  })
  send(device, 'mind the reef')
  await world.ask('DELETE', '/messages/1', '', world.other)
  device.setConnected(true)
  await world.pass(60_000)
  expect(outboxRows(device.store.db)).toMatchObject([{ name: 'move-messages', state: 'refused' }])
  expect(ownMessages()).toEqual(['drift: mind the reef'])
})
