import { afterAll, beforeAll, expect, test } from 'vitest'
import { channelId, messageId, userId, type MessageId } from '../../src-shared/ids.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import { openDevice, type Device } from '../support/device.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let device: Device
let keikos: Device
let maren: { userId: number }
let channel: number
let others: ReturnType<TestService['createUser']>[]

beforeAll(async () => {
  service = await startService()
  const own = service.createUser('Maren Aske')
  const keiko = service.createUser('Keiko Tamura')
  maren = own
  others = Array.from({ length: 14 }, (_, index) => service.createUser(`Reader ${index + 10}`))
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

test('everybody who reacted is named, oneself first, however many they are', async () => {
  const busy = service.createChannel('busy', [maren.userId, ...others.map(({ userId: id }) => id)])
  const id = messageId(service.send(maren.userId, busy, 'tides', 'Who comes?'))
  const reaction = new URLSearchParams({ emoji_name: 'eyes' })
  for (const { email, apiKey } of others) {
    const response = await fetch(new URL(`/api/v1/messages/${id}/reactions`, service.baseUrl), {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${email}:${apiKey}`)}` },
      body: reaction,
    })
    expect(response.ok).toBe(true)
  }
  const here = { kind: 'topic', channelId: channelId(busy), topic: 'tides' } as const
  await device.until('feed', feed(device, here), ({ messages }) => messages.length === 1)
  const reactors = { accountId: device.accountId, messageId: id }
  await device.until('reactors', reactors, ([eyes]) => eyes?.people.length === 14)
  await device.bridge.call('act', {
    accountId: device.accountId,
    action: {
      name: 'react',
      messageId: id,
      on: true,
      emoji: { name: 'eyes', code: '1f440', type: 'unicode_emoji' },
    },
  })
  const [eyes] = await device.until('reactors', reactors, ([first]) => first?.people.length === 15)
  expect(eyes?.emoji.name).toBe('eyes')
  expect(eyes?.people.map(({ fullName }) => fullName)).toEqual([
    'Maren Aske',
    ...others.map((_, index) => `Reader ${index + 10}`),
  ])
})
