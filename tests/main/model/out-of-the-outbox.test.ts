import { afterEach, expect, test } from 'vitest'
import { messageId } from '../../../src-shared/ids.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { linkToFile } from '../../../src-shared/model/outgoing-file.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import type { TakenBack } from '../../../src-main/outbox/decisions.ts'
import { systemGroupId } from '../../../src-server/permissions/groups.ts'
import { setRealmPermission } from '../../support/organization.ts'
import type { ModelDevice } from './device.ts'
import { createWorld, deviceOf, type World } from './world.ts'

// Changes that wait for a file, are taken back, or cancel each other.

const asTaken = (taken: TakenBack) => taken

let world: World
let device: ModelDevice
afterEach(() => world.close())

async function open(): Promise<void> {
  world = await createWorld(1)
  await world.pass(3_000)
  device = deviceOf(world)
}
const send = (content: string, topic = 'drift') =>
  device.account.outbox.enqueue({
    name: 'send-message',
    conversation: topicConversation(world.channelId, topic),
    content,
    draftId: null,
  })
const star = (id: number, on = true) =>
  device.account.outbox.enqueue({ name: 'star-message', messageIds: [messageId(id)], on })
const onService = () =>
  world.workspace.db.all<{ content: string }>('SELECT content FROM messages').map(({ content }) => content)
const starred = () =>
  world.workspace.db
    .all<{ id: number }>(
      'SELECT message_id AS id FROM user_messages WHERE user_id = ? AND is_starred = 1',
      world.user.user_id,
    )
    .map(({ id }) => id)
const states = () => outboxRows(device.store.db).map(({ state }) => state)

test('messages that wait for their files hold nothing else up', async () => {
  await open()
  send('first')
  await world.pass(1_000)
  const { files } = device.account
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    send(`${name} ${linkToFile(files.begin(`${name}.png`, 'image/png', 3))}`, name)
  star(1)
  await world.pass(1_000)
  expect(starred()).toEqual([1])
  expect(states()).toEqual(Array(5).fill('waiting'))
})

test('a message that waits for its file is taken back or undone', async () => {
  await open()
  const content = `see ${linkToFile(device.account.files.begin('a.png', 'image/png', 3))}`
  const [taken, undone] = [send(content), send(content, 'rope')]
  await world.pass(1_000)
  const { outbox } = device.account
  expect(outbox.takeBack(taken, asTaken)).toMatchObject({ content })
  expect(outbox.undoSend(undone, asTaken)).toMatchObject({ content })
  expect(states()).toEqual([])
})

test('a message that may have arrived is not undone before that is known, and then it is', async () => {
  await open()
  device.latency.events = 60_000
  device.faults.calls.push('lost-after')
  const id = send('too early')
  await world.settle()
  expect(states()).toEqual(['unsure'])
  const { outbox } = device.account
  expect(outbox.undoSend(id, asTaken)).toBe(null)
  expect(outbox.takeBack(id, asTaken)).toBe(null)
  expect(states()).toEqual(['unsure'])
  device.latency.events = 0
  await world.pass(9_000)
  expect(onService()).toEqual(['too early'])
  expect(outbox.undoSend(id, asTaken)).toMatchObject({ content: 'too early' })
  await world.pass(5_000)
  expect(onService()).toEqual([])
  expect(states()).toEqual([])
})

test('a scheduled message that may have arrived is not discarded before that is known', async () => {
  await open()
  device.latency.events = 60_000
  device.faults.calls.push('lost-after')
  const sendAt = world.workspace.clock.now() + 3_600_000
  const id = device.account.outbox.enqueue({
    name: 'schedule-message',
    conversation: topicConversation(world.channelId, 'drift'),
    content: 'low water',
    sendAt,
    draftId: null,
  })
  expect(states()).toEqual(['waiting'])
  await world.settle()
  expect(states()).toEqual(['unsure'])
  const { outbox } = device.account
  expect(() => outbox.discard(id)).toThrow('may already have this')
  expect(states()).toEqual(['unsure'])
  device.latency.events = 0
  await world.pass(9_000)
  expect(states()).toEqual([])
  expect(world.workspace.db.all('SELECT content FROM scheduled_messages')).toEqual([{ content: 'low water' }])
})

test('a message that the server has is not undone by somebody who may not delete it', async () => {
  await open()
  const { db } = world.workspace
  setRealmPermission(db, 'can_delete_own_message_group', systemGroupId(db, 'role:administrators'))
  device.loseQueue()
  await world.pass(10_000)
  const { outbox } = device.account
  const id = send('too early')
  await world.pass(2_000)
  expect(onService()).toEqual(['too early'])
  expect(() => outbox.undoSend(id, asTaken)).toThrow('aren’t allowed to delete')
  expect(states()).toEqual([])
  // What has not left is still theirs.
  device.setConnected(false)
  await world.pass(1_000)
  expect(outbox.undoSend(send('never sent'), asTaken)).toMatchObject({ content: 'never sent' })
})

test('a star that is taken back leaves nothing to send, whatever was starred after it', async () => {
  await open()
  send('first')
  send('second')
  await world.pass(2_000)
  device.setConnected(false)
  await world.pass(10_000)
  star(1)
  star(2)
  star(1, false)
  expect(outboxRows(device.store.db).map(({ action }) => action)).toMatchObject([
    { messageIds: [2], on: true },
  ])
  device.setConnected(true)
  device.wake()
  await world.pass(10_000)
  expect(starred()).toEqual([2])
})
