import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { createServer as createSocketServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { compare, quantile, type Line } from './measure.ts'
import type { Polls } from './polls.ts'
import { bare, bareGet, repeated, type Bench } from './service-http.ts'

const queueCount = 1_000
const messagesARound = 10

const authorizationOf = (who: { email: string; apiKey: string }) =>
  `Basic ${Buffer.from(`${who.email}:${who.apiKey}`).toString('base64')}`

/** A channel with as many subscribers as queues, all of whom wait for its messages. */
export async function liveQueues(
  bench: Bench,
  rounds: number,
  facts: string[],
  say: (line: string) => void,
): Promise<Line[]> {
  say(`${queueCount} live queues`)
  const { url, workspace, filled, db } = bench
  const listeners = filled.people.slice(0, queueCount)
  const [sender] = listeners
  if (sender === undefined) return []
  const { lastId: channelId } = db.run(
    `INSERT INTO channels (name, description, creator_id, date_created) VALUES ('everybody', '', ?, 0)`,
    sender.userId,
  )
  db.transaction(() => {
    for (const { userId } of listeners)
      db.run('INSERT INTO subscriptions (user_id, channel_id) VALUES (?, ?)', userId, channelId)
  })
  const held = () => {
    globalThis.gc?.()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = held()
  const queues = listeners.map(({ userId }) =>
    workspace.queues.register({
      userId,
      eventTypes: null,
      capabilities: { empty_topic_name: true },
      applyMarkdown: true,
      allPublicStreams: false,
      slimPresence: false,
      narrow: [],
      passes: () => true,
      lifespanMs: 0,
    }),
  )
  const idle = held() - before
  const body = new URLSearchParams({
    type: 'stream',
    to: String(channelId),
    topic: 'news',
    content: 'Everybody reads this at once.',
  }).toString()
  const head = `Host: bench\r\nUser-Agent: Bench/1.0\r\n`
  const polls = await waitingPolls({
    url,
    requests: listeners.map(
      (who, index) =>
        `GET /api/v1/events?queue_id=${queues[index]?.queueId}&last_event_id=LAST HTTP/1.1\r\n${head}` +
        `Authorization: ${authorizationOf(who)}\r\n\r\n`,
    ),
    post:
      `POST /api/v1/messages HTTP/1.1\r\n${head}Authorization: ${authorizationOf(sender)}\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  })
  await sleep(1_000)
  const waiting = held() - before
  const kib = (bytes: number) => `${(bytes / queueCount / 1024).toFixed(1)} KiB`
  facts.push(
    `An idle queue holds ${kib(idle)}; with the connection and the poll that waits, ${kib(waiting)}.`,
  )
  // A message is written for each receiver, with the index of their unread messages.
  db.run(
    `CREATE TABLE bare_rows (user_id INTEGER, message_id INTEGER, is_read INTEGER, PRIMARY KEY (user_id, message_id))
     WITHOUT ROWID`,
  )
  db.run('CREATE INDEX bare_unread ON bare_rows (user_id, message_id) WHERE is_read = 0')
  const userIds = JSON.stringify(listeners.map(({ userId }) => userId))
  let messageId = 0
  const sockets = await bareSockets(bench, channelId)
  const least = await bareWaiting(bench, channelId, () => {})
  const writing = await bareWaiting(bench, channelId, () =>
    db.run('INSERT INTO bare_rows SELECT value, ?, 0 FROM json_each(?)', ++messageId, userIds),
  )
  const floor = await bare(() => ({ result: 'success', msg: '' }))
  const several = async (from: WaitingPolls) => {
    const all: number[] = []
    for (let turn = 0; turn < messagesARound; turn++) all.push(...(await from.post()))
    return all
  }
  const lines = await compare(
    'a message to a channel of 1,000 who all wait, from sending to each of them',
    rounds,
    [
      { name: 'bare loopback request', run: () => repeated(100, () => bareGet(`${floor.url}/`)) },
      { name: 'bare sockets, the same bytes', run: () => several(sockets.polls) },
      { name: 'bare node:http, the same answers', run: () => several(least.polls) },
      { name: 'the same, with 1,000 rows in SQLite first', run: () => several(writing.polls) },
      { name: 'Dunlin', run: () => several(polls) },
    ],
  )
  const [request, ...answers] = lines
  const times = answers.map(({ p99Ms }) => (p99Ms / (request?.medianMs ?? 1)).toFixed(0))
  facts.push(
    `99 of 100 of 1,000 readers have a message after ${times[3]} times a loopback request (goal: 20), where bare sockets ` +
      `alone need ${times[0]} times one to write 1,000 answers, the bare server ${times[1]} times one, and ${times[2]} ` +
      'times one with the rows.',
  )
  const usual = ({ costs }: WaitingPolls) =>
    quantile(
      [...costs].sort((a, b) => a - b),
      0.5,
    )
  facts.push(
    `For a message and its 1,000 answers the service takes ${usual(polls).toFixed(0)} ms of its processor's time, the ` +
      `bare server ${usual(least.polls).toFixed(0)} ms for the answers alone and ` +
      `${usual(writing.polls).toFixed(0)} ms with the rows.`,
  )
  await polls.close()
  await sockets.close()
  await least.close()
  await writing.close()
  workspace.queues.expireAll()
  await floor.close()
  return lines
}

interface WaitingPolls {
  /** Posts once; returns the milliseconds until each of the polls had its answer. */
  post(): Promise<number[]>
  /** The processor milliseconds that this thread, and so the server, has used per post so far. */
  readonly costs: readonly number[]
  close(): Promise<void>
}

async function waitingPolls(polls: Polls): Promise<WaitingPolls> {
  const child = fork(new URL('./polls.ts', import.meta.url))
  const answer = () =>
    new Promise<number[]>((resolve, reject) => {
      child.once('message', (times: number[]) => {
        child.off('exit', reject)
        resolve(times)
      })
      child.once('exit', reject)
    })
  const ready = answer()
  child.send(polls)
  await ready
  child.send('poll')
  const costs: number[] = []
  return {
    costs,
    async post() {
      const before = process.threadCpuUsage()
      const times = answer()
      child.send('post')
      const all = await times
      const { user, system } = process.threadCpuUsage(before)
      costs.push((user + system) / 1_000)
      child.send('poll')
      // Until all of them are connected.
      await sleep(200)
      return all
    },
    async close() {
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}

/** What each waiting client receives. */
function answerBytes({ workspace, filled }: Bench, channelId: number): Buffer {
  const [who] = filled.people
  const event = {
    type: 'message',
    message: {
      id: 1_000_000,
      type: 'stream',
      content: '<p>Everybody reads this at once.</p>',
      content_type: 'text/html',
      timestamp: workspace.now(),
      sender_id: who?.userId,
      sender_email: who?.email,
      sender_full_name: 'Somebody Here',
      sender_realm_str: '',
      avatar_url: `/avatar/${who?.userId}?version=1`,
      client: 'Bench',
      display_recipient: 'everybody',
      stream_id: channelId,
      subject: 'news',
      recipient_id: channelId,
      is_me_message: false,
      reactions: [],
      submessages: [],
      topic_links: [],
    },
    flags: [],
    id: 1,
  }
  const id = '00000000-0000-0000-0000-000000000000'
  return Buffer.from(JSON.stringify({ result: 'success', msg: '', events: [event], queue_id: id }))
}

/** Writes prepared bytes to every connection when something is posted: the minimum that the system itself takes. */
async function bareSockets(bench: Bench, channelId: number) {
  const bytes = answerBytes(bench, channelId)
  const answer = Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes.length}\r\n\r\n`),
    bytes,
  ])
  const waiting: Socket[] = []
  const server = createSocketServer({ noDelay: true }, (socket) => {
    // Each request arrives in one piece.
    socket.on('data', (request) => {
      waiting.push(socket)
      if (request.toString('latin1', 0, 4) === 'POST') for (const one of waiting.splice(0)) one.write(answer)
    })
  })
  return pollsOf(server, () => {})
}

/**
 * A server that holds requests and, when something is posted, writes it and answers all of them with the same bytes.
 */
async function bareWaiting(bench: Bench, channelId: number, write: () => void) {
  const waiting: ServerResponse[] = []
  const bytes = answerBytes(bench, channelId)
  const answer = (response: ServerResponse) => {
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': bytes.length,
    })
    response.end(bytes)
  }
  const server = createServer((request, response) => {
    if (request.method === 'GET') waiting.push(response)
    else {
      write()
      const told = waiting.splice(0)
      answer(response)
      for (const one of told) answer(one)
    }
  })
  // The posting connection may be silent for long while other contenders run.
  server.keepAliveTimeout = 0
  return pollsOf(server, () => server.closeAllConnections())
}

/** The clients that wait for a bare server, until both end. */
async function pollsOf(server: Server, hangUp: () => void) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`
  const polls = await waitingPolls({
    url,
    requests: Array.from({ length: queueCount }, () => 'GET /LAST HTTP/1.1\r\nHost: bench\r\n\r\n'),
    post: 'POST / HTTP/1.1\r\nHost: bench\r\nContent-Length: 0\r\n\r\n',
  })
  return {
    polls,
    async close() {
      await polls.close()
      hangUp()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
