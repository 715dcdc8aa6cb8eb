import { afterEach, expect, test } from 'vitest'
import { messageId } from '../../../src-shared/ids.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import type { ModelDevice } from './device.ts'
import { createWorld, deviceOf, type World } from './world.ts'

// Which changes count as an edit of a message, and which as a move.

let world: World
let device: ModelDevice
let id: number

afterEach(() => world.close())

async function open(level?: number) {
  world = await createWorld(1, level)
  device = deviceOf(world)
  await world.pass(3_000)
  await world.ask('POST', '/messages', `type=stream&to=${world.channelId}&topic=drift&content=mine`)
  await world.pass(3_000)
  id = device.store.db.get<{ id: number }>('SELECT max(message_id) AS id FROM messages')?.id ?? 0
}

const change = async (values: string) => {
  expect(await world.ask('PATCH', `/messages/${id}`, values)).toBe(200)
  await world.pass(3_000)
}
const rename = (topic: string) =>
  change(`topic=${encodeURIComponent(topic)}&propagate_mode=change_all&send_notification_to_new_thread=false`)
/** Whether the message counts as edited and as moved: by the events, and as it is fetched. */
const marks = async () => {
  const read = () =>
    device.store.db.get(
      'SELECT edited_at > 0 AS edited, moved_at > 0 AS moved FROM messages WHERE message_id = ?',
      [id],
    )
  const byEvents = read()
  const fetched = device.account.sync.refresh([messageId(id)])
  await world.pass(1_000)
  await fetched
  expect(read()).toEqual(byEvents)
  return byEvents
}

test('marking a topic as resolved does not count as a move, renaming it does', async () => {
  await open()
  await rename('✔ drift')
  expect(await marks()).toEqual({ edited: null, moved: null })
  await rename('drift')
  expect(await marks()).toEqual({ edited: null, moved: null })
  await rename('ebb')
  expect(await marks()).toEqual({ edited: null, moved: 1 })
})

test('an older server gives one time for both: its history of the message tells', async () => {
  await open(334)
  await rename('ebb')
  expect(await marks()).toEqual({ edited: null, moved: 1 })
  await change('content=better')
  await rename('flood')
  expect(await marks()).toEqual({ edited: 1, moved: 1 })
})

test('an edit arrives although the topic was renamed meanwhile on an older server', async () => {
  await open(334)
  device.setConnected(false)
  await world.pass(1_000)
  const edit = { name: 'edit-message', messageId: messageId(id), previousContent: null } as const
  device.account.outbox.enqueue({ ...edit, content: 'mine, better' })
  await rename('ebb')
  device.setConnected(true)
  await world.pass(120_000)
  expect(outboxRows(device.store.db)).toEqual([])
  expect(world.workspace.db.all('SELECT content FROM messages')).toEqual([{ content: 'mine, better' }])
})
