import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, foundIn, spawnService, type ServiceProcess, type Writer } from '../support/service-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// Event queues over the end of a service and the start of the next, in processes of their own.

const folder = temporaryFolder(afterAll)
const nobody: Writer = { email: '', key: '' }
const {
  writers: [mara = nobody, otto = nobody],
  channel,
} = foundIn(folder, 2)

/** The one that runs; each test leaves one to the next. */
let service: ServiceProcess
const start = async (...args: string[]) => {
  service = await spawnService(folder, args)
}
beforeAll(() => start())
afterAll(() => service.kill())
const call = async (who: Writer, method: string, path: string, fields: Record<string, unknown> = {}) => {
  const { status, body } = await ask(service.baseUrl, who, method, path, fields)
  return { status, body: body as any } // oxlint-disable-line typescript/no-explicit-any -- read field by field
}
const send = (content: string, topic = 'Kept') =>
  call(mara, 'POST', '/messages', { type: 'stream', to: channel, topic, content })
const registered = async (who: Writer, fields: Record<string, unknown> = {}) =>
  (await call(who, 'POST', '/register', { fetch_event_types: [], ...fields })).body.queue_id as string
const poll = async (who: Writer, queue_id: string, last_event_id: number) =>
  call(who, 'GET', '/events', { queue_id, last_event_id, dont_block: true })
const words = (events: any[]) => events.map((event) => event.message?.content ?? event.type) // oxlint-disable-line typescript/no-explicit-any -- read field by field

test('A service that was told to end keeps its queues, and the next one goes on with them where they were', async () => {
  const all = await registered(otto, { apply_markdown: true, event_types: ['message'] })
  const narrowed = await registered(otto, {
    event_types: ['message', 'restart'],
    narrow: [['topic', 'Other']],
  })
  const slim = await registered(otto, { event_types: ['presence'], slim_presence: true })
  await send('first')
  const heard = (await poll(otto, all, -1)).body.events
  expect(words(heard)).toEqual(['<p>first</p>'])
  await send('second')
  await service.stop()
  await start()
  await send('third')
  await send('elsewhere', 'Other')
  // Whoever did not hear the last answer asks for it once more.
  const again = (await poll(otto, all, -1)).body.events
  expect(again[0]).toEqual(heard[0])
  const { events } = (await poll(otto, all, heard[0].id)).body
  expect(words(events)).toEqual(['<p>second</p>', '<p>third</p>', '<p>elsewhere</p>'])
  const others = (await poll(otto, narrowed, -1)).body.events
  expect(words(others)).toEqual(['restart', 'elsewhere'])
  expect(others[0]).toEqual({
    type: 'restart',
    id: 0,
    service_feature_level: 420,
    service_version: expect.any(String),
    service_merge_base: expect.any(String),
    zulip_feature_level: 420,
    zulip_version: expect.any(String),
    zulip_merge_base: expect.any(String),
    server_generation: expect.any(Number),
  })
  await call(mara, 'POST', '/users/me/presence', { status: 'active' })
  const [presence] = (await poll(otto, slim, -1)).body.events
  expect(presence).toMatchObject({ type: 'presence', user_id: expect.any(Number) })
  expect(presence).not.toHaveProperty('email')
  const { state } = { state: (await call(otto, 'POST', '/register', { fetch_event_types: ['realm'] })).body }
  expect(others[0].server_generation).toBe(state.server_generation)
  expect((await poll(mara, all, -1)).body.code).toBe('BAD_EVENT_QUEUE_ID')
})

let kept: string

test('Another feature level is told with the start, before level 240 with the word that nobody has to hurry', async () => {
  const queue = await registered(otto)
  await service.stop()
  await start('--feature-level', '239')
  const { events } = (await poll(otto, queue, -1)).body
  expect(events).toMatchObject([{ type: 'restart', service_feature_level: 239, immediate: false }])
  kept = queue
})

test('A service that was killed has lost them, also those that the one before it kept', async () => {
  const late = await registered(otto)
  await service.kill()
  await start()
  for (const queue of [kept, late])
    expect((await poll(otto, queue, -1)).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID', queue_id: queue })
})

test('Messages that were on their way when the service was told to end are answered with events after the next start, or were never written', async () => {
  const queue = await registered(otto, { event_types: ['message'] })
  const underway = Array.from({ length: 40 }, (_, index) => send(`burst ${index}`).catch(() => null))
  await underway[0]
  await service.stop()
  await Promise.all(underway)
  await start()
  const { events } = (await poll(otto, queue, -1)).body
  const { messages } = (
    await call(otto, 'GET', '/messages', {
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
      apply_markdown: false,
    })
  ).body
  const written = messages.filter((one: { content: string }) => one.content.startsWith('burst'))
  expect(written.length).toBeGreaterThan(0)
  expect(words(events).sort()).toEqual(written.map((one: { content: string }) => one.content).sort())
})
