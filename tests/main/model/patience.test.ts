import { afterEach, expect, test } from 'vitest'
import { messageId } from '../../../src-shared/ids.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import type { ModelDevice } from './device.ts'
import { createWorld, type World } from './world.ts'

// A service that fails or limits the rate gets no more requests than it can bear.

let world: World
afterEach(() => world.close())

const stepMs = 100
/** How long the model's service asks a client to wait after too many requests. */
const wishedMs = 3_500

async function newWorld(devices: number): Promise<readonly ModelDevice[]> {
  world = await createWorld(devices)
  await world.pass(3_000)
  await world.ask(
    'POST',
    '/messages',
    `type=stream&to=${world.channelId}&topic=drift&content=hello`,
    world.other,
  )
  await world.pass(1_000)
  return world.devices
}

const onlyOne = (devices: readonly ModelDevice[]): ModelDevice => {
  const [device] = devices
  if (device === undefined) throw new Error('There is no device.')
  return device
}
const send = (device: ModelDevice, topic: string) =>
  device.account.outbox.enqueue({
    name: 'send-message',
    conversation: topicConversation(world.channelId, topic),
    content: 'said',
    draftId: null,
  })
const star = (device: ModelDevice) =>
  device.account.outbox.enqueue({ name: 'star-message', messageIds: [messageId(1)], on: true })
const countOf = ({ requests }: ModelDevice, method: string, path: string) =>
  requests.filter((one) => one.method === method && one.path.startsWith(path)).length

/** The time until a device has made this many requests of a kind; a minute at most. */
async function timeUntil(
  devices: readonly ModelDevice[],
  method: string,
  path: string,
  count: number,
): Promise<number[]> {
  const times = devices.map(() => 0)
  for (let passed = 0; passed < 60_000; passed += stepMs) {
    for (const [index, device] of devices.entries())
      if (countOf(device, method, path) < count) times[index] = passed + stepMs
    if (devices.every((device) => countOf(device, method, path) >= count)) break
    await world.pass(stepMs)
  }
  return times
}

test('a message that the service was too busy for goes when the service said, and so does everything else', async () => {
  const device = onlyOne(await newWorld(1))
  device.faults.calls.push('too-many')
  send(device, 'drift')
  await world.settle()
  expect(countOf(device, 'POST', '/messages')).toBe(1)
  // A change in a lane of its own.
  star(device)
  const [first] = await timeUntil([device], 'POST', '/messages', 2)
  expect(first).toBeGreaterThanOrEqual(wishedMs)
  const [both] = await timeUntil([device], 'POST', '/messages', 3)
  expect((first ?? 0) + (both ?? 0)).toBeLessThanOrEqual(wishedMs + 2 * stepMs)
  expect(countOf(device, 'POST', '/messages/flags')).toBe(1)
})

test('a clock that is set back after the service was too busy does not send what fails again and again', async () => {
  const device = onlyOne(await newWorld(1))
  device.faults.calls.push('too-many')
  send(device, 'drift')
  await world.settle()
  device.skewMs = -86_400_000
  device.faults.calls.push(...Array.from({ length: 50 }, () => 'refused' as const))
  star(device)
  await world.settle()
  // The wait from before the clock was set is over; later failures wait as usual.
  expect(countOf(device, 'POST', '/messages/flags')).toBe(1)
})

test('a draft that the service was too busy for is saved when the service said', async () => {
  const device = onlyOne(await newWorld(1))
  const recipient = topicConversation(world.channelId, 'drift')
  const { draftId } = device.account.drafts.save(null, { recipient, content: 'begun' })
  device.faults.calls.push('too-many')
  device.account.drafts.leave(draftId)
  await world.settle()
  expect(countOf(device, 'POST', '/drafts')).toBe(1)
  const [until] = await timeUntil([device], 'POST', '/drafts', 2)
  expect(until).toBeGreaterThanOrEqual(wishedMs)
  expect(until).toBeLessThanOrEqual(wishedMs + 2 * stepMs)
})

test('a file that the service was too busy for is uploaded when the service said', async () => {
  const device = onlyOne(await newWorld(1))
  const { files } = device.account
  device.faults.calls.push('too-many')
  files.append(files.begin('board.png', 'image/png', 3), new Uint8Array([1, 2, 3]))
  await world.settle()
  expect(countOf(device, 'POST', '/user_uploads')).toBe(1)
  const [until] = await timeUntil([device], 'POST', '/user_uploads', 2)
  expect(until).toBeGreaterThanOrEqual(wishedMs)
  expect(until).toBeLessThanOrEqual(wishedMs + 2 * stepMs)
})

test('what failed is tried again after a while, and not by all devices in the same moment', async () => {
  const devices = await newWorld(4)
  for (const device of devices) {
    device.faults.calls.push('truncated')
    star(device)
  }
  await world.settle()
  const waits = await timeUntil(devices, 'POST', '/messages/flags', 2)
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_800)
  expect(Math.max(...waits)).toBeLessThanOrEqual(2_200 + stepMs)
  expect(new Set(waits).size).toBeGreaterThan(1)
})
