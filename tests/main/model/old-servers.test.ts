import { afterEach, expect, test } from 'vitest'
import { channelId } from '../../../src-shared/ids.ts'
import { createChannel } from '../../../src-server/channels/channels.ts'
import type { ModelDevice } from './device.ts'
import { createWorld, deviceOf, sendMany, type World } from './world.ts'

// Servers that return one message per request, if they are asked by name.

let world: World
let device: ModelDevice

afterEach(() => world.close())

async function open(level: number, rateLimit: number | null = null) {
  world = await createWorld(1, level, rateLimit)
  device = deviceOf(world)
}

const hear = (count: number, inChannel: number, topic: string) => sendMany(world, count, inChannel, topic)

test('all old messages are compared within the limit of a server that is not asked by name', async () => {
  await open(299, 200)
  const far = createChannel(world.workspace, world.other, { name: 'far', description: '' }).channel_id
  hear(150, world.channelId, 'ebb')
  // Of these the person received nothing, so no page of theirs has them.
  hear(100, far, 'unheard')
  hear(150, world.channelId, 'flood')
  await world.pass(60_000)
  await device.account.sync.loadOlder({ kind: 'channel', channelId: channelId(far) }, null)
  hear(2_050, world.channelId, 'drift')
  await world.pass(120_000)
  const count = (where = '') =>
    device.store.db.get<{ n: number }>(`SELECT count(*) AS n FROM messages m ${where}`)?.n
  expect(count()).toBe(2_450)
  const before = device.requests.length
  device.loseQueue()
  await world.pass(10 * 60_000)
  expect(count('JOIN sync USING (generation)')).toBe(2_450)
  const later = device.requests.slice(before)
  expect(later.filter(({ outcome }) => outcome === 429)).toEqual([])
  expect(later.filter(({ path }) => /^\/messages\/\d/.test(path))).toHaveLength(100)
})
