import { afterEach, expect, test } from 'vitest'
import type { Action } from '../../../src-shared/bridge/actions.ts'
import { channelId, messageId, provisionalId, type LocalId } from '../../../src-shared/ids.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import type { LiveAccount } from '../../../src-main/engine/account.ts'
import { readCursor } from '../../../src-main/store/cursor.ts'
import { objectsOf } from '../../../src-main/store/objects.ts'
import { versionsOf } from '../../../src-main/store/draft-versions.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import { typedWords } from '../../../src-main/store/typed-words.ts'
import { createWorld, deviceOf, type World } from './world.ts'

// Changes that were made and discarded without a network: the device shows what the service has again.

let world: World
afterEach(() => world.close())

/**
 * One message in a channel, one scheduled, and a device that makes the change offline, takes it out of the outbox and is
 * started anew.
 */
async function discarded(
  change: (id: number) => Action,
  takeOut = ({ outbox }: LiveAccount, id: LocalId): unknown => outbox.discard(id),
) {
  world = await createWorld(1)
  await world.pass(3_000)
  const device = deviceOf(world)
  await world.ask('POST', '/messages', `type=stream&to=${world.channelId}&topic=drift&content=north`)
  const at = Math.round(world.workspace.clock.now() / 1_000) + 3_600
  const form = `type=stream&to=${world.channelId}&topic=drift&content=low water&scheduled_delivery_timestamp=${at}`
  await world.ask('POST', '/scheduled_messages', form)
  await world.pass(3_000)
  const id = world.workspace.db.get<{ id: number }>('SELECT message_id AS id FROM messages')?.id ?? 0
  const { generation } = readCursor(device.store.db)
  device.setConnected(false)
  await world.pass(1_000)
  device.account.outbox.enqueue(change(id))
  for (const { localId } of outboxRows(device.store.db)) takeOut(device.account, localId)
  await world.pass(1_000)
  device.restart()
  await world.pass(1_000)
  device.setConnected(true)
  await world.pass(120_000)
  expect(outboxRows(device.store.db)).toEqual([])
  const { db } = device.store
  return { db, registrations: readCursor(db).generation - generation }
}

test('a deleted message comes back, asked for by its id', async () => {
  const { db, registrations } = await discarded((id) => ({
    name: 'delete-message',
    messageId: messageId(id),
  }))
  expect(db.column('SELECT content_html FROM messages')).toEqual(['<p>north</p>'])
  expect(db.all('SELECT * FROM missing_messages')).toEqual([])
  expect(registrations).toBe(0)
})

test('a star is taken off again', async () => {
  const { db, registrations } = await discarded((id) => ({
    name: 'star-message',
    messageIds: [messageId(id)],
    on: true,
  }))
  expect(db.column('SELECT is_starred FROM messages')).toEqual([0])
  expect(registrations).toBe(0)
})

test('a setting is what it was', async () => {
  const { db, registrations } = await discarded(() => ({
    name: 'set-topic-visibility',
    channelId: channelId(world.channelId),
    topic: 'drift',
    visibility: 'muted',
  }))
  // The service lets people follow the topics in which they write.
  expect(db.column('SELECT visibility FROM topic_visibility')).toEqual(['followed'])
  expect(registrations).toBe(1)
})

test('a scheduled message has its words again when their change becomes a draft', async () => {
  const { db, registrations } = await discarded(
    () => ({
      name: 'edit-scheduled',
      scheduledId: 1,
      conversation: topicConversation(world.channelId, 'drift'),
      content: 'high water',
      sendAt: null,
    }),
    ({ outbox }, id) => outbox.takeBack(id, () => true),
  )
  expect(objectsOf(db, 'scheduled-message')).toMatchObject([{ content: 'low water' }])
  expect(registrations).toBe(1)
})

test.each<[string, (id: number) => Action, string]>([
  [
    'a task',
    (id) => ({
      name: 'widget-step',
      messageId: messageId(id),
      step: { type: 'new_task', key: 1, task: 'fuel', desc: 'two cans', completed: false },
    }),
    'fuel\n\ntwo cans',
  ],
  [
    'an option',
    (id) => ({
      name: 'widget-step',
      messageId: messageId(id),
      step: { type: 'new_option', idx: 1, option: 'at six' },
    }),
    'at six',
  ],
  [
    'a report',
    (id) => ({ name: 'report-message', messageId: messageId(id), reason: 'other', words: 'it is untrue' }),
    'it is untrue',
  ],
  [
    'a note',
    (id) => ({ name: 'remind-me', messageId: messageId(id), at: 9_000_000_000_000, note: 'ask the harbour' }),
    'ask the harbour',
  ],
  [
    'a description',
    () => ({
      name: 'change-channel',
      channelId: channelId(world.channelId + 100),
      property: 'description',
      value: 'where gauges are read',
    }),
    'where gauges are read',
  ],
])('what was typed for %s is shown when it is refused, and listed when it is discarded', async (...row) => {
  const [, change, words] = row
  world = await createWorld(1)
  await world.pass(3_000)
  const device = deviceOf(world)
  await world.ask('POST', '/messages', `type=stream&to=${world.channelId}&topic=drift&content=/todo`)
  await world.pass(3_000)
  const id = world.workspace.db.get<{ id: number }>('SELECT max(message_id) AS id FROM messages')?.id ?? 0
  device.setConnected(false)
  await world.pass(1_000)
  device.account.outbox.enqueue(change(id))
  world.workspace.db.run('UPDATE users SET role = 100')
  expect(await world.ask('DELETE', `/messages/${id}`)).toBe(200)
  device.setConnected(true)
  await world.pass(60_000)
  const [refused] = outboxRows(device.store.db)
  expect(refused?.state).toBe('refused')
  expect(refused && typedWords(device.store.db, refused)?.content).toBe(words)
  const draft = refused && device.account.outbox.discard(refused.localId)
  expect(draft && versionsOf(device.store.db, draft)).toMatchObject([{ content: words }])
})

test('with a refused channel, what was typed for changes of it is listed when it is discarded', async () => {
  world = await createWorld(1)
  await world.pass(3_000)
  const { account, store, faults } = deviceOf(world)
  const { channelName, ...more } = {
    channelName: 'ebb',
    access: 'public',
    folderId: null,
    people: [],
  } as const
  faults.calls = ['lost-before']
  const id = account.outbox.enqueue({
    name: 'create-channel',
    channelName,
    description: 'low water',
    ...more,
  })
  await world.pass(500)
  // The request may have arrived, so this is not merged into it.
  const value = 'high water'
  const made = channelId(provisionalId(id))
  account.outbox.enqueue({ name: 'change-channel', channelId: made, property: 'description', value })
  expect(outboxRows(store.db)).toHaveLength(2)
  const subscriptions = JSON.stringify([{ name: channelName }])
  await world.ask('POST', '/users/me/subscriptions', `subscriptions=${subscriptions}`)
  await world.pass(60_000)
  expect(outboxRows(store.db)).toMatchObject([{ state: 'refused' }, { state: 'waiting' }])
  account.outbox.discard(id)
  expect(outboxRows(store.db)).toEqual([])
  const ended = store.db.column(
    'SELECT content FROM draft_versions WHERE ended_at IS NOT NULL ORDER BY content',
  )
  expect(ended).toEqual([`${channelName}\n\nlow water`, value])
})
