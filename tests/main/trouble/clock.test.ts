import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { channelId } from '../../../src-shared/ids.ts'
import { systemClock } from '../../../src-shared/clock/clock.ts'
import { dayMs } from '../../../src-shared/durations.ts'
import { createServerTime } from '../../../src-main/sync/server-time.ts'
import { manualClock, type ManualClock } from '../../fakes/clock.ts'
import { startService, type TestService } from '../../support/service.ts'
import { newFolder, openBench, removeFolders, type Bench } from './bench.ts'

// The clock is wrong, because of a person, the system or an empty battery.

let service: TestService
let bench: Bench
let clock: ManualClock
let keiko: { userId: number }
let gauges: number
let signIn: { baseUrl: string; email: string; apiKey: string }

beforeEach(async () => {
  service = await startService()
  const maren = service.createUser('Maren Aske')
  keiko = service.createUser('Keiko Tamura')
  gauges = service.createChannel('gauges', [maren.userId, keiko.userId])
  signIn = { baseUrl: service.baseUrl, email: maren.email, apiKey: maren.apiKey }
  clock = manualClock(Date.now())
  bench = await openBench({ directory: newFolder(), signIn, clock })
})
afterEach(async () => {
  await bench.close()
  await service.close()
})
afterAll(removeFolders)

const jump = (ms: number) => clock.set(clock.now() + ms)
const topic = () => ({ kind: 'topic', channelId: channelId(gauges), topic: 'drift' }) as const
const send = (content: string) =>
  bench.bridge.call('act', {
    accountId: bench.accountId,
    action: { name: 'send-message', conversation: topic(), content, draftId: null },
  })
const feed = (isWanted: (count: number) => boolean) =>
  bench.until(
    'feed',
    { accountId: bench.accountId, narrow: topic(), around: 'newest', before: 50, after: 0 },
    ({ messages, waiting }) => waiting.length === 0 && isWanted(messages.length),
  )

test('a clock that jumps by days in both directions delays nothing, and messages keep the time of the server', async () => {
  const { accountId } = bench
  await bench.until('sync-state', { accountId }, ({ status }) => status === 'synced')
  let n = 0
  for (const ms of [3 * dayMs, -10 * dayMs, 40 * dayMs, -33 * dayMs, 400 * dayMs, -400 * dayMs]) {
    await service.stop()
    await send(`mine ${n}`)
    await bench.until(
      'sync-state',
      { accountId },
      ({ status }) => status !== 'synced' && status !== 'syncing',
    )
    await clock.advance(20_000)
    jump(ms)
    const { draftId } = await bench.bridge.call('save-draft', {
      accountId,
      draftId: null,
      draft: { recipient: topic(), content: `begun ${n}` },
    })
    await service.start()
    service.send(keiko.userId, gauges, 'drift', `theirs ${n}`)
    n++
    await clock.advance(75_000)
    await feed((count) => count === 2 * n)
    await bench.until('draft', { accountId, draftId }, (draft) => draft?.state === 'synced')
  }
  const { messages } = await feed((count) => count === 2 * n)
  const sentAt = service.database
    .all<{ at: number }>('SELECT sent_at AS at FROM messages ORDER BY message_id')
    .map(({ at }) => at)
  expect(messages.map((message) => Math.floor(message.sentAt / 1_000))).toEqual(sentAt.map(Math.floor))
}, 120_000)

test('who was typing has stopped, also when the clock was set back meanwhile', async () => {
  const { accountId } = bench
  await bench.until('sync-state', { accountId }, ({ status }) => status === 'synced')
  const typing = () => bench.store().db.all('SELECT user_id FROM typing')
  bench
    .store()
    .write((db) =>
      db.run(`INSERT INTO typing (conversation_key, user_id, expires_at) VALUES ('topic', 7, ?)`, [
        clock.now() + 45_000,
      ]),
    )
  jump(-10 * dayMs)
  service.send(keiko.userId, gauges, 'drift', 'an event')
  await feed((count) => count === 1)
  expect(typing()).toEqual([])
})

test('a clock set forward does not drop versions that are younger than thirty days', async () => {
  const { accountId, directory } = bench
  await bench.until('sync-state', { accountId }, ({ status }) => status === 'synced')
  const { draftId } = await bench.bridge.call('save-draft', {
    accountId,
    draftId: null,
    draft: { recipient: topic(), content: 'worth keeping' },
  })
  await bench.bridge.call('leave-draft', { accountId, draftId })
  await bench.bridge.call('delete-draft', { accountId, draftId })
  await bench.close()
  jump(45 * dayMs)
  bench = await openBench({ directory, clock })
  const versions = () => bench.store().db.all('SELECT content FROM draft_versions')
  expect(versions()).toContainEqual({ content: 'worth keeping' })
})

test.each([-2_000, 45])('a clock that was wrong for a while (%i days) drops no version', async (days) => {
  const { accountId, directory } = bench
  await bench.until('sync-state', { accountId }, ({ status }) => status === 'synced')
  let n = 0
  const heard = async () => {
    service.send(keiko.userId, gauges, 'drift', `an event ${++n}`)
    await feed((count) => count === n)
  }
  const restart = async () => {
    await bench.close()
    bench = await openBench({ directory, clock })
  }
  const remove = async (content: string) => {
    const draft = { recipient: topic(), content }
    const { draftId } = await bench.bridge.call('save-draft', { accountId, draftId: null, draft })
    await bench.bridge.call('delete-draft', { accountId, draftId })
  }
  await remove('before')
  jump(days * dayMs)
  await heard()
  await restart()
  await remove('meanwhile')
  await heard()
  await restart()
  jump(-days * dayMs)
  for (let starts = 0; starts < 2; starts++) {
    await heard()
    await restart()
  }
  const versions = bench.store().db.column('SELECT content FROM draft_versions ORDER BY content')
  expect(versions).toEqual(['before', 'meanwhile'])
})

test('a clock set forward during a long poll, whose answer does not tell the time, drops no version', async () => {
  const { accountId, directory } = bench
  await bench.until('sync-state', { accountId }, ({ status }) => status === 'synced')
  const draft = { recipient: topic(), content: 'worth keeping' }
  const { draftId } = await bench.bridge.call('save-draft', { accountId, draftId: null, draft })
  await bench.bridge.call('delete-draft', { accountId, draftId })
  const arrived = () => bench.store().db.column('SELECT message_id FROM messages')
  // The poll has been waiting for twenty seconds.
  const elapsed = performance.now.bind(performance)
  const later = vi.spyOn(performance, 'now').mockImplementation(() => elapsed() + 20_000)
  try {
    jump(45 * dayMs)
    service.send(keiko.userId, gauges, 'drift', 'an event')
    await expect.poll(arrived).toHaveLength(1)
    await bench.close()
    bench = await openBench({ directory, clock })
    const versions = bench.store().db.column('SELECT content FROM draft_versions')
    expect(versions).toEqual(['worth keeping'])
  } finally {
    later.mockRestore()
  }
})

test('once the clock was set, what the server’s shows is not known until it tells it', () => {
  let [now, elapsed] = [1_000_000, 0]
  const time = createServerTime(
    () => now,
    () => elapsed,
  )
  expect(time.heardNow()).toBe(null)
  time.learn(500)
  now += dayMs
  elapsed += dayMs
  expect(time.heardNow()).toBe(500_000 + dayMs)
  now += 45 * dayMs
  elapsed += 50_000
  expect(time.heardNow()).toBe(null)
  time.hear(new Date(500_000 + dayMs + 50_000).toUTCString())
  expect(time.heardNow()).toBe(500_000 + dayMs + 50_000)
})

test('a wait that no timer can hold does not end at once', async () => {
  const ended = new AbortController()
  let isOver = false
  const wait = systemClock.wait(60 * dayMs, ended.signal).then(() => (isOver = true))
  await systemClock.wait(20, new AbortController().signal)
  expect(isOver).toBe(false)
  ended.abort()
  await wait
})
