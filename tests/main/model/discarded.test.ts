import { afterEach, expect, test } from 'vitest'
import type { Action } from '../../../src-shared/bridge/actions.ts'
import { channelId, messageId } from '../../../src-shared/ids.ts'
import { readCursor } from '../../../src-main/store/cursor.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import { createWorld, deviceOf, type World } from './world.ts'

// Changes that were made and discarded without a network: the device shows what the service has again.

let world: World
afterEach(() => world.close())

/** One message in a channel, and a device that makes the change offline, discards it and is started anew. */
async function discarded(change: (id: number) => Action) {
  world = await createWorld(1)
  await world.pass(3_000)
  const device = deviceOf(world)
  await world.ask('POST', '/messages', `type=stream&to=${world.channelId}&topic=drift&content=north`)
  await world.pass(3_000)
  const id = world.workspace.db.get<{ id: number }>('SELECT message_id AS id FROM messages')?.id ?? 0
  const { generation } = readCursor(device.store.db)
  device.setConnected(false)
  await world.pass(1_000)
  device.account.outbox.enqueue(change(id))
  for (const { localId } of outboxRows(device.store.db)) device.account.outbox.discard(localId)
  await world.pass(1_000)
  device.restart()
  await world.pass(1_000)
  device.setConnected(true)
  await world.pass(120_000)
  expect(outboxRows(device.store.db)).toEqual([])
  const { db } = device.store
  return { db, registrations: readCursor(db).generation - generation }
}

test('a deleted message comes back, asked for by its id', async () => {
  const { db, registrations } = await discarded((id) => ({
    name: 'delete-message',
    messageId: messageId(id),
  }))
  expect(db.column('SELECT content_html FROM messages')).toEqual(['<p>north</p>'])
  expect(db.all('SELECT * FROM missing_messages')).toEqual([])
  expect(registrations).toBe(0)
})

test('a star is taken off again', async () => {
  const { db, registrations } = await discarded((id) => ({
    name: 'star-message',
    messageIds: [messageId(id)],
    on: true,
  }))
  expect(db.column('SELECT is_starred FROM messages')).toEqual([0])
  expect(registrations).toBe(0)
})

test('a setting is what it was', async () => {
  const { db, registrations } = await discarded(() => ({
    name: 'set-topic-visibility',
    channelId: channelId(world.channelId),
    topic: 'drift',
    visibility: 'muted',
  }))
  // The service lets people follow the topics in which they write.
  expect(db.column('SELECT visibility FROM topic_visibility')).toEqual(['followed'])
  expect(registrations).toBe(1)
})
