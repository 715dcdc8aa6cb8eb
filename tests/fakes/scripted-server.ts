import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it arrived. */
export interface Received {
  readonly method: string
  /** Below the base address, without the query. */
  readonly path: string
  /** Query and form, by name. */
  readonly fields: Readonly<Record<string, string>>
  /** As it came, for what is no form of this kind. */
  readonly body: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** What the server does with a request. */
export type Reply =
  /** A success envelope around this, with status 200. */
  | { readonly success: object }
  /** An error envelope. */
  | {
      readonly error: string
      readonly status: number
      readonly extra?: object
      readonly headers?: Record<string, string>
    }
  /** Bytes as they are. */
  | { readonly text: string; readonly status?: number; readonly headers?: Record<string, string> }
  /** The connection is cut: before the answer, or in its middle. */
  | { readonly cut: 'before' | 'within'; readonly text?: string }
  /** Nothing, until the client gives up. */
  | { readonly silence: true }

type Script = Reply | ((request: Received) => Reply | Promise<Reply>)

/**
 * A real HTTP server that says exactly what a test wants, for what the real service would never say. Unless told
 * otherwise it is an organization in which nothing happens.
 */
export interface ScriptedServer {
  readonly baseUrl: string
  readonly port: number
  readonly requests: readonly Received[]
  /** What registering answers, beside the queue. */
  readonly snapshot: Record<string, unknown>
  /** From now on, for a route such as "GET /events". */
  answer(route: string, script: Script): void
  /** From now on leaves the requests of a route to `listener`, with their bodies unread. */
  hand(route: string, listener: RequestListener): void
  /** As before `answer`. */
  answerAsUsual(route: string): void
  /** Puts events into the queue; ids are given out. */
  push(...events: readonly object[]): void
  /** Forgets the queue, as ten idle minutes do. */
  loseQueue(): void
  received(route: string): Received[]
  stop(): Promise<void>
  start(): Promise<void>
}

/** `now` is the server's clock, which its answers tell; the real one by default. */
export async function startScriptedServer(
  snapshot: Record<string, unknown> = {},
  now: () => number = Date.now,
): Promise<ScriptedServer> {
  const requests: Received[] = []
  const scripts = new Map<string, Script>()
  const listeners = new Map<string, RequestListener>()
  let queueNumber = 0
  let nextEventId = 0
  let isQueueKnown = false
  const events: { id: number }[] = []
  let wakePoll = () => {}
  const state: Record<string, unknown> = { service_feature_level: 420, ...snapshot }

  const poll = async ({ fields }: Received): Promise<Reply> => {
    const last = Number(fields['last_event_id'])
    const isKnown = () => isQueueKnown && fields['queue_id'] === `queue-${queueNumber}`
    const pending = () => events.filter(({ id }) => id > last)
    if (isKnown() && pending().length === 0 && fields['dont_block'] !== 'true') {
      await new Promise<void>((resolve) => (wakePoll = resolve))
    }
    if (!isKnown()) return { error: 'BAD_EVENT_QUEUE_ID', status: 400 }
    return { success: { events: pending(), queue_id: fields['queue_id'] } }
  }

  const usual: Record<string, Script> = {
    'GET /server_settings': () => ({
      success: { service_feature_level: state['service_feature_level'], realm_name: 'Scripted' },
    }),
    'POST /register': () => {
      queueNumber++
      isQueueKnown = true
      events.length = 0
      nextEventId = 0
      return { success: { queue_id: `queue-${queueNumber}`, last_event_id: -1, ...state } }
    },
    'GET /events': poll,
    'GET /messages': { success: { messages: [], found_oldest: true, found_newest: true } },
    'POST /users/me/presence': { success: {} },
  }

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const path = url.pathname.replace(/^\/api\/v1/, '')
    const listener = listeners.get(`${request.method} ${path}`)
    if (listener !== undefined) {
      listener(request, response)
      return
    }
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const received: Received = {
      method: request.method ?? '',
      path,
      fields: Object.fromEntries([...url.searchParams, ...new URLSearchParams(body)]),
      body,
      headers: request.headers,
    }
    requests.push(received)
    const route = `${received.method} ${received.path}`
    const script = scripts.get(route) ?? usual[route] ?? { error: 'BAD_REQUEST', status: 404 }
    const reply = typeof script === 'function' ? await script(received) : script
    response.setHeader('date', new Date(now()).toUTCString())
    await send(reply, response)
  }

  let server = createServer()
  let port = 0
  const start = async () => {
    server = createServer((request, response) => {
      handle(request, response).catch(() => response.destroy())
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    // Listening on an address and a port, so this is not a pipe's name.
    port = (server.address() as AddressInfo).port
  }
  await start()

  return {
    get baseUrl() {
      return `http://127.0.0.1:${port}/api/v1`
    },
    get port() {
      return port
    },
    requests,
    snapshot: state,
    answer: (route, script) => void scripts.set(route, script),
    hand: (route, listener) => void listeners.set(route, listener),
    answerAsUsual: (route) => void scripts.delete(route),
    push(...added) {
      for (const event of added) events.push({ ...event, id: nextEventId++ })
      wakePoll()
    },
    loseQueue() {
      isQueueKnown = false
      wakePoll()
    },
    received: (route) => requests.filter(({ method, path }) => `${method} ${path}` === route),
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      wakePoll()
      await closed
    },
    start,
  }
}

async function send(reply: Reply, response: ServerResponse): Promise<void> {
  if ('silence' in reply) return
  if ('cut' in reply) {
    if (reply.cut === 'within') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      await new Promise<void>((resolve) => response.write(reply.text ?? '{"result":', () => resolve()))
    }
    response.destroy()
    return
  }
  if ('text' in reply) {
    response.writeHead(reply.status ?? 200, reply.headers ?? { 'content-type': 'text/html' }).end(reply.text)
    return
  }
  const isError = 'error' in reply
  const body = isError
    ? { result: 'error', msg: `scripted ${reply.error}`, code: reply.error, ...reply.extra }
    : { result: 'success', msg: '', ...reply.success }
  response
    .writeHead(isError ? reply.status : 200, {
      'content-type': 'application/json',
      ...(isError ? reply.headers : {}),
    })
    .end(JSON.stringify(body))
}
