import { afterEach, expect, test } from 'vitest'
import type { Action } from '../../../src-shared/bridge/actions.ts'
import { channelId, messageId } from '../../../src-shared/ids.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { allDrafts } from '../../../src-main/store/drafts.ts'
import { markdownOf } from '../../../src-main/store/messages.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import { putOrganizationValue } from '../../../src-main/store/organization.ts'
import { deliverScheduled, type ScheduledRow } from '../../../src-server/messages/scheduled-messages.ts'
import { draftsOf } from '../../../src-server/handlers/drafts.ts'
import type { ModelDevice } from './device.ts'
import { createWorld, type World } from './world.ts'

// The server stores texts and topics in a form of its own; the device must recognize its own texts in that form.

let world: World
afterEach(() => world.close())

async function open(devices = 1, featureLevel?: number): Promise<[ModelDevice, ModelDevice]> {
  world = await createWorld(devices, featureLevel)
  await world.pass(3_000)
  const [first, second = first] = world.devices
  if (first === undefined || second === undefined) throw new Error('There is no device.')
  return [first, second]
}
const long = `begins ${'word '.repeat(2_200)}ends`
const write = (device: ModelDevice, content: string, topic: string) => {
  const recipient = topicConversation(world.channelId, topic)
  const { draftId } = device.account.drafts.save(null, { recipient, content })
  device.account.drafts.leave(draftId)
  return draftId
}
const send = (device: ModelDevice, content: string, topic = 'drift') =>
  device.account.outbox.enqueue({
    name: 'send-message',
    conversation: topicConversation(world.channelId, topic),
    content,
    draftId: null,
  })
const sent = () =>
  world.workspace.db.all<{ content: string; id: number }>('SELECT message_id AS id, content FROM messages')
/** The service accepts a change, but neither the answer nor the echo arrives, and the device goes offline. */
async function losingEcho(device: ModelDevice, act: () => void): Promise<void> {
  // Delays the current poll too.
  device.latency.events = 60_000
  device.faults.calls.push('lost-after')
  act()
  await world.settle()
  device.setConnected(false)
  device.loseQueue()
  device.latency.events = 0
}

test('a draft that is too long for the server stays whole here, and nobody contradicts it', async () => {
  const [device] = await open()
  write(device, long, 'drift')
  await world.pass(10_000)
  device.loseQueue()
  await world.pass(120_000)
  expect(draftsOf(world.workspace, world.user.user_id)[0]?.content).toHaveLength(10_000)
  expect(allDrafts(device.store.db)).toMatchObject([{ state: 'synced', local: { content: long } }])
})

test('what another device changes in the part that the server has is joined with the whole', async () => {
  const [first, second] = await open(2)
  write(first, long, 'drift')
  await world.pass(10_000)
  const [there] = allDrafts(second.store.db)
  if (there === undefined) throw new Error('There is no draft.')
  const content = there.local.content.replace('begins', 'starts')
  second.account.drafts.save(there.id, { ...there.local, content }, there.local.content)
  second.account.drafts.leave(there.id)
  await world.pass(20_000)
  expect(allDrafts(first.store.db)).toMatchObject([
    { state: 'synced', local: { content: long.replace('begins', 'starts') } },
  ])
})

test.each(['(no topic)', ` ${'deep water '.repeat(9)}`])(
  'a draft for the topic "%s" is no other one with the name that the server keeps',
  async (topic) => {
    const [device] = await open()
    write(device, 'words', topic)
    await world.pass(10_000)
    device.loseQueue()
    await world.pass(120_000)
    expect(allDrafts(device.store.db)).toMatchObject([{ state: 'synced', local: { content: 'words' } }])
  },
)

test('a limit is the one that the server tells', async () => {
  const [device] = await open()
  device.store.write((db) => putOrganizationValue(db, 'max_message_length', 40))
  const cut = `${long.slice(0, 20)}\n[message truncated]`
  write(device, long, 'drift')
  await world.settle()
  const [made] = draftsOf(world.workspace, world.user.user_id)
  world.workspace.publish([world.user.user_id], {
    type: 'drafts',
    op: 'update',
    draft: { ...made, content: cut },
  })
  await world.pass(1_000)
  expect(allDrafts(device.store.db)).toMatchObject([{ state: 'synced', local: { content: long } }])
})

test('a message that was cut and went to a topic without a name is found when its answer was lost', async () => {
  const [device] = await open()
  await losingEcho(device, () => send(device, long, '(no topic)'))
  device.setConnected(true)
  await world.pass(120_000)
  expect(sent()).toHaveLength(1)
  expect(outboxRows(device.store.db)).toEqual([])
})

test.each([420, 87])(
  'a move to a topic that a server of level %i trimmed is done when its answer was lost',
  async (level) => {
    const [device] = await open(1, level)
    send(device, 'first')
    await world.pass(1_000)
    const from = { channelId: channelId(world.channelId), topic: 'drift' }
    // Before it moves them, it asks where they are; an older server must be asked twice.
    device.faults.calls.push('none', ...(level < 120 ? (['none'] as const) : []), 'lost-after')
    device.account.outbox.enqueue({
      name: 'move-messages',
      messageId: messageId(sent()[0]?.id ?? 0),
      which: 'all',
      from,
      to: { ...from, topic: `${'deep water '.repeat(9)} ` },
    })
    await world.pass(60_000)
    expect(outboxRows(device.store.db)).toEqual([])
  },
)

/** The service has the change, but the device was cut off before the answer and before any event. */
async function cutOff(device: ModelDevice, action: Action, isThere: () => boolean): Promise<void> {
  // Delays the current poll too.
  device.latency = { up: 0, down: 2_000, events: 60_000 }
  device.account.outbox.enqueue(action)
  for (let rounds = 0; rounds < 20 && !isThere(); rounds++) await world.pass(500)
  device.setConnected(false)
  await world.pass(1_000)
  device.latency.down = 0
}

test.each([420, 87])('a tick at level %i stays when its answer was lost', async (level) => {
  const [device] = await open(1, level)
  send(device, '/todo Before we sail\nfuel: two cans')
  await world.pass(5_000)
  const id = messageId(sent()[0]?.id ?? 0)
  const step = { type: 'strike', key: '0,canned', on: true } as const
  const ticks = () =>
    world.workspace.db.all("SELECT content FROM submessages WHERE content LIKE '%strike%'").length
  await cutOff(device, { name: 'widget-step', messageId: id, step }, () => ticks() > 0)
  device.setConnected(true)
  await world.pass(60_000)
  expect(ticks()).toBe(1)
  expect(outboxRows(device.store.db)).toEqual([])
})

test.each([
  [420, false],
  [420, true],
  [87, false],
  [87, true],
])(
  "a channel of one's own is recognized at level %i, its answer lost; its event too: %s",
  async (level, isUnheard) => {
    const [device] = await open(1, level)
    const weirs = () => world.workspace.db.all("SELECT channel_id FROM channels WHERE name = 'weirs'").length
    await cutOff(
      device,
      {
        name: 'create-channel',
        channelName: 'weirs',
        description: '',
        access: 'public',
        folderId: null,
        people: [],
      },
      () => weirs() > 0,
    )
    if (isUnheard) {
      device.loseQueue()
      device.latency.events = 0
    }
    device.setConnected(true)
    await world.pass(120_000)
    expect(outboxRows(device.store.db)).toEqual([])
    expect(weirs()).toBe(1)
    expect(device.store.db.column("SELECT channel_id > 0 FROM channels WHERE name = 'weirs'")).toEqual([1])
  },
)

test('a message for later that the server sent while nobody heard its answer is no refused one', async () => {
  const [device] = await open()
  device.latency.up = 1_000
  // Delays its event, so that this is lost like the answer.
  device.latency.events = 60_000
  device.account.outbox.enqueue({
    name: 'schedule-message',
    conversation: topicConversation(world.channelId, 'drift'),
    content: 'at its time',
    sendAt: world.workspace.clock.now() + 120_000,
    draftId: null,
  })
  // The list has been requested; the connection breaks in the request after it.
  await world.pass(500)
  device.faults.calls.push('lost-after')
  await world.pass(1_500)
  device.setConnected(false)
  device.latency.events = 0
  await world.pass(300_000)
  const rows = world.workspace.db.all<ScheduledRow>('SELECT * FROM scheduled_messages')
  for (const row of rows) deliverScheduled(world.workspace, row)
  expect(sent()).toHaveLength(1)
  device.setConnected(true)
  device.wake()
  await world.pass(60_000)
  expect(outboxRows(device.store.db)).toEqual([])
  expect(sent()).toHaveLength(1)
})

test('the words of a message that was sent here stay with it, whichever comes first: its answer or its echo', async () => {
  const [device] = await open()
  send(device, '  \n\n**one** ')
  await world.pass(1_000)
  device.latency = { up: 0, down: 0, events: 2_000 }
  send(device, long)
  await world.pass(5_000)
  device.latency = { up: 0, down: 2_000, events: 0 }
  send(device, '`three`')
  await world.pass(5_000)
  const all = sent()
  expect(all).toHaveLength(3)
  expect(all.map(({ id }) => markdownOf(device.store.db, id))).toEqual(all.map(({ content }) => content))
})

test('words that were changed elsewhere before they were seen here are not those of the message', async () => {
  const [device] = await open()
  await losingEcho(device, () => send(device, 'one'))
  const [message] = sent()
  expect(await world.ask('PATCH', `/messages/${message?.id}`, 'content=another')).toBe(200)
  device.setConnected(true)
  await world.pass(120_000)
  expect(outboxRows(device.store.db)).toEqual([])
  expect([null, 'another']).toContain(markdownOf(device.store.db, message?.id ?? 0))
})
