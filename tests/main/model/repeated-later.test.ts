import { afterEach, expect, test } from 'vitest'
import type { Action } from '../../../src-shared/bridge/actions.ts'
import { messageId as asMessageId } from '../../../src-shared/ids.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { outbox } from '../../../src-main/queries/outbox.ts'
import { objectsOf } from '../../../src-main/store/objects.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import type { TakenBack } from '../../../src-main/outbox/decisions.ts'
import { sendMessage } from '../../../src-server/messages/messages.ts'
import { channelById } from '../../../src-server/workspace.ts'
import { runSchedule } from '../../../src-server/messages/schedule.ts'
import type { ModelDevice } from './device.ts'
import { createWorld, type World } from './world.ts'

// Changes of scheduled messages and snippets that reach the server twice, or after their object has changed there.

const asTaken = (taken: TakenBack) => taken

let world: World
let ending: AbortController

async function open(devices = 1): Promise<[ModelDevice, ModelDevice]> {
  world = await createWorld(devices)
  ending = new AbortController()
  void runSchedule(world.workspace, ending.signal)
  await world.pass(3_000)
  const [first, second = first] = world.devices
  if (first === undefined || second === undefined) throw new Error('There is no device.')
  return [first, second]
}
afterEach(async () => {
  ending.abort()
  await world.close()
})

const conversation = () => topicConversation(world.channelId, 'drift')
const act = (device: ModelDevice, action: Action) => device.account.outbox.enqueue(action)
const inMinutes = (minutes: number) => world.workspace.clock.now() + minutes * 60_000
/** Schedules a message; returns its id. */
async function schedule(device: ModelDevice, content: string, sendAt: number): Promise<number> {
  act(device, { name: 'schedule-message', conversation: conversation(), content, sendAt, draftId: null })
  await world.pass(1_000)
  return Number(objectsOf(device.store.db, 'scheduled-message')[0]?.['scheduled_message_id'])
}
const cancel = (device: ModelDevice, scheduledId: number) =>
  act(device, { name: 'cancel-scheduled', scheduledId })
const edit = (
  device: ModelDevice,
  scheduledId: number,
  content: string | null,
  sendAt: number | 'now' | null = null,
) => act(device, { name: 'edit-scheduled', scheduledId, conversation: conversation(), content, sendAt })

const waiting = (device: ModelDevice) =>
  outboxRows(device.store.db).map(({ name, state, reason }) => ({ name, state, reason }))
const scheduled = () =>
  world.workspace.db
    .all<{ content: string }>('SELECT content FROM scheduled_messages')
    .map(({ content }) => content)
const sent = () =>
  world.workspace.db.all<{ content: string }>('SELECT content FROM messages').map(({ content }) => content)
const registrations = (device: ModelDevice) =>
  device.requests.filter(({ path }) => path.startsWith('/register')).length

test('a scheduled message counts as read by the person who wrote it, on every server', async () => {
  const [device] = await open()
  await schedule(device, 'low water', inMinutes(60))
  // Without this, a server decides by the name of the app.
  const form = device.requests.find(({ path }) => path === '/scheduled_messages')?.form
  expect(form?.get('read_by_sender')).toBe('true')
})

test('a cancellation whose answer was lost is done when it is repeated', async () => {
  const [device] = await open()
  const id = await schedule(device, 'low water', inMinutes(60))
  const before = registrations(device)
  device.faults.calls.push('lost-after')
  cancel(device, id)
  await world.pass(60_000)
  expect(waiting(device)).toEqual([])
  expect(scheduled()).toEqual([])
  expect(registrations(device)).toBe(before)
})

test('a message that two devices cancel at once is refused on neither', async () => {
  const [first, second] = await open(2)
  const id = await schedule(first, 'low water', inMinutes(60))
  cancel(first, id)
  cancel(second, id)
  await world.pass(60_000)
  expect([waiting(first), waiting(second)]).toEqual([[], []])
  expect(scheduled()).toEqual([])
})

test('a scheduled message that was sent is not refused where the clock is behind', async () => {
  const [device] = await open()
  const sendAt = inMinutes(2)
  device.skewMs = -3_600_000
  device.latency.up = 1_000
  // Delays the current poll too.
  device.latency.events = 60_000
  act(device, {
    name: 'schedule-message',
    conversation: conversation(),
    content: 'low water',
    sendAt,
    draftId: null,
  })
  // The list has been requested; the connection breaks in the request after it.
  await world.pass(500)
  device.faults.calls.push('lost-after')
  await world.pass(1_500)
  device.setConnected(false)
  device.loseQueue()
  device.latency.events = 0
  await world.pass(400_000)
  expect(sent()).toEqual(['low water'])
  device.setConnected(true)
  await world.pass(60_000)
  expect(waiting(device)).toEqual([])
  expect(sent()).toEqual(['low water'])
})

test.each([
  ['its time', null],
  ['another time', 3],
])(
  'an edit that arrived, at %s, is not refused when the message was sent before it is repeated',
  async (_, at) => {
    const [device] = await open()
    const id = await schedule(device, 'low water at six', inMinutes(2))
    device.faults.calls.push('lost-after')
    edit(device, id, 'low water at seven', at === null ? null : inMinutes(at))
    await world.settle()
    device.setConnected(false)
    await world.pass(400_000)
    expect(sent()).toEqual(['low water at seven'])
    device.setConnected(true)
    await world.pass(60_000)
    expect(waiting(device)).toEqual([])
    expect(sent()).toEqual(['low water at seven'])
  },
)

test('words that are to be sent at once are not refused when only their answer was lost', async () => {
  const [device] = await open()
  const id = await schedule(device, 'low water at six', inMinutes(60))
  device.faults.calls.push('lost-after')
  edit(device, id, 'low water at seven', 'now')
  await world.settle()
  device.setConnected(false)
  await world.pass(400_000)
  device.setConnected(true)
  await world.pass(60_000)
  expect(waiting(device)).toEqual([])
  expect(sent()).toEqual(['low water at seven'])
})

test.each([-1, 1])(
  'after a restart, hours of skew (%i) neither delay nor refuse what is due',
  async (hours) => {
    const [device] = await open()
    const id = await schedule(device, 'low water', inMinutes(300))
    const messageId = sendMessage(world.workspace, {
      sender: world.user,
      target: { kind: 'channel', channel: channelById(world.workspace.db, world.channelId)!, topic: 'drift' },
      content: 'to be remembered',
    })
    await world.pass(1_000)
    device.setConnected(false)
    await world.pass(1_000)
    device.skewMs = hours * 3_600_000
    edit(device, id, null, 'now')
    act(device, { name: 'remind-me', messageId: asMessageId(messageId), at: inMinutes(-10), note: '' })
    device.restart()
    await world.settle()
    const before = registrations(device)
    device.setConnected(true)
    await world.pass(30_000)
    expect(registrations(device)).toBe(before)
    expect(waiting(device)).toEqual([])
    expect(sent()).toContain('low water')
    const [reminder] = objectsOf(device.store.db, 'reminder')
    expect(Number(reminder?.['scheduled_delivery_timestamp']) * 1_000 - inMinutes(0)).toBeLessThan(60_000)
  },
)

test('a message to be sent at once that another device cancelled is refused, with its words', async () => {
  const [first, second] = await open(2)
  const id = await schedule(first, 'low water at six', inMinutes(60))
  second.setConnected(false)
  await world.pass(1_000)
  edit(second, id, null, 'now')
  cancel(first, id)
  await world.pass(60_000)
  second.setConnected(true)
  await world.pass(120_000)
  expect(sent()).toEqual([])
  const reason = 'Scheduled message does not exist'
  expect(waiting(second)).toEqual([{ name: 'edit-scheduled', state: 'refused', reason }])
  const [item] = outbox(second.account.queryContext())
  expect(item).toMatchObject({ title: 'low water at six', contentMarkdown: 'low water at six' })
  expect(item && second.account.outbox.takeBack(item.localId, asTaken)).toEqual({
    conversation: conversation(),
    content: 'low water at six',
  })
})

test('a message to be sent at once that was sent at its time meanwhile is not refused', async () => {
  const [device] = await open()
  const id = await schedule(device, 'low water', inMinutes(10))
  device.setConnected(false)
  await world.pass(1_000)
  edit(device, id, null, 'now')
  await world.pass(1_200_000)
  expect(sent()).toEqual(['low water'])
  device.setConnected(true)
  await world.pass(60_000)
  expect(waiting(device)).toEqual([])
  expect(sent()).toEqual(['low water'])
})

test('a message that was cancelled offline and sent at its time meanwhile says so', async () => {
  const [device] = await open()
  const id = await schedule(device, 'low water', inMinutes(10))
  device.setConnected(false)
  await world.pass(1_000)
  cancel(device, id)
  await world.pass(1_200_000)
  expect(sent()).toEqual(['low water'])
  device.setConnected(true)
  await world.pass(60_000)
  const reason = expect.stringContaining('has already been sent')
  expect(waiting(device)).toEqual([{ name: 'cancel-scheduled', state: 'refused', reason }])
  const [item] = outbox(device.account.queryContext())
  expect(item).toMatchObject({
    title: 'Scheduled message cancelled: low water',
    conversation: conversation(),
  })
})

test('a cancellation whose answer was lost is done, though the same words were sent at once meanwhile', async () => {
  const [device] = await open()
  const id = await schedule(device, 'low water', inMinutes(10))
  const before = registrations(device)
  device.faults.calls.push('lost-after')
  cancel(device, id)
  await world.settle()
  act(device, { name: 'send-message', conversation: conversation(), content: 'low water', draftId: null })
  await world.pass(60_000)
  expect(sent()).toEqual(['low water'])
  expect(scheduled()).toEqual([])
  expect(waiting(device)).toEqual([])
  expect(registrations(device)).toBe(before)
})

test.each([
  ['no edit', 'low water at six'],
  ['the first of its edits', 'low water at seven'],
])(
  'a cancelled message that was sent at its time says so, though the server had got %s',
  async (which, left) => {
    const [device] = await open()
    const id = await schedule(device, 'low water at six', inMinutes(10))
    if (which === 'no edit') device.setConnected(false)
    else device.faults.calls.push('lost-after')
    edit(device, id, 'low water at seven')
    await world.settle()
    device.setConnected(false)
    edit(device, id, 'low water at eight', inMinutes(40))
    cancel(device, id)
    await world.pass(1_200_000)
    expect(sent()).toEqual([left])
    device.setConnected(true)
    await world.pass(60_000)
    const reason = expect.stringContaining('has already been sent')
    expect(waiting(device)).toContainEqual({ name: 'cancel-scheduled', state: 'refused', reason })
  },
)

test('a cancelled message that another device had sent at once meanwhile says so', async () => {
  const [first, second] = await open(2)
  const id = await schedule(first, 'low water', inMinutes(60))
  first.setConnected(false)
  await world.pass(1_000)
  edit(second, id, null, 'now')
  cancel(first, id)
  await world.pass(60_000)
  expect(sent()).toEqual(['low water'])
  first.setConnected(true)
  await world.pass(60_000)
  const reason = expect.stringMatching(/^Not cancelled. The message has already been sent. /)
  expect(waiting(first)).toEqual([{ name: 'cancel-scheduled', state: 'refused', reason }])
})

test('a cancelled message that is scheduled again is not mistaken for the one that is still to be cancelled', async () => {
  const [device] = await open()
  const sendAt = inMinutes(60)
  const id = await schedule(device, 'low water', sendAt)
  device.faults.calls.push('failed', 'lost-before', 'failed')
  cancel(device, id)
  await world.pass(100)
  act(device, {
    name: 'schedule-message',
    conversation: conversation(),
    content: 'low water',
    sendAt,
    draftId: null,
  })
  await world.pass(120_000)
  expect(scheduled()).toEqual(['low water'])
  expect(waiting(device)).toEqual([])
})

const scheduledIds = () =>
  world.workspace.db
    .all<{ id: number }>('SELECT scheduled_id AS id FROM scheduled_messages')
    .map(({ id }) => id)

test.each([
  ['the server keeps it', 'low water', false],
  ['with other words, it is another one', 'high water', false],
  ['after news from the server, it is another one', 'low water', true],
])('the deletion of a scheduled message is undone while nothing is sent: %s', async (_, content, hasNews) => {
  const [device] = await open()
  const sendAt = inMinutes(60)
  const id = await schedule(device, 'low water', sendAt)
  const before = objectsOf(device.store.db, 'scheduled-message')
  device.faults.calls.push('too-many')
  edit(device, id, null, sendAt)
  await world.pass(100)
  // The edit waits for the server's permission to go on, and the cancellation waits behind it.
  cancel(device, id)
  if (hasNews) {
    await world.ask('POST', '/messages', `type=stream&to=${world.channelId}&topic=drift&content=news`)
    await world.pass(100)
  }
  const again = act(device, {
    name: 'schedule-message',
    conversation: conversation(),
    content,
    sendAt,
    draftId: null,
  })
  const isKept = content === 'low water' && !hasNews
  expect(waiting(device).map(({ name }) => name)).toEqual(
    isKept ? ['edit-scheduled'] : ['edit-scheduled', 'cancel-scheduled', 'schedule-message'],
  )
  if (isKept) expect(objectsOf(device.store.db, 'scheduled-message')).toEqual(before)
  await world.pass(60_000)
  expect(waiting(device)).toEqual([])
  expect(scheduled()).toEqual([content])
  expect(scheduledIds()[0] === id).toBe(isKept)
  // Whoever scheduled it again can undo that too.
  expect(device.account.outbox.undoSend(again, asTaken)).toMatchObject({ content })
  await world.pass(60_000)
  expect(scheduled()).toEqual([])
})

test('the words of an edit that came too late stay in sight, though somebody said the same before', async () => {
  const [device] = await open()
  await world.ask(
    'POST',
    '/messages',
    `type=stream&to=${world.channelId}&topic=drift&content=low water at seven`,
  )
  const id = await schedule(device, 'low water at six', inMinutes(2))
  device.setConnected(false)
  edit(device, id, 'low water at seven')
  await world.pass(400_000)
  device.setConnected(true)
  await world.pass(60_000)
  expect(waiting(device)).toEqual([
    { name: 'edit-scheduled', state: 'refused', reason: 'Scheduled message does not exist' },
  ])
  expect(sent()).toEqual(['low water at seven', 'low water at six'])
})

test('an edit that another device overtakes on its way shows what the service has', async () => {
  const [first, second] = await open(2)
  const id = await schedule(first, 'low water at six', inMinutes(60))
  // The answer arrives after the event of the other edit.
  first.latency.down = 3_000
  edit(first, id, 'low water at seven')
  await world.pass(1_000)
  edit(second, id, 'low water at eight')
  await world.pass(60_000)
  expect(scheduled()).toEqual(['low water at eight'])
  for (const { store } of [first, second])
    expect(objectsOf(store.db, 'scheduled-message')).toMatchObject([{ content: 'low water at eight' }])
})

const snippets = (device: ModelDevice) => objectsOf(device.store.db, 'saved-snippet')
const savedSnippets = () => world.workspace.db.all('SELECT title, content FROM saved_snippets')

test('a snippet with blank edges whose answer was lost is saved once', async () => {
  const [device] = await open()
  device.latency.up = 1_000
  act(device, { name: 'save-snippet', title: 'Rota', content: 'Who is on?\n' })
  // The list has been requested; the connection breaks in the request after it.
  await world.pass(500)
  device.faults.calls.push('lost-after')
  await world.pass(60_000)
  expect(savedSnippets()).toEqual([{ title: 'Rota', content: 'Who is on?' }])
})

test('a change of a snippet that another device overtakes on its way shows what the service has', async () => {
  const [first, second] = await open(2)
  act(first, { name: 'save-snippet', title: 'Rota', content: 'Who is on?' })
  await world.pass(1_000)
  const change = {
    name: 'change-snippet',
    snippetId: Number(snippets(first)[0]?.['id']),
    title: 'Rota',
  } as const
  first.latency.down = 3_000
  act(first, { ...change, content: 'Who is off?' })
  await world.pass(1_000)
  act(second, { ...change, content: 'Who is away?' })
  await world.pass(60_000)
  expect(savedSnippets()).toMatchObject([{ content: 'Who is away?' }])
  for (const device of [first, second]) expect(snippets(device)).toMatchObject([{ content: 'Who is away?' }])
})

test.each([
  ['the server keeps it', 'Who is on?', false],
  ['with other words, it is another one', 'Who is off?', false],
  ['after news from the server, it is another one', 'Who is on?', true],
])('the deletion of a snippet is undone while nothing is sent: %s', async (_, content, hasNews) => {
  const [device] = await open()
  act(device, { name: 'save-snippet', title: 'Tides', content: 'Who is on?' })
  await world.pass(1_000)
  const snippetId = Number(snippets(device)[0]?.['id'])
  device.faults.calls.push('too-many')
  act(device, { name: 'change-snippet', snippetId, title: 'Rota', content: 'Who is on?' })
  await world.pass(100)
  // The change waits for the server's permission to go on, and what follows waits behind it.
  const before = snippets(device)
  act(device, { name: 'delete-snippet', snippetId, title: 'Rota' })
  if (hasNews) {
    await world.ask('POST', '/messages', `type=stream&to=${world.channelId}&topic=drift&content=news`)
    await world.pass(100)
  }
  const again = act(device, { name: 'save-snippet', title: 'Rota', content })
  const isKept = content === 'Who is on?' && !hasNews
  expect(waiting(device).map(({ name }) => name)).toEqual(
    isKept ? ['change-snippet'] : ['change-snippet', 'delete-snippet', 'save-snippet'],
  )
  if (isKept) expect(snippets(device)).toEqual(before)
  await world.pass(60_000)
  expect(waiting(device)).toEqual([])
  expect(savedSnippets()).toEqual([{ title: 'Rota', content }])
  const [after] = snippets(device)
  expect(after?.['id'] === snippetId).toBe(isKept)
  // A window that still shows the new one as waiting changes what the server has.
  const changed = { name: 'save-snippet', title: 'Rota', content: 'Who is away?' } as const
  expect(device.account.outbox.changeWaiting(again, changed)).toEqual({
    isChanged: false,
    serverId: after?.['id'],
  })
})
