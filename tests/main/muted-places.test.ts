import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Action } from '../../src-shared/bridge/actions.ts'
import { channelId, messageId, userId } from '../../src-shared/ids.ts'
import { openDevice, type Device } from '../support/device.ts'
import { startService, type TestService } from '../support/service.ts'

// Muted places neither notify nor count; exceptions that the person chose do both.

let service: TestService
let device: Device
let own: { userId: number }
let other: { userId: number }
let third: { userId: number }
let quiet: number
let loud: number
let chats = 0

beforeAll(async () => {
  service = await startService()
  const person = service.createUser('Ada Brook')
  own = person
  other = service.createUser('Bo Lind')
  third = service.createUser('Cy Moor')
  quiet = service.createChannel('quiet', [own.userId, other.userId])
  loud = service.createChannel('loud', [own.userId, other.userId, third.userId])
  device = await openDevice(service.baseUrl, { email: person.email, apiKey: person.apiKey })
  await device.until('sync-state', account(), ({ status }) => status === 'synced')
  // Every new message of a channel notifies, so that a silent one is silent because it is muted.
  await act({ name: 'update-setting', property: 'channelDesktop', value: true })
  await act({ name: 'update-setting', property: 'followedDesktop', value: true })
  await act({ name: 'set-subscription', channelId: channelId(quiet), property: 'muted', value: true })
  await see(loud, 'muted', 'muted')
  await see(quiet, 'muted', 'muted')
  await see(quiet, 'unmuted', 'unmuted')
  await see(quiet, 'followed', 'followed')
  await device.until('outbox', account(), (items) => items.length === 0)
})
afterAll(async () => {
  await device.close()
  await service.close()
})
beforeEach(async () => {
  const [newest] = service.database.all<{ id: number | null }>('SELECT max(message_id) AS id FROM messages')
  const upTo = messageId(newest?.id ?? 1)
  for (const channel of [quiet, loud])
    await act({ name: 'mark-narrow-read', narrow: { kind: 'channel', channelId: channelId(channel) }, upTo })
  await device.until('outbox', account(), (items) => items.length === 0)
  await expect.poll(counts).toEqual({ unreadCount: 0, mentionCount: 0, badgeCount: 0 })
})

const account = () => ({ accountId: device.accountId })
const act = (action: Action) => device.bridge.call('act', { ...account(), action })
const see = (channel: number, topic: string, visibility: 'muted' | 'unmuted' | 'followed') =>
  act({ name: 'set-topic-visibility', channelId: channelId(channel), topic, visibility })
const counts = () => {
  const { unreadCount, mentionCount, badgeCount } = device.engine.shellState()
  return { unreadCount, mentionCount, badgeCount }
}

/** Another person writes there; waits until the device has decided about it, and returns the notifications. */
async function told(channel: number, topic: string, words = 'storm'): Promise<string[]> {
  const before = device.notices.length
  service.send(other.userId, channel, topic, words)
  // This message always notifies; once it has, everything before it is decided too.
  const last = `after ${++chats}`
  service.send(other.userId, loud, 'elsewhere', last)
  await expect.poll(() => device.notices.at(-1)?.body).toBe(last)
  return device.notices.slice(before, -1).map(({ body }) => body)
}
/** The expected counts, besides the message that `told` sends after the others. */
const counting = (unread: number, mentions = 0) => ({
  unreadCount: unread + 1,
  mentionCount: mentions,
  badgeCount: unread + 1,
})
/** The sidebar's count for a channel. */
const beside = async (channel: number) => {
  const { folders } = await device.ask('sidebar', account())
  return folders.flatMap(({ channels }) => channels).find((one) => one.channelId === channel)?.unreadCount
}

test('what is new in a channel is told of where that is wished, and counts', async () => {
  expect(await told(loud, 'weather')).toEqual(['storm'])
  await expect.poll(counts).toEqual(counting(1))
  expect(await beside(loud)).toBe(2)
})

test('a muted channel neither tells nor counts', async () => {
  expect(await told(quiet, 'weather')).toEqual([])
  await expect.poll(counts).toEqual(counting(0))
})

test('a muted topic neither tells nor counts, in a muted channel and in another', async () => {
  expect(await told(quiet, 'muted')).toEqual([])
  expect(await told(loud, 'muted')).toEqual([])
  await expect.poll(counts).toEqual(counting(1))
  expect(await beside(loud)).toBe(2)
})

test('an unmuted topic of a muted channel tells and counts as in one that is not muted', async () => {
  expect(await told(quiet, 'unmuted')).toEqual(['storm'])
  await expect.poll(counts).toEqual(counting(1))
})

test('a followed topic of a muted channel tells and counts, also where a channel as a whole tells nothing', async () => {
  expect(await told(quiet, 'followed')).toEqual(['storm'])
  await expect.poll(counts).toEqual(counting(1))
  await act({ name: 'set-subscription', channelId: channelId(quiet), property: 'desktop', value: false })
  expect(await told(quiet, 'followed', 'calm')).toEqual(['calm'])
  expect(await told(quiet, 'unmuted', 'calm')).toEqual([])
  await act({ name: 'set-subscription', channelId: channelId(quiet), property: 'desktop', value: null })
})

test('a mention is told of and counts as one wherever it is', async () => {
  expect(await told(quiet, 'weather', '@**Ada Brook** storm')).toEqual(['@Ada Brook storm'])
  await expect.poll(() => counts().mentionCount).toBe(1)
  expect(await told(loud, 'muted', '@**Ada Brook** storm')).toEqual(['@Ada Brook storm'])
  await expect.poll(() => counts().mentionCount).toBe(2)
  // The sidebar counts them, so the inbox's filter finds them, whereas everything else leaves out what is muted.
  const topicsOf = async (filter: 'all' | 'mentions') => {
    const { folders } = await device.ask('inbox', { ...account(), filter })
    const rows = folders.flatMap(({ channels }) => channels.flatMap(({ topics }) => topics))
    return rows.map(({ conversation }) => conversation.kind === 'topic' && conversation.topic).sort()
  }
  expect((await device.ask('sidebar', account())).mentionCount).toBe(2)
  expect(await topicsOf('mentions')).toEqual(['muted', 'weather'])
  // The service follows a topic with a mention, unless it is muted by itself.
  expect(await topicsOf('all')).toEqual(['elsewhere', 'weather'])
})

test('a mention of everybody counts as one as long as its place is not muted', async () => {
  const mentions = () => counts().mentionCount
  const mute = (value: boolean) =>
    act({ name: 'set-subscription', channelId: channelId(quiet), property: 'muted', value })
  expect(await told(quiet, 'gale', '@**all** storm')).toEqual([])
  expect(await told(loud, 'muted', '@**topic** storm')).toEqual([])
  expect(await told(quiet, 'unmuted', '@**all** storm')).toEqual(['@all storm'])
  await expect.poll(mentions).toBe(1)
  await mute(false)
  await expect.poll(mentions).toBe(2)
  await mute(true)
  await expect.poll(mentions).toBe(1)
  await see(quiet, 'gale', 'unmuted')
  await expect.poll(mentions).toBe(2)
  await see(quiet, 'gale', 'muted')
  await expect.poll(mentions).toBe(1)
})

test('a muted person is not told of, and does not count', async () => {
  await act({ name: 'mute-person', userId: userId(other.userId), on: true })
  await device.until('outbox', account(), (items) => items.length === 0)
  const before = device.notices.length
  service.send(other.userId, loud, 'weather', 'unheard')
  service.send(third.userId, loud, 'weather', 'heard')
  await expect.poll(() => device.notices.at(-1)?.body).toBe('heard')
  expect(device.notices.length).toBe(before + 1)
  await act({ name: 'mute-person', userId: userId(other.userId), on: false })
})

test('all of a place can be marked unread again, and loses its stars, as far as it is here', async () => {
  const ids = ['one', 'two'].map((words) => service.send(other.userId, loud, 'gauge', words)).map(messageId)
  const narrow = { kind: 'topic', channelId: channelId(loud), topic: 'gauge' } as const
  const marked = (mark: 'read' | 'starred') => device.ask('marked-ids', { ...account(), narrow, mark })
  await device.until(
    'unread-ids',
    { ...account(), narrow, upTo: messageId(1e9) },
    ({ length }) => length === 2,
  )
  expect(await marked('read')).toEqual([])
  await act({ name: 'mark-read', messageIds: ids })
  await act({ name: 'star-message', messageIds: ids.slice(0, 1), on: true })
  expect(await marked('read')).toEqual(ids.toReversed())
  expect(await marked('starred')).toEqual(ids.slice(0, 1))
})

test('reading everything leaves what is muted unread, here and on the server', async () => {
  const write = (channel: number, topics: readonly string[]) =>
    topics.map((topic) => service.send(other.userId, channel, topic, 'storm'))
  const muted = [...write(quiet, ['fog', 'muted']), ...write(loud, ['muted'])]
  const heard = [...write(quiet, ['unmuted', 'followed']), ...write(loud, ['fog'])]
  const last = heard.at(-1) ?? 0
  const unread = async () => {
    const narrows = [quiet, loud].map((id) => ({ kind: 'channel', channelId: channelId(id) }) as const)
    const upTo = messageId(last)
    const lists = await Promise.all(
      narrows.map((narrow) => device.ask('unread-ids', { ...account(), narrow, upTo })),
    )
    return lists.flat().sort((a, b) => a - b)
  }
  await expect.poll(unread).toEqual([...muted, ...heard])
  const all = { narrow: { kind: 'combined' }, upTo: messageId(last) } as const
  expect(await device.ask('unread-ids', { ...account(), ...all })).toEqual(heard)
  await act({ name: 'mark-narrow-read', ...all })
  expect(await unread()).toEqual(muted)
  await device.until('outbox', account(), (items) => items.length === 0)
  const there = service.database.all<{ id: number }>(
    `SELECT message_id AS id FROM user_messages WHERE user_id = ?1 AND is_read = 0 AND message_id <= ?2
     ORDER BY message_id`,
    { 1: own.userId, 2: last },
  )
  expect(there.map(({ id }) => id)).toEqual(muted)
  expect(await unread()).toEqual(muted)
})
