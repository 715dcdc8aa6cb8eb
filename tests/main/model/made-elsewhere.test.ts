import { afterEach, describe, expect, test } from 'vitest'
import type { Action } from '../../../src-shared/bridge/actions.ts'
import { channelId, groupId, messageId, userId } from '../../../src-shared/ids.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { widgetOf } from '../../../src-shared/model/widget.ts'
import { widgetsOf } from '../../../src-main/queries/widgets.ts'
import { objectsOf, type ObjectKind } from '../../../src-main/store/objects.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import { runSchedule } from '../../../src-server/messages/schedule.ts'
import type { ModelDevice } from './device.ts'
import { createWorld, deviceOf, type World } from './world.ts'

// One device makes a scheduled message, a reminder, a snippet, a channel, a folder or a group, and the answer gets lost.
// Before it can look, another device changes what was made. Or it adds to a poll or a to-do list, and the other one adds
// something under the same number first.

let world: World
let first: ModelDevice
let second: ModelDevice
let ending: AbortController

afterEach(async () => {
  ending.abort()
  await world.close()
})

const inMinutes = (minutes: number) => world.workspace.clock.now() + minutes * 60_000
const conversation = () => topicConversation(world.channelId, 'drift')
const words = (table: string, column: string) =>
  world.workspace.db.all<{ words: string }>(`SELECT ${column} AS words FROM ${table}`).map((row) => row.words)
const sent = () => words("messages WHERE content LIKE 'low%'", 'content')
const waiting = () => outboxRows(first.store.db).map(({ name, state, reason }) => ({ name, state, reason }))
const idOf = (kind: ObjectKind, field: string) => Number(objectsOf(second.store.db, kind).at(-1)?.[field])

/** How each kind is made, how the second device changes what was made, and what the service has. */
const kinds = {
  'a scheduled message': {
    make: (content = 'low water'): Action => ({
      name: 'schedule-message',
      conversation: conversation(),
      content,
      draftId: null,
      sendAt: inMinutes(60),
    }),
    change: (): Action => ({
      name: 'edit-scheduled',
      scheduledId: idOf('scheduled-message', 'scheduled_message_id'),
      conversation: conversation(),
      content: 'low water at six',
      sendAt: null,
    }),
    onService: () => words('scheduled_messages', 'content'),
    made: ['low water'],
    changed: ['low water at six'],
  },
  'a reminder': {
    make: (note = 'low water'): Action => ({
      name: 'remind-me',
      messageId: messageId(1),
      at: inMinutes(60),
      note,
    }),
    change: (): Action => ({
      name: 'change-reminder',
      reminderId: idOf('reminder', 'reminder_id'),
      messageId: messageId(1),
      at: inMinutes(90),
      note: 'low water at six',
    }),
    onService: () => words('reminders', 'note'),
    made: ['low water'],
    changed: ['low water at six'],
  },
  'a snippet': {
    make: (content = 'low water'): Action => ({ name: 'save-snippet', title: 'Tide', content }),
    change: (): Action => ({
      name: 'change-snippet',
      snippetId: idOf('saved-snippet', 'id'),
      title: 'Tide',
      content: 'low water at six',
    }),
    onService: () => words('saved_snippets', 'content'),
    made: ['low water'],
    changed: ['low water at six'],
  },
}

/** The first device makes it, hears no answer, and is away until the second has done what `elsewhere` says. */
async function makeUnheard(make: () => Action, elsewhere: () => Action | null, losesQueue: boolean) {
  world = await createWorld(2)
  ending = new AbortController()
  void runSchedule(world.workspace, ending.signal)
  await world.pass(3_000)
  await world.ask('POST', '/messages', `type=stream&to=${world.channelId}&topic=drift&content=one`)
  // Only owners may make folders.
  world.workspace.db.run('UPDATE users SET role = 100')
  await world.pass(1_000)
  const [one, other] = world.devices
  if (one === undefined || other === undefined) throw new Error('There is no device.')
  ;[first, second] = [one, other]
  // Requests arrive from now on, but no event and no answer. A reminder first asks for those that exist.
  Object.assign(first.latency, { up: 1_000, events: 60_000 })
  const action = make()
  first.account.outbox.enqueue(action)
  await world.pass(action.name === 'remind-me' ? 1_500 : 500)
  first.latency.down = 60_000
  await world.pass(1_000)
  first.setConnected(false)
  Object.assign(first.latency, { up: 0, down: 0, events: 0 })
  const change = elsewhere()
  if (change !== null) second.account.outbox.enqueue(change)
  await world.pass(10_000)
  if (losesQueue) first.loseQueue()
  first.setConnected(true)
  await world.pass(60_000)
}

describe.each(Object.entries(kinds))('%s', (_name, { make, change, onService, made, changed }) => {
  test('is recognized by its event, though it was changed since', async () => {
    await makeUnheard(make, change, false)
    expect(onService()).toEqual(changed)
    expect(waiting()).toEqual([])
  })

  test('is recognized without its event if nobody changed it', async () => {
    await makeUnheard(make, () => null, true)
    expect(onService()).toEqual(made)
    expect(waiting()).toEqual([])
  })

  test('is made neither again nor dropped if nobody can tell: the person decides', async () => {
    await makeUnheard(make, change, true)
    expect(onService()).toEqual(changed)
    expect(waiting()).toEqual([{ name: make().name, state: 'unsure', reason: 'undecided' }])
    const [row] = outboxRows(first.store.db)
    if (row === undefined) throw new Error('Nothing waits.')
    // Neither a restart nor another look makes it again, and it holds back nothing.
    first.restart()
    first.account.outbox.enqueue(make('high water'))
    await world.pass(60_000)
    expect(onService()).toEqual([...changed, 'high water'])
    first.account.outbox.retry(row.localId)
    await world.pass(60_000)
    expect(onService()).toEqual([...changed, 'high water', ...made])
    expect(waiting()).toEqual([])
  })

  test('is not made again if the person discards it', async () => {
    await makeUnheard(make, change, true)
    const [row] = outboxRows(first.store.db)
    if (row === undefined) throw new Error('Nothing waits.')
    first.account.outbox.discard(row.localId)
    await world.pass(60_000)
    expect(onService()).toEqual(changed)
    expect(waiting()).toEqual([])
  })
})

test.each([
  ['with its own words', null],
  ['with other words', 'low water at six'],
])(
  'a scheduled message that another device sends at once, %s, is not scheduled again',
  async (_, content) => {
    const { make } = kinds['a scheduled message']
    const sendNow = (): Action => ({
      name: 'edit-scheduled',
      scheduledId: idOf('scheduled-message', 'scheduled_message_id'),
      conversation: conversation(),
      content,
      sendAt: 'now',
    })
    await makeUnheard(make, sendNow, true)
    await world.pass(4_000_000)
    expect(sent()).toEqual([content ?? 'low water'])
    expect(waiting()).toEqual([{ name: 'schedule-message', state: 'unsure', reason: 'undecided' }])
  },
)

test('a scheduled message that certainly did not arrive is not mistaken for one that was sent here since', async () => {
  const { make, onService } = kinds['a scheduled message']
  world = await createWorld(1)
  ending = new AbortController()
  await world.pass(3_000)
  first = deviceOf(world)
  first.faults.calls.push('lost-before')
  first.account.outbox.enqueue(make())
  await world.settle()
  first.account.outbox.enqueue({
    name: 'send-message',
    conversation: conversation(),
    content: 'low tide',
    draftId: null,
  })
  first.loseQueue()
  await world.pass(60_000)
  expect(sent()).toEqual(['low tide'])
  expect(onService()).toEqual(['low water'])
  expect(waiting()).toEqual([])
})

/** How each is created, how the second device renames it at once, and the names that the service has. */
const creations = {
  'a channel': {
    create: (channelName = 'ebb'): Action => ({
      name: 'create-channel',
      channelName,
      description: 'low water',
      access: 'public',
      folderId: null,
      people: [],
    }),
    rename: (): Action => ({
      name: 'change-channel',
      channelId: channelId(idHere('channel_id', 'channels')),
      property: 'name',
      value: 'flow',
    }),
    onService: () => names('channels'),
  },
  'a folder': {
    create: (folderName = 'ebb'): Action => ({
      name: 'create-folder',
      folderName,
      description: 'low water',
    }),
    rename: (): Action => ({
      name: 'change-folder',
      folderId: idHere('folder_id', 'channel_folders'),
      property: 'name',
      value: 'flow',
    }),
    onService: () => names('channel_folders'),
  },
  'a group': {
    create: (groupName = 'ebb'): Action => ({
      name: 'create-group',
      groupName,
      description: 'low water',
      people: [],
      groups: [],
    }),
    rename: (): Action => ({
      name: 'change-group',
      groupId: groupId(idOf('user-group', 'id')),
      property: 'name',
      value: 'flow',
    }),
    onService: () => names('user_groups'),
  },
}
const names = (table: string) => words(table, 'name').filter((name) => name === 'ebb' || name === 'flow')
const idHere = (column: string, table: string) =>
  Number(second.store.db.get<{ id: number }>(`SELECT max(${column}) AS id FROM ${table}`)?.id)

test.each(Object.entries(creations))(
  '%s whose answer was lost is recognized by its event, though it was renamed since',
  async (_name, { create, rename, onService }) => {
    await makeUnheard(create, rename, false)
    expect(onService()).toEqual(['flow'])
    expect(waiting()).toEqual([])
  },
)

test.each(Object.entries(creations))(
  '%s whose answer and event were lost is not created again, though it was renamed since',
  async (_name, { create, rename, onService }) => {
    await makeUnheard(create, rename, true)
    expect(onService()).toEqual(['flow'])
    expect(waiting()).toEqual([])
  },
)

test('a channel without a description is created again rather than taken for another one', async () => {
  const { create, rename, onService } = creations['a channel']
  await makeUnheard(() => ({ ...create(), description: '' }), rename, true)
  expect(onService().toSorted()).toEqual(['ebb', 'flow'])
  expect(waiting()).toEqual([])
})

test.each(Object.entries(creations))(
  '%s that certainly did not arrive is not mistaken for another that was created elsewhere since',
  async (_name, { create, onService }) => {
    world = await createWorld(2)
    ending = new AbortController()
    await world.pass(3_000)
    world.workspace.db.run('UPDATE users SET role = 100')
    ;[first, second] = [deviceOf(world, 0), deviceOf(world, 1)]
    first.faults.calls.push('lost-before')
    first.account.outbox.enqueue(create())
    await world.settle()
    first.setConnected(false)
    await world.pass(70_000)
    second.account.outbox.enqueue(create('flow'))
    await world.pass(10_000)
    first.loseQueue()
    first.setConnected(true)
    await world.pass(60_000)
    expect(onService().toSorted()).toEqual(['ebb', 'flow'])
    expect(waiting()).toEqual([])
  },
)

test('a group is not taken for one of the same name that the person deactivated', async () => {
  world = await createWorld(1)
  ending = new AbortController()
  await world.pass(3_000)
  world.workspace.db.run('UPDATE users SET role = 100')
  first = second = deviceOf(world, 0)
  const { outbox } = first.account
  outbox.enqueue(creations['a group'].create())
  await world.pass(5_000)
  const id = groupId(idOf('user-group', 'id'))
  outbox.enqueue({ name: 'change-group', groupId: id, property: 'active', value: false, before: true })
  await world.pass(5_000)
  first.faults.calls.push('lost-before')
  outbox.enqueue(creations['a group'].create())
  await world.settle()
  first.loseQueue()
  await world.pass(60_000)
  expect(waiting()).toEqual([
    { name: 'create-group', state: 'refused', reason: expect.stringContaining('already exists') },
  ])
})

/** What the poll's options and the list's tasks are, with `+` for those that the person voted for or ticked. */
const chosen = (widget: ReturnType<typeof widgetOf>): string[] =>
  widget?.kind === 'poll'
    ? widget.options.map(({ text, voterIds }) => text + (voterIds.length > 0 ? '+' : ''))
    : (widget?.tasks.map(({ task, isDone }) => task + (isDone ? '+' : '')) ?? [])
const chosenHere = (id: number) =>
  chosen(
    widgetsOf(
      first.account.queryContext(),
      [{ message_id: id, sender_id: world.user.user_id }],
      outboxRows(first.store.db),
    ).get(id)?.widget ?? null,
  )
const chosenOnService = () =>
  chosen(
    widgetOf(
      world.workspace.db
        .all<{ sender_id: number; content: string }>('SELECT * FROM submessages ORDER BY submessage_id')
        .map(({ sender_id, content }) => ({ senderId: userId(sender_id), content, isWaiting: false })),
      userId(world.user.user_id),
    ),
  )

type Step = Extract<Action, { name: 'widget-step' }>['step']
/** How an option or a task is added, and how the person votes for it or ticks it. */
const additions: Record<
  string,
  { start: string; add(words: string, n: number): Step; choose(n: number): Step }
> = {
  'an option': {
    start: '/poll Boat',
    add: (option, idx) => ({ type: 'new_option', idx, option }),
    choose: (idx) => ({ type: 'vote', key: `${world.user.user_id},${idx}`, vote: 1 }),
  },
  'a task': {
    start: '/todo Aboard',
    add: (task, key) => ({ type: 'new_task', key, task, desc: '', completed: false }),
    choose: (key) => ({ type: 'strike', key: `${key},${world.user.user_id}`, on: true }),
  },
}

/** A poll or a list that both devices have; the first one's changes have to wait from now on, but it hears events. */
async function openWidget(start: string) {
  world = await createWorld(2)
  ending = new AbortController()
  ;[first, second] = [deviceOf(world, 0), deviceOf(world, 1)]
  await world.pass(3_000)
  await world.ask('POST', '/messages', `type=stream&to=${world.channelId}&topic=drift&content=${start}`)
  const id = messageId(Number(world.workspace.db.column('SELECT max(message_id) FROM messages')[0]))
  const act = (device: ModelDevice, step: Step) =>
    device.account.outbox.enqueue({ name: 'widget-step', messageId: id, step })
  first.faults.calls.push('too-many')
  return { id, act }
}

test.each(Object.entries(additions))(
  'what is chosen once the other device has added %s under the number of one that waits is what the other added',
  async (_name, { start, add, choose }) => {
    const { id, act } = await openWidget(start)
    act(first, add('skiff', 0))
    act(first, add('punt', 1))
    await world.pass(100)
    act(second, add('ketch', 0))
    await world.pass(100)
    // The two that wait are seen beside it.
    expect(chosenHere(id)).toEqual(['ketch', 'skiff', 'punt'])
    act(first, choose(0))
    expect(chosenHere(id)).toEqual(['ketch+', 'skiff', 'punt'])
    await world.pass(60_000)
    expect(chosenOnService().toSorted()).toEqual(['ketch+', 'punt', 'skiff'])
    expect(waiting()).toEqual([])
  },
)

test.each(Object.entries(additions))(
  'what was chosen before the other device added %s under its number is what waits, or the same of the other',
  async (_name, { start, add, choose }) => {
    const { id, act } = await openWidget(start)
    act(first, add('skiff', 0))
    act(first, choose(0))
    act(first, add('punt', 1))
    act(first, choose(1))
    await world.pass(100)
    act(second, add('ketch', 0))
    act(second, add('punt', 5))
    await world.pass(100)
    expect(chosenHere(id)).toEqual(['ketch', 'punt+', 'skiff+'])
    await world.pass(60_000)
    expect(chosenOnService()).toEqual(['ketch', 'punt+', 'skiff+'])
    expect(waiting()).toEqual([])
  },
)
