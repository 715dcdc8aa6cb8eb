import { expect, test } from 'vitest'
import { EventQueues, type QueueOptions } from '../../src-server/events/event-queues.ts'
import { manualClock } from '../fakes/clock.ts'

const asker = (userId: number): QueueOptions => ({
  userId,
  eventTypes: null,
  capabilities: {},
  applyMarkdown: false,
  allPublicStreams: false,
  slimPresence: false,
  narrow: [],
  passes: () => true,
  lifespanMs: 0,
})

/** Queues of three people whose polls all wait; `answers` are their events once they are there. */
function threeWaiting() {
  const clock = manualClock()
  const queues = new EventQueues(clock, (event) => [event])
  const polls = [1, 2, 3].map((userId) => ({ userId, id: queues.register(asker(userId)).queueId }))
  const poll = (
    { id, userId }: { id: string; userId: number },
    last = -1,
    whenGone = (_: () => void) => {},
  ) => queues.events(id, userId, last, false, whenGone)
  return { clock, queues, polls, poll }
}

test('polls that begin to wait together share one timer, and each hears a heartbeat of its own', async () => {
  const { clock, polls, poll } = threeWaiting()
  const answers = polls.map((one) => poll(one))
  expect(clock.waits).toHaveLength(1)
  await clock.advance(50_000)
  for (const answer of answers) expect(await answer).toMatchObject([{ id: 0, type: 'heartbeat' }])
  expect(clock.waits).toEqual([])
})

test('a queue that is answered before leaves the heartbeat of the others, and takes part in it again when it polls again', async () => {
  const { clock, queues, polls, poll } = threeWaiting()
  const [first, second] = [polls[0]!, polls[1]!]
  const [answer, other] = [poll(first), poll(second)]
  queues.push(first, { type: 'news' })
  expect(await answer).toMatchObject([{ id: 0, type: 'news' }])
  const again = poll(first, 0)
  expect(clock.waits).toHaveLength(1)
  await clock.advance(50_000)
  expect(await other).toMatchObject([{ id: 0, type: 'heartbeat' }])
  expect(await again).toMatchObject([{ id: 1, type: 'heartbeat' }])
})

test('a poll that begins later has a timer of its own, and no timer runs once nobody waits', async () => {
  const { clock, queues, polls, poll } = threeWaiting()
  const [first, second] = [polls[0]!, polls[1]!]
  const early = poll(first)
  await clock.advance(10_000)
  const late = poll(second)
  expect(clock.waits).toHaveLength(2)
  await clock.advance(40_000)
  expect(await early).toMatchObject([{ type: 'heartbeat' }])
  queues.push(second, { type: 'news' })
  expect(await late).toMatchObject([{ type: 'news' }])
  expect(clock.waits).toEqual([])
})

test('a connection that is cut after its poll was answered does not end the next poll of the queue', async () => {
  const { clock, queues, polls, poll } = threeWaiting()
  const [first] = [polls[0]!]
  let cut = () => {}
  const answer = poll(first, -1, (listener) => (cut = listener))
  queues.push(first, { type: 'news' })
  await answer
  let isAnswered = false
  const again = poll(first, 0).finally(() => (isAnswered = true))
  cut()
  await clock.advance(1_000)
  expect(isAnswered).toBe(false)
  await clock.advance(50_000)
  expect(await again).toMatchObject([{ type: 'heartbeat' }])
})

test('the queues of an account that ends, end, those too that nobody asked for in a long time', async () => {
  const { clock, queues, polls, poll } = threeWaiting()
  const [first, other] = [polls[0]!, polls[1]!]
  await clock.advance(11 * 60_000)
  queues.removeOf(other.userId)
  const waiting = queues.register(asker(first.userId))
  const answer = poll({ id: waiting.queueId, userId: first.userId })
  queues.removeOf(first.userId)
  await expect(answer).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
  await expect(poll(other)).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
})

test('of many who wait the first are answered before the last is woken, and everybody is', async () => {
  const queues = new EventQueues(manualClock(), (event) => [event])
  const order: string[] = []
  const ids = Array.from({ length: 100 }, () => queues.register(asker(1)).queueId)
  const answers = ids.map(async (id, index) => {
    await queues.events(id, 1, -1, false, () => {})
    order.push(`woken ${index}`)
    // What makes an answer of it.
    for (let step = 0; step < 4; step++) await Promise.resolve()
    order.push(`answered ${index}`)
  })
  for (const id of ids) queues.push({ id }, { type: 'news' })
  await Promise.all(answers)
  expect(order.indexOf('answered 0')).toBeLessThan(order.indexOf('woken 50'))
  expect(order.indexOf('answered 50')).toBeLessThan(order.indexOf('woken 99'))
  expect(order).toHaveLength(200)
})

test('what comes while others are being woken reaches whoever polls again meanwhile', async () => {
  const queues = new EventQueues(manualClock(), (event) => [event])
  const ids = Array.from({ length: 40 }, () => queues.register(asker(1)).queueId)
  const heard = ids.map(async (id, index) => {
    const [first] = await queues.events(id, 1, -1, false, () => {})
    // The first who hear of it say something themselves.
    if (index < 3) for (const one of ids) queues.push({ id: one }, { type: `word of ${index}` })
    const said = [first?.type]
    for (let last = first?.id ?? -1; said.length < 4;) {
      const more = await queues.events(id, 1, last, false, () => {})
      said.push(...more.map(({ type }) => type))
      last = more.at(-1)?.id ?? last
    }
    return said
  })
  for (const id of ids) queues.push({ id }, { type: 'news' })
  for (const said of await Promise.all(heard))
    expect([...said].sort()).toEqual(['news', 'word of 0', 'word of 1', 'word of 2'])
})

test('somebody who registers again and again ends only the longest idle of their own queues', async () => {
  const { clock, queues, polls, poll } = threeWaiting()
  const [waiting] = [polls[0]!]
  const answer = poll(waiting)
  const ids: string[] = []
  for (let count = 0; count < 150; count++) {
    await clock.advance(10)
    ids.push(queues.register(asker(waiting.userId)).queueId)
    // Its client comes back now and then.
    await queues.events(ids[0] ?? '', waiting.userId, -1, true, () => {})
  }
  expect(queues.interested('news', new Set([waiting.userId]))).toHaveLength(100)
  const lives = async (id: string) =>
    queues
      .events(id, waiting.userId, -1, true, () => {})
      .then(
        () => true,
        () => false,
      )
  expect(await Promise.all([ids[0], ids[1], ids[51], ids[149]].map((id) => lives(id ?? '')))).toEqual([
    true,
    false,
    false,
    true,
  ])
  // The one that was waiting all the time, and those of other people.
  queues.push(waiting, { type: 'news' })
  expect(await answer).toMatchObject([{ type: 'news' }])
  expect(queues.interested('news', new Set([2, 3]))).toHaveLength(2)
})

test('a queue whose events nobody fetches ends once there are too many, and those of others do not', async () => {
  const { queues, polls, poll } = threeWaiting()
  const [left, read] = [polls[0]!, polls[1]!]
  for (let count = 0; count < 10_000; count++) queues.push(left, { type: 'news' })
  expect(await poll(left)).toHaveLength(10_000)
  queues.push(left, { type: 'news' })
  queues.push(read, { type: 'news' })
  await expect(poll(left)).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
  expect(await poll(read)).toHaveLength(1)
})
