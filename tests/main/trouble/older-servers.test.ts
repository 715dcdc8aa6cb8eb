import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, expect, test } from 'vitest'
import { api } from '../../../src-shared/api/index.ts'
import type { Endpoint } from '../../../src-shared/api/endpoint.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { channelId, userId } from '../../../src-shared/ids.ts'
import { abilityFor, isAble, missingAt } from '../../../src-shared/model/server-abilities.ts'
import { actions } from '../../../src-shared/bridge/actions.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { manualClock } from '../../fakes/clock.ts'
import { startService, type TestService } from '../../support/service.ts'
import { newFolder, openBench, removeFolders, type Bench } from './bench.ts'
import { doEverything } from './do-everything.ts'

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
    const maren = service.createUser('Maren Aske', 100)
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
    await doEverything(bench, service, {
      own: maren.userId,
      other: keiko.userId,
      channel: id,
      leaving: gauges,
      joining: shore,
      heard: service.send(keiko.userId, id, 'ebb', 'from somebody else'),
      now: Date.now(),
    })
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
