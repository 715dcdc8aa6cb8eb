import { afterEach, expect, test } from 'vitest'
import { messageId } from '../../../src-shared/ids.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { outbox } from '../../../src-main/queries/outbox.ts'
import { markdownOf } from '../../../src-main/store/messages.ts'
import { notes } from '../../../src-main/store/notes.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import type { TakenBack } from '../../../src-main/outbox/decisions.ts'
import type { ModelDevice } from './device.ts'
import { createWorld, type World } from './world.ts'

// Edits of a message that was changed or deleted since the person saw it.

const asTaken = (taken: TakenBack) => taken

let world: World
afterEach(() => world.close())

/** Two devices that show a message of the person; its Markdown is known to the first, which sent it. */
async function open(featureLevel?: number): Promise<[ModelDevice, ModelDevice, number]> {
  world = await createWorld(2, featureLevel)
  await world.pass(3_000)
  const [first, second] = world.devices
  if (first === undefined || second === undefined) throw new Error('There are no two devices.')
  first.account.outbox.enqueue({
    name: 'send-message',
    conversation: topicConversation(world.channelId, 'drift'),
    content: 'it drifts',
    draftId: null,
  })
  await world.pass(3_000)
  const row = world.workspace.db.get<{ message_id: number }>('SELECT message_id FROM messages')
  return [first, second, row?.message_id ?? 0]
}
const edit = (device: ModelDevice, id: number, content: string, previousContent: string | null = null) =>
  device.account.outbox.enqueue({ name: 'edit-message', messageId: messageId(id), content, previousContent })
const contents = () =>
  world.workspace.db.all<{ content: string }>('SELECT content FROM messages').map(({ content }) => content)
const reasons = (device: ModelDevice) =>
  outboxRows(device.store.db).map(({ state, reason }) => [state, reason])

test('two devices that edit a message offline do not overwrite each other, although one does not know its Markdown', async () => {
  const [first, second, id] = await open()
  for (const device of [first, second]) device.setConnected(false)
  edit(first, id, 'it drifts a lot', 'it drifts')
  edit(second, id, 'it does not drift')
  first.setConnected(true)
  await world.pass(70_000)
  second.setConnected(true)
  await world.pass(70_000)
  expect(contents()).toEqual(['it drifts a lot'])
  expect(reasons(first)).toEqual([])
  expect(reasons(second)).toEqual([['refused', expect.stringContaining('changed in the meantime')]])
})

test('an edit by a device that does not know the Markdown arrives, also if its answer is lost', async () => {
  const [, second, id] = await open()
  second.setConnected(false)
  edit(second, id, 'it does not drift')
  await world.pass(1_000)
  second.setConnected(true)
  second.faults.calls.push('failed-after', 'failed-after', 'failed-after')
  await world.pass(200_000)
  expect(contents()).toEqual(['it does not drift'])
  expect(reasons(second)).toEqual([])
})

test('who edits again before the answer to the first edit has come is not refused', async () => {
  const [first, , id] = await open()
  first.faults.calls.push('lost-after')
  edit(first, id, 'it drifts a lot', 'it drifts')
  await world.settle()
  edit(first, id, 'it drifts north', 'it drifts')
  await world.pass(70_000)
  expect(contents()).toEqual(['it drifts north'])
  expect(reasons(first)).toEqual([])
})

test('an answer that comes after another device has edited again does not bring back the earlier text', async () => {
  const [first, second, id] = await open()
  first.latency = { up: 0, down: 3_000, events: 0 }
  edit(first, id, 'it drifts a lot', 'it drifts')
  await world.pass(1_000)
  edit(second, id, 'it drifts north', 'it drifts a lot')
  await world.pass(10_000)
  expect(markdownOf(first.store.db, id)).toBe('it drifts north')
  edit(first, id, 'it drifts north by east')
  await world.pass(10_000)
  expect(contents()).toEqual(['it drifts north by east'])
  expect(reasons(first)).toEqual([])
})

test('the Markdown of a message that is edited while it is fetched is the edited one', async () => {
  const [first, second, id] = await open()
  second.latency = { up: 0, down: 3_000, events: 0 }
  const source = second.account.messageSource(messageId(id))
  await world.pass(1_000)
  edit(first, id, 'it drifts a lot')
  await world.pass(10_000)
  expect(await source).toBe('it drifts a lot')
  expect(markdownOf(second.store.db, id)).toBe('it drifts a lot')
})

test('an edit after one that was refused is not refused with it', async () => {
  const [first, , id] = await open()
  const { db } = world.workspace
  const letEdit = (value: boolean) =>
    db.run(`INSERT OR REPLACE INTO realm (name, value) VALUES ('allow_message_editing', '${value}')`)
  first.latency = { up: 0, down: 1_000, events: 0 }
  letEdit(false)
  edit(first, id, 'it drifts a lot', 'it drifts')
  await world.settle()
  edit(first, id, 'it drifts north', 'it drifts')
  letEdit(true)
  await world.pass(70_000)
  expect(contents()).toEqual(['it drifts north'])
  expect(reasons(first)).toEqual([['refused', expect.stringContaining('turned off message editing')]])
})

test.each([
  ['that did not arrive', 'lost-before', 420, 'before'],
  ['that had arrived', 'lost-after', 420, 'before'],
  ['that had arrived', 'lost-after', 420, 'after'],
  ['that had arrived at an older service', 'lost-after', 378, 'before'],
] as const)(
  'an edit after one that was discarded, %s (%s, %i), made %s that, is not refused',
  async (_what, fault, level, order) => {
    const [first, , id] = await open(level)
    // An older service is asked for the text before the edit.
    first.faults.calls.push(...(level < 379 ? (['none'] as const) : []), fault)
    const ended = edit(first, id, 'it drifts a lot', 'it drifts')
    // Its event comes later, too.
    first.latency.events = 20_000
    await world.settle()
    if (order === 'after') first.account.outbox.discard(ended)
    edit(first, id, 'it drifts north', 'it drifts')
    if (order === 'before') first.account.outbox.discard(ended)
    await world.pass(70_000)
    expect(contents()).toEqual(['it drifts north'])
    expect(notes(first.store.db, 'texts-in-doubt')).toEqual([])
    expect(reasons(first)).toEqual([])
  },
)

test('an edit after discarded ones that had arrived is refused if the message was changed meanwhile', async () => {
  const [first, second, id] = await open()
  first.faults.calls.push('lost-after')
  const ended = edit(first, id, 'it drifts a lot', 'it drifts')
  await world.settle()
  edit(first, id, 'it drifts north', 'it drifts')
  first.account.outbox.discard(ended)
  edit(second, id, 'it does not drift')
  await world.pass(70_000)
  expect(contents()).toEqual(['it does not drift'])
  expect(reasons(first)).toEqual([['refused', expect.stringContaining('changed in the meantime')]])
})

test('an edit of a message that was deleted says so', async () => {
  const [first, second, id] = await open()
  second.setConnected(false)
  edit(second, id, 'it does not drift')
  first.account.outbox.enqueue({ name: 'delete-message', messageId: messageId(id) })
  await world.pass(3_000)
  second.setConnected(true)
  await world.pass(70_000)
  expect(reasons(second)).toEqual([['refused', expect.stringContaining('was deleted')]])
})

test('the whole text of an edit whose message was deleted can become a draft', async () => {
  const [first, second, id] = await open()
  const content = `it does not drift, ${'as we measured '.repeat(40)}at the weir`
  second.setConnected(false)
  edit(second, id, content)
  first.account.outbox.enqueue({ name: 'delete-message', messageId: messageId(id) })
  await world.pass(3_000)
  second.setConnected(true)
  await world.pass(70_000)
  const [item] = outbox(second.account.queryContext())
  expect(item).toMatchObject({ action: 'edit-message', contentMarkdown: content, conversation: null })
  if (item === undefined) throw new Error('The edit is not in the list.')
  expect(second.account.outbox.takeBack(item.localId, asTaken)).toEqual({ conversation: null, content })
  expect(outbox(second.account.queryContext())).toEqual([])
})

test('a service that does not compare texts is asked for the text before an edit', async () => {
  const [first, second, id] = await open(378)
  for (const device of [first, second]) device.setConnected(false)
  edit(first, id, 'it drifts a lot', 'it drifts')
  edit(second, id, 'it does not drift', 'it drifts')
  first.faults.calls.push('failed-after', 'failed-after', 'failed-after')
  first.setConnected(true)
  await world.pass(200_000)
  second.setConnected(true)
  await world.pass(70_000)
  expect(contents()).toEqual(['it drifts a lot'])
  expect(reasons(first)).toEqual([])
  expect(reasons(second)).toEqual([['refused', expect.stringContaining('changed in the meantime')]])
})
