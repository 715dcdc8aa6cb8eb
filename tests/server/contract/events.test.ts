import { expect, test } from 'vitest'
import { organization, refused, succeeded, type Person, type Queue } from '../../support/organization.ts'

const org = organization()
const messagesOnly = { event_types: ['message'], fetch_event_types: [] }
const poll = (person: Person, queue: Queue, last: number, more: object = {}) =>
  person.get('/events', { queue_id: queue.id, last_event_id: last, ...more })
/** Lets a request that is on its way reach the service. */
const parked = () => expect.poll(() => org.clock.waits, { interval: 2 }).not.toEqual([])

test('EVENT-01: Waiting events are returned at once, with increasing ids.', async () => {
  const queue = await org.member.register(messagesOnly)
  await org.other.send([org.member], '', 'one')
  await org.other.send([org.member], '', 'two')
  const { events, queue_id } = succeeded(await poll(org.member, queue, -1))
  expect(queue_id).toBe(queue.id)
  expect(events.map((event: { message: { content: string } }) => event.message.content)).toEqual([
    'one',
    'two',
  ])
  expect(events[1].id).toBeGreaterThan(events[0].id)
})

test('EVENT-02: Polling again with the same id returns the same events; a higher id acknowledges them permanently.', async () => {
  const queue = await org.member.register(messagesOnly)
  await org.other.send([org.member], '', 'one')
  await org.other.send([org.member], '', 'two')
  const first = succeeded(await poll(org.member, queue, -1))
  expect(succeeded(await poll(org.member, queue, -1)).events).toEqual(first.events)
  const rest = succeeded(await poll(org.member, queue, first.events[0].id))
  expect(rest.events).toEqual([first.events[1]])
  succeeded(await poll(org.member, queue, first.events[1].id, { dont_block: true }))
  refused(await poll(org.member, queue, -1 + first.events[0].id, { dont_block: true }))
})

test('EVENT-03: An id that the queue never issued is rejected.', async () => {
  const queue = await org.member.register(messagesOnly)
  refused(await poll(org.member, queue, 17, { dont_block: true }))
})

test('EVENT-04: If no events are waiting, the response waits for the next event.', async () => {
  const queue = await org.member.register(messagesOnly)
  const waiting = poll(org.member, queue, -1)
  await parked()
  await org.other.send([org.member], '', 'at last')
  const { events } = succeeded(await waiting)
  expect(events.map((event: { message: { content: string } }) => event.message.content)).toEqual(['at last'])
})

test('EVENT-05: dont_block responds at once, with an empty list if no events are waiting.', async () => {
  const queue = await org.member.register(messagesOnly)
  expect(succeeded(await poll(org.member, queue, -1, { dont_block: true })).events).toEqual([])
})

test('EVENT-06: A waiting poll receives a heartbeat within a minute, whatever types were requested.', async () => {
  const queue = await org.member.register(messagesOnly)
  const waiting = poll(org.member, queue, -1)
  await parked()
  await org.clock.advance(60_000)
  const { events } = succeeded(await waiting)
  expect(events).toEqual([{ type: 'heartbeat', id: 0 }])
})

test('EVENT-07: A queue expires after ten minutes without activity: BAD_EVENT_QUEUE_ID with the id.', async () => {
  const queue = await org.member.register(messagesOnly)
  await org.clock.advance(10 * 60_000 - 1_000)
  succeeded(await poll(org.member, queue, -1, { dont_block: true }))
  await org.clock.advance(10 * 60_000 + 1_000)
  const body = refused(await poll(org.member, queue, -1, { dont_block: true }), 'BAD_EVENT_QUEUE_ID')
  expect(body.queue_id).toBe(queue.id)
})

test('EVENT-08: A queue with a waiting poll does not expire.', async () => {
  const queue = await org.member.register(messagesOnly)
  let last = -1
  for (let minute = 0; minute < 12; minute++) {
    const waiting = poll(org.member, queue, last)
    await parked()
    await org.clock.advance(60_000)
    last = succeeded(await waiting).events.at(-1).id
  }
  expect(last).toBe(11)
})

test('EVENT-09: queue_lifespan_secs keeps an idle queue alive longer.', async () => {
  const queue = await org.member.register({ ...messagesOnly, queue_lifespan_secs: 3600 })
  await org.clock.advance(50 * 60_000)
  succeeded(await poll(org.member, queue, -1, { dont_block: true }))
  await org.clock.advance(61 * 60_000)
  refused(await poll(org.member, queue, -1, { dont_block: true }), 'BAD_EVENT_QUEUE_ID')
})

test('EVENT-10: An unknown queue and another user’s queue are rejected alike.', async () => {
  const queue = await org.member.register(messagesOnly)
  refused(await poll(org.other, queue, -1, { dont_block: true }), 'BAD_EVENT_QUEUE_ID')
  refused(
    await org.other.get('/events', { queue_id: 'not-there', last_event_id: -1, dont_block: true }),
    'BAD_EVENT_QUEUE_ID',
  )
  refused(await org.other.delete('/events', { queue_id: queue.id }), 'BAD_EVENT_QUEUE_ID')
  succeeded(await poll(org.member, queue, -1, { dont_block: true }))
})

test('EVENT-11: A queue deleted by its owner no longer exists, even for a waiting poll.', async () => {
  const queue = await org.member.register(messagesOnly)
  const waiting = poll(org.member, queue, -1)
  await parked()
  succeeded(await org.member.delete('/events', { queue_id: queue.id }))
  refused(await waiting, 'BAD_EVENT_QUEUE_ID')
  refused(await org.member.delete('/events', { queue_id: queue.id }), 'BAD_EVENT_QUEUE_ID')
})

test('EVENT-12: queue_id and last_event_id are required.', async () => {
  refused(await org.member.get('/events'))
  const queue = await org.member.register(messagesOnly)
  refused(await org.member.get('/events', { queue_id: queue.id }))
})

test('EVENT-13: A second poll ends the first with no events; the second receives later events.', async () => {
  const queue = await org.member.register(messagesOnly)
  const first = poll(org.member, queue, -1)
  await parked()
  const second = poll(org.member, queue, -1)
  expect(succeeded(await first).events).toEqual([])
  await parked()
  await org.other.send([org.member], '', 'for the second')
  expect(succeeded(await second).events).toHaveLength(1)
})

test('EVENT-14: If the client of a poll disconnects, its events remain for the next poll.', async () => {
  const queue = await org.member.register(messagesOnly)
  const hangUp = new AbortController()
  const url = `${org.service.baseUrl}/events?queue_id=${queue.id}&last_event_id=-1`
  const headers = { Authorization: `Basic ${btoa(`${org.member.email}:${org.member.row.api_key}`)}` }
  const lost = fetch(url, { headers, signal: hangUp.signal }).catch(() => null)
  await parked()
  hangUp.abort()
  expect(await lost).toBeNull()
  await org.other.send([org.member], '', 'kept')
  expect(await queue.events()).toHaveLength(1)
})

test('EVENT-15: event_types limits the events that a queue receives.', async () => {
  const queue = await org.member.register({ event_types: ['reaction'], fetch_event_types: [] })
  const id = await org.other.send([org.member], '', 'x')
  succeeded(await org.other.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
  expect((await queue.events()).map((event) => event.type)).toEqual(['reaction'])
})

test('EVENT-16: The local_id of a send is returned in the message event of the queue it names, and in no other.', async () => {
  const own = await org.member.register(messagesOnly)
  const elsewhere = await org.member.register(messagesOnly)
  const theirs = await org.other.register(messagesOnly)
  succeeded(
    await org.member.post('/messages', {
      type: 'direct',
      to: [org.other.id],
      content: 'echo',
      queue_id: own.id,
      local_id: '12.01',
    }),
  )
  expect((await own.events())[0]?.local_message_id).toBe('12.01')
  expect((await elsewhere.events())[0]).not.toHaveProperty('local_message_id')
  expect((await theirs.events())[0]).not.toHaveProperty('local_message_id')
})

test('EVENT-17: A message event contains the message, with its flags beside it.', async () => {
  const queue = await org.member.register(messagesOnly)
  const id = await org.other.send(org.plaza, 'Flags', 'for @**Mara Member** and @**all**')
  const [event] = await queue.events()
  expect(event?.flags.sort()).toEqual(['mentioned', 'stream_wildcard_mentioned', 'wildcard_mentioned'])
  expect(event?.message).toMatchObject({
    id,
    stream_id: org.plaza,
    display_recipient: 'plaza',
    reactions: [],
  })
  expect(event?.message).not.toHaveProperty('flags')
})

test('EVENT-18: All queues of a user receive the same events, each with its own ids.', async () => {
  const [one, two] = [await org.member.register(messagesOnly), await org.member.register(messagesOnly)]
  await org.other.send([org.member], '', 'to both')
  const [first, second] = [await one.events(), await two.events()]
  expect(first).toEqual(second)
  await org.other.send([org.member], '', 'again')
  expect(await one.events()).toHaveLength(1)
  expect(await two.events()).toHaveLength(1)
})
