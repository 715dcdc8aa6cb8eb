import { afterEach, expect, test } from 'vitest'
import { accountId } from '../../../src-shared/ids.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { feed } from '../../../src-main/queries/feed.ts'
import { lostChannels, noteLost } from '../../../src-main/store/lost-channels.ts'
import { putMessage } from '../../../src-main/store/messages.ts'
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
