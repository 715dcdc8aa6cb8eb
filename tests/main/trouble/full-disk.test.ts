import { statfsSync } from 'node:fs'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { FailureError, failureOf } from '../../../src-shared/failure.ts'
import { channelId, messageId } from '../../../src-shared/ids.ts'
import type { Conversation } from '../../../src-shared/model/conversation.ts'
import { readCursor } from '../../../src-main/store/cursor.ts'
import { manualClock, type ManualClock } from '../../fakes/clock.ts'
import { startService, type TestService } from '../../support/service.ts'
import { newFolder, openBench, removeFolders, type Bench } from './bench.ts'

// A disk without room, and one that refuses all writes for a while.

let service: TestService
let bench: Bench
let clock: ManualClock
let other: { userId: number }
let topic: Conversation & { kind: 'topic' }
const long = 'a word that takes room '.repeat(20_000)

beforeEach(async () => {
  service = await startService()
  const maren = service.createUser('Maren Aske')
  other = service.createUser('Keiko Tamura')
  const channel = service.createChannel('gauges', [maren.userId, other.userId])
  topic = { kind: 'topic', channelId: channelId(channel), topic: 'drift' }
  clock = manualClock()
  const signIn = { baseUrl: service.baseUrl, email: maren.email, apiKey: maren.apiKey }
  bench = await openBench({ directory: newFolder(), signIn, clock })
  await bench.until('sync-state', { accountId: bench.accountId }, ({ status }) => status === 'synced')
})

afterEach(async () => {
  await bench.close()
  await service.close()
})

afterAll(removeFolders)

const pragma = (text: string) => bench.store().write((db) => db.run(`PRAGMA ${text}`))
const fill = () => bench.store().db.get('PRAGMA max_page_count = 1')
const makeRoom = () => bench.store().db.get('PRAGMA max_page_count = 1000000')
const save = (draftId: string | null, content: string) =>
  bench.bridge.call('save-draft', {
    accountId: bench.accountId,
    draftId,
    draft: { recipient: topic, content },
  })
const send = (content: string) =>
  bench.bridge.call('act', {
    accountId: bench.accountId,
    action: { name: 'send-message', conversation: topic, content, draftId: null },
  })
const refusal = async (work: Promise<unknown>) => failureOf(await work.catch((error: unknown) => error))
const sent = () =>
  service.database
    .all<{ content: string }>('SELECT content FROM messages ORDER BY message_id')
    .map(({ content }) => content)

test('without room a draft is refused with words, the last one stands, and room is used at once', async () => {
  const { draftId } = await save(null, 'short')
  fill()
  const failure = await refusal(save(draftId, long))
  expect(failure).toMatchObject({ kind: 'device', code: 'disk-full' })
  expect(failure.message).toContain('Everything saved before is safe')
  const params = { accountId: bench.accountId, draftId }
  expect((await bench.ask('draft', params))?.content).toBe('short')
  makeRoom()
  await save(draftId, long)
  expect((await bench.ask('draft', params))?.content).toBe(long)
})

const syncState = () => bench.ask('sync-state', { accountId: bench.accountId })
const diskTrouble = async () => (await syncState()).diskTrouble

test('a disk without room is told of at once, whatever still fits, and no longer once there is some', async () => {
  const { accountId } = bench
  await save(null, 'short')
  expect(await diskTrouble()).toBe(null)
  fill()
  expect(await refusal(save(null, long))).toMatchObject({ code: 'disk-full' })
  expect(await diskTrouble()).toBe('disk-full')
  const { bavail, bsize } = statfsSync(bench.directory)
  const free = (await syncState()).diskFreeBytes
  // Other programs write to the disk meanwhile.
  expect(free).toBeGreaterThan((bavail * bsize) / 2)
  expect(free).toBeLessThan(bavail * bsize * 2)
  // A write that needs no room, like a mark in an existing row.
  bench.store().write((db) => db.run('UPDATE sync SET heard_at = heard_at'))
  await clock.advance(60_000)
  expect(await diskTrouble()).toBe('disk-full')
  makeRoom()
  await clock.advance(5_000)
  expect(await diskTrouble()).toBe(null)
  // The same again, but the person retries instead of waiting.
  pragma('query_only = ON')
  expect(await refusal(save(null, 'not now'))).toMatchObject({ code: 'read-only' })
  expect(await syncState()).toMatchObject({ diskTrouble: 'read-only', diskFreeBytes: null })
  pragma('query_only = OFF')
  await bench.bridge.call('try-now', { accountId })
  expect(await diskTrouble()).toBe(null)
})

test('the Markdown of a message comes from the server, though there is no room to keep it', async () => {
  const content = long.slice(0, 9_000).trim()
  const id = messageId(service.send(other.userId, topic.channelId, topic.topic, content))
  await bench.until(
    'feed',
    { accountId: bench.accountId, narrow: topic, around: 'newest', before: 9, after: 0 },
    (feed) => feed.messages.some((message) => message.id === id),
  )
  fill()
  const source = await bench.bridge.call('message-source', { accountId: bench.accountId, messageId: id })
  expect(source.content).toBe(content)
  expect(await diskTrouble()).toBe('disk-full')
})

test('a message that cannot be kept as a draft stays, and is undone once the disk takes writes again', async () => {
  const { accountId } = bench
  const { localId } = await send('too early')
  await expect.poll(sent).toEqual(['too early'])
  await bench.until('outbox', { accountId }, (all) => all.length === 0)
  const undo = () => bench.bridge.call('undo-send', { accountId, localId })
  // Not in a transaction, whose end would write, too.
  bench.store().writeOnce((db) => db.run('PRAGMA query_only = ON'))
  expect(await refusal(undo())).toMatchObject({ code: 'read-only' })
  pragma('query_only = OFF')
  const { draftId } = await undo()
  expect((await bench.ask('draft', { accountId, draftId }))?.content).toBe('too early')
  await expect.poll(sent).toEqual([])
})

test('without room a message is refused with words, and nothing of it is left behind', async () => {
  fill()
  expect(await refusal(send(long.slice(0, 9_000)))).toMatchObject({ kind: 'device', code: 'disk-full' })
  expect(await bench.ask('outbox', { accountId: bench.accountId })).toEqual([])
  makeRoom()
  await send('now there is room')
  await bench.until('outbox', { accountId: bench.accountId }, (items) => items.length === 0)
  expect(sent()).toEqual(['now there is room'])
})

test('the sync pauses, says why, and goes on from the same place by itself', async () => {
  const { accountId } = bench
  fill()
  const { generation, queueId } = readCursor(bench.store().db)
  for (let n = 0; n < 10; n++)
    service.send(other.userId, topic.channelId, 'drift', `${n} ${long.slice(0, 9_000)}`)
  const state = await bench.until('sync-state', { accountId }, ({ status }) => status === 'unreachable')
  expect(state.problem).toContain('disk is full')
  expect(state.nextAttemptAt).toBeGreaterThan(clock.now())
  makeRoom()
  const params = { accountId, narrow: topic, around: 'newest', before: 50, after: 0 } as const
  await bench.until('feed', params, ({ messages }) => messages.length === 10)
  await bench.until('sync-state', { accountId }, ({ status }) => status === 'synced')
  expect(readCursor(bench.store().db)).toMatchObject({ generation, queueId })
})

test('a reply to a notification waits for room, is told of, and then sent once', async () => {
  const content = long.slice(0, 9_000)
  const notice = {
    id: 'storm',
    accountId: bench.accountId,
    messageIds: [messageId(1)],
    conversation: topic,
    title: 'Keiko Tamura',
    body: 'a storm comes',
    avatarUrl: null,
    isSilent: false,
  }
  fill()
  bench.engine.noticeReplied(notice, content)
  const [told] = await bench.until('notices', {}, (notices) => notices.length > 0)
  expect(told).toMatchObject({ body: content, conversation: topic })
  await clock.advance(60_000)
  expect(sent()).toEqual([])
  makeRoom()
  await clock.advance(60_000)
  await expect.poll(sent).toEqual([content.trim()])
})

test('a message that the server took while the disk took nothing is not sent again', async () => {
  const { db } = service.workspace
  const run = db.run
  let isTaken = false
  db.run = (sql, ...parameters) => {
    const result = run(sql, ...parameters)
    if (!isTaken && sql.startsWith('INSERT INTO message_words')) {
      isTaken = true
      pragma('query_only = ON')
    }
    return result
  }
  await send('exactly once')
  await expect.poll(() => isTaken).toBe(true)
  db.run = run
  await bench.until(
    'sync-state',
    { accountId: bench.accountId },
    ({ status, problem }) => status === 'unreachable' && problem !== null,
  )
  const lines = bench.log.length
  await clock.advance(60_000)
  // Retried with a pause, not in a busy loop.
  expect(bench.log.length - lines).toBeLessThan(40)
  pragma('query_only = OFF')
  await bench.until('outbox', { accountId: bench.accountId }, (items) => items.length === 0)
  await bench.until('sync-state', { accountId: bench.accountId }, ({ status }) => status === 'synced')
  expect(sent()).toEqual(['exactly once'])
})

test('drafts are saved to the server again after a disk that took nothing', async () => {
  const { accountId } = bench
  const { draftId } = await save(null, 'written before')
  pragma('query_only = ON')
  expect(await refusal(save(draftId, 'not now'))).toMatchObject({ kind: 'device', code: 'read-only' })
  await clock.advance(60_000)
  // Whichever writes first reports it: the draft saver, or the sync when it records that the server was heard.
  await expect.poll(() => bench.log.filter((line) => /^[^:]+: \w+: .*can’t write/.test(line))).not.toEqual([])
  pragma('query_only = OFF')
  await save(draftId, 'written after')
  await bench.until('drafts', { accountId }, ([draft]) => draft?.state === 'synced')
  const [draft] = service.database.all<{ content: string }>('SELECT content FROM drafts')
  expect(draft?.content).toBe('written after')
})

test('a file that cannot be read for a moment holds up what waits only for that moment', async () => {
  const { db } = bench.store()
  const { remembered } = db
  let failures = 0
  // Simulates a disk error when the outbox is read before a send.
  db.remembered = (name, read) => {
    if (name !== 'outbox:10000' || failures > 0) return remembered(name, read)
    failures++
    throw new FailureError({ kind: 'device', code: 'disk-error', message: 'The disk fails.' })
  }
  await send('the disk failed')
  await expect.poll(() => failures).toBe(1)
  await bench.until('outbox', { accountId: bench.accountId }, (items) => items.length === 0)
  expect(sent()).toEqual(['the disk failed'])
  expect(bench.log.some((line) => line.endsWith('outbox: The disk fails.'))).toBe(true)
})
