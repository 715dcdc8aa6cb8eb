import { afterAll, beforeAll, expect, test } from 'vitest'
import { channelId } from '../../src-shared/ids.ts'
import type { ParamsOf } from '../../src-shared/bridge/queries.ts'
import { openDevice, type Device } from '../support/device.ts'
import { ask } from '../support/service-process.ts'
import { startService, type TestService } from '../support/service.ts'

// The topics of a channel as a list, and all direct messages as a feed.

let service: TestService
let device: Device
let maren: ReturnType<TestService['createUser']>
let keiko: ReturnType<TestService['createUser']>
let channel: number
let foreign: number
let late: number

beforeAll(async () => {
  service = await startService()
  maren = service.createUser('Maren Aske')
  keiko = service.createUser('Keiko Tamura')
  channel = service.createChannel('gauges', [maren.userId, keiko.userId])
  // Maren's device gets no events of a channel that she is not in.
  foreign = service.createChannel('stores', [keiko.userId])
  service.send(keiko.userId, foreign, 'long cable ties', 'ten left')
  service.send(maren.userId, channel, 'Älv', 'first')
  service.send(keiko.userId, channel, '✔ drift', 'second')
  service.send(keiko.userId, channel, 'battery', 'third')
  service.send(keiko.userId, channel, 'battery', 'fourth')
  late = service.createChannel('logbook', [keiko.userId])
  service.send(keiko.userId, late, 'first watch', 'before Maren came')
  await ask(service.baseUrl, { email: keiko.email, key: keiko.apiKey }, 'POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'logbook' }],
    principals: [maren.userId],
  })
  service.send(keiko.userId, late, 'first watch', 'now Maren is here')
  device = await openDevice(service.baseUrl, maren)
})
afterAll(async () => {
  await device.close()
  await service.close()
})

const wish = (
  more: Partial<ParamsOf<'topic-list'>['filter']> = {},
  order: ParamsOf<'topic-list'>['order'] = 'newest',
) => ({
  accountId: device.accountId,
  channelId: channelId(channel),
  filter: { resolved: 'any' as const, onlyUnread: false, onlyFollowed: false, text: '', ...more },
  order,
  limit: 60,
})
const names = async (...wanted: Parameters<typeof wish>) => {
  const { rows } = await device.ask('topic-list', wish(...wanted))
  return rows.map(({ label }) => (label.kind === 'topic' ? label.topic : ''))
}

test('topics are listed by newest, name or unread, and found by parts of their names', async () => {
  await device.until('topic-list', wish(), ({ total }) => total === 3)
  expect(await names()).toEqual(['battery', '✔ drift', 'Älv'])
  expect(await names({}, 'name')).toEqual(['Älv', 'battery', '✔ drift'])
  expect((await names({}, 'unread'))[0]).toBe('battery')
  expect(await names({ text: 'alv' })).toEqual(['Älv'])
  expect(await names({ resolved: 'yes' })).toEqual(['✔ drift'])
  expect(await names({ resolved: 'no' })).not.toContain('✔ drift')
  expect(await names({ onlyUnread: true })).not.toContain('Älv')
  // Whoever begins a topic follows it.
  expect(await names({ onlyFollowed: true })).toEqual(['Älv'])
  const action = { channelId: channelId(channel), topic: 'Battery', visibility: 'followed' } as const
  const { accountId } = device
  await device.bridge.call('act', { accountId, action: { name: 'set-topic-visibility', ...action } })
  expect(await names({ onlyFollowed: true })).toEqual(['battery', 'Älv'])
})

test('the topic that is open is among the first few, however old it is', async () => {
  await device.until('topic-list', wish(), ({ total }) => total === 3)
  const first = { accountId: device.accountId, channelId: channelId(channel), limit: 1 }
  const listed = async (open?: string) => {
    const { topics, more } = await device.ask('channel-topics', { ...first, ...(open && { open }) })
    return [...topics.map(({ topic }) => topic), more]
  }
  expect(await listed()).toEqual(['battery', 2])
  expect(await listed('älv')).toEqual(['battery', 'Älv', 1])
  expect(await listed('battery')).toEqual(['battery', 2])
  expect(await listed('nobody wrote here')).toEqual(['battery', 'nobody wrote here', 2])
  const { topics } = await device.ask('channel-topics', { ...first, open: '✔ nobody wrote here' })
  expect(topics[1]).toEqual({
    topic: '✔ nobody wrote here',
    displayName: '✔ nobody wrote here',
    isEmptyTopic: false,
    isResolved: true,
    visibility: 'none',
    unreadCount: 0,
    hasMention: false,
    newestMessageId: null,
  })
})

test('topics of which no message is here are listed once the server named them', async () => {
  const { accountId } = device
  const there = { ...wish(), channelId: channelId(foreign) }
  expect((await device.ask('topic-list', there)).total).toBe(0)
  await device.bridge.call('load-topics', { accountId, channelId: channelId(foreign) })
  const { rows } = await device.until('topic-list', there, ({ total }) => total === 1)
  expect(rows[0]).toMatchObject({
    label: { topic: 'long cable ties' },
    messageCount: 0,
    isWhole: false,
    hasNewest: false,
    newestAt: 0,
    people: [],
  })
})

test('a topic says whether all of it is here, and whether its newest message is', async () => {
  const { accountId } = device
  const there = { ...wish(), channelId: channelId(foreign) }
  const narrow = { kind: 'topic', channelId: channelId(foreign), topic: 'long cable ties' } as const
  const partsOf = async (what: ReturnType<typeof wish>, topic: string) => {
    const { rows } = await device.ask('topic-list', what)
    const row = rows.find(({ label }) => label.kind === 'topic' && label.topic === topic)
    return [row?.messageCount, row?.isWhole, row?.hasNewest]
  }
  // Everything was sent while Maren was in that channel.
  await device.until(
    'topic-list',
    wish(),
    ({ rows }) => rows.length === 3 && rows.every((row) => row.isWhole),
  )
  expect(await partsOf(wish(), 'battery')).toEqual([2, true, true])
  // Opened once, the topic is here from its beginning.
  await device.bridge.call('load-older', { accountId, narrow, before: null })
  await device.until('topic-list', there, ({ rows }) => rows[0]?.isWhole === true)
  expect(await partsOf(there, 'long cable ties')).toEqual([1, true, true])
  // No event says so, and the list of topics has only the number of the newest message.
  service.send(keiko.userId, foreign, 'long cable ties', 'nine left')
  await device.bridge.call('load-topics', { accountId, channelId: channelId(foreign) })
  await device.until('topic-list', there, ({ rows }) => rows[0]?.hasNewest === false)
  expect(await partsOf(there, 'long cable ties')).toEqual([1, false, false])
})

test('in a channel that the person joined later, a topic may have begun before', async () => {
  const here = { ...wish(), channelId: channelId(late) }
  const { rows } = await device.until('topic-list', here, ({ total }) => total === 1)
  expect(rows[0]).toMatchObject({ messageCount: 1, isWhole: false, hasNewest: true })
})

test('a topic leads where its words lead, by the rules of the organization and as addresses', async () => {
  const { owner } = service
  await fetch(`${service.baseUrl}/realm/filters`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${owner.delivery_email}:${owner.api_key}`)}` },
    body: new URLSearchParams({
      pattern: 'DT-(?P<serial>[0-9]{4})',
      url_template: 'https://kit.example/loggers/{serial}',
    }),
  })
  const { accountId } = device
  const links = await device.until(
    'topic-links',
    { accountId, topic: 'DT-0417 as on https://board.example/4, not DT-41' },
    (value) => value.length === 2,
  )
  expect(links).toEqual([
    { text: 'DT-0417', url: 'https://kit.example/loggers/0417' },
    { text: 'https://board.example/4', url: 'https://board.example/4' },
  ])
})

test('all direct messages are one feed, live, and nothing else is in it', async () => {
  const { accountId } = device
  const feed = { accountId, narrow: { kind: 'directs' }, around: 'newest', before: 20, after: 0 } as const
  const act = (userIds: readonly number[], content: string) =>
    device.bridge.call('act', {
      accountId,
      action: {
        name: 'send-message',
        conversation: { kind: 'direct', userIds: [...userIds] },
        content,
        draftId: null,
      },
    })
  await act([keiko.userId], 'to Keiko')
  await act([], 'to oneself')
  const { messages } = await device.until('feed', feed, (value) => value.messages.length === 2)
  expect(messages.every(({ conversation }) => conversation.kind === 'direct')).toBe(true)
  const settled = await device.until(
    'feed',
    feed,
    (value) => value.before === 'beginning' && value.after === 'end',
  )
  expect(settled.waiting).toEqual([])
})
