import { afterEach, beforeEach, expect, test } from 'vitest'
import { channelId, messageId, userId } from '../../../src-shared/ids.ts'
import { createConnection, type Connection } from '../../../src-main/api/connection.ts'
import { flags } from '../../../src-shared/api/flags.ts'
import { messages } from '../../../src-shared/api/messages.ts'
import { settings } from '../../../src-shared/api/settings.ts'
import { channels } from '../../../src-shared/api/channels.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { startService, type TestService } from '../../support/service.ts'
import { openSync, type SyncedAccount } from './open-sync.ts'

// The sync with the real service: what one person does appears in another person's file.

let service: TestService
let account: SyncedAccount
let ada: ReturnType<TestService['createUser']>
let bo: ReturnType<TestService['createUser']>
/** Bo's client. */
let other: Connection
/** Ada's client on another device. */
let elsewhere: Connection
let channel: number

const topic = (name: string): Narrow => ({ kind: 'topic', channelId: channelId(channel), topic: name })
const ids = () =>
  account.rows<{ id: number }>('SELECT message_id AS id FROM messages ORDER BY 1').map(({ id }) => id)
const row = (id: number) =>
  account.rows(
    `SELECT m.*, n.message_id IS NOT NULL AS is_unread
     FROM messages m LEFT JOIN unread n USING (message_id) WHERE m.message_id = ?`,
    id,
  )[0]
const unreadOf = (name: string) =>
  account.rows<{ n: number }>('SELECT unread_count AS n FROM conversations WHERE topic = ?', name)[0]?.n

beforeEach(async () => {
  service = await startService()
  ada = service.createUser('Ada Low')
  bo = service.createUser('Bo Reed')
  channel = service.createChannel('tides', [ada.userId, bo.userId])
  other = connectionOf(bo)
  elsewhere = connectionOf(ada)
})

afterEach(async () => {
  await account.close()
  other.close()
  elsewhere.close()
  await service.close()
})

const connectionOf = (user: { email: string; apiKey: string }) =>
  createConnection({ baseUrl: service.baseUrl, credentials: user, userAgent: 'Dunlin/other' })

const open = async () => {
  account = openSync(() => service.baseUrl, ada)
  await account.untilSynced()
}

/** Stops the service, makes changes, and starts it without its queues. */
const whileAway = async (happen: () => unknown) => {
  const { generation } = account
  account.stop()
  await happen()
  service.workspace.queues.expireAll()
  await account.restart()
  await account.until(() => account.generation === generation + 1)
  await account.untilSynced()
}

test('the first connection brings people, channels, messages and what is unread', async () => {
  const read = service.send(ada.userId, channel, 'ebb', 'mine')
  const unread = service.send(bo.userId, channel, 'ebb', 'see **this**')
  await open()
  expect(account.rows('SELECT full_name FROM users WHERE user_id = ?', bo.userId)).toEqual([
    { full_name: 'Bo Reed' },
  ])
  expect(account.rows('SELECT name, is_subscribed FROM channels')).toEqual([
    { name: 'tides', is_subscribed: 1 },
  ])
  expect(row(read)).toMatchObject({ is_unread: 0, sender_name: 'Ada Low' })
  expect(row(unread)).toMatchObject({ is_unread: 1, content_html: '<p>see <strong>this</strong></p>' })
  expect(unreadOf('ebb')).toBe(1)
  expect(account.ranges({ kind: 'combined' })).toEqual([
    { oldestId: read, newestId: unread, reachesBeginning: true, isLive: true },
  ])
  expect(account.sync.link).toMatchObject({ status: 'online', progress: null, problem: null })
  expect(account.arrived).toEqual([])
})

test('what happens arrives by events, each with its effect on rows, counters and words', async () => {
  await open()
  const sent = service.send(bo.userId, channel, 'ebb', 'a curlew, far out')
  await account.until(() => ids().includes(sent))
  expect(account.arrived).toEqual([sent])
  expect(unreadOf('ebb')).toBe(1)
  expect(account.ranges({ kind: 'combined' })[0]).toMatchObject({ newestId: sent, isLive: true })
  const search = (words: string) =>
    account.rows<{ id: number }>('SELECT rowid AS id FROM message_words(?)', words).map(({ id }) => id)
  expect(search('curlew')).toEqual([sent])
  expect(search(`filters:c${channel} AND filters:u${bo.userId}`)).toEqual([sent])

  await other.call(messages.updateMessage, { message_id: sent, content: 'a whimbrel, far out' })
  await account.until(() => String(row(sent)?.['content_html']).includes('whimbrel'))
  expect(search('curlew')).toEqual([])
  expect(search('whimbrel')).toEqual([sent])

  await elsewhere.call(messages.addReaction, { message_id: sent, emoji_name: 'bird' })
  await account.until(
    () => account.rows('SELECT user_id FROM reactions WHERE emoji_name = ?', 'bird').length === 1,
  )
  await elsewhere.call(flags.updateMessageFlags, { messages: [sent], op: 'add', flag: 'read' })
  await elsewhere.call(flags.updateMessageFlags, { messages: [sent], op: 'add', flag: 'starred' })
  await account.until(() => row(sent)?.['is_starred'] === 1)
  expect(row(sent)).toMatchObject({ is_unread: 0 })
  expect(unreadOf('ebb')).toBe(0)

  await elsewhere.call(flags.updateMessageFlags, { messages: [sent], op: 'remove', flag: 'read' })
  await account.until(() => unreadOf('ebb') === 1)
  await other.call(messages.updateMessage, {
    message_id: sent,
    topic: 'flood',
    propagate_mode: 'change_all',
    send_notification_to_new_thread: false,
  })
  await account.until(() => unreadOf('flood') === 1)
  expect(unreadOf('ebb')).toBe(0)
  expect(search('flood')).toEqual([sent])

  await connectionOf(service.createUser('Owner Two', 100)).call(messages.deleteMessage, { message_id: sent })
  await account.until(() => !ids().includes(sent))
  expect(unreadOf('flood')).toBe(0)
  expect(search('whimbrel')).toEqual([])
})

test('a restart goes on where the queue stands, without registering and without fetching', async () => {
  await open()
  const before = account.sync.queueId
  account.stop()
  const missed = service.send(bo.userId, channel, 'ebb', 'while you were out')
  await account.restart()
  await account.until(() => ids().includes(missed))
  await account.untilSynced()
  expect(account.calls[0]).toBe('GET /events')
  expect(account.calls).not.toContain('POST /register')
  expect(account.calls).not.toContain('GET /messages')
  expect(account.sync.queueId).toBe(before)
})

test('everything that changed while the queue was lost is found again', async () => {
  const [edited, deleted, moved, starred, read, stays] = ['a', 'b', 'c', 'd', 'e', 'f'].map((text) =>
    service.send(bo.userId, channel, 'ebb', text),
  ) as [number, number, number, number, number, number]
  await open()
  let sent = 0
  await whileAway(async () => {
    await other.call(messages.updateMessage, { message_id: edited, content: 'changed' })
    await other.call(messages.deleteMessage, { message_id: deleted }).catch(async () => {
      await connectionOf(service.createUser('Owner Two', 100)).call(messages.deleteMessage, {
        message_id: deleted,
      })
    })
    await other.call(messages.updateMessage, {
      message_id: moved,
      topic: 'flood',
      send_notification_to_new_thread: false,
      propagate_mode: 'change_one',
    })
    await elsewhere.call(flags.updateMessageFlags, { messages: [starred], op: 'add', flag: 'starred' })
    await elsewhere.call(flags.updateMessageFlags, { messages: [read], op: 'add', flag: 'read' })
    sent = service.send(bo.userId, channel, 'ebb', 'new')
  })
  expect(row(edited)).toMatchObject({ content_html: '<p>changed</p>' })
  expect(row(deleted)).toBeUndefined()
  expect(
    account.rows(
      'SELECT topic FROM conversations JOIN messages USING (conversation_id) WHERE message_id = ?',
      moved,
    ),
  ).toEqual([{ topic: 'flood' }])
  expect(row(starred)).toMatchObject({ is_starred: 1 })
  expect(row(read)).toMatchObject({ is_unread: 0 })
  expect(row(stays)).toMatchObject({ is_unread: 1 })
  expect(row(sent)).toMatchObject({ is_unread: 1 })
  // The messages edited, starred, stays and new are unread; moved is unread elsewhere.
  expect(unreadOf('ebb')).toBe(4)
  expect(unreadOf('flood')).toBe(1)
  expect(account.rows('SELECT generation FROM sync')).toEqual([{ generation: 2 }])
  // None of it is announced.
  expect(account.arrived).toEqual([])
})

test('what only this device knows outlives a new registration', async () => {
  await open()
  account.store.write((db) => {
    db.run(
      `INSERT INTO outbox (local_id, name, payload, lane, state, created_at) VALUES ('o1', 'send-message', '{}', 'l', 'waiting', 1)`,
    )
    db.run(
      `INSERT INTO drafts (draft_id, state, recipient, content, created_at, edited_at) VALUES ('d1', 'edited', 'null', 'words', 1, 1)`,
    )
    db.run(`INSERT INTO draft_versions VALUES ('d1', 1, 'null', 'words', 1, 'here', NULL)`)
  })
  const own = () =>
    ['outbox', 'drafts', 'draft_versions'].map((table) => account.rows(`SELECT * FROM ${table}`))
  const before = own()
  await whileAway(() => service.send(bo.userId, channel, 'ebb', 'new'))
  expect(own()).toEqual(before)
})

test('the service goes away and comes back: known history has a hole until it is fetched', async () => {
  const first = service.send(bo.userId, channel, 'ebb', 'before')
  await open()
  const links = account.links.length
  await service.stop()
  await account.until(() => account.sync.link.status === 'offline')
  expect(account.sync.link.problem).toBe('No server answers at this address.')
  await service.start()
  const later = service.send(bo.userId, channel, 'ebb', 'after')
  await account.until(() => account.sync.link.status === 'online', 1_000)
  await account.untilSynced()
  expect(ids()).toEqual([first, later])
  expect(account.ranges({ kind: 'combined' })).toEqual([
    { oldestId: first, newestId: later, reachesBeginning: true, isLive: true },
  ])
  expect(account.links.slice(links).map(({ status }) => status)).toContain('offline')
})

test('more than a page behind: the newest come first, the hole closes backwards', async () => {
  for (let number = 0; number < 30; number++) service.send(bo.userId, channel, 'ebb', `old ${number}`)
  await open()
  const known = ids()
  await whileAway(() => {
    for (let number = 0; number < 450; number++) service.send(bo.userId, channel, 'flood', `new ${number}`)
  })
  expect(ids()).toHaveLength(known.length + 450)
  expect(account.ranges({ kind: 'combined' })).toHaveLength(1)
  expect(unreadOf('flood')).toBe(450)
})

test('a page in either direction makes a conversation known as far as it reaches', async () => {
  for (let number = 0; number < 450; number++)
    service.send(bo.userId, channel, number % 2 === 0 ? 'ebb' : 'flood', `${number}`)
  account = openSync(() => service.baseUrl, ada)
  await account.untilStill(() => account.sync.link.status === 'online' && ids().length > 0)
  const newest = await account.sync.loadOlder(topic('ebb'), null)
  expect(newest).toBe(200)
  const [range] = account.ranges(topic('ebb'))
  expect(range).toMatchObject({ isLive: true, reachesBeginning: false })
  expect(await account.sync.loadOlder(topic('ebb'), messageId(range!.oldestId))).toBe(26)
  expect(account.ranges(topic('ebb'))).toMatchObject([{ isLive: true, reachesBeginning: true }])
  expect(await account.sync.loadNewer(topic('flood'), messageId(1))).toBeGreaterThan(100)
})

test('mentions of everybody are counted where it is not muted: first, by events, after a lost queue, and edited', async () => {
  const mute = (value: boolean) =>
    elsewhere.call(channels.updateSubscriptionSettings, {
      subscription_data: [{ stream_id: channel, property: 'is_muted', value }],
    })
  const mentions = () =>
    account.rows<{ n: number }>('SELECT mention_count AS n FROM conversations WHERE topic = ?', 'ebb')[0]?.n
  const until = (count: number) => account.until(() => mentions() === count)
  // Otherwise the service follows the topic, which unmutes it.
  await elsewhere.call(settings.updateSettings, { automatically_follow_topics_where_mentioned: false })
  await mute(true)
  const all = service.send(bo.userId, channel, 'ebb', '@**all** calm')
  const named = service.send(bo.userId, channel, 'ebb', '@**Ada Low** calm')
  await open()
  await account.until(() => ids().includes(all) && ids().includes(named))
  expect(mentions()).toBe(1)
  await mute(false)
  await until(2)
  await mute(true)
  await until(1)
  await whileAway(() => mute(false))
  expect(mentions()).toBe(2)
  await whileAway(() => mute(true))
  expect(mentions()).toBe(1)
  const edit = (id: number, content: string) =>
    other.call(messages.updateMessage, { message_id: id, content })
  await edit(all, '@**Ada Low** and @**all** calm')
  await until(2)
  await edit(named, '@**everyone** calm')
  await edit(all, '@**channel** calm')
  await until(0)
  await mute(false)
  await until(2)
})

test('direct messages belong to everybody in them but oneself', async () => {
  await open()
  await other.call(messages.sendMessage, { type: 'direct', to: [ada.userId], content: 'psst' })
  await account.until(() => ids().length === 1)
  expect(account.rows('SELECT key, unread_count FROM conversations')).toEqual([
    { key: `direct:${bo.userId}`, unread_count: 1 },
  ])
  expect(account.ranges({ kind: 'direct', userIds: [userId(bo.userId)] })).toEqual([])
  await account.sync.loadOlder({ kind: 'direct', userIds: [userId(bo.userId)] }, null)
  expect(account.ranges({ kind: 'direct', userIds: [userId(bo.userId)] })).toMatchObject([{ isLive: true }])
})

test('joining a channel brings its history, leaving it ends what is live', async () => {
  const birds = service.createChannel('birds', [bo.userId])
  const before = service.send(bo.userId, birds, 'waders', 'sanderling')
  await open()
  expect(account.ranges({ kind: 'channel', channelId: channelId(birds) })).toEqual([])
  await elsewhere.call(channels.subscribe, { subscriptions: [{ name: 'birds' }] })
  const narrow: Narrow = { kind: 'channel', channelId: channelId(birds) }
  await account.until(() => account.ranges(narrow)[0]?.isLive === true)
  expect(ids()).toContain(before)
  await elsewhere.call(channels.unsubscribe, { subscriptions: ['birds'] })
  await account.until(() => account.ranges(narrow)[0]?.isLive === false)
  expect(account.rows('SELECT is_subscribed FROM channels WHERE name = ?', 'birds')).toEqual([
    { is_subscribed: 0 },
  ])
})

test('an own message is recognised by the local id it was sent with', async () => {
  await open()
  const answer = await elsewhere.call(messages.sendMessage, {
    type: 'channel',
    to: channel,
    topic: 'ebb',
    content: 'mine',
    queue_id: account.sync.queueId!,
    local_id: 'o42',
  })
  await account.until(() => account.own.length === 1)
  expect(account.own).toEqual([['o42', answer.id]])
})
