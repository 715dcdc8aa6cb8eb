import { afterEach, expect, test } from 'vitest'
import { hasDeleted, removeDeleted } from '../../../src-main/store/deleted-messages.ts'
import { messageTotal } from '../../../src-main/store/message-words.ts'
import { createChannel } from '../../../src-server/channels/channels.ts'
import { addSubscriber } from '../../../src-server/channels/subscriptions.ts'
import { wrongCounts } from '../../support/kept-counts.ts'
import { createWorld, deviceOf, sendMany, type World } from './world.ts'

let world: World

afterEach(() => world.close())

test('a topic with many messages is deleted in steps, and a restart continues with them', async () => {
  world = await createWorld(1)
  const device = deviceOf(world)
  await world.pass(3_000)
  world.workspace.db.run('UPDATE users SET role = 100 WHERE user_id = ?', world.user.user_id)
  sendMany(world, 240, world.channelId, 'ebb')
  sendMany(world, 3, world.channelId, 'flow')
  await world.pass(60_000)
  const counts = () => ({
    messages: device.store.db.column('SELECT message_id FROM messages').length,
    unread: device.store.db.column('SELECT message_id FROM unread').length,
    topics: device.store.db.all(
      `SELECT topic, unread_count AS unread FROM conversations WHERE topic IN ('ebb', 'flow') ORDER BY topic`,
    ),
    found: messageTotal(device.store.db),
  })
  const before = counts()
  expect(before.topics).toEqual([
    { topic: 'ebb', unread: 240 },
    { topic: 'flow', unread: 3 },
  ])
  // The process ends with the commit of the event.
  device.kill(1)
  await world.ask('POST', `/streams/${world.channelId}/delete_topic`, 'topic_name=ebb', world.user)
  await world.pass(1_000)
  expect(counts()).toEqual({
    messages: before.messages - 240,
    unread: before.unread - 240,
    topics: [
      { topic: 'ebb', unread: 0 },
      { topic: 'flow', unread: 3 },
    ],
    found: before.found - 240,
  })
  expect(wrongCounts(device.store.db)).toEqual([])
})

test('only the newest of many deleted messages go at once', async () => {
  world = await createWorld(1)
  const { store } = deviceOf(world)
  sendMany(world, 120, world.channelId, 'ebb')
  await world.pass(60_000)
  const here = () => store.db.column<number>('SELECT message_id FROM messages ORDER BY message_id')
  const ids = here()
  store.write((db) => removeDeleted(db, ids))
  expect(here()).toEqual(ids.slice(0, -50))
  expect(hasDeleted(store.db)).toBe(true)
})

test('messages that are out of reach and come back before they were removed are here', async () => {
  world = await createWorld(1)
  const device = deviceOf(world)
  const hidden = createChannel(world.workspace, world.other, {
    name: 'hidden',
    description: '',
    isPrivate: true,
  })
  addSubscriber(world.workspace, world.other, hidden)
  world.workspace.db.run('UPDATE users SET role = 100 WHERE user_id = ?', world.other.user_id)
  sendMany(world, 240, world.channelId, 'ebb')
  await world.pass(60_000)
  const here = () => device.store.db.column<number>('SELECT message_id FROM messages ORDER BY message_id')
  const before = here()
  const move = (id: number | undefined, to: number) =>
    world.ask(
      'PATCH',
      `/messages/${id}`,
      `stream_id=${to}&propagate_mode=change_all&send_notification_to_old_thread=false&send_notification_to_new_thread=false`,
      world.other,
    )
  // Both are heard at once.
  device.setConnected(false)
  expect(await move(before.at(-1), hidden.channel_id)).toBe(200)
  expect(await move(before.at(-1), world.channelId)).toBe(200)
  device.setConnected(true)
  await world.pass(120_000)
  expect(here()).toEqual(before)
  expect(wrongCounts(device.store.db)).toEqual([])
})
