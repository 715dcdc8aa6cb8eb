import { afterEach, expect, test } from 'vitest'
import { messageId } from '../../../src-shared/ids.ts'
import { wrongCounts } from '../../support/kept-counts.ts'
import { createWorld, deviceOf, sendMany, type World } from './world.ts'

let world: World

afterEach(() => world.close())

test('what a person marks as unread between the parts of a mark from elsewhere stays unread', async () => {
  world = await createWorld(2)
  const device = deviceOf(world)
  await world.pass(3_000)
  // More than one part names.
  sendMany(world, 1_200, world.channelId, 'ebb')
  await world.pass(60_000)
  const unread = (of = device) =>
    of.store.db.column<number>('SELECT message_id FROM unread ORDER BY message_id')
  const ids = unread()
  expect(ids).toHaveLength(1_200)
  const [first = 0, last = 0] = [ids[0], ids.at(-1)]
  let leftBetween = 0
  const seen = new Set<string>()
  const stop = device.store.onChange(['unread'], () => {
    stop()
    leftBetween = unread().length
    device.account.outbox.enqueue({ name: 'mark-unread', messageIds: [first, last].map(messageId) })
    device.store.onChange(['unread'], () => seen.add([unread()[0], unread().at(-1)].join()))
  })
  await world.ask('POST', '/messages/flags', `op=add&flag=read&messages=${JSON.stringify(ids)}`)
  await world.pass(60_000)
  expect(leftBetween).toBe(200)
  expect([...seen]).toEqual([[first, last].join()])
  for (const one of world.devices) {
    expect(unread(one)).toEqual([first, last])
    expect(wrongCounts(one.store.db)).toEqual([])
  }
})
