import { afterEach, expect, test } from 'vitest'
import { messageTotal } from '../../../src-main/store/message-words.ts'
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
})
