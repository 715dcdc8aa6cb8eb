import { afterAll, beforeAll, expect, test } from 'vitest'
import { channelId, userId, type MessageId } from '../../src-shared/ids.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import { openDevice, type Device } from '../support/device.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let device: Device
let keikos: Device
let maren: { userId: number }
let channel: number

beforeAll(async () => {
  service = await startService()
  const own = service.createUser('Maren Aske')
  const keiko = service.createUser('Keiko Tamura')
  maren = own
  channel = service.createChannel('gauges', [own.userId, keiko.userId])
  service.send(own.userId, channel, 'drift', 'mine, with a reaction')
  service.send(own.userId, channel, 'drift', 'mine, without')
  service.send(keiko.userId, channel, 'drift', 'not mine, with a reaction')
  device = await openDevice(service.baseUrl, own)
  keikos = await openDevice(service.baseUrl, keiko)
})

afterAll(async () => {
  await device.close()
  await keikos.close()
  await service.close()
})

const feed = (of: Device, narrow: Narrow) =>
  ({ accountId: of.accountId, narrow, around: 'newest', before: 50, after: 0 }) as const
const topic = (): Narrow => ({ kind: 'topic', channelId: channelId(channel), topic: 'drift' })
const reactions = (): Narrow => ({ kind: 'reactions', userId: userId(maren.userId) })
const react = (from: Device, messageId: MessageId, on: boolean) =>
  from.bridge.call('act', {
    accountId: from.accountId,
    action: {
      name: 'react',
      messageId,
      emoji: { name: '+1', code: '1f44d', type: 'unicode_emoji' },
      on,
    },
  })

test('what one wrote and others reacted to is a feed of its own, live', async () => {
  const { messages } = await keikos.until(
    'feed',
    feed(keikos, topic()),
    (value) => value.messages.length === 3,
  )
  const [mine, plain, other] = messages
  if (mine === undefined || plain === undefined || other === undefined) throw new Error('three messages')
  await react(keikos, mine.id, true)
  await react(keikos, other.id, true)
  const found = await device.until('feed', feed(device, reactions()), (value) => value.messages.length === 1)
  expect(found.messages.map(({ id }) => id)).toEqual([mine.id])
  expect(found.before).toBe('beginning')

  await react(keikos, plain.id, true)
  await react(keikos, mine.id, false)
  await device.until('feed', feed(device, reactions()), (value) => value.messages[0]?.id === plain.id)
})

test('the server gives what this device does not have of it', async () => {
  const { loaded } = await device.bridge.call('load-older', {
    accountId: device.accountId,
    narrow: reactions(),
    before: null,
  })
  expect(loaded).toBe(1)
})
