import { afterEach, beforeEach, expect, test } from 'vitest'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { drafts as draftsQuery } from '../../../src-main/queries/drafts.ts'
import { outbox as outboxQuery } from '../../../src-main/queries/outbox.ts'
import { versionsOf } from '../../../src-main/store/draft-versions.ts'
import { allDrafts } from '../../../src-main/store/drafts.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import { createChannel } from '../../../src-server/channels/channels.ts'
import { byContent, createMovingWorld, movingIn } from './moving.ts'
import type { ModelDevice } from './device.ts'
import { sendMany, type World } from './world.ts'

// Drafts and waiting messages follow their topic, whoever moves it.

let world: World
let first: ModelDevice
let second: ModelDevice

beforeEach(async () => {
  ;({ world, first, second } = await createMovingWorld())
})
afterEach(() => world.close())

const { topic, move, renameAll, write, send, shown, kept, ownMessages } = movingIn(() => world)
const listed = (device: ModelDevice) =>
  draftsQuery(device.account.queryContext(), device.account.queryContext().piecesOf)

test('drafts of both devices go along with a topic that is renamed, each once, and say where they came from', async () => {
  write(first, 'for all devices')
  await world.pass(5_000)
  second.setConnected(false)
  write(second, 'not known elsewhere yet')
  write(first, 'for another topic', topic('rope'))
  await renameAll('leeway')
  await world.pass(5_000)
  second.setConnected(true)
  await world.pass(70_000)
  const all = [
    { recipient: topic('rope'), content: 'for another topic' },
    { recipient: topic('leeway'), content: 'for all devices' },
    { recipient: topic('leeway'), content: 'not known elsewhere yet' },
  ].sort(byContent)
  expect(kept()).toEqual(all)
  for (const device of [first, second]) {
    expect(shown(device)).toEqual(all)
    expect(allDrafts(device.store.db).map(({ state }) => state)).toEqual(['synced', 'synced', 'synced'])
  }
  const one = listed(first).find(({ content }) => content === 'for all devices')
  expect(one?.cameFrom).toMatchObject({ kind: 'topic', topic: 'drift' })
  if (one === undefined) throw new Error('The draft is not listed.')
  first.account.drafts.save(one.id, { ...one, content: 'for all devices, more' })
  expect(listed(first).map(({ cameFrom }) => cameFrom)).not.toContainEqual(
    expect.objectContaining({ topic: 'drift' }),
  )
})

test('what is typed while the topic moves stays with the draft, and a person may still choose another', async () => {
  const id = write(first, 'reef')
  await world.pass(5_000)
  await renameAll('leeway')
  // The window has not heard of the move yet.
  const { drafts } = first.account
  const typed = { recipient: topic('drift'), content: 'reef the main' }
  expect(drafts.save(id, typed, 'reef', topic('drift'))).toMatchObject({
    recipient: topic('leeway'),
    content: 'reef the main',
  })
  expect(
    drafts.save(id, { ...typed, content: 'reef the main now' }, 'reef the main', topic('drift')),
  ).toMatchObject({ recipient: topic('leeway') })
  // The window has, and the person chooses the old name again.
  expect(
    drafts.save(id, { ...typed, content: 'reef the jib' }, 'reef the main now', topic('leeway')),
  ).toMatchObject({ recipient: topic('drift'), content: 'reef the jib' })
  await world.pass(10_000)
  expect(kept()).toEqual([{ recipient: topic('drift'), content: 'reef the jib' }])
})

test('an earlier version comes back where the topic is now', async () => {
  const id = write(first, 'reef')
  await world.pass(5_000)
  first.account.drafts.save(id, { recipient: topic('drift'), content: 'quite another' })
  first.account.drafts.leave(id)
  await world.pass(5_000)
  await renameAll('leeway')
  const [earliest] = versionsOf(first.store.db, id).filter(({ content }) => content === 'reef')
  expect(first.account.drafts.restore(id, earliest?.number ?? 0)).toEqual({
    draftId: id,
    recipient: topic('leeway'),
    content: 'reef',
  })
  first.account.drafts.leave(id)
  await world.pass(5_000)
  // Also once the server has deleted it, and where the topic has gone since then.
  const deleteAndRestore = async (meanwhile: () => Promise<unknown>) => {
    first.account.drafts.delete(id)
    await world.pass(5_000)
    expect([kept(), allDrafts(first.store.db)]).toEqual([[], []])
    await meanwhile()
    await world.pass(5_000)
    const { recipient } = first.account.drafts.restore(id, earliest?.number ?? 0)
    first.account.drafts.leave(id)
    await world.pass(5_000)
    return recipient
  }
  expect(await deleteAndRestore(async () => {})).toEqual(topic('leeway'))
  expect(await deleteAndRestore(() => renameAll('reefs'))).toEqual(topic('reefs'))
})

test('a conflict keeps both texts, and both go along', async () => {
  const id = write(first, 'one two three')
  await world.pass(5_000)
  second.setConnected(false)
  const [there] = allDrafts(second.store.db)
  if (there === undefined) throw new Error('The draft did not arrive.')
  second.account.drafts.save(there.id, { recipient: topic('drift'), content: 'one 2 three' })
  first.account.drafts.save(id, { recipient: topic('drift'), content: 'one II three' })
  first.account.drafts.leave(id)
  await world.pass(10_000)
  second.setConnected(true)
  await world.pass(10_000)
  await renameAll('leeway')
  await world.pass(10_000)
  const conflict = allDrafts(second.store.db).find(({ state }) => state === 'conflict')
  expect([conflict?.local, conflict?.remote]).toEqual([
    { recipient: topic('leeway'), content: 'one 2 three' },
    { recipient: topic('leeway'), content: 'one II three' },
  ])
  if (conflict === undefined) return
  second.account.drafts.keepBoth(conflict.id)
  await world.pass(70_000)
  const both = ['one 2 three', 'one II three'].map((content) => ({ recipient: topic('leeway'), content }))
  for (const list of [kept(), shown(first), shown(second)]) expect(list).toEqual(both)
})

test.each([
  ['one message is taken out of it', 'topic=leeway&propagate_mode=change_one', 2, 'drift'],
  ['it goes on without its later messages', 'topic=leeway&propagate_mode=change_later', 2, 'drift'],
  ['nothing is left of it', 'topic=leeway&propagate_mode=change_later', 1, 'leeway'],
])('when %s, a draft is where the conversation is', async (_what, change, from, goal) => {
  write(first, 'reef')
  await world.pass(5_000)
  await move(from, change)
  await world.pass(5_000)
  expect(kept()).toEqual([{ recipient: topic(goal), content: 'reef' }])
  expect(shown(second)).toEqual(kept())
})

test.each([
  ['stay on the server', 1, 'drift'],
  ['went too', 0, 'leeway'],
])(
  'when older messages, which are not here, %s, a draft and what waits are where the conversation is',
  async (_what, staying, goal) => {
    // What was there before the person came is here only as far as one page reaches.
    const { channel_id } = createChannel(world.workspace, world.other, { name: 'rigging', description: '' })
    sendMany(world, 200 + staying, channel_id, 'drift')
    await world.ask(
      'POST',
      '/users/me/subscriptions',
      `subscriptions=${encodeURIComponent('[{"name":"rigging"}]')}`,
    )
    await world.pass(5_000)
    const place = topicConversation(channel_id, 'drift')
    const [oldest = 0] = first.store.db.column<number>(
      'SELECT min(message_id) FROM messages WHERE channel_id = ?',
      [channel_id],
    )
    expect(oldest).toBe(3 + staying)
    write(second, 'reef', place)
    await world.pass(5_000)
    first.faults.calls.push('too-many')
    first.account.outbox.enqueue({ name: 'send-message', conversation: place, content: 'one', draftId: null })
    await world.pass(1_000)
    await move(oldest, 'topic=leeway&propagate_mode=change_later')
    await world.pass(70_000)
    expect(ownMessages()).toEqual([`${goal}: one`])
    expect(kept()).toEqual([{ recipient: topicConversation(channel_id, goal), content: 'reef' }])
    for (const device of [first, second]) {
      expect(shown(device)).toEqual(kept())
      expect(outboxRows(device.store.db)).toEqual([])
    }
  },
)

test('a topic that goes to another channel takes drafts along', async () => {
  const subscriptions = encodeURIComponent(JSON.stringify([{ name: 'rigging' }]))
  expect(
    await world.ask('POST', '/users/me/subscriptions', `subscriptions=${subscriptions}`, world.other),
  ).toBe(200)
  const channel = world.workspace.db.get<{ id: number }>('SELECT max(channel_id) AS id FROM channels')
  write(first, 'reef')
  await world.pass(5_000)
  expect(await move(1, `stream_id=${channel?.id}&propagate_mode=change_all`)).toBe(200)
  await world.pass(5_000)
  expect(kept()).toEqual([{ recipient: topicConversation(channel?.id ?? 0, 'drift'), content: 'reef' }])
  expect(shown(second)).toEqual(kept())
})

test('a draft stays where it is when this device knows nothing of the channel that its topic went to', async () => {
  // Created without an event, like a channel that this person may not see.
  const channel = createChannel(world.workspace, world.other, { name: 'rigging', description: '' })
  write(first, 'reef')
  await world.pass(5_000)
  expect(await move(1, `stream_id=${channel.channel_id}&propagate_mode=change_all`)).toBe(200)
  await world.pass(5_000)
  expect(kept()).toEqual([{ recipient: topic('drift'), content: 'reef' }])
})

test('messages that wait go where the topic went, in order, and what is written there then comes after', async () => {
  first.setConnected(false)
  send(first, 'one')
  send(first, 'two')
  await world.pass(20_000)
  await renameAll('leeway')
  first.setConnected(true)
  await world.pass(50_000)
  expect(ownMessages()).toEqual(['leeway: one', 'leeway: two'])
  expect(outboxRows(first.store.db)).toEqual([])
})

test('a message of which nobody knows whether it arrived stays what it is; those behind it go along and come after', async () => {
  // The answer to the first is lost, and the second waits until the first was looked up, or comes as an event.
  first.faults.calls.push('lost-after')
  first.latency.events = 1_000
  send(first, 'one')
  send(first, 'two')
  await world.settle()
  first.setConnected(false)
  await renameAll('leeway')
  expect(ownMessages()).toEqual(['leeway: one'])
  first.setConnected(true)
  await world.pass(100_000)
  expect(ownMessages()).toEqual(['leeway: one', 'leeway: two'])
  expect(outboxRows(first.store.db)).toEqual([])
})

test('behind one that is refused, what went along and what is written in the new place wait', async () => {
  world.workspace.db.run('UPDATE channels SET is_archived = 1')
  send(first, 'one')
  await world.pass(1_000)
  world.workspace.db.run('UPDATE channels SET is_archived = 0')
  send(first, 'two')
  await renameAll('leeway')
  await world.pass(1_000)
  send(first, 'three', 'leeway')
  await world.pass(1_000)
  expect(ownMessages()).toEqual([])
  const items = outboxQuery(first.account.queryContext())
  expect(items.map(({ title, label }) => [title, label])).toEqual(
    ['one', 'two', 'three'].map((title) => [title, expect.objectContaining({ topic: 'leeway' })]),
  )
  expect(items.map(({ state }) => state)).toMatchObject([
    { state: 'refused' },
    { state: 'waiting', isBehindAnother: true },
    { state: 'waiting', isBehindAnother: true },
  ])
  const [refused] = items
  if (refused === undefined) return
  first.account.outbox.retry(refused.localId)
  await world.pass(1_000)
  expect(ownMessages()).toEqual(['leeway: one', 'leeway: two', 'leeway: three'])
})
