import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { plainChannel } from '../../bench/workload.ts'
import { recentConversations } from '../../src-main/queries/recent-conversations.ts'
import { directList } from '../../src-main/queries/sidebar.ts'
import { putChannel } from '../../src-main/store/channels.ts'
import { openStore } from '../../src-main/store/database.ts'
import { putMessage } from '../../src-main/store/messages.ts'
import type { ParamsOf } from '../../src-shared/bridge/queries.ts'
import { channelId, userId } from '../../src-shared/ids.ts'
import { topicConversation } from '../../src-shared/model/conversation.ts'
import { messageFields } from '../support/message-fields.ts'
import { openDevice, type Device } from '../support/device.ts'
import { startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let service: TestService
let device: Device
let gauges: number
let keiko: ReturnType<TestService['createUser']>
let odhran: typeof keiko

beforeAll(async () => {
  service = await startService()
  const maren = service.createUser('Maren Aske')
  keiko = service.createUser('Keiko Tamura')
  odhran = service.createUser('Odhran Keane')
  gauges = service.createChannel('tide-gauges', [maren.userId, keiko.userId, odhran.userId])
  const maps = service.createChannel('maps', [maren.userId, keiko.userId])
  service.send(keiko.userId, gauges, 'drift', 'one')
  service.send(odhran.userId, gauges, 'drift', 'two')
  service.send(keiko.userId, maps, 'contours', 'three')
  service.send(keiko.userId, gauges, 'housing', 'four')
  service.send(maren.userId, gauges, 'housing', 'five')
  device = await openDevice(service.baseUrl, maren)
  const { accountId } = device
  await device.bridge.call('act', {
    accountId,
    action: {
      name: 'send-message',
      conversation: { kind: 'direct', userIds: [userId(keiko.userId)] },
      content: 'six',
      draftId: null,
    },
  })
  await device.bridge.call('act', {
    accountId,
    action: {
      name: 'set-topic-visibility',
      channelId: channelId(maps),
      topic: 'contours',
      visibility: 'muted',
    },
  })
  await device.until(
    'recent-conversations',
    ask(),
    ({ rows }) =>
      rows.length === 3 &&
      rows.every(({ messageCount, waitingCount }) => messageCount > 0 && waitingCount === 0),
  )
})

afterAll(async () => {
  await device.close()
  await service.close()
})

type Params = ParamsOf<'recent-conversations'>
const ask = (filter: Partial<Params['filter']> = {}, others: Partial<Params> = {}): Params => ({
  accountId: device.accountId,
  filter: { withDirects: true, withMuted: false, onlyUnread: false, onlyOwn: false, text: '', ...filter },
  order: 'newest',
  limit: 50,
  ...others,
})
async function names(params: Params): Promise<string[]> {
  const { rows } = await device.ask('recent-conversations', params)
  return rows.map(({ label }) => (label.kind === 'topic' ? label.topic : label.names.join()))
}

test('conversations stand by their newest message, muted ones only on request', async () => {
  expect(await names(ask())).toEqual(['Keiko Tamura', 'housing', 'drift'])
  expect(await names(ask({ withMuted: true }))).toEqual(['Keiko Tamura', 'housing', 'contours', 'drift'])
})

test('each filter of recent conversations shows only what fits it', async () => {
  expect(await names(ask({ withDirects: false }))).toEqual(['housing', 'drift'])
  expect(await names(ask({ onlyUnread: true }))).toEqual(['housing', 'drift'])
  expect(await names(ask({ onlyOwn: true }))).toEqual(['Keiko Tamura', 'housing'])
  expect(await names(ask({ text: 'gauges dri' }))).toEqual(['drift'])
  expect(await names(ask({ text: 'tam' }))).toEqual(['Keiko Tamura'])
  expect(await names(ask({ text: 'tide-gau' }))).toEqual(['housing', 'drift'])
  expect(await names(ask({ text: 'tide-gauges-' }))).toEqual(['housing', 'drift'])
})

test('the order can be another, and there can be more than is shown', async () => {
  expect(await names(ask({}, { order: 'unread' }))).toEqual(['drift', 'housing', 'Keiko Tamura'])
  expect(await names(ask({}, { order: 'name' }))).toEqual(['Keiko Tamura', 'drift', 'housing'])
  for (const limit of [1, 2])
    expect(await names(ask({}, { order: 'name', limit }))).toEqual(['Keiko Tamura', 'drift'].slice(0, limit))
  const { rows, hasMore, total } = await device.ask('recent-conversations', ask({}, { limit: 2 }))
  expect(rows).toHaveLength(2)
  expect(hasMore).toBe(true)
  expect(total).toBe(4)
})

test('a row tells who wrote, how much, and what of the person is still under way', async () => {
  const { accountId } = device
  const topic = { kind: 'topic', channelId: channelId(gauges), topic: 'drift' } as const
  await device.bridge.call('save-draft', {
    accountId,
    draftId: null,
    draft: { recipient: topic, content: 'not finished' },
    basis: null,
  })
  await service.stop()
  await device.bridge.call('act', {
    accountId,
    action: { name: 'send-message', conversation: topic, content: 'waits', draftId: null },
  })
  const { rows } = await device.until(
    'recent-conversations',
    ask({ text: 'drift' }),
    (value) => value.rows[0]?.waitingCount === 1,
  )
  expect(rows[0]).toMatchObject({ messageCount: 2, peopleCount: 2, hasDraft: true, unreadCount: 2 })
  expect(rows[0]?.people.map(({ name }) => name)).toEqual(['Odhran Keane', 'Keiko Tamura'])
  await service.start()
})

test('the beginning of the inbox and of the sidebar counts all of it, and is what the whole begins with', async () => {
  const { accountId } = device
  const whole = await device.until('inbox', { accountId }, ({ rowCount }) => rowCount === 2)
  const beginning = await device.ask('inbox', { accountId, first: 1 })
  expect(whole.folders.map(({ channels }) => channels.map(({ topics }) => topics.length))).toEqual([[2]])
  const [folder] = whole.folders
  expect(beginning).toEqual({
    ...whole,
    folders: [
      {
        ...folder,
        channels: folder?.channels.map((channel) => ({ ...channel, topics: channel.topics.slice(0, 1) })),
      },
    ],
  })
  const sidebar = await device.ask('sidebar', { accountId })
  const [channels] = sidebar.folders
  expect(channels?.channels.length).toBe(2)
  expect(await device.ask('sidebar', { accountId, first: 1 })).toEqual({
    ...sidebar,
    folders: [{ ...channels, channels: channels?.channels.slice(0, 1) }],
  })
})

test('who wrote is what is here now, also where only what lies behind the newest message has changed', async () => {
  const earlier = service.send(odhran.userId, gauges, 'left', 'seven')
  service.send(keiko.userId, gauges, 'kept', 'eight')
  const only = ask({ text: 'kept' })
  await device.until('recent-conversations', only, ({ rows }) => rows[0]?.people.length === 1)
  // Without the service's notice there, which would be the newest message.
  await fetch(`${service.baseUrl}/messages/${earlier}`, {
    method: 'PATCH',
    headers: { authorization: `Basic ${btoa(`${keiko.email}:${keiko.apiKey}`)}` },
    body: new URLSearchParams({ topic: 'kept', send_notification_to_new_thread: 'false' }),
  })
  const moved = await device.until('recent-conversations', only, ({ rows }) => rows[0]?.messageCount === 2)
  expect(moved.rows[0]?.people.map(({ name }) => name)).toEqual(['Keiko Tamura', 'Odhran Keane'])
})

let renames = 0
test('a person has the present name and picture in the lists, also at messages from before', async () => {
  const name = `Keiko Mori ${++renames}`
  const written = `names ${renames}`
  service.send(keiko.userId, gauges, written, 'nine')
  const { accountId } = device
  const row = async () => {
    const { rows } = await device.ask('recent-conversations', ask({ text: written }))
    return rows.map(({ newestSender, people }) => ({ newestSender, people }))
  }
  const inboxRow = async () => {
    const { folders } = await device.ask('inbox', { accountId })
    const topics = folders.flatMap(({ channels }) => channels.flatMap((channel) => channel.topics))
    return topics.find(({ label }) => label.kind === 'topic' && label.topic === written)?.newestSender
  }
  await expect.poll(inboxRow).toMatch(/^Keiko/)
  const [before] = await row()
  const headers = { authorization: `Basic ${btoa(`${keiko.email}:${keiko.apiKey}`)}` }
  const picture = new FormData()
  picture.set('file', new Blob([Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')]), 'me.gif')
  await fetch(`${service.baseUrl}/users/me/avatar`, { method: 'POST', headers, body: picture })
  await fetch(`${service.baseUrl}/settings`, {
    method: 'PATCH',
    headers,
    body: new URLSearchParams({ full_name: name }),
  })
  await device.until('recent-conversations', ask({ text: name }), ({ rows }) => rows.length > 0)
  const [now] = await row()
  expect(now).toMatchObject({ newestSender: name, people: [{ name }] })
  expect(now?.people[0]?.avatarUrl).not.toBe(before?.people[0]?.avatarUrl)
  expect(await inboxRow()).toBe(name)
  // Lists show the face of the one person whom a conversation is with.
  const { rows } = await device.ask('recent-conversations', ask({ text: name }))
  const direct = rows.find(({ label }) => label.kind === 'direct')
  expect(direct?.label).toMatchObject({ names: [name], avatarUrl: now?.people[0]?.avatarUrl })
})

test('of what a muted person wrote last, the lists say only that', async () => {
  const { accountId } = device
  service.send(odhran.userId, gauges, 'quiet', 'ten')
  const newest = async () => {
    const { rows } = await device.ask('recent-conversations', ask({ text: 'quiet' }))
    return rows.map(({ newestSender, newestText }) => [newestSender, newestText])
  }
  const mute = (on: boolean) =>
    device.bridge.call('act', {
      accountId,
      action: { name: 'mute-person', userId: userId(odhran.userId), on },
    })
  await expect.poll(newest).toEqual([['Odhran Keane', 'ten']])
  await mute(true)
  expect(await newest()).toEqual([['', 'Message from a muted person.']])
  await mute(false)
  expect(await newest()).toEqual([['Odhran Keane', 'ten']])
})

test('among very many conversations the unread ones are all there, and what was not looked at is said', () => {
  const directory = temporaryFolder(onTestFinished)
  const store = openStore(join(directory, 'account.db'), () => {})
  const count = 11_000
  store.write((db) => {
    putChannel(db, { ...plainChannel(1), isSubscribed: true, isMuted: false })
    putMessage(db, messageFields({ id: 1, conversation: topicConversation(1, 'first') }), 1)
    // As long as the list of a large organization, without writing each message.
    db.run(
      `WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO conversations (key, kind, channel_id, topic, newest_message_id, unread_count)
       SELECT 'topic:1:' || i, 'topic', 1, CASE i WHEN 7000 THEN 'wader' WHEN 500 THEN 'wader count' ELSE 'gull ' || i END,
         i, CASE i WHEN 700 THEN 9 WHEN 9000 THEN 3 ELSE 0 END FROM n`,
      [count],
    )
    putMessage(db, messageFields({ id: count + 1, conversation: topicConversation(1, 'last') }), 1)
  })
  const recent = (text: string, order: Params['order'], onlyUnread = false) => {
    const filter = { withDirects: true, withMuted: false, onlyUnread, onlyOwn: false, text }
    const context = { db: store.db, ownUserId: userId(1), now: 0 }
    const { rows, hasMore, lookedBackTo } = recentConversations(context, { filter, order, limit: 3 })
    return {
      topics: rows.map(({ label }) => (label.kind === 'topic' ? label.topic : '')),
      hasMore,
      isCut: lookedBackTo !== null,
    }
  }
  expect(recent('wader', 'newest')).toEqual({ topics: ['wader'], hasMore: false, isCut: true })
  expect(recent('gull', 'newest')).toMatchObject({ hasMore: true, isCut: false })
  expect(recent('', 'unread')).toEqual({
    topics: ['gull 700', 'gull 9000', 'last'],
    hasMore: true,
    isCut: false,
  })
  expect(recent('', 'unread', true)).toEqual({
    topics: ['gull 700', 'gull 9000'],
    hasMore: false,
    isCut: false,
  })
  expect(recent('gull 700', 'unread').topics[0]).toBe('gull 700')
  expect(recent('', 'name')).toMatchObject({ hasMore: true, isCut: true })
  store.close()
})

test('where the person wrote is known from their newest messages, and what was not looked at is said', () => {
  const store = openStore(join(temporaryFolder(onTestFinished), 'account.db'), () => {})
  onTestFinished(() => store.close())
  const put = (id: number, topic: string, senderId: number) =>
    store.write((db) =>
      putMessage(
        db,
        messageFields({ id, senderId, sentAt: id, conversation: topicConversation(1, topic) }),
        1,
      ),
    )
  store.write((db) => putChannel(db, { ...plainChannel(1), isSubscribed: true, isMuted: false }))
  const own = (onlyUnread = false) => {
    const filter = { withDirects: true, withMuted: false, onlyUnread, onlyOwn: true, text: '' }
    const context = { db: store.db, ownUserId: userId(1), now: 0 }
    const { rows, wroteSince } = recentConversations(context, { filter, order: 'newest', limit: 9 })
    return [rows.map(({ label }) => (label.kind === 'topic' ? label.topic : '')), wroteSince]
  }
  put(1, 'oldest', 1)
  put(2, 'older', 1)
  put(3, 'foreign', 2)
  store.write(() => {
    for (let id = 4; id <= 2_001; id++) put(id, `new ${id % 3}`, 1)
  })
  put(2_002, 'older', 2)
  // The newest 2,000 messages of the person begin with the second topic, which somebody else wrote to last.
  expect(own()).toEqual([['older', 'new 0', 'new 2', 'new 1', 'oldest'], null])
  put(2_003, 'new 0', 1)
  expect(own()).toEqual([['new 0', 'older', 'new 2', 'new 1'], 2])
  expect(own(true)).toEqual([[], 2])
})

test('the sidebar lists the newest direct conversations and those with unread messages, and counts the others', () => {
  const directory = temporaryFolder(onTestFinished)
  const store = openStore(join(directory, 'account.db'), () => {})
  const list = (limit?: number) => {
    const { directs, furtherDirects } = directList({ db: store.db, ownUserId: userId(1), now: 0 }, limit)
    return { newest: directs.map(({ people }) => people[0]?.userId), ...furtherDirects }
  }
  const add = (from: number, to: number) =>
    store.write((db) =>
      // Three messages of the person 20 are unread.
      db.run(
        `WITH RECURSIVE n (i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO conversations (key, kind, user_ids, newest_message_id, unread_count)
         SELECT 'direct:' || i, 'direct', '[' || i || ']', 1000 - i, CASE i WHEN 20 THEN 3 ELSE 0 END FROM n`,
        [from, to],
      ),
    )
  add(11, 17)
  expect(list()).toEqual({ newest: [11, 12, 13, 14, 15, 16, 17], count: 0, unreadCount: 0 })
  add(18, 60)
  expect(list()).toEqual({ newest: [11, 12, 13, 14, 15, 16, 17, 20], count: 42, unreadCount: 0 })
  expect(list(28).newest).toHaveLength(28)
  expect(list(500)).toMatchObject({ count: 0, unreadCount: 0 })
  // More unread ones than fit are counted as well.
  store.write((db) => db.run('UPDATE conversations SET unread_count = 2'))
  expect(list()).toMatchObject({ count: 10, unreadCount: 20 })
  add(100, 800)
  expect(list().count).toBe(500)
  store.close()
})
