import { afterEach, expect, test } from 'vitest'
import { accountId, userId } from '../../../src-shared/ids.ts'
import { feed } from '../../../src-main/queries/feed.ts'
import { createWorld, deviceOf, type World } from './world.ts'

// The list of a person's own messages that have reactions.

let world: World

afterEach(() => world.close())

test('an own message that is not here comes into the list when somebody reacts to it', async () => {
  world = await createWorld(1)
  const device = deviceOf(world)
  await world.pass(3_000)
  const say = (content: string, as = world.user) =>
    world.ask('POST', '/messages', `type=stream&to=${world.channelId}&topic=drift&content=${content}`, as)
  await say('mine')
  await say('other', world.other)
  await world.pass(3_000)
  // As on a device whose history does not reach that far back.
  device.store.write((db) => {
    db.run('DELETE FROM messages')
    db.run('DELETE FROM ranges')
  })
  const asked = () => device.requests.filter(({ path }) => path.includes('message_ids')).length
  const react = async (id: number, emoji: string) => {
    expect(await world.ask('POST', `/messages/${id}/reactions`, `emoji_name=${emoji}`, world.other)).toBe(200)
    await world.pass(3_000)
  }
  // As long as nobody opened the list, nothing is fetched for it.
  await react(2, 'wave')
  expect(asked()).toBe(0)
  const narrow = { kind: 'reactions', userId: userId(world.user.user_id) } as const
  await device.account.sync.loadOlder(narrow, null)
  const shown = () => {
    const span = { around: 'newest', before: 100, after: 0 } as const
    const context = device.account.queryContext()
    const { messages, before, after } = feed(context, { accountId: accountId('model'), narrow, ...span })
    return [before, ...messages.map(({ id }) => Number(id)), after]
  }
  expect(shown()).toEqual(['beginning', 'end'])
  await react(1, 'wave')
  expect(shown()).toEqual(['beginning', 1, 'end'])
  expect(asked()).toBe(1)
})
