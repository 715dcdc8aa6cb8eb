import { request } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '../../../src-shared/api/session.ts'
import { users } from '../../../src-shared/api/users.ts'
import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import { channelId } from '../../../src-shared/ids.ts'
import { usualNetwork } from '../../../src-shared/model/network.ts'
import { createConnection } from '../../../src-main/api/connection.ts'
import { authority, expired, good, other } from '../../fakes/certificates.ts'
import { manualClock, type ManualClock } from '../../fakes/clock.ts'
import { startScriptedServer, type ScriptedServer } from '../../fakes/scripted-server.ts'
import { startFaultyNetwork, type Fault, type FaultyNetwork } from '../../support/faulty-network.ts'
import { startService, type TestService } from '../../support/service.ts'
import { openSync } from '../sync/open-sync.ts'
import { newFolder, openBench, removeFolders, type Bench } from './bench.ts'

// What a network can do to an account, with real sockets and the real service.

let service: TestService
let network: FaultyNetwork
let bench: Bench
let clock: ManualClock
let maren: ReturnType<TestService['createUser']>
let keiko: ReturnType<TestService['createUser']>
let gauges: number

beforeEach(async () => {
  service = await startService()
  network = await startFaultyNetwork(() => Number(new URL(service.baseUrl).port))
  maren = service.createUser('Maren Aske')
  keiko = service.createUser('Keiko Tamura')
  gauges = service.createChannel('gauges', [maren.userId, keiko.userId])
  clock = manualClock()
  const baseUrl = `http://127.0.0.1:${network.port}/api/v1`
  bench = await openBench({
    directory: newFolder(),
    signIn: { baseUrl, email: maren.email, apiKey: maren.apiKey },
    clock,
  })
  await synced()
})

afterEach(async () => {
  await bench.close()
  await network.close()
  await service.close()
})

afterAll(removeFolders)

const synced = () =>
  bench.until('sync-state', { accountId: bench.accountId }, ({ status }) => status === 'synced')
const send = (content: string) =>
  bench.bridge.call('act', {
    accountId: bench.accountId,
    action: {
      name: 'send-message',
      conversation: { kind: 'topic', channelId: channelId(gauges), topic: 'drift' },
      content,
      draftId: null,
    },
  })
const delivered = () => bench.until('outbox', { accountId: bench.accountId }, (items) => items.length === 0)
const onServer = () =>
  service.database
    .all<{ content: string }>('SELECT content FROM messages ORDER BY message_id')
    .map(({ content }) => content)
const onDevice = (n: number) =>
  bench.until(
    'feed',
    { accountId: bench.accountId, narrow: { kind: 'combined' }, around: 'newest', before: 50, after: 0 },
    ({ messages }) => messages.length === n,
  )

const words = ['one', 'two', 'three', 'four', 'five']

test.each<[string, Fault]>([
  ['is slow', { kind: 'late', ms: 120 }],
  ['brings answers byte by byte', { kind: 'drip', bytes: 40, everyMs: 3 }],
  ['breaks every third answer', { kind: 'lossy', oneOf: 3 }],
])('over a network that %s, everything arrives once and in order', async (_what, fault) => {
  network.be(fault)
  for (const word of words) await send(word)
  service.send(keiko.userId, gauges, 'drift', 'from somebody else')
  await delivered()
  expect(onServer().filter((content) => words.includes(content))).toEqual(words)
  await onDevice(6)
})

test('connections that died in sleep are used for nothing once the machine is back', async () => {
  await send('one')
  await delivered()
  network.forget()
  service.send(keiko.userId, gauges, 'drift', 'into the void')
  await bench.bridge.call('network-is-back', {})
  await send('two')
  await onDevice(3)
  await delivered()
  expect(onServer()).toEqual(['one', 'into the void', 'two'])
}, 20_000)

/** Sends a message whose answer is never heard, because the machine falls asleep, and wakes it. */
async function sleepWhileSending(asleep: FaultyNetwork, word: string): Promise<void> {
  asleep.be({ kind: 'half-open' })
  await send(word)
  await expect.poll(onServer).toContain(word)
  asleep.forget()
  asleep.be({ kind: 'none' })
  bench.wake()
}

test('what was being sent when the machine fell asleep is there once when it wakes, and what follows goes at once, though its answer never comes', async () => {
  await sleepWhileSending(network, 'one')
  const woken = clock.now()
  await send('two')
  await onDevice(2)
  await delivered()
  expect(onServer()).toEqual(['one', 'two'])
  // Sooner than the dead connection is given up.
  expect(clock.now() - woken).toBeLessThan(10_000)
})

/** A server with TLS in front of the service, which speaks HTTP/2 with whoever can. */
async function startTlsFront(spoken: Set<string>) {
  const front = createSecureServer({ ...good, allowHTTP1: true }, (from, to) => {
    spoken.add(from.httpVersion)
    const headers = Object.entries(from.headers).filter(([name]) => !name.startsWith(':'))
    const { port } = new URL(service.baseUrl)
    const parts = { port, path: from.url, method: from.method, headers: Object.fromEntries(headers) }
    const onwards = request({ host: '127.0.0.1', ...parts }, (answer) => {
      to.writeHead(answer.statusCode ?? 500, { 'content-type': 'application/json' })
      answer.pipe(to)
    })
    onwards.on('error', () => to.destroy())
    from.pipe(onwards)
  })
  front.on('sessionError', () => {})
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  const { port } = front.address() as AddressInfo
  return { port, close: () => void front.close() }
}

test('over TLS it is the same, each request over a connection of its own', async () => {
  const spoken = new Set<string>()
  const front = await startTlsFront(spoken)
  const secure = await startFaultyNetwork(() => front.port)
  await bench.close()
  bench = await openBench({
    directory: newFolder(),
    signIn: {
      baseUrl: `https://127.0.0.1:${secure.port}/api/v1`,
      email: maren.email,
      apiKey: maren.apiKey,
      network: { ...usualNetwork, certificates: authority },
    },
    clock,
  })
  await synced()
  secure.be({ kind: 'lossy', oneOf: 5 })
  for (const word of words) await send(word)
  await delivered()
  secure.be({ kind: 'none' })
  secure.forget()
  service.send(keiko.userId, gauges, 'drift', 'into the void')
  await bench.bridge.call('network-is-back', {})
  await send('after it')
  await onDevice(7)
  await sleepWhileSending(secure, 'before the next sleep')
  await onDevice(8)
  await delivered()
  expect(onServer()).toEqual([...words, 'into the void', 'after it', 'before the next sleep'])
  expect([...spoken]).toEqual(['1.1'])
  await secure.close()
  front.close()
}, 20_000)

test('a network that resets every answer says so, and nothing is sent twice when it recovers', async () => {
  network.be({ kind: 'reset', afterBytes: 20 })
  network.cut()
  for (const word of words) await send(word)
  const state = await bench.until(
    'sync-state',
    { accountId: bench.accountId },
    ({ status }) => status === 'offline',
  )
  expect(state.problem).toContain('The connection broke')
  await clock.advance(120_000)
  network.be({ kind: 'none' })
  await delivered()
  expect(onServer()).toEqual(words)
})

test('a network that is gone for a moment again and again costs nothing', async () => {
  for (const word of words) {
    await send(word)
    network.cut()
    await clock.advance(5_000)
  }
  await delivered()
  expect(onServer()).toEqual(words)
})

test('a page to sign in to the network keeps what waits, says what to do, and is got over by itself', async () => {
  const portal = await startScriptedServer()
  const real = Number(new URL(service.baseUrl).port)
  const location = 'http://login.ferry.example/welcome'
  for (const route of ['GET /events', 'POST /messages', 'POST /users/me/presence', 'GET /messages'])
    portal.answer(route, { text: '<html>Moved</html>', status: 302, headers: { location } })
  await network.close()
  let target = portal.port
  network = await startFaultyNetwork(() => target, network.port)
  await send('written on the ferry')
  const { problem } = await bench.until(
    'sync-state',
    { accountId: bench.accountId },
    ({ status }) => status === 'unreachable',
  )
  expect(problem).toContain('login.ferry.example')
  expect(problem).toContain('Nothing was lost')
  portal.answer('GET /events', { text: 'sign in', status: 511 })
  await bench.until('sync-state', { accountId: bench.accountId }, (state) =>
    String(state.problem).includes('This network asks you to sign in'),
  )
  target = real
  network.cut()
  await synced()
  await delivered()
  expect(onServer()).toEqual(['written on the ferry'])
  await portal.stop()
})

test.each([
  ['fails', { text: '<html>Oops</html>', status: 500 }, 'had an error (500)'],
  [
    'asks for patience',
    { error: 'RATE_LIMIT_HIT', status: 429, extra: { 'retry-after': 45 } },
    'is limiting requests',
  ],
])(
  'a server that %s for an hour is asked politely, and gets everything once when it recovers',
  async (_what, reply, said) => {
    const troubled = await startScriptedServer()
    const routes = [
      'GET /events',
      'POST /register',
      'POST /messages',
      'GET /messages',
      'POST /users/me/presence',
    ]
    for (const route of [...routes, 'POST /drafts', 'GET /drafts']) troubled.answer(route, reply)
    const real = Number(new URL(service.baseUrl).port)
    let target = troubled.port
    await network.close()
    network = await startFaultyNetwork(() => target, network.port)
    for (const word of words) await send(word)
    const { accountId } = bench
    const { draftId } = await bench.bridge.call('save-draft', {
      accountId,
      draftId: null,
      draft: { recipient: null, content: 'begun in the meantime' },
    })
    const { problem } = await bench.until(
      'sync-state',
      { accountId },
      ({ status }) => status === 'unreachable',
    )
    expect(problem).toContain(said)
    const before = troubled.requests.length
    for (let minute = 0; minute < 60; minute++) await clock.advance(60_000)
    // One poll per minute, and now and then presence, a message or a draft that was under way.
    expect(troubled.requests.length - before).toBeLessThan(60 * 5)
    target = real
    network.cut()
    await synced()
    await delivered()
    expect(onServer().filter((content) => words.includes(content))).toEqual(words)
    await bench.until('draft', { accountId, draftId }, (draft) => draft?.state === 'synced')
    await troubled.stop()
  },
)

/** Maren's account, whose requests time out by its own clock. */
const openByClock = () =>
  openSync(
    () => `http://127.0.0.1:${network.port}/api/v1`,
    { email: maren.email, apiKey: maren.apiKey, userId: maren.userId },
    {},
    { timesOutByClock: true },
  )

test('a connection that nobody ends is noticed by time, and what happened meanwhile arrives', async () => {
  const account = openByClock()
  await account.untilSynced()
  network.be({ kind: 'half-open' })
  service.send(keiko.userId, gauges, 'drift', 'into the void')
  await account.clock.advance(60_000)
  expect(account.sync.link.status).toBe('online')
  await account.until(() => account.sync.link.status === 'offline', 1_000)
  expect(account.sync.link.problem).toContain('didn’t answer in time')
  network.be({ kind: 'none' })
  await account.until(() => account.arrived.length === 1 && account.sync.link.status === 'online', 1_000)
  await account.close()
})

test('a connection that says nothing when it is asked is noticed within a minute', async () => {
  const account = openByClock()
  await account.untilSynced()
  network.be({ kind: 'half-open' })
  // As the outbox and the drafts do before they repeat or overwrite anything.
  const asked = account.sync.catchUp().catch((error: unknown) => failureOf(error))
  await account.clock.advance(1_000)
  expect(account.sync.link.status).toBe('online')
  const begun = account.clock.now()
  await account.until(() => account.sync.link.status === 'offline', 1_000)
  expect(account.clock.now() - begun).toBeLessThan(60_000)
  expect(await asked).toMatchObject({ kind: 'offline' })
  network.be({ kind: 'none' })
  await account.close()
})

test('after a ring, a poll over a dead connection is noticed as soon as any other request', async () => {
  const account = openByClock()
  await account.untilSynced()
  network.be({ kind: 'deaf' })
  account.sync.wake()
  const begun = account.clock.now()
  await account.until(() => account.sync.link.status === 'offline', 1_000)
  expect(account.clock.now() - begun).toBeLessThan(60_000)
  network.be({ kind: 'none' })
  await account.close()
})

const failureOfAddress = async (address: string): Promise<Failure> =>
  failureOf(await bench.bridge.call('find-organization', { address }).catch((error: unknown) => error))

test('an address that leads nowhere is told from one where nobody listens', async () => {
  const nowhere = await failureOfAddress('http://chat.invalid')
  expect(nowhere).toMatchObject({
    kind: 'offline',
    message: expect.stringContaining('address wasn’t found'),
  })
  const port = network.port
  await network.close()
  expect((await failureOfAddress(`http://127.0.0.1:${port}`)).message).toContain('No server answers')
  network = await startFaultyNetwork(() => 1)
  expect((await failureOfAddress('not an address')).message).toContain('chat.example.org')
})

let scripted: ScriptedServer | null = null
afterEach(async () => {
  await scripted?.stop()
  scripted = null
})

test.each([
  ['a web page', { text: '<!doctype html><title>A bakery</title>' }, 'web page'],
  ['JSON of something else', { text: '{"openapi":"3.1"}' }, 'unknown format'],
  ['half an answer', { text: '{"result":"success","msg":"","realm_na' }, 'incomplete'],
  ['a refusal', { error: 'BAD_REQUEST', status: 404 }, 'isn’t a compatible chat server'],
  [
    'a page to sign in to the network',
    { text: '', status: 302, headers: { location: 'http://login.ferry.example/' } },
    'asks you to sign in, do that in a browser, then try again here',
  ],
])('an address that answers with %s is no such server, in words', async (_what, reply, said) => {
  scripted = await startScriptedServer()
  scripted.answer('GET /server_settings', reply)
  const failure = await failureOfAddress(`http://127.0.0.1:${scripted.port}`)
  expect(failure.message).toContain('This address isn’t a compatible chat server')
  expect(failure.message).toContain(said)
})

test('a service that is too old, or for which this app is, is refused with what to do', async () => {
  scripted = await startScriptedServer()
  const address = `http://127.0.0.1:${scripted.port}`
  scripted.answer('GET /server_settings', { success: { realm_name: 'Old' } })
  expect(await failureOfAddress(address)).toMatchObject({
    code: 'SERVER_TOO_OLD',
    message: expect.stringContaining('Ask its administrator'),
  })
  scripted.answer('GET /server_settings', { success: { service_feature_level: 420, is_incompatible: true } })
  expect(await failureOfAddress(address)).toMatchObject({
    code: 'CLIENT_TOO_OLD',
    message: expect.stringContaining('Update Dunlin'),
  })
})

test('a wrong password and a wrong key are told from each other and from a server in trouble', async () => {
  const { baseUrl } = service
  const signIn = async (credentials: Parameters<typeof bench.bridge.call<'sign-in'>>[1]['credentials']) =>
    failureOf(await bench.bridge.call('sign-in', { baseUrl, credentials }).catch((error: unknown) => error))
  const { email, password } = maren
  expect(await signIn({ kind: 'password', email, password: `${password}!` })).toMatchObject({
    kind: 'unauthorized',
    message: 'Wrong email or password.',
  })
  expect(await signIn({ kind: 'api-key', email, apiKey: 'no-such-key' })).toMatchObject({
    kind: 'unauthorized',
    message: 'Wrong email or API key.',
  })
  expect(await bench.ask('accounts', {})).toHaveLength(1)
})

test('a key that is revoked later ends the sync and nothing else; a new one sends what waited', async () => {
  const { accountId } = bench
  const topic = { kind: 'topic', channelId: channelId(gauges), topic: 'drift' } as const
  const { draftId } = await bench.bridge.call('save-draft', {
    accountId,
    draftId: null,
    draft: { recipient: topic, content: 'begun' },
  })
  service.database.run('UPDATE users SET api_key = ? WHERE user_id = ?', 'a-new-key', maren.userId)
  network.cut()
  const { problem } = await bench.until('sync-state', { accountId }, ({ status }) => status === 'signed-out')
  expect(problem).not.toBe(null)
  await send('written without a key')
  await bench.bridge.call('save-draft', {
    accountId,
    draftId,
    draft: { recipient: topic, content: 'begun, and gone on with' },
  })
  await clock.advance(3 * 60 * 60_000)
  expect((await bench.ask('outbox', { accountId })).map(({ title }) => title)).toEqual([
    expect.stringContaining('written without a key'),
  ])
  expect((await bench.ask('draft', { accountId, draftId }))?.content).toBe('begun, and gone on with')
  await bench.bridge.call('sign-in-again', {
    accountId,
    credentials: { kind: 'api-key', email: maren.email, apiKey: 'a-new-key' },
  })
  await synced()
  await delivered()
  expect(onServer()).toEqual(['written without a key'])
  await bench.until('draft', { accountId, draftId }, (draft) => draft?.state === 'synced')
})

test('while signed in, a page to sign in to the network or no secure connection is told in other words', async () => {
  scripted = await startScriptedServer()
  scripted.answer('GET /users/me', { text: '<html>Welcome aboard</html>' })
  const baseUrl = `http://127.0.0.1:${scripted.port}/api/v1`
  const credentials = { kind: 'api-key', email: maren.email, apiKey: maren.apiKey } as const
  const signingIn = bench.bridge.call('sign-in', { baseUrl, credentials })
  await expect(signingIn).rejects.toMatchObject({ message: expect.stringContaining('try again here') })
  const connection = createConnection({ baseUrl, credentials: null, userAgent: 'x' })
  const syncing = connection.call(users.getOwnUser, {})
  await expect(syncing).rejects.toMatchObject({ message: expect.stringContaining('Nothing was lost') })
  connection.close()
  const secure = { baseUrl: baseUrl.replace('http:', 'https:'), credentials: null, userAgent: 'x' }
  const insecure = createConnection(secure).call(users.getOwnUser, {})
  await expect(insecure).rejects.toMatchObject({ message: expect.stringContaining('no longer offers') })
})

async function overTls(pair: { cert: string; key: string }, certificates: string | null) {
  const server = createTlsServer(pair, (_request, response) => {
    response.end('{"result":"success","msg":"","realm_name":"Behind TLS"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const connection = createConnection({
    baseUrl: `https://127.0.0.1:${port}/api/v1`,
    credentials: null,
    userAgent: 'x',
    network: { proxy: () => Promise.resolve(null), certificates },
  })
  const result = await connection.call(session.getServerSettings, {}).then(
    ({ realm_name }) => String(realm_name),
    (error: unknown) => failureOf(error),
  )
  connection.close()
  server.closeAllConnections()
  server.close()
  return result
}

test('a server that cannot prove who it is is refused, with the reason', async () => {
  const refusal = (words: string) => ({
    kind: 'offline',
    mayHaveArrived: false,
    message: expect.stringMatching(new RegExp(`couldn’t prove its identity.*${words}.*Nothing was sent`)),
  })
  expect(await overTls(good, null)).toMatchObject(refusal('doesn’t know who signed'))
  expect(await overTls(expired, authority)).toMatchObject(refusal('has expired'))
  expect(await overTls(other, authority)).toMatchObject(refusal('belongs to another server'))
  expect(await overTls(good, authority)).toBe('Behind TLS')
  expect((await failureOfAddress(`https://127.0.0.1:${network.port}`)).message).toContain(
    'doesn’t offer a secure connection',
  )
})
