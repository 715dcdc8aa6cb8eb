import { afterEach, beforeEach, expect, test } from 'vitest'
import { channelId, type DraftId } from '../../../src-shared/ids.ts'
import { allDrafts } from '../../../src-main/store/drafts.ts'
import { draftsOf } from '../../../src-server/handlers/drafts.ts'
import type { ModelDevice } from './device.ts'
import { createWorld, deviceOf, type World } from './world.ts'

// Answers about drafts, their events and registrations in every order: the answer to a registration says what was there
// when it was requested.

let world: World
let device: ModelDevice

beforeEach(async () => {
  world = await createWorld(2)
  device = deviceOf(world)
  await world.pass(3_000)
})
afterEach(() => world.close())

const registrationMs = 3_000

const shown = (of = device): string[] =>
  allDrafts(of.store.db)
    .filter(({ isDeleted }) => !isDeleted)
    .map(({ local }) => local.content)
const kept = (): string[] => draftsOf(world.workspace, world.user.user_id).map(({ content }) => content)
const write = (content: string, id: DraftId | null = null, of = device): DraftId => {
  const { draftId } = of.account.drafts.save(id, { recipient: null, content })
  of.account.drafts.leave(draftId)
  return draftId
}
/**
 * From now on, a registration is under way that the service has answered. The queue is not lost, so drafts go on: the
 * account registers anew because a change was refused that only a registration can revert here.
 */
const beginRegistration = async () => {
  device.latency.down = 1
  device.account.outbox.enqueue({
    name: 'set-topic-visibility',
    channelId: channelId(9_999),
    topic: 'drift',
    visibility: 'muted',
  })
  await world.settle()
  device.latency.down = registrationMs
  await world.pass(1)
  device.latency.down = 0
  expect(device.requests.at(-1)).toMatchObject({ path: '/register', outcome: 'under way' })
}
const endRegistration = () => world.pass(registrationMs)

test('a draft whose deletion was answered before an older registration does not appear again', async () => {
  const id = write('six boats')
  await world.pass(3_000)
  expect(kept()).toEqual(['six boats'])
  // It reaches the service after the registration, and is answered before that.
  device.latency.up = 1_000
  device.account.drafts.delete(id)
  await world.pass(1_000)
  device.latency.up = 0
  device.latency.events = 1_000
  await beginRegistration()
  await world.pass(registrationMs + 500)
  expect(kept()).toEqual([])
  expect(shown()).toEqual([])
  await world.pass(3_000)
  expect(allDrafts(device.store.db)).toEqual([])
})

test('a draft that was saved and deleted during a registration does not come back', async () => {
  await beginRegistration()
  const id = write('six boats')
  await world.settle()
  expect(kept()).toEqual(['six boats'])
  device.account.drafts.delete(id)
  await endRegistration()
  await world.pass(3_000)
  expect(shown()).toEqual([])
  expect(kept()).toEqual([])
  expect(allDrafts(device.store.db)).toEqual([])
})

test('a draft that was saved during a registration and typed in since stays one', async () => {
  await beginRegistration()
  const id = write('six boats')
  await world.settle()
  write('six boats and a raft', id)
  await endRegistration()
  await world.pass(10_000)
  expect(shown()).toEqual(['six boats and a raft'])
  expect(kept()).toEqual(['six boats and a raft'])
})

test('words that were saved during a registration do not conflict with those typed since', async () => {
  const id = write('six boats')
  await world.pass(3_000)
  device.latency.up = 1_000
  write('five boats', id)
  await world.pass(1_000)
  device.latency.up = 0
  await beginRegistration()
  await world.pass(1_000)
  expect(kept()).toEqual(['five boats'])
  write('four boats', id)
  await endRegistration()
  await world.pass(10_000)
  expect(shown()).toEqual(['four boats'])
  expect(kept()).toEqual(['four boats'])
})

test('what another device adds during a registration goes on as a draft although it is deleted here', async () => {
  const id = write('six boats')
  await world.pass(3_000)
  const other = deviceOf(world, 1)
  const there = allDrafts(other.store.db)[0]?.id ?? null
  device.latency.events = 1_000
  await beginRegistration()
  write('six boats and a raft', there, other)
  await world.pass(1_000)
  device.account.drafts.delete(id)
  await endRegistration()
  await world.pass(10_000)
  expect(kept()).toEqual(['six boats and a raft'])
  expect(shown()).toEqual(['six boats and a raft'])
})

for (const [order, latency, fault] of [
  ['the answer comes first', { up: 2_000, down: 0, events: 1_000 }, 'none'],
  ['its event comes first', { up: 2_000, down: 1_000, events: 0 }, 'none'],
  ['it arrives late, without an answer', { up: 0, down: 0, events: 0 }, 'lost-during'],
  ['its answer is lost', { up: 0, down: 0, events: 0 }, 'lost-after'],
] as const)
  test(`a draft that is deleted during its first save and written again stays one, if ${order}`, async () => {
    Object.assign(device.latency, latency)
    device.faults.calls.push(fault)
    const id = write('six boats')
    // Not in the same second: what several devices make at once, with the same words, counts as one draft.
    await world.pass(1_000)
    device.account.drafts.delete(id)
    write('six boats')
    await world.pass(60_000)
    expect(shown()).toEqual(['six boats'])
    expect(kept()).toEqual(['six boats'])
    expect(allDrafts(device.store.db)).toMatchObject([{ state: 'synced', isDeleted: false }])
    await world.pass(60_000)
    expect(shown(deviceOf(world, 1))).toEqual(['six boats'])
  })

test('words that are typed on while a deletion is refused, because another device was faster, stay', async () => {
  const id = write('six boats')
  await world.pass(3_000)
  const other = deviceOf(world, 1)
  // The other deletion reaches the service first, and its event comes before the refusal.
  device.latency.up = 3_000
  device.account.drafts.delete(id)
  await world.pass(4_000)
  device.latency.up = 0
  for (const there of allDrafts(other.store.db)) other.account.drafts.delete(there.id)
  device.latency.down = 1_000
  await world.pass(2_500)
  expect(allDrafts(device.store.db)).toEqual([])
  expect(device.requests.at(-2)).toMatchObject({ method: 'DELETE', outcome: 'under way' })
  expect(device.account.drafts.save(id, { recipient: null, content: 'a raft' }).draftId).toBe(id)
  await world.pass(10_000)
  expect(device.requests).toContainEqual(expect.objectContaining({ method: 'DELETE', outcome: 404 }))
  expect(shown()).toEqual(['a raft'])
  expect(kept()).toEqual(['a raft'])
})

test('a draft that is typed in again while the answer to its deletion is under way can be deleted again', async () => {
  const id = write('six boats')
  await world.pass(3_000)
  device.latency.down = 1_000
  device.account.drafts.save(id, { recipient: null, content: '' })
  await world.pass(500)
  expect(allDrafts(device.store.db)).toEqual([])
  expect(write('a raft', id)).toBe(id)
  // Its save is not answered yet, so that it is never settled in between.
  await world.pass(1_000)
  expect(kept()).toEqual(['a raft'])
  device.account.drafts.save(id, { recipient: null, content: '' })
  await world.pass(10_000)
  expect(kept()).toEqual([])
  expect(allDrafts(device.store.db)).toEqual([])
})
