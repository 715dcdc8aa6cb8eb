import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import Fastify from 'fastify'
import { Agent, request } from 'undici'
import { buildServer } from '../src-server/build-server.ts'
import { openDatabase, type Database } from '../src-server/database.ts'
import { foundOrganization } from '../src-server/found-organization.ts'
import { createWorkspace, type Workspace } from '../src-server/workspace.ts'
import { compare, quantile, type Contender, type Line } from './measure.ts'
import { fillService, type FilledService } from './service-workload.ts'

const agent = new Agent({ connections: 2_000, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 })

/** A service in this process, over real HTTP, beside bare servers that do the least of the same work. */
interface Bench {
  readonly workspace: Workspace
  readonly db: Database
  readonly url: string
  readonly filled: FilledService
}

interface Caller {
  get(path: string, fields?: Record<string, string>): Promise<string>
  post(path: string, fields: Record<string, string>): Promise<string>
}

function callerOf(url: string, who: { email: string; apiKey: string }): Caller {
  const authorization = `Basic ${Buffer.from(`${who.email}:${who.apiKey}`).toString('base64')}`
  const call = async (method: 'GET' | 'POST', path: string, fields: Record<string, string>) => {
    const form = new URLSearchParams(fields).toString()
    const { statusCode, body } = await request(`${url}/api/v1${path}${method === 'GET' ? `?${form}` : ''}`, {
      method,
      dispatcher: agent,
      headers: { authorization, 'user-agent': 'Bench/1.0' },
      ...(method === 'GET' ? {} : { body: form }),
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${method} ${path}: ${text.slice(0, 200)}`)
    return text
  }
  return {
    get: (path, fields = {}) => call('GET', path, fields),
    post: (path, fields) => call('POST', path, fields),
  }
}

const once = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const repeated = async (times: number, work: (index: number) => Promise<unknown>): Promise<number[]> => {
  const all: number[] = []
  for (let index = 0; index < times; index++) all.push(await once(() => work(index)))
  return all
}

/** A server that answers what it is told to; the floor of everything that goes over HTTP. */
async function bare(
  answer: (path: string, body: string) => unknown,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = Fastify({ logger: false, forceCloseConnections: true })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  server.all('/*', (asked, reply) =>
    reply
      .type('application/json')
      .send(JSON.stringify(answer(asked.url, typeof asked.body === 'string' ? asked.body : ''))),
  )
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  return { url, close: () => server.close() }
}

const bareGet = async (url: string): Promise<string> => {
  const { body } = await request(url, { dispatcher: agent })
  return body.text()
}

/** Measures the service with `messages` messages; every line stands beside its floor. */
export async function serviceLines(
  messages: number,
  rounds: number,
  say: (line: string) => void,
): Promise<{ lines: Line[]; facts: string[] }> {
  const directory = mkdtempSync(join(tmpdir(), 'dunlin-bench-service-'))
  const db = openDatabase(join(directory, 'workspace.db'))
  const workspace = createWorkspace({
    database: db,
    clock: {
      now: () => Date.now(),
      wait: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
    },
    random: Math.random,
    rateLimit: null,
    featureLevel: 420,
    configuration: {
      filesDirectory: join(directory, 'files'),
      maxUploadMib: 25,
      uploadQuotaMib: null,
      allowPrivateWebhooks: false,
      pushBouncerUrl: null,
      limitsPresence: false,
      invitationValidityMinutes: 14_400,
      sendMail: () => {},
    },
    log: say,
  })
  foundOrganization(workspace)
  say(`filling a service with ${messages} messages`)
  const filled = fillService(workspace, messages)
  const server = buildServer(workspace)
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  workspace.url = url
  const bench: Bench = { workspace, db, url, filled }
  const facts: string[] = []
  try {
    const lines = [
      ...(await liveQueues(bench, rounds, facts, say)),
      ...(await registering(bench, rounds, say)),
      ...(await reading(bench, rounds, say)),
      ...(await posting(bench, rounds, facts, say)),
    ]
    return { lines, facts }
  } finally {
    workspace.queues.expireAll()
    await server.close()
    db.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

const queueCount = 1_000

async function liveQueues(
  bench: Bench,
  rounds: number,
  facts: string[],
  say: (line: string) => void,
): Promise<Line[]> {
  say(`${queueCount} live queues`)
  const { url, workspace, filled } = bench
  const listeners = filled.people.slice(0, queueCount)
  const heap = () => {
    globalThis.gc?.()
    return process.memoryUsage().heapUsed
  }
  const before = heap()
  const queues = listeners.map(({ userId }) =>
    workspace.queues.register({
      userId,
      eventTypes: null,
      capabilities: { empty_topic_name: true },
      applyMarkdown: true,
      allPublicStreams: false,
      passes: () => true,
      lifespanMs: 0,
    }),
  )
  const perQueue = (heap() - before) / queueCount
  facts.push(`An idle queue holds ${(perQueue / 1024).toFixed(1)} KiB.`)
  const callers = listeners.map((who) => callerOf(url, who))
  const last = queues.map(() => -1)
  const received = new Map<number, () => void>()
  const stopping = new AbortController()
  const poll = async (index: number) => {
    const queue = queues[index]
    while (!stopping.signal.aborted) {
      const text = await callers[index]
        ?.get('/events', { queue_id: queue?.queueId ?? '', last_event_id: String(last[index]) })
        .catch(() => null)
      if (text === null || text === undefined) return
      // The service's own answer.
      const { events } = JSON.parse(text) as { events: { id: number; type: string }[] }
      last[index] = events.at(-1)?.id ?? last[index] ?? -1
      if (events.some(({ type }) => type === 'message')) received.get(index)?.()
    }
  }
  const polls = queues.map((_, index) => poll(index))
  await sleep(3_000)
  const floor = await bare(() => ({ result: 'success', msg: '' }))
  const direct = async (index: number) => {
    const from = callers[(index + 1) % queueCount]
    const to = listeners[index]?.userId ?? 0
    const arrived = new Promise<void>((resolve) => received.set(index, resolve))
    await Promise.all([
      from?.post('/messages', { type: 'direct', to: `[${to}]`, content: `note ${index}` }),
      arrived,
    ])
    received.delete(index)
    // The reader's next poll stands again.
    await sleep(1)
  }
  const times = (round: number) => Array.from({ length: 40 }, (_, step) => (round * 40 + step) % queueCount)
  const lines = await compare(
    'with 1,000 polls waiting: a direct message, from sending to its reader',
    rounds,
    [
      { name: 'bare loopback request', run: () => repeated(40, () => bareGet(`${floor.url}/`)) },
      {
        name: 'Dunlin',
        async run(round) {
          const all: number[] = []
          for (const index of times(round)) {
            const arrived = once(() => direct(index))
            all.push((await arrived) - 1)
          }
          return all
        },
      },
    ],
  )
  stopping.abort()
  workspace.queues.expireAll()
  await Promise.all(polls)
  await floor.close()
  return lines
}

async function registering(bench: Bench, rounds: number, say: (line: string) => void): Promise<Line[]> {
  say('registering')
  const { url, filled } = bench
  const [who] = filled.people
  if (who === undefined) return []
  const caller = callerOf(url, who)
  const fields = {
    apply_markdown: 'true',
    client_capabilities: JSON.stringify({
      notification_settings_null: true,
      bulk_message_deletion: true,
      user_settings_object: true,
      archived_channels: true,
      empty_topic_name: true,
      simplified_presence_events: true,
    }),
  }
  const state: unknown = JSON.parse(await caller.post('/register', fields))
  const floor = await bare(() => state)
  const lines = await compare('registering: 10,000 people, 2,000 channels, 50,000 topics', rounds, [
    { name: 'the same JSON, serialized', run: () => repeated(4, () => bareGet(`${floor.url}/`)) },
    { name: 'Dunlin', run: () => repeated(4, () => caller.post('/register', fields)) },
  ])
  await floor.close()
  return lines
}

interface BareRow {
  readonly message_id: number
  readonly sender_id: number
  readonly channel_id: number
  readonly topic: string
  readonly rendered: string
  readonly sent_at: number
  readonly client: string
  readonly full_name: string
  readonly email: string
  readonly avatar_version: number
  readonly is_read: number
}

/** A row in the fields of the Message object, without a thought. */
const bareMessage = (row: BareRow) => ({
  id: row.message_id,
  type: 'stream',
  content: row.rendered,
  content_type: 'text/html',
  timestamp: row.sent_at,
  sender_id: row.sender_id,
  sender_email: row.email,
  sender_full_name: row.full_name,
  sender_realm_str: '',
  avatar_url: `/avatar/${row.sender_id}?version=${row.avatar_version}`,
  client: row.client,
  display_recipient: 'channel',
  stream_id: row.channel_id,
  subject: row.topic,
  recipient_id: row.channel_id,
  is_me_message: false,
  flags: row.is_read === 1 ? ['read'] : [],
  reactions: [],
  submessages: [],
  topic_links: [],
})

async function reading(bench: Bench, rounds: number, say: (line: string) => void): Promise<Line[]> {
  say('reading')
  const { db, url, filled } = bench
  const [who] = filled.people
  if (who === undefined) return []
  const caller = callerOf(url, who)
  const columns = `m.message_id, m.sender_id, m.channel_id, m.topic, m.rendered, m.sent_at, m.client,
    u.full_name, u.email, u.avatar_version, um.is_read`
  const joins = `messages m JOIN users u ON u.user_id = m.sender_id
    LEFT JOIN user_messages um ON um.message_id = m.message_id AND um.user_id = ${who.userId}`
  const floors: Record<string, (index: number) => BareRow[]> = {
    topic: (index) =>
      db.all<BareRow>(
        `SELECT ${columns} FROM ${joins} WHERE m.channel_id = ? AND m.topic_key = ? ORDER BY m.message_id DESC LIMIT 100`,
        filled.topics[index % filled.topics.length]?.channelId ?? 0,
        filled.topics[index % filled.topics.length]?.topic ?? '',
      ),
    channel: (index) =>
      db.all<BareRow>(
        `SELECT ${columns} FROM ${joins} WHERE m.channel_id = ? ORDER BY m.message_id DESC LIMIT 100`,
        filled.topics[index % filled.topics.length]?.channelId ?? 0,
      ),
    all: () =>
      db.all<BareRow>(
        `SELECT ${columns} FROM user_messages own CROSS JOIN ${joins.replace('messages m', 'messages m')}
         WHERE own.user_id = ${who.userId} AND m.message_id = own.message_id ORDER BY own.message_id DESC LIMIT 100`,
      ),
    search: () =>
      db.all<BareRow>(
        `SELECT ${columns} FROM ${joins} WHERE um.user_id IS NOT NULL AND m.message_id IN
           (SELECT rowid FROM message_words WHERE message_words MATCH ?) ORDER BY m.message_id DESC LIMIT 100`,
        filled.search
          .split(' ')
          .map((word) => `"${word}"`)
          .join(' AND '),
      ),
  }
  const floor = await bare((path) => {
    const [, kind = '', index = '0'] = path.split('/')
    return { result: 'success', msg: '', messages: (floors[kind]?.(Number(index)) ?? []).map(bareMessage) }
  })
  const narrows: Record<string, (index: number) => object[]> = {
    topic: (index) => [
      { operator: 'channel', operand: filled.topics[index % filled.topics.length]?.channelId },
      { operator: 'topic', operand: filled.topics[index % filled.topics.length]?.topic },
    ],
    channel: (index) => [
      { operator: 'channel', operand: filled.topics[index % filled.topics.length]?.channelId },
    ],
    all: () => [],
    search: () => [{ operator: 'search', operand: filled.search }],
  }
  const names = {
    topic: 'newest 100 messages of a topic',
    channel: 'newest 100 messages of a channel',
    all: 'newest 100 messages of everything',
    search: 'newest 100 messages with two words',
  }
  const lines: Line[] = []
  for (const [kind, name] of Object.entries(names)) {
    const contenders: Contender[] = [
      {
        name: 'bare statement, serialized',
        run: (round) => repeated(10, (index) => bareGet(`${floor.url}/${kind}/${round * 10 + index}`)),
      },
      {
        name: 'Dunlin',
        run: (round) =>
          repeated(10, (index) =>
            caller.get('/messages', {
              anchor: 'newest',
              num_before: '100',
              num_after: '0',
              narrow: JSON.stringify(narrows[kind]?.(round * 10 + index) ?? []),
            }),
          ),
      },
    ]
    lines.push(...(await compare(name, rounds, contenders)))
  }
  await floor.close()
  return lines
}

const clients = 50
const postingMs = 2_000

async function posting(
  bench: Bench,
  rounds: number,
  facts: string[],
  say: (line: string) => void,
): Promise<Line[]> {
  say('posting')
  const { db, url, filled } = bench
  const [who] = filled.people
  if (who === undefined) return []
  db.run('CREATE TABLE bare_posts (id INTEGER PRIMARY KEY, content TEXT)')
  const floor = await bare((_path, body) => {
    const { lastId } = db.run('INSERT INTO bare_posts (content) VALUES (?)', body)
    return { id: lastId }
  })
  const authorization = `Basic ${Buffer.from(`${who.email}:${who.apiKey}`).toString('base64')}`
  const body = new URLSearchParams({
    type: 'stream',
    to: String(filled.smallChannelId),
    topic: 'sustained',
    content: 'One of many short messages, with *some* Markdown.',
  }).toString()
  const rates: number[][] = [[], []]
  const lines = await compare(`posting by ${clients} clients at once, milliseconds each`, rounds, [
    {
      name: 'bare server, one insert',
      async run() {
        const posted = await load({ url: `${floor.url}/`, headers: {}, body })
        rates[0]?.push(posted.perSecond)
        return posted.times
      },
    },
    {
      name: 'Dunlin',
      async run() {
        const posted = await load({ url: `${url}/api/v1/messages`, headers: { authorization }, body })
        rates[1]?.push(posted.perSecond)
        return posted.times
      },
    },
  ])
  const [bareRate = 0, own = 0] = rates.map((all) =>
    quantile(
      all.sort((a, b) => a - b),
      0.5,
    ),
  )
  facts.push(
    `${clients} clients post ${Math.round(own).toLocaleString('en')} messages a second; a bare server with one insert takes ` +
      `${Math.round(bareRate).toLocaleString('en')}: ${(own / bareRate).toFixed(2)} of it.`,
  )
  await floor.close()
  return lines
}

/** Posts as fast as answers come, from another thread. */
function load(options: { url: string; headers: Record<string, string>; body: string }): Promise<{
  perSecond: number
  times: number[]
}> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./load.ts', import.meta.url), {
      workerData: { ...options, clients, durationMs: postingMs },
    })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}
