import { afterEach, expect, test } from 'vitest'
import { channelId, groupId, userId } from '../../../src-shared/ids.ts'
import { createChannel } from '../../../src-server/channels/channels.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import { channelById } from '../../../src-server/workspace.ts'
import { objectsOf } from '../../../src-main/store/objects.ts'
import type { ModelDevice } from './device.ts'
import { createWorld, deviceOf, sendMany, type World } from './world.ts'

// Servers that cannot do what newer ones can: return many messages by their names, change one field of a group, or say
// who created it.

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

test('of a group, a change sends neither what waits nor what is no longer so', async () => {
  await open(164)
  const group = 'name=crew&description=On watch&members=[]'
  expect(await world.ask('POST', '/user_groups/create', group)).toBe(200)
  await world.pass(3_000)
  const [crew] = objectsOf(device.store.db, 'user-group').filter(({ name }) => name === 'crew')
  const change = { name: 'change-group', groupId: groupId(Number(crew?.['id'])) } as const
  device.setConnected(false)
  await world.pass(1_000)
  device.account.outbox.enqueue({ ...change, property: 'name', value: 'deck' })
  device.account.outbox.enqueue({ ...change, property: 'description', value: 'On deck' })
  const path = `/user_groups/${change.groupId}`
  expect(await world.ask('PATCH', path, 'name=crew&description=Asleep')).toBe(200)
  device.setConnected(true)
  await world.pass(20_000)
  const sent = device.requests.filter(({ method, path: at }) => method === 'PATCH' && at === path)
  expect(sent.map(({ form }) => Object.fromEntries(form))).toEqual([
    { name: 'deck', description: 'Asleep' },
    { name: 'deck', description: 'On deck' },
  ])
})

const createCrew = () =>
  device.account.outbox.enqueue({
    name: 'create-group',
    groupName: 'crew',
    description: 'On watch',
    people: [userId(world.other.user_id)],
    groups: [],
  })
const crews = () =>
  objectsOf(device.store.db, 'user-group')
    .filter(({ name }) => name === 'crew')
    .map(({ members }) => members)
const left = () => outboxRows(device.store.db).map(({ name, state, reason }) => ({ name, state, reason }))

test.each([
  [291, 'whose request is answered', false],
  [291, 'whose answer and event are lost', true],
  [316, 'whose request is answered without its id', false],
] as const)('at level %i a created group, %s, is there once', async (level, _, isUnheard) => {
  await open(level)
  await world.pass(3_000)
  if (isUnheard) device.faults.calls.push('lost-after')
  createCrew()
  await world.settle()
  if (isUnheard) device.loseQueue()
  await world.pass(60_000)
  expect(left()).toEqual([])
  expect(crews()).toEqual([[world.other.user_id]])
})

test('a group that was there before is not taken for a new one, though nobody says who created it', async () => {
  await open(291)
  const group = `name=crew&description=On watch&members=[${world.other.user_id}]`
  expect(await world.ask('POST', '/user_groups/create', group)).toBe(200)
  await world.pass(3_000)
  createCrew()
  await world.pass(60_000)
  expect(left()).toEqual([
    { name: 'create-group', state: 'refused', reason: expect.stringContaining('already exists') },
  ])
})

test('a channel that was there before is not taken for a new one, though nobody says who created it', async () => {
  await open(253)
  await world.pass(3_000)
  const { name, description } = channelById(world.workspace.db, world.channelId)!
  device.account.outbox.enqueue({
    name: 'create-channel',
    channelName: name,
    description,
    access: 'public',
    folderId: null,
    people: [userId(world.other.user_id)],
  })
  await world.pass(60_000)
  expect(left()).toMatchObject([{ name: 'create-channel', state: 'refused' }])
})
