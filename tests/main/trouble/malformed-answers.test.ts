import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { mostDraftsInState } from '../../../src-shared/api/drafts.ts'
import { parseInSlices, parseLeniently } from '../../../src-shared/api/lenient.ts'
import { inSpecificationNames } from '../../../src-shared/api/wire.ts'
import { channelId, messageId, userId } from '../../../src-shared/ids.ts'
import { markNarrowRead } from '../../../src-main/outbox/actions/mark-narrow-read.ts'
import type { SendContext } from '../../../src-main/outbox/offline-action.ts'
import { readCursor } from '../../../src-main/store/cursor.ts'
import { manualClock } from '../../fakes/clock.ts'
import { eventually } from '../../support/until.ts'
import { startScriptedServer, type ScriptedServer } from '../../fakes/scripted-server.ts'
import { openSync, type SyncedAccount } from '../sync/open-sync.ts'
import { newFolder, openBench, removeFolders } from './bench.ts'

// Answers of which a part violates the specification.

const bo = { user_id: 2, email: 'bo@example.org', full_name: 'Bo' }
const cy = { user_id: 3, email: 'cy@example.org', full_name: 'Cy' }
const tides = { stream_id: 7, name: 'tides' }
const gauges = { stream_id: 8, name: 'gauges' }
const ada = { email: 'ada@example.org', apiKey: 'k', userId: 1 }

let server: ScriptedServer
let account: SyncedAccount | null = null

beforeEach(async () => {
  server = await startScriptedServer({ realm_users: [bo, cy], subscriptions: [tides, gauges] })
})
afterEach(async () => {
  await account?.close()
  account = null
  await server.stop()
})
afterAll(removeFolders)

const open = async () => {
  account = openSync(() => server.baseUrl, ada)
  await account.untilSynced()
  return account
}
const registerAnew = async (opened: SyncedAccount) => {
  const { generation } = opened
  server.loseQueue()
  await opened.until(() => opened.generation > generation && opened.sync.link.status === 'online')
}
const names = (opened: SyncedAccount, table: 'users' | 'channels') =>
  opened
    .rows<{ name: string }>(
      table === 'users'
        ? 'SELECT full_name AS name FROM users ORDER BY user_id'
        : 'SELECT name FROM channels ORDER BY channel_id',
    )
    .map(({ name }) => name)
const asides = (opened: SyncedAccount) =>
  opened.rows<{ what: string; reason: string }>('SELECT what, reason FROM set_aside ORDER BY number')

test('one malformed row costs itself, with its reason, and everything else is there', async () => {
  server.snapshot['realm_users'] = [bo, { user_id: 'four' }, cy, null]
  server.snapshot['subscriptions'] = [{ ...tides, invite_only: 'perhaps' }, gauges]
  server.snapshot['unread_msgs'] = {
    streams: [
      { stream_id: 8, topic: 'drift', unread_message_ids: [5, 'six'] },
      { stream_id: 8, topic: 'zero', unread_message_ids: [9] },
    ],
  }
  // The server does not return the unread messages.
  server.answer('GET /messages', { error: 'BAD_REQUEST', status: 400 })
  server.snapshot['realm_emoji'] = { 1: { id: '1', name: 'gull', source_url: '/1' }, 2: { id: '2' } }
  server.snapshot['presences'] = { 2: { active_timestamp: 'now' }, 3: { active_timestamp: 5 } }
  server.snapshot['max_topic_length'] = 'sixty'
  server.snapshot['user_topics'] = 'none'
  const opened = await open()
  expect(names(opened, 'users')).toEqual(['Bo', 'Cy'])
  expect(names(opened, 'channels')).toEqual(['gauges'])
  expect(opened.rows('SELECT message_id FROM unread ORDER BY 1')).toEqual([{ message_id: 9 }])
  expect(
    asides(opened)
      .map(({ what }) => what)
      .sort(),
  ).toEqual(
    [
      'max_topic_length',
      'presences',
      'realm_emoji',
      'realm_users',
      'realm_users',
      'subscriptions',
      'unread_msgs',
      'user_topics',
    ].map((field) => `snapshot:${field}`),
  )
  expect(asides(opened).find(({ what }) => what === 'snapshot:subscriptions')?.reason).toContain(
    'invite_only',
  )
})

test('a server that is careless with numbers and with what is empty is understood as far as it can be', async () => {
  const message = {
    id: '4',
    type: 'stream',
    content: '<p>ebb</p>',
    timestamp: '1700000000',
    sender_id: '2',
    sender_email: 'bo@example.org',
    sender_full_name: 'Bo',
    display_recipient: 'tides',
    stream_id: '7',
    subject: '',
    submessages: null,
    reactions: null,
    last_edit_timestamp: null,
    flags: null,
  }
  server.snapshot['realm_users'] = [{ ...bo, user_id: '2', timezone: null }]
  server.snapshot['subscriptions'] = [{ ...tides, stream_id: '7', subscribers: ['2'] }]
  server.answer('GET /messages', { success: { messages: [message], found_oldest: true, found_newest: true } })
  const opened = await open()
  server.push({ type: 'message', message: { ...message, id: '5', content: '<p>flow</p>' }, flags: null })
  await opened.until(() => opened.arrived.length === 1)
  await opened.sync.refresh([messageId(4)])
  const rows = opened.rows(
    'SELECT message_id, sender_id, topic FROM messages JOIN conversations USING (conversation_id)',
  )
  expect(rows).toEqual([
    { message_id: 4, sender_id: 2, topic: '' },
    { message_id: 5, sender_id: 2, topic: '' },
  ])
  expect([names(opened, 'users'), names(opened, 'channels')]).toEqual([['Bo'], ['tides']])
  expect(asides(opened)).toEqual([])
})

test('a time that no date can hold costs its message, and nothing else', async () => {
  const message = {
    ...{ id: 4, type: 'stream', content: '<p>ebb</p>', timestamp: 1_700_000_000, sender_id: 2 },
    ...{ sender_email: 'bo@example.org', sender_full_name: 'Bo', display_recipient: 'tides' },
    ...{ stream_id: 7, subject: 'ebb' },
  }
  const messages = [
    message,
    { ...message, id: 5, timestamp: 1e13 },
    { ...message, id: 6, timestamp: 1e300 },
    { ...message, id: 7, last_edit_timestamp: 9e15 },
    { ...message, id: 8, timestamp: -1 },
    { ...message, id: 9, timestamp: 8.64e12 },
  ]
  server.answer('GET /messages', { success: { messages, found_oldest: true, found_newest: true } })
  server.snapshot['presences'] = { 2: { active_timestamp: 1e300 } }
  server.snapshot['muted_users'] = [{ id: 3, timestamp: 1e15 }]
  const opened = await open()
  server.push({ type: 'message', message: { ...message, id: 11 }, flags: [] })
  await opened.until(() => opened.arrived.length === 1)
  const sent = () => opened.rows('SELECT message_id AS id, sent_at AS at FROM messages ORDER BY 1')
  await opened.until(() => sent().length === 3)
  expect(sent()).toEqual([
    { id: 4, at: 1_700_000_000_000 },
    { id: 9, at: 8.64e15 },
    { id: 11, at: 1_700_000_000_000 },
  ])
  expect(new Set(asides(opened).map(({ what }) => what))).toEqual(
    new Set(['message', 'snapshot:presences', 'snapshot:muted_users']),
  )
  expect(opened.sync.link.problem).toBe(null)
})

test('content longer than any message has is set aside', async () => {
  const content = (length: number) => 'x'.repeat(length)
  const message = {
    ...{ id: 4, type: 'stream', content: content(1_000_000), timestamp: 1_700_000_000, sender_id: 2 },
    ...{ sender_email: 'bo@example.org', sender_full_name: 'Bo', display_recipient: 'tides' },
    ...{ stream_id: 7, subject: 'ebb' },
  }
  const messages = [message, { ...message, id: 5, content: content(1_000_001) }]
  server.answer('GET /messages', { success: { messages, found_oldest: true, found_newest: true } })
  const opened = await open()
  expect(opened.rows('SELECT message_id AS id FROM messages')).toEqual([{ id: 4 }])
  expect(asides(opened)[0]).toMatchObject({ what: 'message', reason: expect.stringContaining('content') })
})

test('what was here and is now spoken of unintelligibly stays here', async () => {
  const opened = await open()
  server.snapshot['realm_users'] = [bo, { ...cy, full_name: null }]
  server.snapshot['subscriptions'] = [gauges, { ...tides, name: 7 }]
  await registerAnew(opened)
  expect(names(opened, 'users')).toEqual(['Bo', 'Cy'])
  expect(names(opened, 'channels')).toEqual(['tides', 'gauges'])
  // A row without an id may be about any person.
  server.snapshot['realm_users'] = [bo, { nobody: true }]
  await registerAnew(opened)
  expect(names(opened, 'users')).toEqual(['Bo', 'Cy'])
  server.snapshot['realm_users'] = [bo]
  server.snapshot['subscriptions'] = [gauges]
  await registerAnew(opened)
  expect(opened.rows('SELECT is_active FROM users WHERE user_id = 3')).toEqual([])
  expect(names(opened, 'channels')).toEqual(['gauges'])
})

test('a registration without what it is for is refused in words, and asked for again', async () => {
  server.snapshot['last_event_id'] = 'soon'
  account = openSync(() => server.baseUrl, ada)
  const opened = account
  await opened.until(() => opened.sync.link.problem?.includes('last_event_id') === true)
  server.snapshot['last_event_id'] = -1
  await opened.until(() => opened.sync.link.status === 'online', 60_000)
})

/** A device with a draft that is on the server, whose answers and clock a test decides about. */
async function withDraft() {
  const draft = { id: 5, type: 'stream', to: [7], topic: 'ebb', content: 'half a thought', timestamp: 1 }
  server.snapshot['drafts'] = [draft]
  server.answer('GET /users/me', { success: { ...bo, user_id: 1 } })
  const clock = manualClock()
  const bench = await openBench({
    directory: newFolder(),
    signIn: { baseUrl: server.baseUrl, email: ada.email, apiKey: ada.apiKey },
    clock,
  })
  return { draft, clock, bench, accountId: bench.accountId }
}

test('a draft in a form nobody understands is not taken for deleted', async () => {
  const { draft, clock, bench, accountId } = await withDraft()
  const contents = (drafts: readonly { content: string }[]) => drafts.map(({ content }) => content)
  await bench.until('drafts', { accountId }, (drafts) => contents(drafts)[0] === 'half a thought')
  for (const form of [[{ ...draft, type: 'story' }], [{}], 'all of them']) {
    server.snapshot['drafts'] = form
    const generation = () => readCursor(bench.store().db).generation
    const before = generation()
    server.loseQueue()
    await eventually(() => generation() > before, { clock, stepMs: 1_000 })
    expect(contents(await bench.ask('drafts', { accountId }))).toEqual(['half a thought'])
  }
  server.snapshot['drafts'] = []
  server.loseQueue()
  await bench.until('drafts', { accountId }, (drafts) => drafts.length === 0)
  await bench.close()
})

test('a draft whose deletion is answered during a registration that may lack drafts is gone', async () => {
  const { draft, clock, bench, accountId } = await withDraft()
  const [here] = await bench.until('drafts', { accountId }, (drafts) => drafts.length === 1)
  let release = () => {}
  const released = new Promise<void>((done) => (release = done))
  server.answer('DELETE /drafts/5', async () => {
    await released
    return { success: {} }
  })
  server.answer('POST /drafts', { success: { ids: [6] } })
  const received = (route: string) => server.received(route).length
  if (here !== undefined) await bench.bridge.call('delete-draft', { accountId, draftId: here.id })
  const next = { recipient: null, content: 'a whole one' }
  await bench.bridge.call('save-draft', { accountId, draftId: null, draft: next })
  await eventually(() => received('DELETE /drafts/5') === 1, { clock })
  // The answer to the registration is full, and the others are not to be had.
  server.snapshot['drafts'] = Array.from({ length: mostDraftsInState }, (_, index) => ({
    ...draft,
    id: 1_000 + index,
    content: `thought ${index}`,
  }))
  server.answer('GET /drafts', async () => {
    release()
    // Drafts are sent one after another: once the next one is, the answer is known here.
    await eventually(() => received('POST /drafts') === 1, { clock })
    return { error: 'BAD_REQUEST', status: 400 }
  })
  const generation = () => readCursor(bench.store().db).generation
  const before = generation()
  // The queue is not lost, so that drafts go on: only a registration tells what the refused change would have changed.
  const action = {
    name: 'set-topic-visibility',
    channelId: channelId(7),
    topic: 'drift',
    visibility: 'muted',
  } as const
  await bench.bridge.call('act', { accountId, action })
  await eventually(() => generation() > before, { clock, stepMs: 1_000 })
  expect(bench.store().db.all('SELECT 1 FROM drafts WHERE is_deleted = 1')).toEqual([])
  await bench.close()
})

test('the smallest part goes: a row, an entry, a field; what is required does not', () => {
  const schema = z.looseObject({
    id: z.int(),
    rows: z.array(z.looseObject({ n: z.int(), inner: z.array(z.int()).optional() })),
    named: z.record(z.string(), z.int()).optional(),
  })
  const given = { id: 1, rows: [{ n: 1 }, { n: 'x' }, { n: 3, inner: ['y'] }], named: { a: 1, b: 'z' } }
  const copy = structuredClone(given)
  const result = parseLeniently(schema, given)
  expect(result).toMatchObject({ success: true, data: { id: 1, rows: [{ n: 1 }], named: { a: 1 } } })
  expect(given).toEqual(copy)
  expect(parseLeniently(schema, { id: 1, rows: 3 })).toMatchObject({ success: false })
  expect(parseLeniently(schema, { rows: [] })).toMatchObject({ success: false })
  expect(parseLeniently(schema, null)).toMatchObject({ success: false })
})

test('a long answer is read in slices, with rests between them, and comes to the same', async () => {
  const schema = z.looseObject({
    id: z.int(),
    rows: z.array(z.looseObject({ n: z.int().default(7) })).optional(),
    named: z.record(z.string(), z.int()).optional(),
    few: z.array(z.int()).optional(),
  })
  const rows = Array.from({ length: 1_800 }, (_, n) =>
    n % 400 === 399 ? { n: 'x' } : n % 2 === 0 ? { n } : {},
  )
  const named = Object.fromEntries(
    Array.from({ length: 1_100 }, (_, n): [string, unknown] => [`name ${n}`, n === 900 ? 'x' : n]),
  )
  const given = { id: 1, rows, named, few: [1, 2], more: { of: 'this' } }
  const copy = structuredClone(given)
  let rests = 0
  const read = (value: unknown) =>
    parseInSlices(schema, value, async () => {
      rests++
    })
  const result = await read(given)
  const whole = parseLeniently(schema, given)
  expect(result.success && result.data).toEqual(whole.success && whole.data)
  const bodies = (one: typeof result) =>
    one.success ? one.unreadable.map(({ field, body }) => `${field} ${JSON.stringify(body)}`).sort() : null
  expect(bodies(result)).toEqual(bodies(whole))
  expect(bodies(result)).toHaveLength(5)
  expect(given).toEqual(copy)
  // Before each fifty rows of the list and of the table, before the short fields, after each field, at both ends, and
  // once after the rest was read.
  expect(rests).toBe(36 + 22 + 2 + 4 + 3)
  // If rows have long lists, a slice has fewer rows.
  const channels = Array.from({ length: 120 }, (_, n) => ({
    n,
    members: Array.from({ length: n < 60 ? 500 : 1 }),
  }))
  rests = 0
  expect(await read({ id: 1, rows: channels })).toMatchObject({ data: { rows: channels }, unreadable: [] })
  expect(rests).toBe(60 / 4 + 2 + 4)
  const noList = { id: 1, rows: named }
  expect(await read(noList)).toMatchObject({ success: true, data: { id: 1 } })

  // Required fields are present for every slice, short or long, and are read unchanged.
  const strict = z.object({ rows: z.array(z.int()), few: z.array(z.int()), id: z.int() })
  const numbers = rows.map((_, n) => n)
  const demanding = { id: 1, few: [3], rows: numbers, more: [1] }
  expect(await parseInSlices(strict, demanding, async () => {})).toEqual(parseLeniently(strict, demanding))
  expect(await parseInSlices(strict, { id: 1, rows: numbers }, async () => {})).toMatchObject({
    success: false,
  })
  const inDialect = z.preprocess(
    inSpecificationNames,
    z.looseObject({ service_version: z.string(), rows: z.array(z.int()) }),
  )
  const spelledElse = { zulip_version: '9', rows: numbers, few: [1] }
  expect(await parseInSlices(inDialect, spelledElse, async () => {})).toEqual(
    parseLeniently(inDialect, spelledElse),
  )

  expect(await read({ rows })).toMatchObject({ success: false })
  expect(await read({ id: 1, rows: 3, named })).toMatchObject({
    success: true,
    unreadable: [{ field: 'rows' }, {}],
  })
  expect(await read({ id: 1 })).toEqual(parseLeniently(schema, { id: 1 }))
  expect(await read(null)).toMatchObject({ success: false })
})

test('a server that answers with the same unread messages for ever is not asked for ever', async () => {
  let calls = 0
  // Only what this action uses of the connection.
  const connection = {
    call: async () => {
      if (++calls > 20) throw new Error('asked for ever')
      return { messages: [{ id: 5 }, { id: 6 }], found_newest: false }
    },
  } as unknown as SendContext['connection']
  const narrow = { kind: 'combined' } as const
  const context = { connection, signal: AbortSignal.timeout(60_000), ownUserId: userId(1) } as SendContext
  await markNarrowRead.send({ name: 'mark-narrow-read', narrow, upTo: messageId(9) }, context)
  expect(calls).toBeLessThan(6)
})
