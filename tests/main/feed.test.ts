import { afterEach, expect, test } from 'vitest'
import type { ActionInput } from '../../src-shared/bridge/actions.ts'
import type { Feed } from '../../src-shared/model/feed.ts'
import { channelId, messageId } from '../../src-shared/ids.ts'
import { topicConversation } from '../../src-shared/model/conversation.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import { openDevice, type Device } from '../support/device.ts'
import { startService, type TestService } from '../support/service.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

async function setUp(configuration: { visibleMessages: number | null } = { visibleMessages: null }) {
  const service = await startService({ configuration })
  opened.push(service)
  const own = service.createUser('Maren Aske')
  const other = service.createUser('Keiko Tamura')
  const channel = service.createChannel('gauges', [own.userId, other.userId])
  const elsewhere = service.createChannel('moorings', [other.userId])
  const say = (topic: string, content: string, to = channel) => service.send(other.userId, to, topic, content)
  return { service, own, other, channel, elsewhere, say }
}
async function signIn(service: TestService, own: { email: string; apiKey: string }): Promise<Device> {
  const device = await openDevice(service.baseUrl, own)
  opened.push(device)
  return device
}
const window = { around: 'newest', before: 50, after: 50 } as const
const topicOf = (service: TestService, id: number) =>
  service.database.get<{ channel_id: number; topic: string }>(
    'SELECT channel_id, topic FROM messages WHERE message_id = ?',
    id,
  )

test('a feed claims no more than what is known of its own narrow', async () => {
  const { service, own, channel, elsewhere, say } = await setUp()
  for (let index = 0; index < 5; index++) {
    say('drift', `here ${index}`)
    say('chain', `there ${index}`, elsewhere)
  }
  const { bridge, accountId, until, ask } = await signIn(service, own)
  const feedOf = (narrow: Narrow) => ({ accountId, narrow, ...window })
  // Everything that this account ever received is here, back to the beginning.
  await until(
    'feed',
    feedOf({ kind: 'combined' }),
    (feed) => feed.before === 'beginning' && feed.after === 'end',
  )

  // That does not include a channel that the person is not in.
  const foreign: Narrow = { kind: 'channel', channelId: channelId(elsewhere) }
  expect(await ask('feed', feedOf(foreign))).toMatchObject({
    messages: [],
    before: 'on-server',
    after: 'on-server',
  })
  await bridge.call('load-older', { accountId, narrow: foreign, before: null })
  const fetched = await ask('feed', feedOf(foreign))
  expect(fetched.messages).toHaveLength(5)
  expect(fetched.before).toBe('beginning')

  // The person's channel may be older than their subscription.
  const drift = topicConversation(channel, 'drift')
  const known = await ask('feed', feedOf(drift))
  expect(known).toMatchObject({ before: 'on-server', after: 'end', gapsAfter: [] })
  expect(known.messages).toHaveLength(5)
  await bridge.call('load-older', { accountId, narrow: drift, before: known.messages[0]?.id ?? null })
  expect(await ask('feed', feedOf(drift))).toMatchObject({ before: 'beginning' })
})

test('what the plan of the organization hides is not taken for the beginning, until the plan shows it', async () => {
  const configuration: { visibleMessages: number | null } = { visibleMessages: 4 }
  const { service, own, channel, elsewhere, say } = await setUp(configuration)
  say('chain', 'rusty', elsewhere)
  for (const topic of ['dawn', 'drift', 'drift', 'drift', 'drift', 'dusk']) say(topic, 'a buoy')
  const { accountId, bridge, until, ask } = await signIn(service, own)
  const feedOf = (narrow: Narrow) => ({ accountId, narrow, ...window })
  const toEnd = (narrow: Narrow) => until('feed', feedOf(narrow), ({ after }) => after === 'end')
  const edges = async (narrow: Narrow) => {
    const { before, messages } = await ask('feed', feedOf(narrow))
    return [before, messages.length]
  }
  const all: Narrow = { kind: 'combined' }
  const [dawn, drift, dusk] = ['dawn', 'drift', 'dusk'].map((topic) => topicConversation(channel, topic))
  if (dawn === undefined || drift === undefined || dusk === undefined) return
  const chain = topicConversation(elsewhere, 'chain')
  await toEnd(all)
  // Unread messages are here, whatever their age.
  await until('feed', feedOf(all), ({ messages }) => messages.length === 6)
  const load = (narrow: Narrow) => bridge.call('load-older', { accountId, narrow, before: null })
  // That the channel's older messages are hidden says nothing about a topic that began later.
  const whole: Narrow = { kind: 'channel', channelId: channelId(channel) }
  await load(whole)
  expect(await edges(whole)).toEqual(['limited', 6])
  expect(await edges(dusk)).toEqual(['on-server', 1])
  for (const narrow of [dawn, drift, dusk, chain]) await load(narrow)
  expect(await edges(all)).toEqual(['limited', 6])
  expect(await edges(chain)).toEqual(['limited', 0])
  expect(await edges(dawn)).toEqual(['limited', 1])
  expect(await edges(drift)).toEqual(['limited', 4])
  expect(await edges(dusk)).toEqual(['beginning', 1])

  service.workspace.publish(null, { type: 'realm', op: 'update', property: 'plan_type', value: 1 })
  await until('feed', feedOf(drift), ({ before }) => before === 'on-server')
  await load(drift)
  expect(await edges(drift)).toEqual(['limited', 4])

  await service.stop()
  configuration.visibleMessages = null
  await service.start()
  await bridge.call('try-now', { accountId })
  await until('feed', feedOf(all), ({ before }) => before === 'beginning')
  for (const narrow of [dawn, drift, chain]) {
    expect((await edges(narrow))[0]).toBe('on-server')
    await load(narrow)
    expect((await edges(narrow))[0]).toBe('beginning')
  }
})

test('a topic is renamed, and resolved while nobody answers; the feed says what waits', async () => {
  const { service, own, channel, say } = await setUp()
  const ids = [say('drift', 'one'), say('drift', 'two'), say('drift', 'three')]
  const { bridge, accountId, until, untilOffline } = await signIn(service, own)
  const from = { channelId: channel, topic: 'drift' }
  const feedOf = (topic: string) => ({ accountId, narrow: topicConversation(channel, topic), ...window })
  await until('feed', feedOf('drift'), (feed) => feed.messages.length === 3)
  // The topics also have the service's notices about moves, which are ignored here.
  const has = (messages: Feed['messages'], ...indexes: number[]) =>
    indexes.every((index) => messages.some(({ id }) => id === ids[index]))
  const move = (messageIndex: number, which: 'one' | 'later' | 'all', place: typeof from, topic: string) =>
    bridge.call('act', {
      accountId,
      action: {
        name: 'move-messages',
        messageId: messageId(ids[messageIndex] ?? 0),
        which,
        from: place,
        to: { channelId: channel, topic },
      },
    })
  await move(1, 'later', from, 'clamp')
  await until('feed', feedOf('clamp'), ({ messages }) => has(messages, 1, 2))
  await until('feed', feedOf('drift'), ({ messages, moving }) => !has(messages, 1) && moving.length === 0)

  await service.stop()
  await untilOffline()
  const clamp = { channelId: channel, topic: 'clamp' }
  await move(1, 'all', clamp, '✔ clamp')
  await until('feed', feedOf('clamp'), ({ moving, messages }) => moving.length === 1 && has(messages, 1, 2))
  // Undone before it was sent, and done again.
  await move(1, 'all', { channelId: channel, topic: '✔ clamp' }, 'clamp')
  await until('feed', feedOf('clamp'), (feed) => feed.moving.length === 0)
  await move(1, 'all', clamp, '✔ clamp')
  // Renaming and resolving are two changes, which may be made in any order.
  await move(0, 'all', from, '✔ drift')
  await move(0, 'all', from, 'drift south')
  await move(0, 'all', from, '✔ drift')
  const goalOf = ({ moving }: Feed) => moving.find((one) => one.from.topic === 'drift')?.to
  await until('feed', feedOf('drift'), (feed) => goalOf(feed)?.topic === '✔ drift south')
  await service.start()
  await bridge.call('try-now', { accountId })
  await until('feed', feedOf('✔ clamp'), ({ messages }) => has(messages, 1, 2))
  await until('feed', feedOf('✔ drift south'), ({ messages }) => has(messages, 0))
  // Who is still in the old topic is told where it went.
  await until(
    'feed',
    feedOf('clamp'),
    ({ movedTo }) => movedTo?.kind === 'topic' && movedTo.topic === '✔ clamp',
  )
  expect(ids.map((id) => topicOf(service, id)?.topic)).toEqual(['✔ drift south', '✔ clamp', '✔ clamp'])
})

test('who wrote what when, and who has read it, comes from the server, and as it was seen without it', async () => {
  const { service, own, other, channel, say } = await setUp()
  const id = say('drift', 'first words')
  const headers = { authorization: `Basic ${btoa(`${other.email}:${other.apiKey}`)}` }
  const edit = (form: Record<string, string>) =>
    fetch(`${service.baseUrl}/messages/${id}`, { method: 'PATCH', headers, body: new URLSearchParams(form) })
  expect((await edit({ content: 'second words' })).status).toBe(200)
  expect((await edit({ topic: 'clamp' })).status).toBe(200)
  const { bridge, accountId, until } = await signIn(service, own)
  await until('people', { accountId, narrow: null, text: '' }, ([group]) => (group?.total ?? 0) >= 2)
  const clamp = { accountId, narrow: topicConversation(channel, 'clamp'), ...window }
  await until('feed', clamp, ({ messages }) => messages.some((one) => one.id === id))
  const { versions, isFromServer } = await bridge.call('message-history', {
    accountId,
    messageId: messageId(id),
  })
  expect(isFromServer).toBe(true)
  expect(
    versions.map(({ personName, contentHtml, changes, movedFrom, isOriginal }) => [
      personName,
      contentHtml ?? changes,
      movedFrom,
      isOriginal,
    ]),
  ).toEqual([
    ['Keiko Tamura', null, 'drift', false],
    [
      'Keiko Tamura',
      [
        { text: 'second', before: 'first' },
        { text: ' words', before: ' words' },
      ],
      null,
      false,
    ],
    ['Keiko Tamura', '<p>first words</p>', null, true],
  ])
  await bridge.call('act', { accountId, action: { name: 'mark-read', messageIds: [messageId(id)] } })
  await expect
    .poll(() =>
      service.database.get<{ n: number }>(
        'SELECT count(*) AS n FROM user_messages WHERE user_id = ? AND is_read = 1',
        own.userId,
      ),
    )
    .toEqual({ n: 1 })
  const receipts = await bridge.call('read-receipts', { accountId, messageId: messageId(id) })
  // They need not be told that they have read it themselves.
  expect(receipts.people).toEqual([])
  const written = messageId(service.send(own.userId, channel, 'drift', 'and mine'))
  service.database.run('UPDATE user_messages SET is_read = 1 WHERE message_id = ?', written)
  const { people } = await bridge.call('read-receipts', { accountId, messageId: written })
  expect(people.map(({ fullName }) => fullName)).toEqual(['Keiko Tamura'])
  const unseen = messageId(say('drift', 'nobody looked at this one'))
  await service.stop()
  expect(await bridge.call('message-history', { accountId, messageId: messageId(id) })).toEqual({
    versions,
    isFromServer: false,
  })
  expect(await bridge.call('read-receipts', { accountId, messageId: messageId(id) })).toEqual(receipts)
  await expect(bridge.call('message-history', { accountId, messageId: unseen })).rejects.toThrow()
  await service.start()
  service.workspace.db.run('DELETE FROM messages WHERE message_id = ?', id)
  await expect(bridge.call('message-history', { accountId, messageId: messageId(id) })).rejects.toThrow()
})

test('the versions of a message that nobody has looked at are known offline', async () => {
  const { service, own, other, channel, say } = await setUp()
  const headers = { authorization: `Basic ${btoa(`${other.email}:${other.apiKey}`)}` }
  const edit = async (id: number, form: Record<string, string>) => {
    const init = { method: 'PATCH', headers, body: new URLSearchParams(form) }
    expect((await fetch(`${service.baseUrl}/messages/${id}`, init)).status).toBe(200)
  }
  const [before, after, gone] = [
    say('drift', 'low water'),
    say('drift', 'first *gulls*'),
    say('drift', 'secret'),
  ]
  await edit(before, { content: 'high water' })
  await edit(before, { content: 'high tide' })
  await edit(gone, { content: 'told' })
  const { bridge, accountId, until, untilOffline } = await signIn(service, own)
  const drift = { accountId, narrow: topicConversation(channel, 'drift'), ...window }
  await until('feed', drift, ({ messages }) => messages.length === 3)
  await edit(after, { content: 'second gulls' })
  await edit(after, { topic: 'clamp' })
  await edit(after, { topic: '✔ clamp' })
  await edit(gone, { content: 'told again' })
  await until(
    'feed',
    { ...drift, narrow: topicConversation(channel, '✔ clamp') },
    ({ messages }) => messages.length > 0,
  )
  const remove = await fetch(`${service.baseUrl}/messages/${gone}`, { method: 'DELETE', headers })
  expect(remove.status).toBe(200)
  await until('feed', drift, ({ messages }) => messages.length === 1)
  await service.stop()
  await untilOffline()
  const versionsOf = async (id: number) => {
    const answer = await bridge.call('message-history', { accountId, messageId: messageId(id) })
    expect(answer.isFromServer).toBe(false)
    return answer.versions.map(({ personName, contentHtml, changes, movedFrom, isOriginal }) => [
      personName,
      contentHtml ?? changes?.map(({ text, before: replaced }) => `${replaced}|${text}`).join(' ') ?? null,
      movedFrom,
      isOriginal,
    ])
  }
  // The Markdown of a text that was never shown as such is not known.
  expect(await versionsOf(before)).toEqual([
    ['Keiko Tamura', '<p>high tide</p>', null, false],
    ['Keiko Tamura', 'low|high  water| water', null, false],
    ['Keiko Tamura', '<p>low water</p>', null, true],
  ])
  expect(await versionsOf(after)).toEqual([
    ['Keiko Tamura', null, 'clamp', false],
    ['Keiko Tamura', null, 'drift', false],
    ['Keiko Tamura', 'first|second  |  *| gulls|gulls *|', null, false],
    ['Keiko Tamura', '<p>first <em>gulls</em></p>', null, true],
  ])
  await expect(versionsOf(gone)).rejects.toThrow()
})

test('a reminder and a report wait for the server and reach it once', async () => {
  const { service, own, say } = await setUp()
  const id = messageId(say('drift', 'buy cheap watches'))
  const { bridge, accountId, until } = await signIn(service, own)
  await until('sync-state', { accountId }, ({ status }) => status === 'synced')
  await service.stop()
  const at = Date.now() + 60 * 60 * 1_000
  await bridge.call('act', { accountId, action: { name: 'remind-me', messageId: id, at } })
  await bridge.call('act', {
    accountId,
    action: { name: 'report-message', messageId: id, reason: 'spam', words: '' },
  })
  await until('outbox', { accountId }, (items) => items.length === 2)
  await service.start()
  await bridge.call('try-now', { accountId })
  const left = await until(
    'outbox',
    { accountId },
    (items) => items.length === 1 && items[0]?.state.state === 'refused',
  )
  // This organization has no channel for reports, so the server refuses; the report stays in the outbox.
  expect(left[0]?.action).toBe('report-message')
  const reminders = service.database.get<{ n: number }>('SELECT count(*) AS n FROM reminders')
  expect(reminders).toEqual({ n: 1 })
})

test('a reminder keeps its note, can be put off offline, and is done with once', async () => {
  const { service, own, say } = await setUp()
  const id = messageId(say('drift', 'the clamp is loose'))
  const { bridge, accountId, until, untilOffline, ask } = await signIn(service, own)
  await until('sync-state', { accountId }, ({ status }) => status === 'synced')
  const at = Math.round(Date.now() / 1_000) * 1_000 + 3_600_000
  const note = 'Bring the long key.\n\nAnd a lamp.'
  await bridge.call('act', { accountId, action: { name: 'remind-me', messageId: id, at, note } })
  const [made] = await until('reminders', { accountId }, ([one]) => one !== undefined && one.state === null)
  expect(made).toMatchObject({ messageId: id, note, remindAt: at, text: 'the clamp is loose' })
  expect(made?.label).toMatchObject({ topic: 'drift' })
  const reminderId = made?.reminderId ?? 0

  await service.stop()
  await untilOffline()
  const change = (to: { at: number | null; note: string }) =>
    bridge.call('act', {
      accountId,
      action: { name: 'change-reminder', reminderId, messageId: id, ...to },
    })
  await change({ at: at + 60_000, note: 'Only the key.' })
  expect(await ask('reminders', { accountId })).toMatchObject([
    { reminderId, remindAt: at + 60_000, note: 'Only the key.', state: { state: 'waiting' } },
  ])
  await service.start()
  await until('reminders', { accountId }, ([one]) => one?.state === null && one.reminderId !== reminderId)
  await until('outbox', { accountId }, (all) => all.length === 0)
  const kept = () => service.database.all('SELECT note, deliver_at AS at FROM reminders')
  expect(kept()).toEqual([{ note: 'Only the key.', at: at / 1_000 + 60 }])

  const [moved] = await ask('reminders', { accountId })
  await bridge.call('act', {
    accountId,
    action: {
      name: 'change-reminder',
      reminderId: moved?.reminderId ?? 0,
      messageId: id,
      at: null,
      note: '',
    },
  })
  expect(await ask('reminders', { accountId })).toEqual([])
  await until('outbox', { accountId }, (all) => all.length === 0)
  expect(kept()).toEqual([])
})

test('votes, options and ticks show at once, offline too, and reach the others', async () => {
  const { service, own, other, channel } = await setUp()
  const poll = messageId(service.send(other.userId, channel, 'drift', '/poll Which boat?\nTern\nSkua'))
  const list = messageId(service.send(own.userId, channel, 'drift', '/todo Before we sail\nfuel: two cans'))
  const mine = await signIn(service, own)
  const theirs = await signIn(service, other)
  const params = (device: Device) => ({
    accountId: device.accountId,
    narrow: topicConversation(channel, 'drift'),
    ...window,
  })
  const seen = (feed: Feed) =>
    feed.messages.flatMap(({ widget }) =>
      widget?.widget.kind === 'poll'
        ? widget.widget.options.map(({ text, voterIds }) => `${text} ${voterIds.length}`)
        : widget?.widget.kind === 'todo'
          ? widget.widget.tasks.map(({ task, isDone }) => `${task} ${isDone ? 'done' : 'open'}`)
          : [],
    )
  const until = (device: Device, wanted: string[]) =>
    device.until('feed', params(device), (feed) => JSON.stringify(seen(feed)) === JSON.stringify(wanted))
  const step = (
    device: Device,
    id: typeof poll,
    one: Extract<ActionInput, { name: 'widget-step' }>['step'],
  ) =>
    device.bridge.call('act', {
      accountId: device.accountId,
      action: { name: 'widget-step', messageId: id, step: one },
    })
  await until(mine, ['Tern 0', 'Skua 0', 'fuel open'])
  await until(theirs, ['Tern 0', 'Skua 0', 'fuel open'])
  await step(theirs, poll, { type: 'vote', key: 'canned,0', vote: 1 })
  await until(mine, ['Tern 1', 'Skua 0', 'fuel open'])

  await service.stop()
  await mine.untilOffline()
  await step(mine, poll, { type: 'vote', key: 'canned,0', vote: 1 })
  await step(mine, poll, { type: 'new_option', idx: 0, option: 'Gannet' })
  await step(mine, poll, { type: 'vote', key: `${own.userId},0`, vote: 1 })
  // Somebody else adds the same: then nobody counts a vote for this person's.
  service.database.run(
    `INSERT INTO submessages (message_id, sender_id, msg_type, content) VALUES (?, ?, 'widget', ?)`,
    poll,
    other.userId,
    JSON.stringify({ type: 'new_option', idx: 3, option: 'Gannet' }),
  )
  await step(mine, list, { type: 'strike', key: '0,canned', on: true })
  for (const title of ['Before noon', 'Before dark', 'Before noon'])
    await step(mine, list, { type: 'new_task_list_title', title })
  // Only the poll's author may change its question.
  await step(mine, poll, { type: 'question', question: 'Not mine to ask' })
  const waiting = await until(mine, ['Tern 2', 'Skua 0', 'Gannet 1', 'fuel done'])
  expect(waiting.messages[0]?.widget?.names[other.userId]).toBe('Keiko Tamura')
  await mine.restart()
  await until(mine, ['Tern 2', 'Skua 0', 'Gannet 1', 'fuel done'])
  await service.start()
  for (const device of [mine, theirs]) await device.bridge.call('try-now', { accountId: device.accountId })
  await until(theirs, ['Tern 2', 'Skua 0', 'Gannet 1', 'fuel done'])
  const [refused] = await mine.until('outbox', { accountId: mine.accountId }, (items) =>
    items.every(({ state }) => state.state === 'refused'),
  )
  expect(refused?.messageId).toBe(poll)
  const titles = ({ messages }: Feed) =>
    messages.map(({ widget }) =>
      widget?.widget.kind === 'poll' ? widget.widget.question : widget?.widget.title,
    )
  for (const device of [mine, theirs]) {
    // The last event may reach the other device a moment later.
    const feed = await device.until(
      'feed',
      params(device),
      (one) => titles(one).includes('Before noon') && seen(one).includes('Gannet 1'),
    )
    expect(titles(feed)).toEqual(['Which boat?', 'Before noon'])
    expect(seen(feed)).toEqual(['Tern 2', 'Skua 0', 'Gannet 1', 'fuel done'])
  }
})
