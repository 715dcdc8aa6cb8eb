import { daySeconds } from '../../../src-shared/durations.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { messageId } from '../../../src-shared/ids.ts'
import type { HistoryPause, HistoryProgress } from '../../../src-shared/model/account.ts'
import { edgesOf } from '../../../src-main/queries/feed-edges.ts'
import { addRange } from '../../../src-main/store/ranges.ts'
import {
  startScriptedServer,
  type Received,
  type Reply,
  type ScriptedServer,
} from '../../fakes/scripted-server.ts'
import { openSync, type SyncedAccount } from './open-sync.ts'

// Background history: how far, how fast, and what happens meanwhile.

let server: ScriptedServer
let account: SyncedAccount

const ada = { email: 'ada@example.org', apiKey: 'k', userId: 1 }
/** The server's clock is a year behind the device's, which must have no effect. */
const newestAt = Date.UTC(2025, 2, 1) / 1000

interface Row {
  id: number
  type: 'stream' | 'private'
  timestamp: number
  content: string
  subject: string
}
let all: Row[] = []

/** One message every `daysApart` days, the newest last; every tenth is a direct message. */
const fill = (count: number, daysApart: number) => {
  all = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    type: index % 10 === 9 ? 'private' : 'stream',
    timestamp: Math.round(newestAt - (count - 1 - index) * daysApart * daySeconds),
    content: '<p>text</p>',
    subject: index % 10 === 9 ? '' : `topic ${index % 7}`,
  }))
}

const onWire = (row: Row) => ({
  ...row,
  sender_id: 2,
  sender_email: 'bo@example.org',
  sender_full_name: 'Bo',
  display_recipient: row.type === 'stream' ? 'tides' : [{ id: 2, email: '', full_name: 'Bo' }],
  ...(row.type === 'stream' ? { stream_id: 7 } : {}),
  flags: ['read'],
})

const answerPage = ({ fields }: Received): Reply => {
  if (fields['message_ids'] !== undefined) {
    const wanted = JSON.parse(fields['message_ids']) as number[]
    return { success: { messages: all.filter(({ id }) => wanted.includes(id)).map(onWire) } }
  }
  const narrow = JSON.parse(fields['narrow']!) as { operator: string; operand: unknown }[]
  const [term] = narrow
  const rows = all.filter(
    ({ type }) => term === undefined || (term.operand === 'dm' ? type === 'private' : false),
  )
  const before = Number(fields['num_before'])
  const upTo = fields['anchor'] === 'newest' ? rows : rows.filter(({ id }) => id <= Number(fields['anchor']))
  // The anchor does not count.
  const page = upTo.slice(-(before + (fields['anchor'] === 'newest' ? 0 : 1)))
  return {
    success: {
      messages: page.map(onWire),
      found_oldest: page.length === upTo.length,
      found_newest: fields['anchor'] === 'newest',
    },
  }
}

type Links = readonly { readonly progress: HistoryProgress | null }[]
const told = (links: Links) => links.flatMap(({ progress }) => progress ?? [])
const shares = (links: Links) =>
  told(links).flatMap((progress) => (progress.step === 'earlier' ? progress.share : []))

const pages = () => server.received('GET /messages')
const byName = () => pages().filter(({ fields }) => fields['message_ids'] !== undefined)
const combined = () => account.ranges({ kind: 'combined' })
const directs = () =>
  account.rows(`SELECT oldest_id, reaches_beginning, is_live FROM ranges WHERE narrow_key = 'directs'`)

beforeEach(async () => {
  server = await startScriptedServer({ subscriptions: [{ stream_id: 7, name: 'tides' }] })
  server.answer('GET /messages', answerPage)
})

afterEach(async () => {
  await account.close()
  await server.stop()
})

test('ninety days of everything and all direct messages are fetched, by the clock of the server', async () => {
  fill(8_000, 0.02)
  account = openSync(() => server.baseUrl, ada)
  await account.untilSynced()
  const [range] = combined()
  expect(range).toMatchObject({ newestId: 8_000, isLive: true, reachesBeginning: false })
  const days = (newestAt - all[range!.oldestId - 1]!.timestamp) / daySeconds
  expect(days).toBeGreaterThan(90)
  // At most one page beyond.
  expect(days).toBeLessThan(90 + 21)
  expect(directs()).toEqual([{ oldest_id: 10, reaches_beginning: 1, is_live: 1 }])
  expect(account.rows('SELECT count(*) AS n FROM messages WHERE channel_id IS NULL')).toEqual([{ n: 800 }])
  const progress = shares(account.links)
  expect(progress.length).toBeGreaterThan(2)
  expect(progress).toEqual([...progress].sort((a, b) => a - b))
  expect(account.sync.link.progress).toBeNull()
})

test('whoever looks on while a page is written sees its newest messages first, and no hole in it', async () => {
  fill(150, 0.02)
  account = openSync(() => server.baseUrl, ada)
  const { store } = account
  const seen: { readonly newest: number | undefined; readonly holes: readonly number[] }[] = []
  store.onChange(['messages'], () => {
    const rows = store.db.all<{ message_id: number }>('SELECT message_id FROM messages ORDER BY message_id')
    const { gapsAfter } = edgesOf(store.db, { kind: 'combined' }, rows, false, false)
    if (rows.length > 0) seen.push({ newest: rows.at(-1)?.message_id, holes: gapsAfter })
  })
  await account.untilSynced()
  expect(combined()).toMatchObject([{ oldestId: 1, newestId: 150, reachesBeginning: true, isLive: true }])
  expect(seen.length).toBeGreaterThan(2)
  expect(seen.filter(({ newest, holes }) => newest !== 150 || holes.length > 0)).toEqual([])
})

test('a page of what came later goes on from where it begins, piece by piece', async () => {
  fill(150, 0.02)
  account = openSync(() => server.baseUrl, ada, {}, { sparing: () => 'battery' })
  server.answer('GET /messages', ({ fields }) => {
    const after = Number(fields['num_after'])
    if (after === 0) return { success: { messages: [], found_oldest: false, found_newest: false } }
    // A server need not sort them.
    const page = all.filter(({ id }) => id >= Number(fields['anchor'])).slice(0, after)
    const found_newest = page.at(-1)?.id === 150
    return { success: { messages: page.map(onWire).reverse(), found_oldest: false, found_newest } }
  })
  await account.until(() => account.sync.link.status === 'online')
  const { store } = account
  const known: unknown[] = []
  store.onChange(['ranges'], () =>
    known.push(combined().map(({ oldestId, newestId }) => [oldestId, newestId])),
  )
  const loaded = account.sync.loadNewer({ kind: 'combined' }, messageId(11))
  await account.until(() => combined().some(({ newestId, isLive }) => newestId === 150 && isLive))
  expect(await loaded).toBe(140)
  expect(known.length).toBeGreaterThan(2)
  expect(known).toEqual(known.map((_, index) => [[11, Math.min(74 + 64 * index, 150)]]))
})

test('who wants everything gets everything, also when the setting changes later', async () => {
  fill(8_000, 0.02)
  let depth: number | null = 90 * daySeconds * 1000
  account = openSync(() => server.baseUrl, ada, {}, { historyMs: () => depth })
  await account.untilSynced()
  expect(combined()[0]?.reachesBeginning).toBe(false)
  depth = null
  const before = account.links.length
  account.sync.historyDepthChanged()
  await account.until(() => combined()[0]?.reachesBeginning === true)
  expect(combined()).toMatchObject([{ oldestId: 1, newestId: 8_000, isLive: true }])
  const progress = shares(account.links.slice(before))
  expect(progress).toEqual([...progress].sort((a, b) => a - b))
  expect(Math.max(...progress)).toBeGreaterThan(0.5)
})

test('on its battery a machine fetches what is new and what is asked for; the rest waits, in sight', async () => {
  fill(8_000, 0.02)
  let sparing: HistoryPause | null = 'battery'
  account = openSync(() => server.baseUrl, ada, {}, { sparing: () => sparing })
  await account.until(() => account.sync.link.historyPause !== null)
  const asked = pages().length
  const oldest = combined()[0]?.oldestId ?? 0
  for (let minute = 0; minute < 60; minute++) await account.clock.advance(60_000)
  expect(pages()).toHaveLength(asked)
  expect(account.sync.link).toMatchObject({ status: 'online', historyPause: 'battery' })
  expect(account.sync.link.progress).not.toBeNull()
  // A person's own request does not wait for power.
  expect(await account.sync.loadOlder({ kind: 'combined' }, messageId(oldest))).toBeGreaterThan(0)
  expect(combined()[0]?.oldestId).toBeLessThan(oldest)
  sparing = null
  await account.untilSynced()
  expect(account.sync.link).toMatchObject({ historyPause: null, progress: null })
  const days = (newestAt - all[combined()[0]!.oldestId - 1]!.timestamp) / daySeconds
  expect(days).toBeGreaterThan(90)

  // So it does after a lost queue, when topics that were read are asked for again.
  const read = { oldestId: 7_990, newestId: 8_000, reachesBeginning: false, isLive: true }
  account.store.write((db) => addRange(db, 'topic:7:topic 1', read))
  sparing = 'battery'
  server.loseQueue()
  await account.untilStill(() => account.generation === 2)
  await account.until(() => account.sync.link.historyPause !== null)
  expect(account.sync.link.progress).not.toBeNull()
})

test('the background is slow on purpose', async () => {
  fill(8_000, 0.001)
  account = openSync(() => server.baseUrl, ada)
  const start = account.clock.now()
  await account.until(() => combined()[0]?.oldestId === 1, 25)
  const inBackground = pages().filter(({ fields }) => fields['num_before'] === '1000')
  expect(inBackground.length).toBeGreaterThan(7)
  expect(account.clock.now() - start).toBeGreaterThanOrEqual((inBackground.length - 1) * 500)
})

test('a restart goes on where the last one ended', async () => {
  fill(5_000, 0.001)
  account = openSync(() => server.baseUrl, ada)
  await account.until(() => (combined()[0]?.oldestId ?? 5_000) < 3_000)
  const reached = combined()[0]!.oldestId
  const before = pages().length
  await account.restart()
  await account.untilSynced()
  expect(account.calls).not.toContain('POST /register')
  const next = pages().slice(before)
  expect(next.every(({ fields }) => fields['anchor'] !== 'newest')).toBe(true)
  expect(Number(next[0]?.fields['anchor'])).toBeLessThanOrEqual(reached)
  expect(combined()).toMatchObject([{ oldestId: 1, newestId: 5_000, reachesBeginning: true, isLive: true }])
})

test('a run that finds everything here leaves waiting changes alone', async () => {
  fill(20, 0.001)
  server.snapshot['unread_msgs'] = {
    count: 1,
    streams: [{ stream_id: 7, topic: all[3]!.subject, unread_message_ids: [4] }],
  }
  let reapplied = 0
  account = openSync(() => server.baseUrl, ada, { reapply: () => reapplied++ })
  await account.untilSynced()
  reapplied = 0
  await account.restart()
  await account.untilSynced()
  expect(reapplied).toBe(0)
})

test('a server that asks for patience is left alone, then asked for the same page', async () => {
  fill(3_000, 0.001)
  let refusals = 0
  server.answer('GET /messages', (request) => {
    if (request.fields['num_before'] !== '1000' || refusals === 1) return answerPage(request)
    refusals++
    return { error: 'RATE_LIMIT_HIT', status: 429, extra: { 'retry-after': 60 } }
  })
  account = openSync(() => server.baseUrl, ada)
  await account.until(() => refusals === 1)
  const before = pages().length
  await account.clock.advance(29_000)
  // Drafts that are saved meanwhile make the account catch up.
  await account.sync.catchUp()
  await account.clock.advance(10_000)
  await account.sync.catchUp()
  await account.clock.advance(20_000)
  expect(pages()).toHaveLength(before)
  // The account itself is fine.
  expect(account.sync.link).toMatchObject({ status: 'online', problem: null })
  await account.untilSynced()
  expect(combined()).toMatchObject([{ oldestId: 1, reachesBeginning: true }])
})

test('a server that asks for patience is not asked at every commit about what is on screen', async () => {
  fill(20, 0.001)
  account = openSync(() => server.baseUrl, ada)
  await account.untilSynced()
  server.answer('GET /messages', { error: 'RATE_LIMIT_HIT', status: 429, extra: { 'retry-after': 60 } })
  server.loseQueue()
  await account.untilStill(() => account.generation === 2)
  const before = byName().length
  const look = () => account.sync.shown({ messageIds: [18, 19, 20], feeds: [] })
  await account.untilStill(() => account.sync.link.status === 'online')
  look()
  await account.untilStill(() => byName().length === before + 1)
  for (let seconds = 0; seconds < 50; seconds++) {
    look()
    await account.clock.advance(1_000)
  }
  expect(byName()).toHaveLength(before + 1)
  for (const row of all) row.content = '<p>changed</p>'
  server.answer('GET /messages', answerPage)
  await account.until(() => byName().length === before + 2)
  const text = () => account.rows('SELECT content_html AS text FROM messages WHERE message_id = 20')[0]
  await account.until(() => text()?.['text'] === '<p>changed</p>')
})

test('a server that asks for patience is not asked at every event for a channel that was joined', async () => {
  fill(20, 0.001)
  account = openSync(() => server.baseUrl, ada)
  await account.untilSynced()
  server.answer('GET /messages', { error: 'RATE_LIMIT_HIT', status: 429, extra: { 'retry-after': 60 } })
  const ofChannel = () => pages().filter(({ fields }) => fields['narrow']?.includes('"channel"') === true)
  const before = ofChannel().length
  server.push({
    type: 'subscription',
    op: 'add',
    subscriptions: [{ stream_id: 9, name: 'wind', history_public_to_subscribers: true }],
  })
  await account.untilStill(() => ofChannel().length === before + 1)
  for (let seconds = 0; seconds < 50; seconds++) {
    server.push({ type: 'heartbeat' })
    await account.sync.catchUp()
    await account.clock.advance(1_000)
  }
  expect(ofChannel()).toHaveLength(before + 1)
  server.answer('GET /messages', answerPage)
  await account.until(() => ofChannel().length === before + 2)
  await account.clock.advance(120_000)
  await account.sync.catchUp()
  expect(ofChannel()).toHaveLength(before + 2)
})

test('many channels that were joined at once are fetched one after another', async () => {
  fill(20, 0.001)
  account = openSync(() => server.baseUrl, ada)
  await account.untilSynced()
  let underWay = 0
  let most = 0
  const asked: number[] = []
  let isPatient = true
  server.answer('GET /messages', async (request) => {
    const term = (JSON.parse(request.fields['narrow'] ?? '[]') as { operator: string; operand: number }[])[0]
    if (term?.operator !== 'channel') return answerPage(request)
    if (asked.length === 20 && isPatient) {
      isPatient = false
      return { error: 'RATE_LIMIT_HIT', status: 429, extra: { 'retry-after': 60 } }
    }
    asked.push(term.operand)
    most = Math.max(most, ++underWay)
    await new Promise((resolve) => setTimeout(resolve, 1))
    underWay--
    return answerPage(request)
  })
  const subscriptions = Array.from({ length: 50 }, (_, index) => ({
    stream_id: 100 + index,
    name: `wind ${index}`,
    history_public_to_subscribers: true,
  }))
  server.push({ type: 'subscription', op: 'add', subscriptions })
  const begun = account.clock.now()
  await account.until(() => asked.length === 50, 500)
  expect(most).toBe(1)
  expect(new Set(asked).size).toBe(50)
  expect(account.clock.now() - begun).toBeGreaterThan(60_000 + 45 * 500)
  await account.untilSynced()
  expect(asked).toHaveLength(50)
})

test('a connection that is lost in the middle is waited for', async () => {
  fill(5_000, 0.001)
  account = openSync(() => server.baseUrl, ada)
  await account.until(() => (combined()[0]?.oldestId ?? 5_000) < 4_000)
  await server.stop()
  await account.until(() => account.sync.link.status === 'offline', 1_000)
  await account.clock.advance(120_000)
  await server.start()
  account.sync.wake()
  await account.untilSynced()
  expect(combined()).toMatchObject([{ oldestId: 1, newestId: 5_000, reachesBeginning: true, isLive: true }])
})

test('after a gap the newest two thousand are compared again at once, older ones slowly', async () => {
  fill(4_000, 0.001)
  account = openSync(() => server.baseUrl, ada)
  await account.untilSynced()
  for (const row of all) row.content = '<p>changed</p>'
  server.loseQueue()
  await account.untilStill(() => account.generation === 2)
  await account.untilSynced()
  const count = (sql: string) =>
    account.rows<{ n: number }>(`SELECT count(*) AS n FROM messages ${sql}`)[0]!.n
  const changed = () => count(`WHERE content_html = '<p>changed</p>'`)
  // The answers may still be being written.
  await account.until(() => changed() >= 2_000, 1_000)
  expect(changed()).toBeLessThan(3_500)
  expect(combined()).toMatchObject([{ oldestId: 1, newestId: 4_000, reachesBeginning: true, isLive: true }])

  // The program ends halfway; also, one of the old messages is gone.
  all = all.filter(({ id }) => id !== 20)
  const before = byName().length
  await account.until(() => byName().length === before + 2, 1_000)
  await account.restart()
  const begun = account.clock.now()
  await account.until(() => count('WHERE generation < 2') === 0, 1_000)
  expect(changed()).toBe(3_999)
  expect(count('WHERE message_id = 20')).toBe(0)
  const named = byName().slice(before)
  expect(named.length).toBeLessThan(15)
  expect(account.clock.now() - begun).toBeGreaterThan((named.length - 4) * 15_000)
  // Then the work is done.
  await account.clock.advance(10 * 60_000)
  expect(byName()).toHaveLength(before + named.length)
})

test('conversations with unread messages come before what is old', async () => {
  fill(3_000, 0.001)
  server.snapshot['unread_msgs'] = {
    count: 1,
    streams: [{ stream_id: 7, topic: 'topic 3', unread_message_ids: [4] }],
  }
  server.answer('GET /messages', (request) => {
    const narrow = JSON.parse(request.fields['narrow'] ?? '[]') as { operator: string }[]
    if (!narrow.some(({ operator }) => operator === 'topic')) return answerPage(request)
    return { success: { messages: [onWire(all[3]!)], found_oldest: true, found_newest: true } }
  })
  account = openSync(() => server.baseUrl, ada)
  await account.untilSynced()
  const order = pages().map(({ fields }) => fields['narrow']!)
  const unread = order.findIndex((narrow) => narrow.includes('topic 3'))
  const old = pages().findIndex(({ fields }) => fields['num_before'] === '1000')
  expect(unread).toBeGreaterThan(0)
  expect(unread).toBeLessThan(old)
  // The progress tells the person which step is running.
  const steps = told(account.links).map(({ step }) => step)
  expect(steps.filter((step, index) => step !== steps[index - 1])).toEqual(['newest', 'unread', 'earlier'])
})

test('every unread message comes, however many conversations there are and however old it is', async () => {
  fill(2_000, 0.5)
  const unread = Array.from({ length: 60 }, (_, index) => ({ topic: `old ${index}`, id: 2 * index + 1 }))
  for (const { topic, id } of unread) all[id - 1]!.subject = topic
  // One conversation has more than a page of them.
  const many = Array.from({ length: 450 }, (_, index) => 200 + index)
  server.snapshot['unread_msgs'] = {
    count: 510,
    streams: [
      ...unread.map(({ topic, id }) => ({ stream_id: 7, topic, unread_message_ids: [id] })),
      { stream_id: 7, topic: 'many', unread_message_ids: many },
    ],
  }
  let mayAsk = true
  server.answer('GET /messages', (request) => {
    if (request.fields['message_ids'] !== undefined && !mayAsk)
      return { error: 'RATE_LIMIT_HIT', status: 429, extra: { 'retry-after': 20 } }
    const narrow = JSON.parse(request.fields['narrow'] ?? '[]') as { operator: string; operand: string }[]
    const topic = narrow.find(({ operator }) => operator === 'topic')?.operand
    if (topic === undefined) return answerPage(request)
    const rows = all.filter(({ subject }) => subject === topic)
    return { success: { messages: rows.map(onWire), found_oldest: true, found_newest: true } }
  })
  mayAsk = false
  const missing = () =>
    account.rows('SELECT 1 FROM unread WHERE message_id NOT IN (SELECT message_id FROM messages)').length
  account = openSync(() => server.baseUrl, ada)
  const begun = account.clock.now()
  await account.until(() => byName().length === 2, 1_000)
  const pagesOfTopics = pages().filter(({ fields }) => fields['narrow']?.includes('topic') === true)
  expect(pagesOfTopics).toHaveLength(50)
  const toGo = told(account.links).flatMap((one) => (one.step === 'unread' ? one.conversations : []))
  expect([...new Set(toGo)]).toEqual(Array.from({ length: 50 }, (_, index) => 50 - index))
  expect(account.clock.now() - begun).toBeGreaterThan(45 * 500)
  expect(missing()).toBeGreaterThan(0)
  mayAsk = true
  await account.restart()
  await account.until(() => missing() === 0, 1_000)
  expect(account.calls).not.toContain('POST /register')
})

test('the text of an old message that is marked unread on another device comes', async () => {
  fill(4_000, 0.001)
  account = openSync(() => server.baseUrl, ada, {}, { historyMs: () => 0 })
  await account.untilSynced()
  const here = () => account.rows('SELECT 1 FROM messages WHERE message_id = 1001').length === 1
  expect(here()).toBe(false)
  server.push({
    type: 'update_message_flags',
    op: 'remove',
    flag: 'read',
    messages: [1_001],
    message_details: { 1001: { type: 'stream', stream_id: 7, topic: all[1_000]!.subject } },
    all: false,
  })
  await account.until(here)
})

test('a server that refuses a part of history gives the rest', async () => {
  fill(1_500, 0.001)
  server.answer('GET /messages', (request) =>
    request.fields['narrow']?.includes('mentioned') === true
      ? { error: 'BAD_NARROW', status: 400 }
      : answerPage(request),
  )
  account = openSync(() => server.baseUrl, ada)
  await account.untilSynced()
  expect(combined()).toMatchObject([{ oldestId: 1, reachesBeginning: true }])
})

const webPage: Reply = { text: '<html>Welcome to the ferry</html>' }

test('history is complete although the first answers could not be read', async () => {
  fill(3_000, 0.001)
  let unreadable = 4
  server.answer('GET /messages', (request) => (unreadable-- > 0 ? webPage : answerPage(request)))
  account = openSync(() => server.baseUrl, ada)
  await account.until(() => combined()[0]?.reachesBeginning === true, 1_000)
  expect(combined()).toMatchObject([{ oldestId: 1, newestId: 3_000, reachesBeginning: true, isLive: true }])
  expect(server.received('POST /register')).toHaveLength(1)
})

test('an hour of answers that cannot be read: few requests, and then history is fetched after all', async () => {
  fill(3_000, 0.001)
  server.answer('GET /messages', webPage)
  account = openSync(() => server.baseUrl, ada)
  const begun = account.clock.now()
  await account.until(() => account.clock.now() - begun > 60 * 60_000, 5_000)
  expect(pages().length).toBeGreaterThan(20)
  expect(pages().length).toBeLessThan(120)
  expect(account.sync.link).toMatchObject({ status: 'online', progress: null })
  server.answer('GET /messages', answerPage)
  await account.until(() => combined()[0]?.reachesBeginning === true, 5_000)
  expect(combined()).toMatchObject([{ oldestId: 1, newestId: 3_000, isLive: true }])
  expect(server.received('POST /register')).toHaveLength(1)
})

test('one list that cannot be read keeps neither the rest of history away nor its comparison', async () => {
  fill(3_000, 0.001)
  let isReadable = false
  server.answer('GET /messages', (request) =>
    !isReadable && request.fields['narrow']?.includes('mentioned') === true ? webPage : answerPage(request),
  )
  account = openSync(() => server.baseUrl, ada)
  const count = (sql: string) =>
    account.rows<{ n: number }>(`SELECT count(*) AS n FROM messages ${sql}`)[0]!.n
  await account.until(() => combined()[0]?.reachesBeginning === true, 1_000)
  server.loseQueue()
  await account.untilStill(() => account.generation === 2)
  await account.until(() => count('WHERE generation < 2') === 0, 1_000)
  const mentions = () => account.ranges({ kind: 'mentions' })
  expect(mentions()).toEqual([])
  isReadable = true
  await account.until(() => mentions().some(({ isLive }) => isLive), 1_000)
})

test('a text that is missing is asked for again when the answer could not be read', async () => {
  fill(4_000, 0.001)
  account = openSync(() => server.baseUrl, ada, {}, { historyMs: () => 0 })
  await account.untilSynced()
  const has = (id: number) => account.rows('SELECT 1 FROM messages WHERE message_id = ?', id).length === 1
  expect(has(1_001)).toBe(false)
  let unreadable = 7
  server.answer('GET /messages', (request) =>
    request.fields['message_ids'] !== undefined && unreadable-- > 0 ? webPage : answerPage(request),
  )
  server.push({ type: 'update_message_flags', op: 'add', flag: 'starred', messages: [1_001], all: false })
  await account.until(() => has(1_001), 1_000)
})

test('texts that can never be read do not hold back older ones', async () => {
  fill(4_000, 0.001)
  account = openSync(() => server.baseUrl, ada, {}, { historyMs: () => 0 })
  await account.untilSynced()
  const isHere = (id: number) => account.rows('SELECT 1 FROM messages WHERE message_id = ?', id).length === 1
  const starred = Array.from({ length: 300 }, (_, index) => 1_299 - index).filter((id) => !isHere(id))
  server.answer('GET /messages', (request) => {
    const names = JSON.parse(request.fields['message_ids'] ?? '[]') as number[]
    return names.includes(1_299) ? webPage : answerPage(request)
  })
  server.push({ type: 'update_message_flags', op: 'add', flag: 'starred', messages: starred, all: false })
  await account.until(() => isHere(starred.at(-1)!), 1_000)
  expect(starred.filter((id) => !isHere(id))).toHaveLength(200)
  server.answer('GET /messages', answerPage)
  await account.until(() => starred.every(isHere), 1_000)
})

test('old messages are compared again when the answer could not be read', async () => {
  fill(4_000, 0.001)
  account = openSync(() => server.baseUrl, ada)
  await account.untilSynced()
  let unreadable = 7
  server.answer('GET /messages', (request) =>
    request.fields['message_ids'] !== undefined && unreadable-- > 0 ? webPage : answerPage(request),
  )
  all[49]!.content = '<p>changed</p>'
  server.loseQueue()
  await account.untilStill(() => account.generation === 2)
  await account.until(
    () => account.rows('SELECT 1 FROM messages WHERE generation < 2 LIMIT 1').length === 0,
    1_000,
  )
  expect(unreadable).toBeLessThan(0)
  expect(account.rows('SELECT content_html FROM messages WHERE message_id = 50')).toEqual([
    { content_html: '<p>changed</p>' },
  ])
})

test('a program that ends in the middle of the first snapshot registers again and has it whole', async () => {
  fill(1, 1)
  server.snapshot['realm_users'] = Array.from({ length: 3_000 }, (_, id) => ({
    user_id: id + 1,
    email: `${id}@example.org`,
    full_name: `Person ${id}`,
  }))
  account = openSync(() => server.baseUrl, ada)
  let stopped = false
  account.store.onChange(['users'], () => {
    if (stopped) return
    stopped = true
    expect(account.rows('SELECT generation, queue_id FROM sync')).toEqual([{ generation: 0, queue_id: null }])
    account.stop()
  })
  await account.untilStill(() => stopped)
  await account.restart()
  await account.untilSynced()
  expect(server.received('POST /register')).toHaveLength(2)
  expect(account.rows('SELECT count(*) AS n FROM users')).toEqual([{ n: 3_000 }])
  expect(account.rows('SELECT generation FROM sync')).toEqual([{ generation: 1 }])
})
