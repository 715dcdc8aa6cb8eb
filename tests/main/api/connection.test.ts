import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { messages } from '../../../src-shared/api/messages.ts'
import { queue } from '../../../src-shared/api/queue.ts'
import { session } from '../../../src-shared/api/session.ts'
import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import { createConnection, type Connection } from '../../../src-main/api/connection.ts'
import { manualClock } from '../../fakes/clock.ts'
import { eventually } from '../../support/until.ts'
import { startScriptedServer, type Reply, type ScriptedServer } from '../../fakes/scripted-server.ts'

let server: ScriptedServer
let connection: Connection

beforeEach(async () => {
  server = await startScriptedServer()
  connection = createConnection({
    baseUrl: server.baseUrl,
    credentials: { email: 'ada@example.org', apiKey: 'secret' },
    userAgent: 'Dunlin/9.9',
  })
})

afterEach(async () => {
  connection.close()
  await server.stop()
})

const failureFrom = async (work: Promise<unknown>): Promise<Failure> =>
  work.then(
    () => {
      throw new Error('it should have failed')
    },
    (error: unknown) => failureOf(error),
  )

const send = () =>
  connection.call(messages.sendMessage, { type: 'channel', to: 7, topic: 'tea & cake', content: 'ünï = 1' })
const answered = async (reply: Reply): Promise<Failure> => {
  server.answer('POST /messages', reply)
  return failureFrom(send())
}

test('a request carries its fields as a form, its credentials and our name', async () => {
  server.answer('POST /messages', { success: { id: 12 } })
  expect((await send()).id).toBe(12)
  const [request] = server.requests
  expect(request?.fields).toEqual({ type: 'channel', to: '7', topic: 'tea & cake', content: 'ünï = 1' })
  expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded')
  expect(request?.headers['user-agent']).toBe('Dunlin/9.9')
  expect(request?.headers.authorization).toBe(`Basic ${btoa('ada@example.org:secret')}`)
})

test('a GET carries arrays as JSON in its query', async () => {
  await connection.call(messages.getMessages, { message_ids: [3, 4], apply_markdown: true })
  expect(server.requests[0]?.fields).toEqual({ message_ids: '[3,4]', apply_markdown: 'true' })
})

test('credentials stay at home where the specification asks for none', async () => {
  await connection.call(session.getServerSettings, {})
  expect(server.requests[0]?.headers.authorization).toBeUndefined()
})

test('an answer that is cut short is malformed or offline, never a success', async () => {
  expect(await answered({ text: '{"result":"success","msg":"","id":1' })).toMatchObject({
    kind: 'malformed',
    message: expect.stringContaining('incomplete'),
  })
  expect(await answered({ cut: 'within' })).toMatchObject({ kind: 'offline', mayHaveArrived: true })
})

test('a web page in place of an answer is named as such', async () => {
  expect(await answered({ text: '<html>Please sign in to this network</html>' })).toMatchObject({
    kind: 'malformed',
    message: expect.stringContaining('web page'),
  })
})

test('an answer of another form is malformed and says where', async () => {
  expect(await answered({ success: { id: 'twelve' } })).toMatchObject({
    kind: 'malformed',
    message: expect.stringContaining('id'),
  })
})

test('a redirect is not followed, whatever its body says', async () => {
  const elsewhere = await startScriptedServer()
  const location = `${elsewhere.baseUrl}/messages`
  for (const text of ['', '{"result":"success","msg":"","id":1}']) {
    const failure = await answered({ text, status: 302, headers: { location } })
    expect(failure).toMatchObject({
      kind: 'malformed',
      message: expect.stringContaining(`127.0.0.1:${elsewhere.port} instead`),
    })
  }
  expect(elsewhere.requests).toEqual([])
  await elsewhere.stop()
})

test('the time to wait comes from the body, else from the header, within bounds', async () => {
  const limited = (extra: object, headers: Record<string, string>) =>
    answered({ error: 'RATE_LIMIT_HIT', status: 429, extra, headers })
  expect(await limited({ 'retry-after': 2.5 }, { 'retry-after': '9' })).toMatchObject({ retryAfterMs: 2_500 })
  expect(await limited({}, { 'retry-after': '9' })).toMatchObject({
    kind: 'rateLimited',
    retryAfterMs: 9_000,
  })
  expect(await limited({}, {})).toMatchObject({ retryAfterMs: 10_000 })
  expect(await limited({ 'retry-after': 1e9 }, {})).toMatchObject({ retryAfterMs: 15 * 60_000 })
  expect(await answered({ text: 'slow down', status: 429, headers: { 'retry-after': '3' } })).toMatchObject({
    kind: 'rateLimited',
    retryAfterMs: 3_000,
  })
})

test('a request for a pause is told in words of ours, whatever the server says', async () => {
  const said = 'API usage exceeded rate limit'
  const reply = { result: 'error', code: 'RATE_LIMIT_HIT', msg: said }
  for (const text of [JSON.stringify(reply), said]) {
    expect(await answered({ text, status: 429 })).toMatchObject({
      message: expect.stringContaining('is limiting requests'),
    })
  }
})

test('each refusal has its kind', async () => {
  expect(await answered({ error: 'UNAUTHORIZED', status: 401 })).toMatchObject({ kind: 'unauthorized' })
  expect(await answered({ text: 'no', status: 401 })).toMatchObject({ kind: 'unauthorized' })
  for (const error of ['USER_DEACTIVATED', 'REALM_DEACTIVATED'])
    expect(await answered({ error, status: 403 })).toMatchObject({ kind: 'unauthorized', code: error })
  expect(await answered({ error: 'BAD_NARROW', status: 400 })).toMatchObject({
    kind: 'rejected',
    code: 'BAD_NARROW',
    status: 400,
  })
  expect(await answered({ text: '{"result":"error","msg":"no"}', status: 405 })).toMatchObject({
    kind: 'rejected',
    code: 'BAD_REQUEST',
  })
  expect(await answered({ text: '<html>Request Entity Too Large</html>', status: 413 })).toMatchObject({
    kind: 'rejected',
    code: 'REQUEST_TOO_LARGE',
    status: 413,
  })
  expect(await answered({ text: '<html>502</html>', status: 502 })).toMatchObject({
    kind: 'serverFault',
    status: 502,
  })
  expect(await answered({ text: '{"result":"error","msg":"Internal"}', status: 500 })).toMatchObject({
    kind: 'serverFault',
  })
})

test('an answer without end is given up', async () => {
  const flood = createServer((_request, response) => {
    const megabyte = Buffer.alloc(1024 * 1024, 32)
    const pour = () => {
      while (!response.destroyed && response.write(megabyte));
      if (!response.destroyed) response.once('drain', pour)
    }
    pour()
  })
  const { port } = await listening(flood)
  const flooded = createConnection({ baseUrl: `http://127.0.0.1:${port}`, credentials: null, userAgent: 'x' })
  expect(await failureFrom(flooded.call(session.getServerSettings, {}))).toMatchObject({
    kind: 'malformed',
    message: expect.stringContaining('far too long'),
  })
  flooded.close()
  flood.closeAllConnections()
  flood.close()
})

test('what was never written cannot have arrived', async () => {
  await server.stop()
  expect(await failureFrom(send())).toMatchObject({ kind: 'offline', mayHaveArrived: false })
  await server.start()
  const gone = new AbortController()
  gone.abort()
  const aborted = connection.call(queue.getEvents, {}, { signal: gone.signal })
  expect(await failureFrom(aborted)).toMatchObject({ kind: 'offline', mayHaveArrived: false })
  expect(server.requests).toEqual([])
})

test('a connection that never stands cannot have carried anything, even when time runs out', async () => {
  // Accepts connections but does not speak TLS.
  const mute = createServer()
  const { port } = await listening(mute)
  mute.removeAllListeners('connection')
  const tls = createConnection({ baseUrl: `https://127.0.0.1:${port}`, credentials: null, userAgent: 'x' })
  const failure = await failureFrom(tls.call(session.getServerSettings, {}, { timeoutMs: 200 }))
  expect(failure).toMatchObject({ kind: 'offline', mayHaveArrived: false })
  tls.close()
  mute.closeAllConnections()
  mute.close()
})

test('what was written may have arrived, whether the answer is cut, late or no longer wanted', async () => {
  expect(await answered({ cut: 'before' })).toMatchObject({ kind: 'offline', mayHaveArrived: true })
  server.answer('POST /messages', { silence: true })
  const late = connection.call(
    messages.sendMessage,
    { type: 'direct', to: [1], content: 'a' },
    { timeoutMs: 100 },
  )
  expect(await failureFrom(late)).toMatchObject({ kind: 'offline', mayHaveArrived: true })
  const asked = new AbortController()
  const waiting = failureFrom(
    connection.call(
      messages.sendMessage,
      { type: 'direct', to: [1], content: 'b' },
      { signal: asked.signal },
    ),
  )
  await eventually(() => server.received('POST /messages').length === 3)
  asked.abort()
  expect(await waiting).toMatchObject({ kind: 'offline', mayHaveArrived: true })
})

test('an answer that comes slowly is waited for, and one that stops is not', async () => {
  const part = 'x'.repeat(20_000)
  let answer = (_text: string) => {}
  let isBegun = false
  const slow = createServer((_request, response) => {
    isBegun = true
    answer = (text) => response.write(text)
  })
  const { port } = await listening(slow)
  const clock = manualClock()
  const patient = createConnection({
    baseUrl: `http://127.0.0.1:${port}`,
    credentials: null,
    userAgent: 'x',
    wait: clock.wait,
  })
  const media = failureFrom(patient.fetchMedia('/tides.png', new AbortController().signal))
  await eventually(() => isBegun)
  for (let sent = 0; sent < 4; sent++) {
    await clock.advance(20_000)
    answer(part)
    await eventually(() => clock.waits.includes(30_000))
  }
  await clock.advance(30_000)
  expect(await media).toMatchObject({ kind: 'offline', message: expect.stringContaining('in time') })
  patient.close()
  slow.closeAllConnections()
  slow.close()
})

test('what is under way gets ten more seconds once its connection may be dead', async () => {
  const clock = manualClock()
  const doubtful = createConnection({
    baseUrl: server.baseUrl,
    credentials: null,
    userAgent: 'x',
    wait: clock.wait,
  })
  server.answer('POST /messages', { silence: true })
  const message = { type: 'channel', to: 7, topic: 'tea', content: 'in doubt' } as const
  const waiting = failureFrom(doubtful.call(messages.sendMessage, message))
  await eventually(() => server.requests.length === 1)
  doubtful.renew()
  expect(clock.waits).toEqual([10_000])
  await clock.advance(10_000)
  expect(await waiting).toMatchObject({ kind: 'offline', mayHaveArrived: true })
  doubtful.close()
})

test('closing ends what is under way', async () => {
  server.answer('POST /messages', { silence: true })
  const waiting = failureFrom(send())
  await eventually(() => server.requests.length === 1)
  connection.close()
  expect(await waiting).toMatchObject({ kind: 'offline' })
})

test('pictures come from the server with credentials, and from nowhere else', async () => {
  server.answer('GET /avatar/1', { text: 'png', headers: { 'content-type': 'image/png' } })
  const { signal } = new AbortController()
  const picture = await connection.fetchMedia(`http://127.0.0.1:${server.port}/avatar/1`, signal)
  expect(picture).toMatchObject({ status: 200, contentType: 'image/png' })
  expect(Buffer.from(picture.body).toString()).toBe('png')
  expect(server.requests[0]?.headers.authorization).toBeDefined()
  expect(await failureFrom(connection.fetchMedia('http://127.0.0.2/x.png', signal))).toMatchObject({
    kind: 'rejected',
    code: 'FOREIGN_MEDIA',
  })
})

test('requests go through the proxy of the settings', async () => {
  const targets: string[] = []
  const proxy = createServer((request, response) => {
    targets.push(request.url ?? '')
    response.end('{"result":"success","msg":"","realm_name":"Beyond the proxy"}')
  })
  const { port } = await listening(proxy)
  const proxied = createConnection({
    baseUrl: 'http://chat.invalid/api/v1',
    credentials: null,
    userAgent: 'x',
    network: { proxy: () => Promise.resolve(`http://127.0.0.1:${port}`), certificates: null },
  })
  const settings = await proxied.call(session.getServerSettings, {})
  expect(settings.realm_name).toBe('Beyond the proxy')
  expect(targets).toEqual(['http://chat.invalid/api/v1/server_settings'])
  proxied.close()
  proxy.closeAllConnections()
  proxy.close()
})

const listening = async (one: Server): Promise<AddressInfo> => {
  await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve))
  // A server that listens on an address and port returns an object.
  return one.address() as AddressInfo
}

test('the first call of an endpoint lets others have their turn before it goes out and before its answer is read', async () => {
  const seen: string[] = []
  const bare = createConnection({
    baseUrl: 'http://127.0.0.1:9/api/v1',
    credentials: null,
    userAgent: 'x',
    exchange: () => {
      seen.push('out')
      return Promise.resolve({
        status: 200,
        chunks: [Buffer.from('{"result":"success"}')],
        header: () => undefined,
      })
    },
  })
  /** The stages of a call, and in which turns of the event loop they happen. */
  const course = async () => {
    seen.length = 0
    let isOver = false
    const call = bare.call(session.getServerSettings, {}).finally(() => (isOver = true))
    for (; !isOver; await turn()) seen.push('turn')
    await call
    return seen.join(' ')
  }
  expect(await course()).toBe('turn turn out turn turn')
  expect(await course()).toBe('out turn')
  bare.close()
})
