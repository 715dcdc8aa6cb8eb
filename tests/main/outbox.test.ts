import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ActionInput } from '../../src-shared/bridge/actions.ts'
import { channelId, messageId } from '../../src-shared/ids.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import { makesEachTime } from '../../src-shared/model/outbox.ts'
import { offlineActions } from '../../src-main/outbox/actions/index.ts'
import { openDevice, type Device } from '../support/device.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let device: Device
let other: { userId: number }
let topic: Conversation & { kind: 'topic' }

beforeEach(async () => {
  service = await startService()
  const maren = service.createUser('Maren Aske')
  other = service.createUser('Keiko Tamura')
  const channel = service.createChannel('gauges', [maren.userId, other.userId])
  topic = { kind: 'topic', channelId: channelId(channel), topic: 'drift' }
  service.send(other.userId, channel, 'drift', 'first')
  device = await openDevice(service.baseUrl, maren)
  await device.until('feed', feed(), ({ messages }) => messages.length === 1)
})

afterEach(async () => {
  await device.close()
  await service.close()
})

const feed = () =>
  ({ accountId: device.accountId, narrow: topic, around: 'newest', before: 50, after: 0 }) as const
const write = (content: string) =>
  device.bridge.call('act', {
    accountId: device.accountId,
    action: { name: 'send-message', conversation: topic, content, draftId: null },
  })
const sent = () =>
  service.database
    .all<{ content: string }>('SELECT content FROM messages ORDER BY message_id')
    .map(({ content }) => content)

test('what was written while the service was away is sent in order, once, after a restart', async () => {
  await service.stop()
  await write('one')
  await write('two')
  await write('three')
  const waiting = await device.ask('feed', feed())
  expect(waiting.waiting.map(({ contentMarkdown }) => contentMarkdown)).toEqual(['one', 'two', 'three'])
  await device.restart()
  await service.start()
  await device.until('feed', feed(), (value) => value.waiting.length === 0 && value.messages.length === 4)
  expect(sent()).toEqual(['first', 'one', 'two', 'three'])
})

test('exactly those changes make something each time that may not be repeated', () => {
  const notRepeatable = Object.entries(offlineActions).filter(([, { isRepeatable }]) => !isRepeatable)
  expect(new Set(notRepeatable.map(([name]) => name))).toEqual(makesEachTime)
})

test('what waits says what it changes', async () => {
  await service.stop()
  const { accountId } = device
  const [first] = (await device.ask('feed', feed())).messages
  const messageId = first?.id ?? 0
  await device.bridge.call('act', {
    accountId,
    action: { name: 'edit-message', messageId, content: '**Changed** words', previousContent: 'first' },
  })
  const { channelId, topic: name } = topic
  for (const to of ['✔ drift', 'drifting'])
    await device.bridge.call('act', {
      accountId,
      action: {
        name: 'move-messages',
        messageId,
        which: 'all',
        from: { channelId, topic: name },
        to: { channelId, topic: to },
      },
    })
  const items = await device.ask('outbox', { accountId })
  expect(items.map(({ title }) => title)).toEqual([
    'Edit: Changed words',
    'Topic marked as resolved',
    'Topic renamed to “drifting”',
  ])
  for (const [note, title] of [
    ['', 'Reminder: first'],
    [' bring\noars ', 'Reminder: bring oars'],
  ] as const) {
    const action = { name: 'remind-me', messageId, at: Date.now() + 3_600_000, note } as const
    await device.bridge.call('act', { accountId, action })
    expect((await device.ask('outbox', { accountId })).map((item) => item.title)).toContain(title)
  }
  const [edit] = items
  await device.bridge.call('act', { accountId, action: { name: 'delete-message', messageId } })
  expect((await device.ask('feed', feed())).messages).toEqual([])
  const deletion = (await device.ask('outbox', { accountId })).find(
    ({ action }) => action === 'delete-message',
  )
  // The message is gone from here, but the item still names it and its place.
  expect(deletion).toMatchObject({
    title: 'Deletion: first',
    conversation: topic,
    label: edit?.label,
    messageId: null,
  })
})

test('resolving and unresolving a topic offline, by whichever of its messages, queues nothing', async () => {
  const second = service.send(other.userId, topic.channelId, 'drift', 'second')
  const { messages } = await device.until('feed', feed(), (value) => value.messages.length === 2)
  await service.stop()
  const { accountId } = device
  // A request on its way could arrive, and would then not be cancelled.
  await device.until('sync-state', { accountId }, ({ status }) => status === 'offline')
  const { channelId } = topic
  const mark = (id: number, from: string, to: string) =>
    device.bridge.call('act', {
      accountId,
      action: {
        name: 'move-messages',
        messageId: messageId(id),
        which: 'all',
        from: { channelId, topic: from },
        to: { channelId, topic: to },
      },
    })
  const waiting = async () => (await device.ask('outbox', { accountId })).map(({ title }) => title)
  await mark(messages[0]?.id ?? 0, 'drift', '✔ drift')
  expect(await waiting()).toEqual(['Topic marked as resolved'])
  await mark(second, '✔ drift', 'drift')
  expect(await waiting()).toEqual([])
})

test('everything is marked as read once, however often that is said', async () => {
  await service.stop()
  const { accountId } = device
  const [first] = (await device.ask('feed', feed())).messages
  const upTo = messageId(first?.id ?? 0)
  const act = (action: ActionInput) => device.bridge.call('act', { accountId, action })
  const waiting = async () => (await device.ask('outbox', { accountId })).map(({ title }) => title)
  const markAll = () => act({ name: 'mark-narrow-read', narrow: { kind: 'combined' }, upTo })
  await markAll()
  await markAll()
  const once = await waiting()
  expect(once).toEqual(['1 message marked read', 'Everything marked read'])
  // Messages that became unread in between are marked too, by a second change.
  await act({ name: 'mark-unread', messageIds: [upTo] })
  await markAll()
  expect(await waiting()).toEqual([...once, '1 message marked unread', ...once])
})

test('a message whose answer was lost is not sent twice', async () => {
  // The service accepts the message and stops before it answers.
  const server = service.workspace
  const original = server.db.run
  let stopping = null as Promise<void> | null
  server.db.run = (sql, ...parameters) => {
    const result = original(sql, ...parameters)
    if (stopping === null && sql.startsWith('INSERT INTO message_words'))
      stopping = new Promise((resolve) => setImmediate(() => resolve(service.stop())))
    return result
  }
  await write('exactly once')
  await expect.poll(() => stopping).not.toBe(null)
  server.db.run = original
  await stopping
  await service.start()
  await device.until('feed', feed(), (value) => value.waiting.length === 0 && value.messages.length === 2)
  expect(sent()).toEqual(['first', 'exactly once'])
})

test('a refused message is explained, holds its conversation and can be taken back', async () => {
  service.database.run('UPDATE channels SET is_archived = 1')
  const { accountId } = device
  await write('**nobody** may `write` here, as [said](https://example.org/rules)')
  const { waiting } = await device.until(
    'feed',
    feed(),
    (value) => value.waiting[0]?.state.state === 'refused',
  )
  expect(waiting[0]?.state.reason).toContain('archived')
  const one = { changes: 1, messages: 1 }
  expect(await device.ask('sync-state', { accountId })).toMatchObject({ needsYou: one, waiting: 0 })
  const [item] = await device.ask('outbox', { accountId })
  expect(item?.title).toBe('nobody may write here, as said')
  service.database.run('UPDATE channels SET is_archived = 0')
  await write('after it')
  await device.until('feed', feed(), (value) => value.waiting[1]?.state.isBehindAnother === true)
  expect(await device.ask('sync-state', { accountId })).toMatchObject({ needsYou: one, waiting: 1 })
  // Messages to other topics are sent.
  await device.bridge.call('act', {
    accountId: device.accountId,
    action: {
      name: 'send-message',
      conversation: { ...topic, topic: 'rope' },
      content: 'elsewhere',
      draftId: null,
    },
  })
  await expect.poll(sent).toEqual(['first', 'elsewhere'])
  const { draftId } = await device.bridge.call('take-back-message', {
    accountId: device.accountId,
    localId: waiting[0]?.localId ?? '',
  })
  const draft = await device.ask('draft', { accountId: device.accountId, draftId })
  expect(draft?.content).toBe('**nobody** may `write` here, as [said](https://example.org/rules)')
  await device.until('outbox', { accountId: device.accountId }, (items) => items.length === 0)
  await device.until('sync-state', { accountId }, ({ needsYou }) => needsYou.changes === 0)
  expect(sent()).toEqual(['first', 'elsewhere', 'after it'])
})

test('marks show at once, survive the way back and opposite ones cancel', async () => {
  await service.stop()
  const act = (action: Parameters<typeof device.bridge.call<'act'>>[1]['action']) =>
    device.bridge.call('act', { accountId: device.accountId, action })
  const [message] = (await device.ask('feed', feed())).messages
  const id = message?.id ?? messageId(0)
  await act({ name: 'star-message', messageIds: [id], on: true })
  await act({
    name: 'react',
    messageId: id,
    emoji: { name: 'thumbs_up', code: '1f44d', type: 'unicode_emoji' },
    on: true,
  })
  await act({
    name: 'react',
    messageId: id,
    emoji: { name: 'eyes', code: '1f440', type: 'unicode_emoji' },
    on: true,
  })
  await act({
    name: 'react',
    messageId: id,
    emoji: { name: 'eyes', code: '1f440', type: 'unicode_emoji' },
    on: false,
  })
  await act({ name: 'mark-read', messageIds: [id] })
  const collapse = (on: boolean) => act({ name: 'collapse-message', messageIds: [id], on })
  // All of them before any is sent.
  await Promise.all([collapse(true), collapse(true), collapse(false)])
  expect((await device.ask('feed', feed())).messages).toMatchObject([{ isCollapsed: false }])
  const waiting = await device.ask('outbox', { accountId: device.accountId })
  expect(waiting.map(({ action }) => action)).not.toContain('collapse-message')
  await collapse(true)
  const [now] = (await device.ask('feed', feed())).messages
  expect(now).toMatchObject({ isStarred: true, isUnread: false, isCollapsed: true })
  expect(now?.reactions).toMatchObject([{ isMine: true, isWaiting: true }])
  await service.start()
  await device.until('outbox', { accountId: device.accountId }, (items) => items.length === 0)
  expect(service.database.all('SELECT emoji_name FROM reactions')).toEqual([{ emoji_name: 'thumbs_up' }])
  expect(
    service.database.get('SELECT is_read, is_starred, is_collapsed FROM user_messages WHERE user_id = 2'),
  ).toEqual({ is_read: 1, is_starred: 1, is_collapsed: 1 })
  // No change: it is already collapsed, so only the opposite is sent.
  await Promise.all([collapse(true), collapse(false)])
  await device.until('outbox', { accountId: device.accountId }, (items) => items.length === 0)
  expect(service.database.get('SELECT is_collapsed FROM user_messages WHERE user_id = 2')).toEqual({
    is_collapsed: 0,
  })
})

test('what others did while the service was away appears, with nothing twice', async () => {
  await service.stop()
  await service.start()
  service.send(other.userId, topic.channelId, 'drift', 'while you were away')
  service.send(other.userId, topic.channelId, 'drift', '@**Maren Aske** look')
  const { messages } = await device.until('feed', feed(), (value) => value.messages.length === 3)
  expect(messages.at(-1)?.isMentioned).toBe(true)
  expect(new Set(messages.map(({ id }) => id)).size).toBe(3)
})

test('a mention on a live queue raises a notification, once', async () => {
  service.send(other.userId, topic.channelId, 'drift', '@**Maren Aske** the tube is wet')
  await expect.poll(() => device.notices.length).toBe(1)
  expect(device.notices[0]).toMatchObject({ body: '@Maren Aske the tube is wet' })
})
