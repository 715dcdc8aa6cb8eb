import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { channelId, messageId } from '../../../src-shared/ids.ts'
import { narrowKey, type Narrow } from '../../../src-shared/model/narrow.ts'
import {
  startScriptedServer,
  type Received,
  type Reply,
  type ScriptedServer,
} from '../../fakes/scripted-server.ts'
import { openSync, type SyncedAccount } from './open-sync.ts'

// Answers and events in every order.

let server: ScriptedServer
let account: SyncedAccount
let held: (() => void)[] = []

const ada = { email: 'ada@example.org', apiKey: 'k', userId: 1 }
const ebb: Narrow = { kind: 'topic', channelId: channelId(7), topic: 'ebb' }
const message = (id: number, change: object = {}) => ({
  id,
  type: 'stream',
  content: `<p>message ${id}</p>`,
  timestamp: 1_700_000_000 + id,
  sender_id: 2,
  sender_email: 'bo@example.org',
  sender_full_name: 'Bo',
  display_recipient: 'tides',
  stream_id: 7,
  subject: 'ebb',
  flags: ['read'],
  ...change,
})
const arrival = (id: number, change: object = {}) => ({
  type: 'message',
  message: message(id, change),
  flags: [],
})
const edit = (id: number, html: string) => ({
  type: 'update_message',
  user_id: 2,
  edit_timestamp: 1_700_000_100,
  message_id: id,
  message_ids: [id],
  flags: [],
  rendering_only: false,
  content: 'x',
  rendered_content: html,
})
const removal = (id: number) => ({ type: 'delete_message', message_ids: [id], message_type: 'stream' })
const move = (ids: number[], topic: string) => ({
  type: 'update_message',
  user_id: 2,
  edit_timestamp: 1_700_000_100,
  message_id: ids[0],
  message_ids: ids,
  stream_id: 7,
  orig_subject: 'ebb',
  subject: topic,
  propagate_mode: 'change_all',
})
const page = (...messages: object[]): Reply => ({
  success: { messages, found_oldest: true, found_newest: true },
})
const byName = ({ fields }: Received): number[] | null =>
  fields['message_ids'] === undefined ? null : (JSON.parse(fields['message_ids']) as number[])
const html = (id: number) =>
  account.rows<{ content_html: string }>('SELECT content_html FROM messages WHERE message_id = ?', id)[0]
    ?.content_html
const ids = () =>
  account.rows<{ id: number }>('SELECT message_id AS id FROM messages ORDER BY 1').map(({ id }) => id)
const lastEvent = () => account.rows<{ n: number }>('SELECT last_event_id AS n FROM sync')[0]?.n

/** Pages wait until `release`; messages that are requested by id are answered from the list at once. */
const holdPages = (now: object[], named: () => object[]) => {
  server.answer('GET /messages', async (request) => {
    const wanted = byName(request)
    if (wanted !== null) {
      return page(...named().filter((one) => wanted.includes((one as { id: number }).id)))
    }
    await new Promise<void>((resolve) => held.push(resolve))
    return page(...now)
  })
}
const release = () => {
  for (const let_go of held.splice(0)) let_go()
}

beforeEach(async () => {
  held = []
  server = await startScriptedServer({ subscriptions: [{ stream_id: 7, name: 'tides' }] })
})

afterEach(async () => {
  release()
  await account.close()
  await server.stop()
})

const open = async () => {
  account = openSync(() => server.baseUrl, ada)
  await account.untilSynced()
}

test('an edit that arrives while a page with the old text is under way is not lost', async () => {
  await open()
  holdPages([message(1)], () => [message(1, { content: '<p>edited</p>' })])
  const loading = account.sync.loadOlder(ebb, null)
  await account.untilStill(() => held.length === 1)
  server.push(edit(1, '<p>edited</p>'))
  await account.untilStill(() => lastEvent() === 0)
  release()
  await loading
  expect(html(1)).toBe('<p>edited</p>')
})

test('an edit that arrives after the page wins, and one before it is in the page', async () => {
  await open()
  server.answer('GET /messages', page(message(1)))
  await account.sync.loadOlder(ebb, null)
  server.push(edit(1, '<p>edited</p>'))
  await account.untilStill(() => html(1) === '<p>edited</p>')
  // The same page again, older than the edit: the row that events keep up to date wins.
  await account.sync.loadOlder(ebb, null)
  expect(html(1)).toBe('<p>edited</p>')
})

test('a message deleted while a page that holds it is under way stays deleted', async () => {
  await open()
  holdPages([message(1), message(2)], () => [])
  const loading = account.sync.loadOlder(ebb, null)
  await account.untilStill(() => held.length === 1)
  server.push(removal(1))
  await account.untilStill(() => lastEvent() === 0)
  release()
  await loading
  expect(ids()).toEqual([2])
})

test('a message that is sent while the newest page is under way is part of what is known', async () => {
  await open()
  holdPages([message(1)], () => [])
  const loading = account.sync.loadOlder(ebb, null)
  await account.untilStill(() => held.length === 1)
  server.push(arrival(2))
  await account.untilStill(() => ids().includes(2))
  release()
  await loading
  expect(account.ranges(ebb)).toEqual([{ oldestId: 1, newestId: 2, reachesBeginning: true, isLive: true }])
})

test('everything marked as read while a page is under way: the page is asked for again', async () => {
  await open()
  let pages = 0
  server.answer('GET /messages', async () => {
    pages++
    if (pages > 1) return page(message(1))
    await new Promise<void>((resolve) => held.push(resolve))
    return page(message(1, { flags: [] }))
  })
  const loading = account.sync.loadOlder(ebb, null)
  await account.untilStill(() => held.length === 1)
  server.push({ type: 'update_message_flags', op: 'add', flag: 'read', messages: [], all: true })
  await account.untilStill(() => lastEvent() === 0)
  release()
  await loading
  expect(account.rows('SELECT message_id FROM messages')).toEqual([{ message_id: 1 }])
  expect(account.rows('SELECT * FROM unread')).toEqual([])
})

test('a page is written in small steps, between which others have their turn', async () => {
  await open()
  server.answer('GET /messages', page(...Array.from({ length: 200 }, (_, index) => message(index + 1))))
  const seen = new Set<number>()
  const stop = account.store.onChange(['messages'], () => seen.add(ids().length))
  await account.sync.loadOlder(ebb, null)
  stop()
  expect(ids()).toHaveLength(200)
  const steps = [0, ...seen].map((count, index, all) => count - (all[index - 1] ?? 0))
  expect(Math.max(...steps)).toBeLessThanOrEqual(64)
})

test('the messages of a page lie in few segments of the word index, although the newest are written first', async () => {
  await open()
  server.answer('GET /messages', page(...Array.from({ length: 200 }, (_, index) => message(index + 1))))
  await account.sync.loadOlder(ebb, null)
  const [{ n }] = account.rows('SELECT count(DISTINCT segid) AS n FROM message_words_idx') as [{ n: number }]
  expect(n).toBeLessThan(20)
})

test('messages asked for by name are written in small steps, and what an event says between two of them counts', async () => {
  await open()
  server.answer('GET /messages', page(...Array.from({ length: 160 }, (_, index) => message(index + 1))))
  await account.sync.loadOlder(ebb, null)
  const texts = new Map<number, string>()
  const asked: number[][] = []
  server.answer('GET /messages', (request) => {
    const wanted = byName(request) ?? []
    asked.push(wanted)
    const here = wanted.filter((id) => id <= 130)
    return page(...here.map((id) => message(id, { content: texts.get(id) ?? '<p>new</p>' })))
  })
  const seen: number[] = []
  const stop = account.store.onChange(['messages'], () => {
    seen.push(
      160 - ids().length + account.rows("SELECT 1 FROM messages WHERE content_html = '<p>new</p>'").length,
    )
  })
  const { wait } = account.clock
  const waiting = vi.spyOn(account.clock, 'wait').mockImplementation(async (ms, signal) => {
    // Some of the page is written, but not all.
    if (ms === 0 && seen.length > 0 && texts.size === 0) {
      texts.set(130, '<p>edited</p>')
      server.push(edit(130, '<p>edited</p>'))
      await account.untilStill(() => html(130) === '<p>edited</p>')
    }
    await wait(ms, signal)
  })
  await account.sync.refresh(Array.from({ length: 160 }, (_, index) => messageId(index + 1)))
  waiting.mockRestore()
  stop()
  expect([html(1), html(129), html(130)]).toEqual(['<p>new</p>', '<p>new</p>', '<p>edited</p>'])
  expect(ids()).toHaveLength(130)
  expect(asked.map((names) => names.length)).toEqual([160, 1])
  const steps = seen.map((count, index) => count - (seen[index - 1] ?? 0))
  expect(Math.max(...steps)).toBeLessThanOrEqual(64)
})

test('a page from before a new registration counts for nothing', async () => {
  await open()
  let pages = 0
  server.answer('GET /messages', async () => {
    pages++
    if (pages > 1) return page(message(1, { content: '<p>new</p>' }))
    await new Promise<void>((resolve) => held.push(resolve))
    return page(message(1, { content: '<p>old</p>' }), message(2))
  })
  const loading = account.sync.loadOlder(ebb, null)
  await account.untilStill(() => held.length === 1)
  server.loseQueue()
  await account.untilStill(() => account.generation === 2 && account.calls.at(-1) !== 'POST /register')
  release()
  await loading
  expect(html(1)).toBe('<p>new</p>')
  expect(ids()).toEqual([1])
})

test('closing during a page or a poll: nothing is written and nobody is called afterwards', async () => {
  await open()
  holdPages([message(1)], () => [])
  const loading = account.sync.loadOlder(ebb, null)
  await account.untilStill(() => held.length === 1)
  const told = account.links.length
  account.stop()
  release()
  await loading.catch(() => {})
  server.push(arrival(5))
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(account.links).toHaveLength(told)
  expect(account.arrived).toEqual([])
  expect(account.log.filter((line) => line.includes('not open'))).toEqual([])
})

test('events that the server gives twice have their effect once', async () => {
  await open()
  server.push(arrival(1))
  await account.untilStill(() => ids().length === 1)
  const again = { ...arrival(1), flags: [] }
  server.push(again, again)
  await account.untilStill(() => lastEvent() === 2)
  expect(account.rows('SELECT unread_count FROM conversations')).toEqual([{ unread_count: 1 }])
  expect(account.arrived).toEqual([1])
})

test('messages that move here from out of sight are fetched; until then history has a hole there', async () => {
  await open()
  server.answer('GET /messages', page(message(1), message(9)))
  await account.sync.loadOlder({ kind: 'channel', channelId: channelId(7) }, null)
  const known = () => account.ranges({ kind: 'channel', channelId: channelId(7) })
  expect(known()).toHaveLength(1)
  const failing: Reply = { error: 'BAD_REQUEST', status: 400 }
  server.answer('GET /messages', failing)
  server.push(move([4, 5], 'flood'))
  await account.untilStill(() => known().length === 2)
  expect(known()).toMatchObject([
    { oldestId: 1, newestId: 3, reachesBeginning: true, isLive: false },
    { oldestId: 6, newestId: 9, isLive: true },
  ])
  server.answer(
    'GET /messages',
    page(message(1), message(4, { subject: 'flood' }), message(5, { subject: 'flood' }), message(9)),
  )
  await account.sync.loadOlder({ kind: 'channel', channelId: channelId(7) }, messageId(9))
  expect(known()).toMatchObject([{ oldestId: 1, newestId: 9, isLive: true }])
  expect(ids()).toEqual([1, 4, 5, 9])
})

test('messages that move here from out of sight and can be fetched leave no hole', async () => {
  await open()
  server.answer('GET /messages', page(message(1), message(9)))
  await account.sync.loadOlder({ kind: 'channel', channelId: channelId(7) }, null)
  holdPages([], () => [message(4, { subject: 'flood' }), message(5, { subject: 'flood' })])
  server.push(move([4, 5], 'flood'))
  await account.untilStill(() => ids().length === 4)
  await account.untilStill(() => account.ranges({ kind: 'channel', channelId: channelId(7) }).length === 1)
  expect(account.ranges({ kind: 'channel', channelId: channelId(7) })).toEqual([
    { oldestId: 1, newestId: 9, reachesBeginning: true, isLive: true },
  ])
  expect(account.rows('SELECT topic, newest_message_id FROM conversations ORDER BY topic')).toEqual([
    { topic: 'ebb', newest_message_id: 9 },
    { topic: 'flood', newest_message_id: 5 },
  ])
})

test('a message that a page lacks is asked for by name: deleted here, moved there', async () => {
  server.answer('GET /messages', page(message(1), message(2), message(3)))
  await open()
  server.answer('GET /messages', (request) => {
    const wanted = byName(request)
    return wanted === null
      ? page(message(3))
      : page(...(wanted.includes(2) ? [message(2, { subject: 'flood' })] : []))
  })
  server.loseQueue()
  await account.untilStill(() => account.generation === 2)
  await account.untilSynced()
  expect(ids()).toEqual([2, 3])
  expect(
    account.rows(
      'SELECT topic FROM messages JOIN conversations USING (conversation_id) WHERE message_id = 2',
    ),
  ).toEqual([{ topic: 'flood' }])
})

test('a server that cannot be asked by name is asked for one message after another', async () => {
  server.snapshot['service_feature_level'] = 299
  server.answer('GET /messages', page(message(1), message(2)))
  await open()
  server.answer('GET /messages', page(message(2)))
  server.answer('GET /messages/1', { error: 'BAD_REQUEST', status: 400 })
  server.loseQueue()
  await account.untilStill(() => account.generation === 2)
  await account.untilSynced()
  expect(ids()).toEqual([2])
  expect(server.received('GET /messages').every(({ fields }) => fields['message_ids'] === undefined)).toBe(
    true,
  )
})

test('a message counts as gone only if the server says that there is none', async () => {
  server.snapshot['service_feature_level'] = 299
  server.answer('GET /messages', page(message(1), message(2), message(3)))
  await open()
  server.answer('GET /messages/1', { error: 'SOME_POLICY', status: 400 })
  server.answer('GET /messages/2', { error: 'BAD_REQUEST', status: 403 })
  server.answer('GET /messages/3', { error: 'BAD_REQUEST', status: 404 })
  for (const id of [1, 2]) await expect(account.sync.refresh([messageId(id)])).rejects.toThrow()
  await account.sync.refresh([messageId(3)])
  expect(ids()).toEqual([1, 2])
})

test('a server that gives only the source of a single message is asked for a page of one', async () => {
  server.snapshot['service_feature_level'] = 119
  server.answer('GET /messages', page(message(1), message(2), message(3)))
  await open()
  server.answer('GET /messages/1', { success: { raw_content: 'edited' } })
  server.answer('GET /messages/2', { success: { raw_content: 'in no page' } })
  server.answer('GET /messages/3', { error: 'BAD_REQUEST', status: 400 })
  server.answer('GET /messages', ({ fields }) =>
    fields['anchor'] === '1' ? page(message(1, { content: '<p>edited</p>' })) : page(),
  )
  let isDone = false
  void account.sync.refresh([1, 2, 3].map(messageId)).then(() => (isDone = true))
  await account.until(() => isDone)
  expect(ids()).toEqual([1, 2])
  expect([html(1), html(2)]).toEqual(['<p>edited</p>', '<p>message 2</p>'])
})

test('a message that comes in a form nobody understands is not taken for gone', async () => {
  server.answer('GET /messages', page(message(1), message(2)))
  await open()
  server.answer('GET /messages', page({ id: 1, content: 7 }, message(2)))
  server.loseQueue()
  await account.untilStill(() => account.generation === 2)
  await account.untilSynced()
  expect(ids()).toEqual([1, 2])
})

test('what is on screen is compared once after a gap, and not without one', async () => {
  server.answer('GET /messages', page(message(1)))
  await open()
  const asked = () => server.received('GET /messages').filter((request) => byName(request) !== null)
  account.sync.shown({ messageIds: [1, 99], feeds: [] })
  await account.clock.advance(10)
  expect(asked()).toEqual([])
  server.answer('GET /messages', (request) =>
    byName(request) === null
      ? { error: 'BAD_REQUEST', status: 400 }
      : page(message(1, { content: '<p>edited while away</p>' })),
  )
  server.loseQueue()
  await account.untilStill(() => account.generation === 2)
  await account.untilSynced()
  expect(html(1)).toBe('<p>message 1</p>')
  account.sync.shown({ messageIds: [1, 99], feeds: [] })
  account.sync.shown({ messageIds: [1], feeds: [] })
  await account.untilStill(() => html(1) === '<p>edited while away</p>')
  account.sync.shown({ messageIds: [1], feeds: [] })
  await account.clock.advance(10)
  expect(asked()).toHaveLength(1)
})

test('a refresh by name replaces what is here, whatever the order', async () => {
  await open()
  server.answer('GET /messages', page(message(1)))
  await account.sync.loadOlder(ebb, null)
  server.answer('GET /messages', page(message(1, { content: '<p>truth</p>', subject: 'flood' })))
  await account.sync.refresh([1, 2])
  expect(html(1)).toBe('<p>truth</p>')
  expect(account.rows('SELECT topic, newest_message_id FROM conversations ORDER BY topic')).toEqual([
    { topic: 'ebb', newest_message_id: 0 },
    { topic: 'flood', newest_message_id: 1 },
  ])
  await account.sync.refresh([])
  await account.untilStill(() => account.generation === 2)
})

test('of a topic that moves here only what belongs to known history is fetched, at a pace and over a restart', async () => {
  await open()
  // The new topic is completely known, back to the beginning; no other topic is.
  server.answer(
    'GET /messages',
    page(message(9_000, { subject: 'flood' }), message(9_500, { subject: 'flood' })),
  )
  const flood: Narrow = { kind: 'topic', channelId: channelId(7), topic: 'flood' }
  await account.sync.loadOlder(flood, null)
  account.store.write((db) => void db.run(`DELETE FROM ranges WHERE narrow_key <> ?`, [narrowKey(flood)]))
  const moved = Array.from({ length: 900 }, (_, index) => 100 + index)
  const asked: number[][] = []
  let patience = false
  server.answer('GET /messages', (request) => {
    const wanted = byName(request)
    if (wanted === null) return { error: 'BAD_REQUEST', status: 400 }
    if (patience) return { error: 'RATE_LIMIT_HIT', status: 429, extra: { 'retry-after': 30 } }
    asked.push(wanted)
    return page(...wanted.map((id) => message(id, { subject: 'flood' })))
  })
  server.push(move(moved, 'flood'))
  await account.untilStill(() => asked.length === 1)
  // While the clock stands still, no more is requested, and the topic does not count as complete.
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(asked).toHaveLength(1)
  expect(account.ranges(flood)).toEqual([
    { oldestId: 9_000, newestId: 9_500, reachesBeginning: false, isLive: true },
  ])
  patience = true
  await account.clock.advance(20_000)
  expect(asked).toHaveLength(1)
  patience = false
  await account.restart()
  server.push(arrival(9_600, { subject: 'flood' }))
  await account.until(() => account.ranges(flood)[0]?.reachesBeginning === true)
  expect(account.ranges(flood)).toEqual([
    { oldestId: 100, newestId: 9_600, reachesBeginning: true, isLive: true },
  ])
  expect(asked.map(({ length }) => length)).toEqual([200, 200, 200, 200, 100])
  expect(ids()).toHaveLength(903)

  // Messages that move to an unknown topic are fetched only when it is opened, unless they are unread.
  server.push(move([2_000, 2_001], 'drift'))
  await account.untilStill(() => lastEvent() === 2)
  await account.clock.advance(10_000)
  expect(asked).toHaveLength(5)
})

test('a message elsewhere that gets a star, or mentions the person, is fetched until it is here', async () => {
  await open()
  const isWhole = (kind: 'starred' | 'mentions') => account.ranges({ kind }).some(({ isLive }) => isLive)
  expect(isWhole('starred') && isWhole('mentions')).toBe(true)
  server.answer('GET /messages', { text: '<html>Bad gateway</html>', status: 502 })
  const star = { type: 'update_message_flags', op: 'add', flag: 'starred', messages: [50], all: false }
  server.push(star, { ...edit(60, '<p>@Ada</p>'), flags: ['mentioned'] })
  await account.untilStill(() => lastEvent() === 1)
  // Without the message, the list does not count as complete.
  expect(isWhole('starred') || isWhole('mentions')).toBe(false)
  await account.clock.advance(60_000)
  server.answer('GET /messages', (request) => {
    const all = [message(50, { flags: ['starred'] }), message(60, { flags: ['mentioned'] })]
    return page(...all.filter(({ id }) => byName(request)?.includes(id)))
  })
  await account.until(() => isWhole('starred') && isWhole('mentions'))
  expect(account.rows('SELECT message_id AS id, is_starred, is_mentioned FROM messages')).toEqual([
    { id: 50, is_starred: 1, is_mentioned: 0 },
    { id: 60, is_starred: 0, is_mentioned: 1 },
  ])
})

test('what asks for everything anew while that is being fetched is heard too', async () => {
  let registrations = 0
  account = openSync(() => server.baseUrl, ada, {
    draftsSnapshot() {
      // Like a change that the server refuses at that moment: this snapshot may be older than the refusal.
      if (++registrations === 1) void account.sync.refresh([])
    },
  })
  await account.untilSynced()
  expect(server.received('POST /register')).toHaveLength(2)
})
