import { minuteMs, hourMs } from '../../../src-shared/durations.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Reply, ScriptedServer } from '../../fakes/scripted-server.ts'
import { openSync, type SyncedAccount } from './open-sync.ts'
import { ada, arrival, message, messageIds, setAside, startTides } from './tides.ts'

// What can go wrong with a connection, a queue, a clock or a disk.

let server: ScriptedServer
let account: SyncedAccount

const ids = () => messageIds(account)
const asides = () => setAside(account)
const isOnline = () => account.sync.link.status === 'online'

const open = async () => {
  account = openSync(() => server.baseUrl, ada)
  await account.untilSynced()
}

beforeEach(async () => {
  server = await startTides()
})

afterEach(async () => {
  await account.close()
  await server.stop()
})

test('an address that answers with pages is no such server, in words', async () => {
  server.answer('GET /server_settings', { text: '<html>A bakery</html>' })
  account = openSync(() => server.baseUrl, ada)
  await account.untilStill(() => account.sync.link.status === 'incompatible')
  expect(account.sync.link.problem).toContain('web page')
  expect(server.received('POST /register')).toEqual([])
})

test('a server that does not say its feature level is not guessed at', async () => {
  server.snapshot['service_feature_level'] = undefined
  account = openSync(() => server.baseUrl, ada)
  await account.untilStill(() => account.sync.link.status === 'incompatible')
  expect(account.sync.link.problem).toContain('doesn’t say which version')
})

test('nor when it keeps its settings to itself', async () => {
  server.snapshot['service_feature_level'] = undefined
  server.answer('GET /server_settings', { error: 'BAD_REQUEST', status: 404 })
  account = openSync(() => server.baseUrl, ada)
  await account.untilStill(() => account.sync.link.status === 'incompatible')
  expect(account.rows('SELECT generation FROM sync')).toEqual([{ generation: 0 }])
})

test('a network that asks to sign in does not turn a known server into a stranger', async () => {
  await open()
  server.answer('GET /events', { text: '<html>Welcome to the ferry</html>' })
  server.push({ type: 'heartbeat' })
  await account.until(() => account.sync.link.status === 'unreachable')
  server.push(arrival(1))
  expect(account.sync.link.problem).toContain('web page')
  server.answerAsUsual('GET /events')
  await account.until(isOnline, 1_000)
  expect(ids()).toEqual([1])
  expect(server.received('POST /register')).toHaveLength(1)
})

test('an answer that stops in the middle is asked for again, and nothing of it counts', async () => {
  await open()
  let times = 0
  server.answer('GET /events', () => {
    times++
    return times < 3
      ? { text: '{"result":"success","msg":"","events":[{"id":0,"type":"heartbeat"},{"id":1,"ty' }
      : { success: { events: [{ ...arrival(5), id: 0 }] } }
  })
  server.push({ type: 'heartbeat' })
  await account.until(() => ids().includes(5), 1_000)
  expect(asides()).toEqual([])
})

test('an hour of failures: the server is asked politely, everything stays, and the end is noticed', async () => {
  await open()
  server.push(arrival(1))
  await account.until(() => ids().length === 1)
  const before = server.requests.length
  server.answer('GET /events', { text: '<html>Bad gateway</html>', status: 502 })
  server.push({ type: 'heartbeat' })
  await account.until(() => account.sync.link.status === 'unreachable', 1_000)
  server.push(arrival(2))
  expect(account.sync.link).toMatchObject({
    problem: 'The server had an error (502).',
    nextAttemptAt: expect.any(Number),
  })
  const start = account.clock.now()
  await account.until(() => account.clock.now() - start > hourMs, 5_000)
  const asked = server.requests.slice(before).filter(({ path }) => path === '/events').length
  expect(asked).toBeGreaterThan(55)
  expect(asked).toBeLessThan(75)
  expect(ids()).toEqual([1])
  server.answerAsUsual('GET /events')
  await account.until(isOnline, 1_000)
  expect(ids()).toEqual([1, 2])
})

test('a server that asks for patience gets exactly that', async () => {
  await open()
  server.answer('GET /events', { error: 'RATE_LIMIT_HIT', status: 429, extra: { 'retry-after': 40 } })
  server.push({ type: 'heartbeat' })
  await account.untilStill(() => account.sync.link.status === 'unreachable')
  expect(account.sync.link.nextAttemptAt).toBe(account.clock.now() + 40_000)
  const before = server.received('GET /events').length
  await account.clock.advance(20_000)
  // A draft that is to be saved waits as well.
  const caughtUp = account.sync.catchUp()
  await new Promise((resolve) => setTimeout(resolve, 50))
  await account.clock.advance(19_900)
  expect(server.received('GET /events')).toHaveLength(before)
  server.push(arrival(1))
  server.answerAsUsual('GET /events')
  await account.clock.advance(200)
  await account.untilStill(() => ids().length === 1)
  await caughtUp
})

test('a drop shorter than four seconds is not worth a word', async () => {
  await open()
  const links = account.links.length
  await server.stop()
  await account.clock.advance(3_000)
  await server.start()
  server.push(arrival(1))
  await account.until(() => ids().length === 1)
  const told = account.links.slice(links)
  expect(told.filter(({ status, problem }) => status !== 'online' || problem !== null)).toEqual([])
})

test('a longer one is told, with the next attempt, and a wake cuts the wait short', async () => {
  await open()
  await server.stop()
  await account.until(() => account.sync.link.status === 'offline', 1_000)
  const { nextAttemptAt } = account.sync.link
  expect(nextAttemptAt).toBeGreaterThan(account.clock.now())
  await account.clock.advance(5 * minuteMs)
  await server.start()
  const now = account.clock.now()
  account.sync.wake()
  await account.untilStill(isOnline)
  expect(account.clock.now()).toBe(now)
  expect(server.received('POST /register')).toHaveLength(1)
})

test('a wake while it registers is not lost when that fails: the next attempt is made at once', async () => {
  let answer = (_reply: Reply) => {}
  server.answer('POST /register', () => new Promise<Reply>((resolve) => (answer = resolve)))
  account = openSync(() => server.baseUrl, ada)
  await account.untilStill(() => server.received('POST /register').length === 1)
  account.sync.wake()
  server.answerAsUsual('POST /register')
  answer({ cut: 'before' })
  await account.untilStill(isOnline)
  expect(server.received('POST /register')).toHaveLength(2)
})

test('a clock that is set back does not hide that the server is gone', async () => {
  await open()
  await server.stop()
  await account.clock.advance(500)
  account.clock.set(account.clock.now() - 24 * hourMs)
  await account.until(() => account.sync.link.status === 'offline', 1_000)
})

test('a refused key ends the polling; what is here stays, and a wake tries once more', async () => {
  await open()
  server.push(arrival(1))
  await account.until(() => ids().length === 1)
  server.answer('GET /events', { error: 'UNAUTHORIZED', status: 401 })
  server.push({ type: 'heartbeat' })
  await account.untilStill(() => account.sync.link.status === 'signed-out')
  expect(account.sync.link.problem).toBe('The key wasn’t accepted.')
  const before = server.received('GET /events').length
  await account.clock.advance(48 * hourMs)
  expect(server.received('GET /events')).toHaveLength(before)
  expect(ids()).toEqual([1])
  server.answerAsUsual('GET /events')
  account.sync.wake()
  await account.untilStill(isOnline)
})

test.each([
  ['USER_DEACTIVATED', 401, 'Account is deactivated'],
  ['REALM_DEACTIVATED', 403, 'This organization has been deactivated'],
])('who is signed out by %s reads the server’s reason', async (error, status, reason) => {
  await open()
  server.answer('GET /events', { error, status, extra: { msg: reason } })
  server.push({ type: 'heartbeat' })
  await account.untilStill(() => account.sync.link.status === 'signed-out')
  expect(account.sync.link.problem).toBe(reason)
})

test('a queue that is lost during a poll is replaced, and the cache is kept', async () => {
  await open()
  server.push(arrival(1))
  await account.until(() => ids().length === 1)
  server.answer('GET /messages', {
    success: { messages: [message(1)], found_oldest: true, found_newest: true },
  })
  server.loseQueue()
  await account.untilStill(() => account.generation === 2)
  await account.until(isOnline)
  expect(ids()).toEqual([1])
  expect(account.rows('SELECT generation, queue_id FROM sync')).toEqual([
    { generation: 2, queue_id: 'queue-2' },
  ])
})

test('an answer of the lost queue that a proxy repeats does not count for the new queue', async () => {
  await open()
  const repeated = { success: { queue_id: 'queue-1', events: [{ ...arrival(1), id: 0 }] } }
  server.push(arrival(1))
  await account.until(() => ids().length === 1)
  let polls = 0
  server.answer('GET /events', ({ fields }) => {
    if (fields['queue_id'] === 'queue-1') return { error: 'BAD_EVENT_QUEUE_ID', status: 400 }
    polls++
    return repeated
  })
  server.loseQueue()
  await account.until(() => account.generation === 2 && polls > 0)
  // Its first event in the new queue has the id of the repeated one.
  server.push(arrival(2))
  await expect(account.sync.catchUp()).rejects.toThrow('An outdated response')
  server.answerAsUsual('GET /events')
  await account.until(() => ids().includes(2), 1_000)
  expect(account.generation).toBe(2)
})

test('a server that loses every queue at once is not stormed', async () => {
  await open()
  server.answer('GET /events', { error: 'BAD_EVENT_QUEUE_ID', status: 400 })
  server.loseQueue()
  const start = account.clock.now()
  await account.until(() => account.clock.now() - start > 10 * minuteMs, 2_000)
  expect(server.received('POST /register').length).toBeLessThan(20)
})

test('an acknowledgement the server does not understand leads to a new queue', async () => {
  await open()
  let isRefused = false
  server.answer('GET /events', () => {
    if (isRefused) return { silence: true }
    isRefused = true
    return { error: 'BAD_REQUEST', status: 400 }
  })
  server.push({ type: 'heartbeat' })
  await account.until(() => account.generation === 2)
})

test('a restart of the server matters only when it speaks another level', async () => {
  await open()
  server.push({ type: 'restart', service_feature_level: 420 }, arrival(1))
  await account.until(() => ids().length === 1)
  expect(server.received('POST /register')).toHaveLength(1)
  server.push({ type: 'restart', service_feature_level: 421 })
  await account.until(() => account.generation === 2)
})

test('a server that has nothing to say and says so at once is asked no more than every other second', async () => {
  await open()
  server.answer('GET /events', { success: { events: [] } })
  server.push({ type: 'heartbeat' })
  const before = server.received('GET /events').length
  for (let second = 0; second < 60; second++) {
    await account.clock.advance(1_000)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expect(server.received('GET /events').length - before).toBeGreaterThan(10)
  expect(server.received('GET /events').length - before).toBeLessThanOrEqual(32)
  // `catchUp` does not wait for that.
  await account.sync.catchUp()
  server.answerAsUsual('GET /events')
  server.push(arrival(1))
  await account.until(() => ids().includes(1))
  expect(isOnline()).toBe(true)
})

test('a full disk is said as such, and room is used once there is some', async () => {
  await open()
  account.store.db.get('PRAGMA max_page_count = 1')
  server.push(arrival(1, { content: `<p>${'a word '.repeat(100_000)}</p>` }))
  await account.untilStill(() => account.sync.link.status === 'unreachable')
  expect(account.sync.link.problem).toContain('disk is full')
  expect(ids()).toEqual([])
  account.store.db.get('PRAGMA max_page_count = 1000000')
  await account.until(() => isOnline() && ids().length === 1, 1_000)
})
