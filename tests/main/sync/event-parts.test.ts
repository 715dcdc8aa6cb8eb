import { afterEach, beforeEach, expect, test } from 'vitest'
import { plainChannel } from '../../../bench/workload.ts'
import { FailureError } from '../../../src-shared/failure.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { isSubscribed, putChannel } from '../../../src-main/store/channels.ts'
import type { WritableDb } from '../../../src-main/store/database.ts'
import { isStarred, setStarred } from '../../../src-main/store/flags.ts'
import { putMessage } from '../../../src-main/store/messages.ts'
import { startScriptedServer, type ScriptedServer } from '../../fakes/scripted-server.ts'
import { messageFields } from '../../support/message-fields.ts'
import { openSync, type SyncedAccount } from './open-sync.ts'
import { message, messageIds } from './tides.ts'

// What happens between the parts of a very large event, and between the steps of what it leaves.

const ebb = topicConversation(7, 'ebb')

let server: ScriptedServer
let account: SyncedAccount
/** Last in each transaction that writes the server's data, as the outbox does with what waits. */
let reapply: (db: WritableDb) => void

beforeEach(async () => {
  reapply = () => {}
  server = await startScriptedServer({ subscriptions: [{ stream_id: 7, name: 'tides' }] })
  const ada = { email: 'ada@example.org', apiKey: 'k', userId: 1 }
  account = openSync(() => server.baseUrl, ada, { reapply: (db) => reapply(db) })
  await account.untilSynced()
})
afterEach(async () => {
  await account.close()
  await server.stop()
})

const putMessages = (count: number) =>
  account.store.write((db) => {
    putChannel(db, { ...plainChannel(7), name: 'tides', isSubscribed: true })
    for (let id = 1; id <= count; id++) putMessage(db, messageFields({ id, conversation: ebb }), 1)
  })
const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
/** Does it once, after the next commit to a table. */
const afterNext = (table: string, act: () => void) => {
  const stop = account.store.onChange([table], () => {
    stop()
    act()
  })
}

test('the parts of an event overtake a page once, and none that is asked for between them', async () => {
  let release = () => {}
  const released = new Promise<void>((done) => (release = done))
  let pages = 0
  server.answer('GET /messages', async ({ fields }) => {
    if (fields['narrow']?.includes('ebb') === true) {
      pages++
      await released
    }
    return { success: { messages: [], found_oldest: true, found_newest: true } }
  })
  const loading = [account.sync.loadOlder(ebb, null)]
  await account.untilStill(() => pages === 1)
  afterNext('channels', () => loading.push(account.sync.loadOlder(topicConversation(7, 'ebbing'), null)))
  server.push({
    type: 'subscription',
    op: 'add',
    subscriptions: ids(160).map((id) => ({ stream_id: 100 + id, name: `channel ${id}` })),
  })
  await account.untilStill(() => pages === 2 && account.rows('SELECT 1 FROM channels').length === 161)
  release()
  await Promise.all(loading)
  // The first one twice.
  expect(pages).toBe(3)
})

test('a page of a channel that only a later part closes to the person brings nothing of it back', async () => {
  const secret = topicConversation(15, 'keys')
  const some = ids(20)
  for (const id of some)
    server.push({
      type: 'subscription',
      op: 'add',
      subscriptions: [{ stream_id: id, name: `channel ${id}`, invite_only: id === 15 }],
    })
  await account.until(() => isSubscribed(account.store.db, 20))
  await account.untilSynced()
  account.store.write((db) => putMessage(db, messageFields({ id: 1_001, conversation: secret }), 1))
  let release = () => {}
  const released = new Promise<void>((done) => (release = done))
  let pages = 0
  server.answer('GET /messages', async ({ fields }) => {
    if (fields['narrow']?.includes('keys') !== true)
      return { success: { messages: [], found_oldest: true, found_newest: true } }
    if (pages++ > 0) return { error: 'BAD_REQUEST', status: 400 }
    await released
    const messages = [1_001, 1_002].map((id) => message(id, { stream_id: 15, subject: 'keys' }))
    return { success: { messages, found_oldest: true, found_newest: true } }
  })
  const loading = account.sync.loadOlder(secret, null).catch(() => 0)
  await account.untilStill(() => pages === 1)
  server.push({
    type: 'subscription',
    op: 'remove',
    subscriptions: some.map((id) => ({ stream_id: id, name: `channel ${id}` })),
  })
  await account.untilStill(() => !some.some((id) => isSubscribed(account.store.db, id)))
  await account.untilStill(() => messageIds(account).length === 0)
  release()
  await loading
  expect(messageIds(account)).toEqual([])
})

test('channels that a part has joined are fetched once, although a later part could not be written at first', async () => {
  const asked: string[] = []
  server.answer('GET /messages', ({ fields }) => {
    if (fields['narrow']?.includes('channel') === true) asked.push(fields['narrow'])
    return { success: { messages: [], found_oldest: true, found_newest: true } }
  })
  let refusals = 0
  reapply = (db) => {
    if (refusals > 0 || !isSubscribed(db, 115)) return
    refusals++
    throw new FailureError({ kind: 'device', code: 'disk-full', message: 'The disk is full.' })
  }
  server.push({
    type: 'subscription',
    op: 'add',
    subscriptions: ids(25).map((id) => ({ stream_id: 100 + id, name: `channel ${id}` })),
  })
  await account.until(() => account.rows('SELECT 1 FROM channels').length === 26)
  await account.untilSynced()
  expect(refusals).toBe(1)
  expect(new Set(asked).size).toBe(25)
  expect(asked).toHaveLength(25)
})

test('channels with thousands of people are joined one or two at a time, and a restart between them loses nobody', async () => {
  const counts: number[] = []
  reapply = (db) => counts.push(db.column('SELECT 1 FROM channels WHERE channel_id > 100').length)
  let isEnded = false
  afterNext('subscribers', () => {
    account.stop()
    isEnded = true
  })
  server.push({
    type: 'subscription',
    op: 'add',
    subscriptions: ids(5).map((id) => ({
      stream_id: 100 + id,
      name: `channel ${id}`,
      subscribers: ids(3_000),
    })),
  })
  await account.untilStill(() => isEnded)
  expect(counts).toEqual([2])
  await account.restart()
  await account.untilSynced()
  expect([...new Set(counts)]).toEqual([2, 4, 5])
  expect(account.rows('SELECT 1 FROM subscribers WHERE channel_id > 100')).toHaveLength(15_000)
})

test('a channel is joined once all of a running deletion is removed', async () => {
  putMessages(2_000)
  const leftWhenJoined: number[] = []
  reapply = (db) => {
    if (isSubscribed(db, 8)) leftWhenJoined.push(db.column('SELECT message_id FROM messages').length)
  }
  server.push(
    { type: 'delete_message', message_type: 'stream', message_ids: ids(2_000) },
    { type: 'subscription', op: 'add', subscriptions: [{ stream_id: 8, name: 'gauges' }] },
  )
  await account.untilStill(() => leftWhenJoined.length > 0)
  expect(leftWhenJoined[0]).toBe(0)
})

test('a star that a person puts on or takes off between the steps of a registration stays so', async () => {
  const count = 3_000
  putMessages(count + 2)
  const starred = () => account.rows('SELECT 1 FROM messages WHERE is_starred = 1').length
  account.store.write((db) => setStarred(db, [count + 2], true, null))
  let starredBetween = 0
  const seen = new Set<string>()
  afterNext('messages', () => {
    starredBetween = starred()
    reapply = (db) => {
      setStarred(db, [count + 1], true, null)
      setStarred(db, [count, count + 2], false, null)
    }
    account.store.write(reapply)
    account.store.onChange(['messages'], () =>
      seen.add([count, count + 1, count + 2].map((id) => isStarred(account.store.db, id)).join()),
    )
  })
  // The messages are not compared with the server, which has none of them.
  server.answer('GET /messages', { error: 'BAD_REQUEST', status: 400 })
  server.snapshot['starred_messages'] = ids(count)
  server.loseQueue()
  const { generation } = account
  await account.untilStill(() => account.generation > generation)
  expect(starredBetween).toBeGreaterThan(0)
  expect(starredBetween).toBeLessThan(count)
  expect(starred()).toBe(count)
  // At every moment.
  expect([...seen]).toEqual(['false,true,false'])
})
