import { afterEach, expect, test } from 'vitest'
import type { Action } from '../../../src-shared/bridge/actions.ts'
import { messageId } from '../../../src-shared/ids.ts'
import { objectsOf } from '../../../src-main/store/objects.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import type { ModelDevice } from './device.ts'
import { createWorld, type World } from './world.ts'

// The server cannot change a reminder, so a change takes several requests, any of which may be repeated.

let world: World

async function open(devices = 1): Promise<[ModelDevice, ModelDevice]> {
  world = await createWorld(devices)
  await world.pass(3_000)
  await world.ask('POST', '/messages', `type=stream&to=${world.channelId}&topic=drift&content=one`)
  const [first, second = first] = world.devices
  if (first === undefined || second === undefined) throw new Error('There is no device.')
  return [first, second]
}
afterEach(() => world.close())

const act = (device: ModelDevice, action: Action) => device.account.outbox.enqueue(action)
const inMinutes = (minutes: number) => world.workspace.clock.now() + minutes * 60_000
const remind = (device: ModelDevice, note: string, at: number) =>
  act(device, { name: 'remind-me', messageId: messageId(1), at, note })
/** Sets a reminder; returns a function that changes it. */
async function reminder(device: ModelDevice, note: string, at: number) {
  remind(device, note, at)
  await world.pass(1_000)
  const reminderId = Number(objectsOf(device.store.db, 'reminder')[0]?.['reminder_id'])
  return (on: ModelDevice, newNote: string, newAt: number | null) =>
    act(on, { name: 'change-reminder', reminderId, messageId: messageId(1), at: newAt, note: newNote })
}
/** The notes of the service's reminders, and their times in UNIX seconds. */
const onService = () =>
  world.workspace.db.all<{ note: string; at: number }>(
    'SELECT note, deliver_at AS at FROM reminders ORDER BY deliver_at, reminder_id',
  )
const notes = () => onService().map(({ note }) => note)
const waiting = (device: ModelDevice) => outboxRows(device.store.db).map(({ name, reason }) => [name, reason])

test('a reminder whose moment is over, and whose answer was lost, is set once', async () => {
  const [device] = await open()
  // The list has been requested; the connection breaks in the request after it.
  device.latency.up = 1_000
  remind(device, 'call', inMinutes(0))
  await world.pass(500)
  device.faults.calls.push('lost-after')
  await world.pass(1_500)
  device.latency.up = 0
  await world.pass(30_000)
  expect(notes()).toEqual(['call'])
  expect(waiting(device)).toEqual([])
})

test.each(['its answer', 'its event', 'a list of the server'])(
  'a window that still shows a reminder as waiting changes the one that the server has, known by %s',
  async (knownBy) => {
    const [device] = await open()
    device.latency.up = 1_000
    // Its moment is over, so the server has it at another.
    const id = remind(device, 'call', inMinutes(0))
    await world.pass(500)
    if (knownBy !== 'its answer') device.faults.calls.push('lost-after')
    if (knownBy === 'a list of the server') device.loseQueue()
    const change = { name: 'remind-me', at: inMinutes(60), note: 'write' } as const
    expect(device.account.outbox.changeWaiting(id, change)).toEqual({ isChanged: false, serverId: null })
    await world.pass(60_000)
    expect(waiting(device)).toEqual([])
    expect(device.account.outbox.changeWaiting(id, change)).toEqual({
      isChanged: false,
      serverId: Number(objectsOf(device.store.db, 'reminder')[0]?.['reminder_id']),
    })
  },
)

test('a window that still shows a discarded reminder is told that it is gone', async () => {
  const [device] = await open()
  device.setConnected(false)
  await world.pass(1_000)
  const id = remind(device, 'call', inMinutes(30))
  device.account.outbox.discard(id)
  const change = { name: 'remind-me', at: inMinutes(60), note: 'write' } as const
  expect(() => device.account.outbox.changeWaiting(id, change)).toThrow('deleted or sent')
})

test('two reminders of one message that were set without a network are both set, at the same moment the last one', async () => {
  const [device] = await open()
  device.setConnected(false)
  await world.pass(1_000)
  remind(device, 'call', inMinutes(30))
  remind(device, 'write', inMinutes(60))
  remind(device, 'write again', inMinutes(60))
  device.setConnected(true)
  await world.pass(60_000)
  expect(notes()).toEqual(['call', 'write again'])
  expect(waiting(device)).toEqual([])
})

test('two reminders of one message that are both due at once keep their notes', async () => {
  const [device] = await open()
  remind(device, 'call', inMinutes(0))
  await world.pass(0)
  remind(device, 'write', inMinutes(0))
  await world.pass(10_000)
  expect(notes()).toEqual(['call', 'write'])
})

test('a reminder for the moment of another one, which is known already, is set although its first answer is lost', async () => {
  const [device] = await open()
  const at = inMinutes(60)
  await reminder(device, 'call', at)
  device.faults.calls.push('lost-after')
  remind(device, 'write', at)
  await world.pass(60_000)
  expect(notes()).toEqual(['call', 'write'])
  expect(waiting(device)).toEqual([])
})

test.each([
  ['changed again', inMinutesOf(30), ['write']],
  ['changed back', inMinutesOf(60), ['write']],
  ['ended', () => null, []],
])('a reminder that is %s while a change of it is on its way is not there twice', async (_what, at, left) => {
  const [device] = await open()
  const hour = inMinutes(60)
  const change = await reminder(device, 'call', hour)
  device.faults.calls.push('too-many')
  change(device, 'mail', inMinutes(20))
  await world.pass(100)
  change(device, 'write', at(hour))
  await world.pass(60_000)
  expect(notes()).toEqual(left)
  expect(waiting(device)).toEqual([])
})
function inMinutesOf(minutes: number) {
  return (hour: number) => hour + (minutes - 60) * 60_000
}

test('another note alone, of a reminder whose moment is being changed, is kept', async () => {
  const [device] = await open()
  const change = await reminder(device, 'call', inMinutes(60))
  const at = inMinutes(20)
  device.faults.calls.push('too-many')
  change(device, 'call', at)
  await world.pass(100)
  change(device, 'write', at)
  await world.pass(60_000)
  expect(onService()).toEqual([{ note: 'write', at: Math.round(at / 1_000) }])
})

test('another note alone is made once, whichever answer is lost', async () => {
  for (const lost of [1, 2]) {
    if (lost > 1) await world.close()
    const [device] = await open()
    const at = inMinutes(60)
    const change = await reminder(device, 'call', at)
    device.latency.up = 1_000
    change(device, 'write', at)
    await world.pass(lost * 1_000 - 500)
    device.faults.calls.push('lost-after')
    await world.pass(1_500)
    device.latency.up = 0
    await world.pass(60_000)
    expect(notes(), `request ${lost}`).toEqual(['write'])
    expect(waiting(device)).toEqual([])
  }
})

test('a reminder whose time was changed is here once, although the server tells later that the old one is gone', async () => {
  const [device] = await open()
  const change = await reminder(device, 'call', inMinutes(60))
  device.latency.down = 700
  device.latency.events = 1_000
  change(device, 'call', inMinutes(20))
  const here: number[] = []
  for (let step = 0; step < 60; step++) {
    await world.pass(100)
    // While the change waits, the old one shows it.
    if (waiting(device).length === 0) here.push(objectsOf(device.store.db, 'reminder').length)
  }
  expect(new Set(here)).toEqual(new Set([1]))
  expect(notes()).toEqual(['call'])
})

test('a reminder that two devices end at once is refused on neither', async () => {
  const [first, second] = await open(2)
  const change = await reminder(first, 'call', inMinutes(60))
  for (const device of [first, second]) {
    device.latency.up = 1_000
    change(device, '', null)
  }
  await world.pass(60_000)
  expect(notes()).toEqual([])
  expect([...waiting(first), ...waiting(second)]).toEqual([])
})

const reminderIds = () =>
  world.workspace.db.all<{ id: number }>('SELECT reminder_id AS id FROM reminders').map(({ id }) => id)

test.each([
  ['the server keeps it', 60, 'call', []],
  ['with another note, it is another one', 60, 'write', ['change-reminder', 'remind-me']],
  ['at another moment, it is another one', 30, 'call', ['change-reminder', 'remind-me']],
])('the deletion of a reminder is undone while nothing is sent: %s', async (_, minutes, note, left) => {
  const [device] = await open()
  const at = inMinutes(minutes)
  const change = await reminder(device, 'call', inMinutes(60) - 1_000)
  const before = objectsOf(device.store.db, 'reminder')
  const ids = reminderIds()
  device.setConnected(false)
  await world.pass(1_000)
  change(device, '', null)
  remind(device, note, at - 1_000)
  expect(waiting(device).map(([name]) => name)).toEqual(left)
  if (left.length === 0) expect(objectsOf(device.store.db, 'reminder')).toEqual(before)
  device.setConnected(true)
  await world.pass(60_000)
  expect(waiting(device)).toEqual([])
  expect(notes()).toEqual([note])
  expect(reminderIds()).toEqual(left.length === 0 ? ids : [expect.any(Number)])
})

test('the deletion of a reminder whose change still waits is undone: the change is left', async () => {
  const [device] = await open()
  const change = await reminder(device, 'call', inMinutes(60))
  device.setConnected(false)
  await world.pass(1_000)
  const at = inMinutes(20)
  change(device, 'write', at)
  const changed = objectsOf(device.store.db, 'reminder')
  change(device, '', null)
  expect(objectsOf(device.store.db, 'reminder')).toEqual([])
  remind(device, 'write', at)
  expect(waiting(device)).toEqual([['change-reminder', null]])
  expect(objectsOf(device.store.db, 'reminder')).toEqual(changed)
  device.setConnected(true)
  await world.pass(60_000)
  expect(onService()).toEqual([{ note: 'write', at: Math.round(at / 1_000) }])
  expect(waiting(device)).toEqual([])
})
