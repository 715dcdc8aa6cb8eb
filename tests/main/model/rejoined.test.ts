import { afterEach, expect, test } from 'vitest'
import { accountId, channelId, messageId } from '../../../src-shared/ids.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { feed } from '../../../src-main/queries/feed.ts'
import { topicList } from '../../../src-main/queries/topic-list.ts'
import { outboxRows } from '../../../src-main/store/outbox.ts'
import { userById } from '../../../src-server/workspace.ts'
import type { ModelDevice } from './device.ts'
import { createWorld, deviceOf, type World } from './world.ts'

// The combined history has what a person received. In a channel they can also read what was sent while they were not
// in it, so that history alone does not make a topic complete.

let world: World
let device: ModelDevice

afterEach(() => world.close())

async function open() {
  world = await createWorld(1)
  device = deviceOf(world)
}

const gauges = encodeURIComponent('["gauges"]')
const leave = () => world.ask('DELETE', '/users/me/subscriptions', `subscriptions=${gauges}`)
const join = (by = world.user) =>
  world.ask(
    'POST',
    '/users/me/subscriptions',
    `subscriptions=${encodeURIComponent('[{"name":"gauges"}]')}&principals=[${world.user.user_id}]`,
    by,
  )
const hear = (content: string) =>
  world.ask(
    'POST',
    '/messages',
    `type=stream&to=${world.channelId}&topic=drift&content=${content}`,
    world.other,
  )

const lastId = () =>
  world.workspace.db.get<{ id: number }>('SELECT max(message_id) AS id FROM messages')?.id ?? 0

/** The topic on screen: its words, with a mark for a gap, and whether the list of topics says that all of it is here. */
function shown(): [string, boolean] {
  const context = device.account.queryContext()
  const narrow = topicConversation(world.channelId, 'drift')
  const { messages, before, after, gapsAfter } = feed(context, {
    accountId: accountId('model'),
    narrow,
    around: 'newest',
    before: 400,
    after: 0,
  })
  const words = messages.map(
    ({ id, contentHtml }) => contentHtml.replaceAll(/<[^>]+>/g, '') + (gapsAfter.includes(id) ? ' …' : ''),
  )
  const { rows } = topicList(context, {
    channelId: channelId(world.channelId),
    filter: { resolved: 'any', onlyUnread: false, onlyFollowed: false, text: '' },
    order: 'newest',
    limit: 10,
  })
  return [
    [before === 'on-server' ? '…' : '', ...words, after === 'on-server' ? '…' : ''].join(' ').trim(),
    rows[0]?.isWhole === true,
  ]
}

test('what was sent between leaving and joining again is a gap until it was fetched', async () => {
  await open()
  await hear('low')
  await world.pass(3_000)
  // The new registration says that this is the channel's first message.
  device.loseQueue()
  await world.pass(60_000)
  expect(shown()).toEqual(['… low', true])
  await leave()
  await hear('mid')
  await world.pass(1_000)
  // The page that is fetched when somebody joins does not come.
  device.faults.calls.push('failed', 'failed', 'failed')
  await join()
  await hear('high')
  await world.pass(1_000)
  expect(shown()).toEqual(['… low … high …', false])
  device.faults.calls.length = 0
  device.setConnected(false)
  await world.pass(1_000)
  device.setConnected(true)
  await world.pass(60_000)
  expect(shown()).toEqual(['low mid high', true])
})

test('the first message that an empty channel receives makes its topic complete at once', async () => {
  await open()
  await hear('low')
  await world.pass(3_000)
  expect(shown()[1]).toBe(true)
  await hear('high')
  await world.pass(3_000)
  expect(shown()[1]).toBe(true)
})

test('a channel that was joined again while no event could tell is fetched', async () => {
  await open()
  await hear('low')
  await world.pass(3_000)
  await leave()
  await world.pass(1_000)
  device.setConnected(false)
  await hear('mid')
  await join()
  await hear('high')
  device.loseQueue()
  device.setConnected(true)
  await world.pass(60_000)
  expect(shown()).toEqual(['low mid high', true])
})

test('the first message of a channel that was joined late does not make its topics complete', async () => {
  await open()
  await leave()
  await hear('first')
  // More than one page.
  for (let count = 0; count < 205; count++) await hear('while')
  await join()
  await hear('now')
  device.loseQueue()
  await world.pass(60_000)
  const [before] = shown()
  expect(before).toMatch(/^… while .* now$/)
  // Somebody follows a link to it.
  await device.account.sync.refresh([messageId(1)])
  await world.pass(1_000)
  const [words, isWhole] = shown()
  expect(words).toMatch(/^… first … while .* now$/)
  expect(isWhole).toBe(false)
})

test('in a channel whose history becomes shared, what was sent before the person came is a gap until it was fetched', async () => {
  await open()
  const settings = (values: string) => world.ask('PATCH', `/streams/${world.channelId}`, values)
  await settings('is_private=true&history_public_to_subscribers=false')
  await hear('low')
  await leave()
  await hear('mid')
  await join(world.other)
  await hear('high')
  await world.pass(3_000)
  expect(shown()[0]).toBe('low high')
  await settings('is_private=true&history_public_to_subscribers=true')
  await world.pass(60_000)
  expect(shown()).toEqual(['low mid high', true])
})

test('a channel on screen that the person is not in is kept up to date, and has no hole after joining it', async () => {
  await open()
  await hear('low')
  await world.pass(3_000)
  await leave()
  const narrow = { kind: 'channel', channelId: channelId(world.channelId) } as const
  await device.account.sync.loadOlder(narrow, null)
  await world.pass(1_000)
  expect(shown()[0]).toBe('low')
  await hear('mid')
  await world.pass(120_000)
  expect(shown()[0]).toBe('low')
  const span = { around: 'newest', before: 400, after: 0 } as const
  const stop = device.account.watch('feed', { accountId: accountId('model'), narrow, ...span }, () => {})
  await world.pass(1_000)
  expect(shown()[0]).toBe('low mid')
  await hear('late')
  const before = device.requests.length
  await world.pass(10 * 60_000)
  expect(shown()[0]).toBe('low mid late')
  const asked = device.requests.slice(before).filter(({ path }) => path.startsWith('/messages?'))
  expect(asked.length).toBeGreaterThan(5)
  expect(asked.length).toBeLessThan(12)
  // No event tells of these.
  await hear('gone')
  await hear('last')
  await world.pass(120_000)
  expect(shown()[0]).toBe('low mid late gone last')
  const last = lastId()
  const reactions = () => device.store.db.all('SELECT emoji_name FROM reactions WHERE message_id = ?', [last])
  const change = (method: 'POST' | 'PATCH' | 'DELETE', path: string, form = '') =>
    world.ask(method, `/messages/${path}`, form, world.other)
  expect(await change('PATCH', `${last}`, 'content=latest')).toBe(200)
  expect(await change('POST', `${last}/reactions`, 'emoji_name=octopus')).toBe(200)
  expect(await change('DELETE', `${last - 1}`)).toBe(200)
  await world.pass(120_000)
  expect(shown()[0]).toBe('low mid late latest')
  expect(reactions()).toEqual([{ emoji_name: 'octopus' }])
  expect(await change('DELETE', `${last}/reactions`, 'emoji_name=octopus')).toBe(200)
  expect(await change('PATCH', `${last}`, 'content=last')).toBe(200)
  await world.pass(120_000)
  expect(shown()[0]).toBe('low mid late last')
  expect(reactions()).toEqual([])
  stop()
  await world.pass(60_000)
  // More than one page.
  for (let count = 0; count < 250; count++) await hear('while')
  // A message comes before the page that is fetched then.
  device.faults.calls.push('failed', 'failed', 'failed')
  await join()
  await hear('now')
  await world.pass(1_000)
  device.faults.calls.length = 0
  device.setConnected(false)
  await world.pass(1_000)
  device.setConnected(true)
  await world.pass(60_000)
  expect(shown()[0]).toMatch(/^low mid late last … while .* now$/)
})

test('what comes to a channel that the person is not in does not hide what others wrote before it', async () => {
  world = await createWorld(1, undefined, null, true)
  device = deviceOf(world)
  await hear('low')
  await world.pass(3_000)
  await leave()
  const narrow = { kind: 'channel', channelId: channelId(world.channelId) } as const
  await device.account.sync.loadOlder(narrow, null)
  const write = (to: number | null, content: string) =>
    world.ask('POST', '/messages', `type=stream&to=${to}&topic=drift&content=${content}`)
  await hear('mid')
  await write(world.channelId, 'mine')
  await world.pass(1_000)
  expect(shown()[0]).toBe('low … mine …')
  await device.account.sync.loadNewer(narrow, messageId(1))
  expect(shown()[0]).toBe('low mid mine')
  await hear('late')
  await write(world.farChannelId, 'moved')
  world.workspace.db.run('UPDATE users SET role = 200 WHERE user_id = ?', world.other.user_id)
  const mover = userById(world.workspace.db, world.other.user_id)
  const move = `stream_id=${world.channelId}&topic=drift&send_notification_to_new_thread=false`
  expect(await world.ask('PATCH', `/messages/${lastId()}`, move, mover)).toBe(200)
  await world.pass(1_000)
  expect(shown()[0]).toBe('low mid mine … moved …')
  await device.account.sync.loadNewer(narrow, messageId(3))
  expect(shown()[0]).toBe('low mid mine late moved')
})

test('what was edited or deleted in a channel while the person was not in it changes when they join again', async () => {
  await open()
  await world.pass(3_000)
  await leave()
  await hear('low')
  await hear('mid')
  await hear('high')
  const high = lastId()
  await device.account.sync.loadOlder({ kind: 'channel', channelId: channelId(world.channelId) }, null)
  await world.pass(1_000)
  expect(shown()[0]).toBe('low mid high')
  await world.ask('PATCH', `/messages/${high}`, 'content=higher', world.other)
  expect(await world.ask('DELETE', `/messages/${high - 1}`, '', world.other)).toBe(200)
  await world.pass(60_000)
  await join()
  await world.pass(3_000)
  expect(shown()[0]).toBe('low higher')
})

test('what is older than the newest page of a channel that was joined again is compared too', async () => {
  await open()
  await world.pass(3_000)
  await leave()
  await hear('low')
  const low = lastId()
  for (let count = 0; count < 450; count++) await hear('while')
  const narrow = { kind: 'channel', channelId: channelId(world.channelId) } as const
  await device.account.sync.loadOlder(narrow, null)
  for (let page = 0; page < 2; page++) {
    const oldest = device.store.db.get<{ id: number }>('SELECT min(message_id) AS id FROM messages')?.id ?? 0
    await device.account.sync.loadOlder(narrow, messageId(oldest))
  }
  await world.pass(1_000)
  const textOf = (id: number) =>
    device.store.db.get<{ text: string }>('SELECT content_html AS text FROM messages WHERE message_id = ?', [
      id,
    ])?.text
  expect(textOf(low)).toBe('<p>low</p>')
  await world.ask('PATCH', `/messages/${low}`, 'content=lower', world.other)
  expect(await world.ask('DELETE', `/messages/${low + 1}`, '', world.other)).toBe(200)
  await join()
  await world.pass(5 * 60_000)
  expect(textOf(low)).toBe('<p>lower</p>')
  expect(textOf(low + 1)).toBeUndefined()
})

test('a page that is compared while the person joins does not hide what was sent before they were in', async () => {
  await open()
  for (const content of ['low', 'mid']) await hear(content)
  await world.pass(3_000)
  await leave()
  await world.pass(1_000)
  world.workspace.db.run('DELETE FROM messages WHERE message_id = 1')
  await world.pass(1_000)
  device.latency = { up: 0, down: 3_000, events: 0 }
  const loaded = device.account.sync.loadOlder(topicConversation(world.channelId, 'drift'), null)
  loaded.catch(() => 'It fails in the end.')
  // The page is here, and lacks a message, which is asked for.
  await world.pass(4_000)
  // The page that is fetched when somebody joins does not come; the answer about the one message does.
  device.faults.calls.push('failed', 'none', ...Array.from({ length: 30 }, () => 'failed' as const))
  await hear('high')
  await join(world.other)
  await hear('ebb')
  await world.pass(6_000)
  expect(shown()).toEqual(['… mid … ebb …', false])
  device.faults.calls.length = 0
  device.setConnected(false)
  await world.pass(1_000)
  device.setConnected(true)
  await world.pass(60_000)
  expect(shown()).toEqual(['mid high ebb', true])
})

test('a message of a channel that the person has left cannot be unread, here as on the server', async () => {
  await open()
  for (const content of ['low', 'mid']) await hear(content)
  await world.pass(3_000)
  const mark = (name: 'mark-read' | 'mark-unread') =>
    device.account.outbox.enqueue({ name, messageIds: [messageId(1), messageId(2)] })
  mark('mark-read')
  await world.pass(1_000)
  await leave()
  await world.pass(1_000)
  mark('mark-unread')
  await world.pass(10_000)
  expect(device.store.db.column('SELECT message_id FROM messages')).toEqual([1, 2])
  expect(device.store.db.column('SELECT message_id FROM unread')).toEqual([])
  expect(outboxRows(device.store.db)).toEqual([])
})
