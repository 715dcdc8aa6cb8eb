import { afterEach, beforeEach, expect, test } from 'vitest'
import { channelId, messageId } from '../../../src-shared/ids.ts'
import { outbox as outboxQuery } from '../../../src-main/queries/outbox.ts'
import { outboxRows, updateOutboxRow } from '../../../src-main/store/outbox.ts'
import { topicVisibility } from '../../../src-main/store/topic-visibility.ts'
import { createMovingWorld, movingIn } from './moving.ts'
import type { ModelDevice } from './device.ts'
import type { World } from './world.ts'

// A person moves a topic themselves, or sets its visibility; what waits for it follows.

let world: World
let first: ModelDevice
let second: ModelDevice

beforeEach(async () => {
  ;({ world, first, second } = await createMovingWorld())
})
afterEach(() => world.close())

const { topic, move, hear, renameAll, send, mute, ownMessages } = movingIn(() => world)

/** This person moves a whole topic, named by one of its messages. */
const moveAll = (to: string, from = 'drift', id = 1) =>
  first.account.outbox.enqueue({
    name: 'move-messages',
    messageId: messageId(id),
    which: 'all',
    from: { channelId: channelId(world.channelId), topic: from },
    to: { channelId: channelId(world.channelId), topic: to },
  })
const newest = () =>
  world.workspace.db.get<{ id: number }>('SELECT max(message_id) AS id FROM messages')?.id ?? 0
/** All messages, without the service's own remarks on moves. */
const places = () =>
  world.workspace.db
    .all<{ topic: string }>("SELECT DISTINCT topic FROM messages WHERE content NOT LIKE 'This topic was%'")
    .map((row) => row.topic)

test('what a person writes before and after they move its topic offline arrives in the new place', async () => {
  first.setConnected(false)
  send(first, 'before')
  moveAll('leeway')
  send(first, 'after')
  first.setConnected(true)
  await world.pass(50_000)
  expect(ownMessages().filter((text) => !text.includes('This topic'))).toEqual([
    'leeway: before',
    'leeway: after',
  ])
  expect(places()).toEqual(['leeway'])
  expect(outboxRows(first.store.db)).toEqual([])
})

test('while the server is slow to move a topic, what is written elsewhere is sent', async () => {
  first.latency = { up: 0, down: 20_000, events: 0 }
  moveAll('leeway')
  await world.settle()
  first.latency = { up: 0, down: 0, events: 0 }
  send(first, 'not here', 'rope')
  send(first, 'meanwhile')
  await world.settle()
  expect(ownMessages()).toEqual(['rope: not here'])
  await world.pass(60_000)
  expect(ownMessages()).toEqual(['rope: not here', 'leeway: meanwhile'])
  expect(outboxRows(first.store.db)).toEqual([])
})

test.each(['lost-after', 'lost-before', 'failed-after'] as const)(
  'what is written while the answer to a move is awaited (%s) goes where the topic went',
  async (fault) => {
    // Before it moves them, it asks where they are.
    first.faults.calls.push('none', fault)
    moveAll('leeway')
    send(first, 'meanwhile')
    await world.pass(100_000)
    expect(ownMessages()).toEqual(['leeway: meanwhile'])
    expect(places()).toEqual(['leeway'])
    expect(outboxRows(first.store.db)).toEqual([])
  },
)

test('a message that is refused does not hold back the move of its topic, and follows it', async () => {
  world.workspace.db.run('UPDATE channels SET is_archived = 1')
  const refused = send(first, 'one')
  await world.pass(1_000)
  world.workspace.db.run('UPDATE channels SET is_archived = 0')
  moveAll('leeway')
  await world.pass(10_000)
  expect(places()).toEqual(['leeway'])
  first.account.outbox.retry(refused)
  await world.pass(1_000)
  expect(ownMessages()).toEqual(['leeway: one'])
})

test('a message that followed its topic elsewhere stays there when a new topic of the old name is moved', async () => {
  world.workspace.db.run('UPDATE channels SET is_archived = 1')
  const refused = send(first, 'one')
  await world.pass(1_000)
  world.workspace.db.run('UPDATE channels SET is_archived = 0')
  await renameAll('leeway')
  await hear('drift', 'another drift')
  await world.pass(1_000)
  moveAll('reef', 'drift', newest())
  await world.pass(10_000)
  expect(places()).toEqual(['leeway', 'reef'])
  first.account.outbox.retry(refused)
  await world.pass(1_000)
  expect(ownMessages()).toEqual(['leeway: one'])
})

test('a move of a topic that somebody else moved meanwhile is refused, and leaves alone where it is now', async () => {
  await hear('reef', 'mind the reef')
  await world.pass(1_000)
  first.setConnected(false)
  moveAll('lee')
  await renameAll('reef')
  first.setConnected(true)
  await world.pass(50_000)
  expect(places()).toEqual(['reef'])
  expect(outboxRows(first.store.db)).toMatchObject([
    { name: 'move-messages', state: 'refused', reason: expect.stringContaining('moved in the meantime') },
  ])
})

test('a move that somebody else made too is done', async () => {
  first.setConnected(false)
  moveAll('leeway')
  await renameAll('leeway')
  first.setConnected(true)
  await world.pass(50_000)
  expect(outboxRows(first.store.db)).toEqual([])
})

test.each([
  ['answer', 'lost-before'],
  ['event', 'lost-after'],
] as const)(
  'a second move, made before the %s of the first has come, goes on from there',
  async (_what, fault) => {
    first.latency.events = 3_000
    first.faults.calls.push('none', fault)
    moveAll('leeway')
    await world.settle()
    moveAll('lee')
    await world.pass(70_000)
    expect(places()).toEqual(['lee'])
    expect(outboxRows(first.store.db)).toEqual([])
  },
)

test('a new topic of the old name keeps what is written in it, and can be moved, though the first move was not answered', async () => {
  first.faults.calls.push('none', 'lost-after')
  moveAll('leeway')
  await world.settle()
  await hear('drift', 'drifting anew')
  await world.settle()
  send(first, 'in the new one')
  moveAll('lee', 'drift', newest())
  await world.pass(100_000)
  expect(ownMessages()).toEqual(['lee: in the new one'])
  expect(places()).toEqual(['leeway', 'lee'])
  expect(outboxRows(first.store.db)).toEqual([])
})

test('a new topic of the old name keeps what is written in it, though the first one moved on before the move was answered', async () => {
  first.latency.down = 5_000
  moveAll('leeway')
  // It has asked where they are, and moves them; the event is faster than the answer.
  await world.pass(6_000)
  expect(places()).toEqual(['leeway'])
  await renameAll('lee')
  await hear('drift', 'drifting anew')
  await world.settle()
  send(first, 'in the new one')
  await world.pass(50_000)
  expect(ownMessages()).toEqual(['drift: in the new one'])
  expect(outboxRows(first.store.db)).toEqual([])
})

test('what waits follows a move though the transaction of its event failed before the answer came', async () => {
  first.latency.down = 5_000
  first.latency.events = 20_000
  moveAll('leeway')
  // It has asked where they are, and moves them.
  await world.pass(6_000)
  send(first, 'meanwhile')
  const applyEvent = () =>
    first.store.write((db) => {
      first.account.outbox.topicMoved(db, topic('drift'), topic('leeway'))
      throw new Error('The disk is full.')
    })
  expect(applyEvent).toThrow('full')
  await world.pass(10_000)
  expect(ownMessages()).toEqual(['leeway: meanwhile'])
  await world.pass(50_000)
  expect(outboxRows(first.store.db)).toEqual([])
})

test.each([
  ['and its events come later', () => {}],
  ['and its events are lost', () => first.loseQueue()],
])(
  'a move that arrived is not reported as refused, though it was not answered and its topic moved on, %s',
  async (_what, meanwhile) => {
    first.faults.calls.push('none', 'lost-after')
    first.latency.events = 60_000
    moveAll('leeway')
    send(first, 'meanwhile')
    await world.settle()
    first.setConnected(false)
    first.latency.events = 0
    await renameAll('lee')
    meanwhile()
    await world.pass(10_000)
    first.setConnected(true)
    await world.pass(70_000)
    expect(outboxRows(first.store.db)).toEqual([])
    expect(ownMessages()).toEqual(['lee: meanwhile'])
  },
)

test.each([
  ['is not refused, if it arrived', 'lost-after', 0],
  ['is refused, if it did not arrive', 'lost-before', 1],
] as const)(
  'a move of one message that was moved on before it is repeated %s',
  async (_what, fault, left) => {
    first.faults.calls.push('none', fault)
    const place = (name: string) => ({ channelId: channelId(world.channelId), topic: name })
    first.account.outbox.enqueue({
      name: 'move-messages',
      messageId: messageId(1),
      which: 'one',
      from: place('drift'),
      to: place('leeway'),
    })
    await world.settle()
    expect(await move(1, 'topic=lee&propagate_mode=change_one')).toBe(200)
    await world.pass(50_000)
    expect(outboxRows(first.store.db)).toHaveLength(left)
    const named = world.workspace.db.get('SELECT topic FROM messages WHERE message_id = 1')
    expect(named).toEqual({ topic: 'lee' })
  },
)

/** The visibility of both places: what the service and both devices have. */
const visibilities = () => ({
  service: world.workspace.db.all(
    `SELECT topic, policy FROM user_topics WHERE user_id = ${world.user.user_id}`,
  ),
  devices: [first, second].map(({ store }) =>
    ['drift', 'leeway'].map((name) => topicVisibility(store.db, world.channelId, name)),
  ),
})
const isFollowed = {
  service: [{ topic: 'leeway', policy: 1 }],
  devices: [
    ['none', 'muted'],
    ['none', 'muted'],
  ],
}

test('a topic that a person muted offline is muted under the name that somebody else gave it', async () => {
  first.setConnected(false)
  mute(first)
  await renameAll('leeway')
  first.setConnected(true)
  await world.pass(50_000)
  expect(visibilities()).toEqual(isFollowed)
  expect(outboxRows(first.store.db)).toEqual([])
})

test('a topic that a person renames and mutes is muted under its new name, also before the events come', async () => {
  first.latency = { up: 0, down: 0, events: 20_000 }
  // The second request to leave is not answered well.
  first.faults.calls.push('none', 'failed')
  moveAll('leeway')
  mute(first)
  await world.pass(15_000)
  expect(visibilities().service).toEqual(isFollowed.service)
  await world.pass(50_000)
  expect(visibilities()).toEqual(isFollowed)
  expect(outboxRows(first.store.db)).toEqual([])
})

test('a topic that is renamed while its muting is on its way is muted under its new name', async () => {
  first.latency.up = 3_000
  mute(first)
  await world.settle()
  await renameAll('leeway')
  await world.pass(20_000)
  expect(visibilities().service).toContainEqual({ topic: 'leeway', policy: 1 })
  expect(visibilities().devices[0]).toEqual(visibilities().devices[1])
  expect(outboxRows(first.store.db)).toEqual([])
})

test('a muting that is refused for the old place, because the topic left it, is sent for the new one', async () => {
  const { db } = world.workspace
  const subscriptions = encodeURIComponent(JSON.stringify([{ name: 'rigging' }]))
  await world.ask('POST', '/users/me/subscriptions', `subscriptions=${subscriptions}`, world.other)
  const id = db.get<{ id: number }>('SELECT max(channel_id) AS id FROM channels')?.id ?? 0
  await world.pass(1_000)
  first.latency.up = 3_000
  mute(first)
  await world.settle()
  expect(await move(1, `stream_id=${id}&propagate_mode=change_all`)).toBe(200)
  await world.settle()
  // The person may not even know of the old place any more.
  const { user_id: own } = world.user
  db.run(
    'UPDATE channels SET is_private = 1, creator_id = ? WHERE channel_id = ?',
    world.other.user_id,
    world.channelId,
  )
  db.run('UPDATE subscriptions SET is_active = 0 WHERE user_id = ? AND channel_id = ?', own, world.channelId)
  await world.pass(20_000)
  expect(outboxRows(first.store.db)).toEqual([])
  expect(db.all(`SELECT channel_id, topic, policy FROM user_topics WHERE user_id = ${own}`)).toEqual([
    { channel_id: id, topic: 'drift', policy: 1 },
  ])
})

test('a refused muting does not follow the topic', async () => {
  first.setConnected(false)
  const refused = mute(first)
  first.store.write((db) => updateOutboxRow(db, refused, { state: 'refused', reason: 'No.' }))
  await renameAll('leeway')
  first.setConnected(true)
  await world.pass(50_000)
  expect(topicVisibility(first.store.db, world.channelId, 'leeway')).toBe('none')
})

test('of a topic with messages that are too old to be moved, the others are moved on request', async () => {
  world.workspace.db.run(
    "INSERT OR REPLACE INTO realm (name, value) VALUES ('move_messages_within_stream_limit_seconds', '60')",
  )
  await world.pass(100_000)
  for (const content of ['and', 'on']) await hear('drift', content)
  await world.pass(1_000)
  moveAll('lee')
  await world.pass(10_000)
  expect(places()).toEqual(['drift'])
  const [item] = outboxQuery(first.account.queryContext())
  expect(item).toMatchObject({
    movableCount: 2,
    state: { state: 'refused', reason: expect.stringContaining('Only 2 of the 4 messages') },
  })
  if (item === undefined) return
  first.account.outbox.retry(item.localId)
  await world.pass(10_000)
  expect(outboxRows(first.store.db)).toEqual([])
  const moved = world.workspace.db.all<{ content: string }>(
    `SELECT content FROM messages WHERE topic = 'lee' AND sender_id = ${world.other.user_id} ORDER BY message_id`,
  )
  expect(moved.map(({ content }) => content)).toEqual(['and', 'on'])
})
