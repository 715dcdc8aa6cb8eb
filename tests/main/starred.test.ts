import { afterAll, beforeAll, expect, test } from 'vitest'
import { messageId, type MessageId } from '../../src-shared/ids.ts'
import { openDevice, type Device } from '../support/device.ts'
import { startService, type TestService } from '../support/service.ts'

// Starred messages by the time of their star: the server does not tell, so each device records what it sees.

let service: TestService
let device: Device
let first: number
let second: number
let third: number
let flag: (id: number, op: 'add' | 'remove') => Promise<Response>

beforeAll(async () => {
  service = await startService()
  const own = service.createUser('Maren Aske')
  const keiko = service.createUser('Keiko Tamura')
  const channel = service.createChannel('gauges', [own.userId, keiko.userId])
  first = service.send(keiko.userId, channel, 'drift', 'one')
  second = service.send(keiko.userId, channel, 'drift', 'two')
  third = service.send(keiko.userId, channel, 'drift', 'three')
  const authorization = `Basic ${btoa(`${own.email}:${own.apiKey}`)}`
  flag = (id, op) =>
    fetch(`${service.baseUrl}/messages/flags`, {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams({ messages: JSON.stringify([id]), op, flag: 'starred' }),
    })
  await flag(third, 'add')
  device = await openDevice(service.baseUrl, own)
})

afterAll(async () => {
  await device?.close()
  await service?.close()
})

const starred = (isDone: (ids: readonly number[]) => boolean) =>
  device.until('starred', { accountId: device.accountId, limit: 10 }, (rows) =>
    isDone(rows.map((row) => row.messageId)),
  )
const stars = (action: { messageIds: MessageId[]; on: boolean; restores?: boolean }) =>
  device.bridge.call('act', { accountId: device.accountId, action: { name: 'star-message', ...action } })
const star = (id: number, on: boolean) => stars({ messageIds: [messageId(id)], on })

test('the last starred message stands first, wherever it was starred; what was starred before stands last', async () => {
  const known = await starred((ids) => ids.join() === String(third))
  expect(known[0]?.starredAt).toBeNull()
  await star(second, true)
  await starred((ids) => ids.join() === [second, third].join())
  await flag(first, 'add')
  const [last, before] = await starred((ids) => ids.join() === [first, second, third].join())
  expect(last).toMatchObject({ excerpt: 'one', senderName: 'Keiko Tamura' })
  expect(last?.starredAt ?? 0).toBeGreaterThanOrEqual(before?.starredAt ?? Number.POSITIVE_INFINITY)

  // Removing and adding a star makes a new one, even for a message whose first star no device saw.
  await star(third, false)
  await starred((ids) => ids.join() === [first, second].join())
  await star(third, true)
  const [again] = await starred((ids) => ids.join() === [third, first, second].join())
  expect(again?.starredAt).not.toBeNull()
  await device.restart()
  await starred((ids) => ids.join() === [third, first, second].join())
  // Until the server's events have come, they may still give the stars other times.
  await device.until('outbox', { accountId: device.accountId }, ({ length }) => length === 0)
})

test('stars that were removed come back in their former order', async () => {
  const order = [third, first, second]
  const before = await starred((ids) => ids.join() === order.join())
  await stars({ messageIds: order.map(messageId), on: false })
  await starred((ids) => ids.length === 0)
  await stars({ messageIds: order.map(messageId), on: true, restores: true })
  const after = await starred((ids) => ids.length === 3)
  const times = (rows: typeof before) => rows.map((row) => [row.messageId, row.starredAt])
  expect(times(after)).toEqual(times(before))
  await device.until('outbox', { accountId: device.accountId }, ({ length }) => length === 0)
  expect(times(await starred((ids) => ids.length === 3))).toEqual(times(before))
})
