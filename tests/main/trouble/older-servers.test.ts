import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, expect, test } from 'vitest'
import { api } from '../../../src-shared/api/index.ts'
import type { Endpoint } from '../../../src-shared/api/endpoint.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { channelId, userId } from '../../../src-shared/ids.ts'
import {
  abilityFor,
  isAble,
  missingAt,
  supports,
  withoutAbility,
  type ServerAbility,
} from '../../../src-shared/model/server-abilities.ts'
import { actions } from '../../../src-shared/bridge/actions.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { manualClock } from '../../fakes/clock.ts'
import { startService, type TestService } from '../../support/service.ts'
import { newFolder, openBench, removeFolders, type Bench } from './bench.ts'

// The real service at many feature levels: the device requests nothing that a level lacks, and says why.

interface Asked {
  readonly method: string
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  readonly status: number
}

let service: TestService | null = null
let front: Server | null = null
let bench: Bench | null = null
afterEach(async () => {
  await bench?.close()
  front?.closeAllConnections()
  front?.close()
  await service?.close()
  bench = service = front = null
})
afterAll(removeFolders)

/** Passes everything on to the service and records requests and answers. */
async function listenIn(port: string, asked: Asked[]): Promise<string> {
  const server = createServer((from, to) => {
    const body: Buffer[] = []
    from.on('data', (bytes: Buffer) => body.push(bytes))
    from.on('end', () => {
      const url = new URL(from.url ?? '/', 'http://localhost')
      const form = new URLSearchParams(Buffer.concat(body).toString())
      const onwards = request(
        { host: '127.0.0.1', port, path: from.url, method: from.method, headers: from.headers },
        (answer) => {
          asked.push({
            method: from.method ?? '',
            path: url.pathname.replace('/api/v1', ''),
            fields: Object.fromEntries([...url.searchParams, ...form]),
            status: answer.statusCode ?? 0,
          })
          to.writeHead(answer.statusCode ?? 500, answer.headers)
          answer.pipe(to)
        },
      )
      onwards.on('error', () => to.destroy())
      onwards.end(Buffer.concat(body))
    })
  })
  front = server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // It listens on an address and port, so this is not a pipe's name.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`
}

const endpoints = Object.values<Endpoint>(api)
const endpointOf = ({ method, path }: Asked) =>
  endpoints.filter(
    (endpoint) =>
      endpoint.method === method &&
      new RegExp(`^${endpoint.path.replace(/\{\w+\*?\}/g, '[^/]+')}$`).test(path),
  )

test.each([1, 77, 87, 120, 167, 218, 256, 334, 372, 390, 420])(
  'at level %i everything that is asked exists there, and everything that exists works',
  async (featureLevel) => {
    service = await startService({ featureLevel })
    const maren = service.createUser('Maren Aske')
    const keiko = service.createUser('Keiko Tamura')
    const gauges = service.createChannel('gauges', [maren.userId, keiko.userId])
    const shore = service.createChannel('shore', [keiko.userId])
    for (let n = 0; n < 5; n++) service.send(keiko.userId, gauges, 'drift', `earlier ${n}`)
    const linked = {
      kind: 'topic',
      channelId: channelId(gauges),
      topic: 'https://tides.example/ebb',
    } as const
    service.send(keiko.userId, gauges, linked.topic, 'an address for a topic')
    const asked: Asked[] = []
    const baseUrl = await listenIn(new URL(service.baseUrl).port, asked)
    bench = await openBench({
      directory: newFolder(),
      signIn: { baseUrl, email: maren.email, apiKey: maren.apiKey },
      clock: manualClock(Date.now()),
    })
    const { accountId, bridge, until } = bench
    await until('sync-state', { accountId }, ({ status }) => status === 'synced')
    const { abilities } = await bench.ask('account-settings', { accountId })
    const [channel] = await bench.ask('channels', { accountId })
    expect(channel?.topics).toBe(featureLevel < 334 ? 'required' : 'optional')
    expect(abilities).toMatchObject({ emptyTopics: featureLevel >= 334, drafts: featureLevel >= 87 })
    const topic = { kind: 'topic', channelId: channelId(gauges), topic: 'drift' } as const
    const direct = { kind: 'direct', userIds: [userId(keiko.userId)] } as const
    const feed = (narrow: typeof topic | typeof linked | typeof direct, n: number) =>
      until(
        'feed',
        { accountId, narrow, around: 'newest', before: 50, after: 0 },
        ({ messages, waiting }) => messages.length === n && waiting.length === 0,
      )
    await feed(topic, 5)
    const act = (action: Parameters<typeof bridge.call<'act'>>[1]['action']) =>
      bridge.call('act', { accountId, action })
    /** Does it if the server is able to; otherwise it must be refused at once, with the reason. */
    const attempt = async (ability: ServerAbility, action: Parameters<typeof act>[0]) => {
      if (isAble(featureLevel, ability)) return act(action)
      const failure = failureOf(await act(action).catch((error: unknown) => error))
      expect(failure).toMatchObject({
        code: 'NOT_ON_THIS_SERVER',
        message: `This server is older. ${withoutAbility(ability)}`,
      })
    }
    const send = (conversation: typeof topic | typeof linked | typeof direct, content: string) =>
      act({ name: 'send-message', conversation, content, draftId: null })
    await send(topic, 'into the channel')
    await send(direct, 'to one person')
    await send(linked, 'below an address')
    await feed(topic, 6)
    await feed(direct, 1)
    await feed(linked, 2)
    const file = { accountId, name: 'board.png', mediaType: 'image/png', size: 3 }
    const { fileId } = await bridge.call('begin-file', file)
    await bridge.call('put-file-part', { accountId, fileId, bytes: Buffer.from('png').toString('base64') })
    await until('files', { accountId }, ([one]) => one?.state === 'uploaded')
    await bridge.call('load-older', { accountId, narrow: topic, before: null })
    await bridge.call('load-older', { accountId, narrow: direct, before: null })
    for (const text of [
      'dm:keiko',
      'dm-including:keiko',
      'channels:public',
      'is:followed',
      '-is:muted',
      'mentions:keiko',
      'with:999999 channel:gauges topic:drift',
    ])
      await bridge.call('search-server', { accountId, text, before: null })
    await bridge.call('report-typing', { accountId, place: topic, on: true })
    await bridge.call('report-typing', { accountId, place: direct, on: true })
    await act({ name: 'mark-narrow-read', narrow: topic, upTo: (await feed(topic, 6)).messages[5]!.id })
    const { draftId } = await bridge.call('save-draft', {
      accountId,
      draftId: null,
      draft: { recipient: topic, content: 'begun' },
    })
    const keeps = isAble(featureLevel, 'drafts') ? 'synced' : 'local-only'
    await until('draft', { accountId, draftId }, (draft) => draft?.state === keeps)
    const changed = { recipient: topic, content: 'begun, and gone on with' }
    await bridge.call('save-draft', { accountId, draftId, draft: changed })
    await bridge.call('leave-draft', { accountId, draftId })
    await until(
      'draft',
      { accountId, draftId },
      (draft) => draft?.state === keeps && draft.content === changed.content,
    )
    const drafts = service.database.all<{ content: string }>('SELECT content FROM drafts')
    expect(drafts).toEqual(keeps === 'synced' ? [{ content: changed.content }] : [])

    const { messages } = await bench.ask('permissions', { accountId, narrow: topic })
    expect(messages).toMatchObject({
      remind: isAble(featureLevel, 'reminders'),
      report: false,
      resolve: true,
    })
    const [first] = (await feed(topic, 6)).messages
    const reminder = act({ name: 'remind-me', messageId: first!.id, at: Date.now() + 3_600_000 })
    if (messages.remind) await reminder
    else {
      const failure = failureOf(await reminder.catch((error: unknown) => error))
      expect(failure.message).toBe('This server is older. There are no reminders.')
    }

    const visibility = act({
      name: 'set-topic-visibility',
      channelId: channelId(gauges),
      topic: 'drift',
      visibility: 'muted',
    })
    if (isAble(featureLevel, 'topicVisibility')) await visibility
    else {
      const failure = failureOf(await visibility.catch((error: unknown) => error))
      expect(failure).toMatchObject({ code: 'NOT_ON_THIS_SERVER' })
      expect(failure.message).toContain('Topics can’t be muted')
    }
    const written = (await feed(topic, 6)).messages.at(-1)
    await act({ name: 'star-message', messageIds: [first!.id], on: true })
    await act({
      name: 'react',
      messageId: first!.id,
      emoji: { name: 'eyes', code: '1f440', type: 'unicode_emoji' },
      on: true,
    })
    await act({ name: 'mark-unread', messageIds: [first!.id] })
    await act({ name: 'mark-read', messageIds: [first!.id] })
    await act({
      name: 'edit-message',
      messageId: written!.id,
      content: 'into the channel, once more',
      previousContent: null,
    })
    await act({ name: 'set-alert-word', word: 'storm', on: true })
    await act({ name: 'set-status', text: 'at sea', emoji: null })
    await act({ name: 'set-own-name', fullName: 'Maren A.' })
    await attempt('mutedPeople', { name: 'mute-person', userId: userId(keiko.userId), on: true })
    const later = { conversation: topic, content: 'the ebb', draftId: null, sendAt: Date.now() + 3_600_000 }
    await attempt('scheduledMessages', { name: 'schedule-message', ...later })
    await until('outbox', { accountId }, (items) => items.length === 0)

    const own = { name: 'set-subscription', channelId: channelId(gauges) } as const
    await act({ ...own, property: 'color', value: 'plum' })
    await act({ ...own, property: 'desktop', value: true })
    await act({ ...own, property: 'wildcardMentions', value: false })
    await act({ ...own, property: 'muted', value: true })
    await act({ ...own, property: 'pinned', value: true })
    await act({ name: 'subscribe', channelId: channelId(shore) })
    await act({ name: 'unsubscribe', channelId: channelId(gauges) })
    await until('outbox', { accountId }, (items) => items.length === 0)

    for (const groupName of ['crew', 'launch'])
      await act({ name: 'create-group', groupName, description: '', people: [maren.userId], groups: [] })
    const known = await until('groups', { accountId }, (groups) =>
      ['crew', 'launch'].every((name) => groups.some((group) => group.name === name && !group.isWaiting)),
    )
    const [crew = 0, launch = 0] = ['crew', 'launch'].map(
      (name) => known.find((group) => group.name === name)?.groupId,
    )
    if (featureLevel >= 127)
      await act({
        name: 'set-group-member',
        groupId: crew,
        member: { kind: 'group', groupId: launch },
        on: true,
      })
    for (const property of ['mention', 'leave'] as const) {
      const change = {
        name: 'change-group',
        groupId: crew,
        property,
        value: { people: [maren.userId], groups: [] },
      } as const
      if (supports(featureLevel, change)) await act(change)
      else {
        const failure = failureOf(await act(change).catch((error: unknown) => error))
        expect(failure).toMatchObject({ code: 'NOT_ON_THIS_SERVER' })
      }
    }
    const ofCrew = { name: 'change-group', groupId: crew } as const
    await act({ ...ofCrew, property: 'description', value: 'On watch' })
    await act({ ...ofCrew, property: 'name', value: 'the crew' })
    const inChannel = { name: 'change-channel', channelId: channelId(gauges) } as const
    for (const change of [
      { ...inChannel, property: 'post', value: { people: [], groups: [] } },
      { ...inChannel, property: 'deleteAny', value: { people: [], groups: [] } },
      { ...inChannel, property: 'topics', value: 'required' },
      { ...inChannel, property: 'folder', value: null },
      { name: 'create-folder', folderName: 'Fieldwork', description: '' },
      { name: 'order-folders', order: [] },
    ] as const) {
      if (supports(featureLevel, change)) continue
      const failure = failureOf(await act(change).catch((error: unknown) => error))
      expect(failure).toMatchObject({ code: 'NOT_ON_THIS_SERVER' })
    }
    await act({
      name: 'create-channel',
      channelName: 'created here',
      description: '',
      access: 'private',
      folderId: null,
      people: [userId(keiko.userId)],
    })
    const created = await until('channels', { accountId }, (all) =>
      all.some((one) => one.name === 'created here' && one.isSubscribed && !one.isWaiting),
    )
    const id = created.find(({ name }) => name === 'created here')?.channelId ?? channelId(0)
    await act({ name: 'change-channel', channelId: id, property: 'description', value: 'At any level' })
    await until('outbox', { accountId }, (items) => items.length === 0)
    const { database } = service
    const subscriptions = database.all<{ channel_id: number; is_active: number; is_muted: number }>(
      `SELECT channel_id, is_active, is_muted FROM subscriptions WHERE user_id = ? ORDER BY channel_id`,
      maren.userId,
    )
    expect(subscriptions).toEqual([
      { channel_id: gauges, is_active: 0, is_muted: 1 },
      { channel_id: shore, is_active: 1, is_muted: 0 },
      { channel_id: id, is_active: 1, is_muted: 0 },
    ])
    const [group] = database.all('SELECT name, description FROM user_groups WHERE group_id = ?', crew)
    expect(group).toEqual({ name: 'the crew', description: 'On watch' })
    const [chosen] = database.all(
      `SELECT color, desktop_notifications, wildcard_mentions_notify FROM subscriptions
       WHERE user_id = ${maren.userId} AND channel_id = ${gauges}`,
    )
    expect(chosen).toEqual({ color: '#964c78', desktop_notifications: 1, wildcard_mentions_notify: 0 })
    const [kept] = database.all(
      `SELECT is_starred, is_read FROM user_messages WHERE user_id = ${maren.userId} AND message_id = ${first!.id}`,
    )
    expect(kept).toEqual({ is_starred: 1, is_read: 1 })
    expect(asked.some(({ fields }) => fields['subscription_data']?.includes('is_muted') === true)).toBe(
      featureLevel >= 139,
    )

    for (const one of asked) {
      const candidates = endpointOf(one)
      expect(candidates, `${one.method} ${one.path} is in the table of endpoints`).not.toEqual([])
      expect(
        candidates.some(({ since = 0 }) => since <= featureLevel),
        `${one.method} ${one.path} exists at level ${featureLevel}`,
      ).toBe(true)
      expect([404, 405], `${one.method} ${one.path}`).not.toContain(one.status)
      const narrow = one.fields['narrow'] ?? ''
      if (!isAble(featureLevel, 'channelOperator')) expect(narrow).not.toContain('"channel"')
      if (!isAble(featureLevel, 'channelOperator')) expect(narrow).not.toContain('"channels"')
      if (!isAble(featureLevel, 'dmOperator')) expect(narrow).not.toMatch(/"dm"|"dm-including"/)
      if (!isAble(featureLevel, 'followedOperator')) expect(narrow).not.toContain('"followed"')
      if (!isAble(featureLevel, 'mutedOperator')) expect(narrow).not.toContain('"muted"')
      if (!isAble(featureLevel, 'withOperator')) expect(narrow).not.toContain('"with"')
      if (!isAble(featureLevel, 'mentionsOperator')) expect(narrow).not.toContain('"mentions"')
      if (one.path === '/typing' && !isAble(featureLevel, 'channelTypingById'))
        expect(one.fields['stream_id']).toBe(undefined)
      if (one.path === '/typing' && !isAble(featureLevel, 'channelTyping'))
        expect(one.fields['type']).not.toBe('stream')
      if (one.fields['include_subscribers'] === 'partial') expect(featureLevel).toBeGreaterThanOrEqual(412)
    }
    expect(asked.map(({ path }) => path)).toContain('/typing')
  },
)

test.each([
  { featureLevel: 380, views: ['topics', 'top-unread-topic'], takesView: 'feed' },
  { featureLevel: 395, views: ['top-unread-topic'], takesView: 'topics' },
] as const)(
  'at level $featureLevel no value is offered or sent that came later',
  async ({ featureLevel, views, takesView }) => {
    service = await startService({ featureLevel })
    const maren = service.createUser('Maren Aske')
    const gauges = channelId(service.createChannel('gauges', [maren.userId]))
    bench = await openBench({
      directory: newFolder(),
      signIn: { baseUrl: service.baseUrl, email: maren.email, apiKey: maren.apiKey },
      clock: manualClock(Date.now()),
    })
    const { accountId, bridge, until } = bench
    await until('sync-state', { accountId }, ({ status }) => status === 'synced')
    expect((await bench.ask('settings', { accountId })).missingValues['channelView']).toEqual(views)
    const settings = await bench.ask('channel-settings', { accountId, channelId: gauges })
    expect(settings?.topicChoices).toEqual(featureLevel < 392 ? [] : ['inherit', 'optional', 'required'])
    const act = (action: Parameters<typeof bridge.call<'act'>>[1]['action']) =>
      bridge.call('act', { accountId, action })
    const setView = (value: string) => act({ name: 'update-setting', property: 'channelView', value })
    for (const late of [
      ...views.map((view) => () => setView(view)),
      () => act({ name: 'change-channel', channelId: gauges, property: 'topics', value: 'none' }),
    ]) {
      const failure = failureOf(await late().catch((error: unknown) => error))
      expect(failure).toMatchObject({ code: 'NOT_ON_THIS_SERVER', message: t.failures.server.olderAndCannot })
    }
    await setView(takesView)
    await until('outbox', { accountId }, (items) => items.length === 0)
  },
)

test('what is missing is told in words, for the lowest level all of it and for the newest nothing', () => {
  expect(missingAt(420)).toEqual([])
  expect(missingAt(1).length).toBe(Object.keys(t.serverAbilities).length - 1)
  expect(missingAt(200)).toContain('Topics can’t be followed.')
  expect(missingAt(1)).not.toContain('Topics can’t be followed.')
})

test('a change needs what its server must have, and most need nothing', () => {
  const names = Object.keys(actions).filter((name) => abilityFor({ name }) !== null)
  expect(names.sort()).toEqual([
    'change-folder',
    'change-reminder',
    'change-snippet',
    'create-folder',
    'delete-snippet',
    'edit-scheduled',
    'mute-person',
    'order-folders',
    'remind-me',
    'report-message',
    'save-snippet',
    'schedule-message',
    'set-topic-visibility',
    'update-setting',
  ])
  expect(abilityFor({ name: 'set-topic-visibility', visibility: 'followed' })).toBe('followedTopics')
})
