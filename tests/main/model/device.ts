import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { FailureError, failureOf } from '../../../src-shared/failure.ts'
import { accountId, userId } from '../../../src-shared/ids.ts'
import type { Answer, Outgoing } from '../../../src-main/api/exchange.ts'
import { openAccount, type LiveAccount } from '../../../src-main/engine/account.ts'
import { testPlatform } from '../../support/platform.ts'
import { readCursor } from '../../../src-main/store/cursor.ts'
import { openStore, type Store } from '../../../src-main/store/database.ts'
import type { UserRow, Workspace } from '../../../src-server/workspace.ts'
import { begin, chance, type Time } from './time.ts'
import { watchedStore } from './watched-store.ts'

/**
 * A fault of one request. "Lost" means that the connection breaks: before the service gets the request, after its
 * effect, or during it ("lost-during": the service handles the request some time later). "Twice" means that a proxy
 * repeats the request and returns the second answer; for a poll, it returns the last answer once more. "None" lets the
 * request through, so that a later one is hit.
 */
export type Fault =
  | 'none'
  | 'refused'
  | 'lost-before'
  | 'lost-during'
  | 'lost-after'
  | 'too-many'
  | 'failed'
  | 'failed-after'
  | 'truncated'
  | 'page'
  | 'twice'

/** Whether a request creates something each time. Proxies must not repeat these, and no server could detect it. */
const isMaking = ({ method, url }: Outgoing) =>
  method === 'POST' && /\/(messages|drafts|create|scheduled_messages|saved_snippets|reminders)$/.test(url)

const baseUrl = 'http://service.test'
/** How much later a busy service handles a request whose connection the device has already lost. */
const busyMs = 4_000

/** A request of a device and its outcome there: a status, or cut off. */
export interface SeenRequest {
  readonly method: string
  /** Relative to the API's root, with the query. */
  readonly path: string
  readonly form: URLSearchParams
  /** 'none': it certainly did not arrive. */
  outcome: number | 'under way' | 'lost' | 'none'
}

/** One device of the person: a real account on a real file, which a test can disconnect, kill and reopen. */
export interface ModelDevice {
  readonly account: LiveAccount
  readonly store: Store
  isConnected: boolean
  /** Whether its process was killed and the next one has not started: nobody is there to do anything. */
  readonly isKilled: boolean
  skewMs: number
  /** How many of the next writes find the disk full. */
  writesToRefuse: number
  /** The requests that left this device, in order. */
  readonly requests: readonly SeenRequest[]
  /** How long requests, answers and polled events take. */
  latency: { up: number; down: number; events: number }
  readonly faults: { calls: Fault[]; polls: Fault[] }
  /** Query parameters that the service ignores for this device, like an older service. */
  readonly unknownParameters: string[]
  setConnected(value: boolean): void
  /** Ends the process right after this many more commits; 0: now. Until then nothing changes. */
  kill(afterCommits: number): void
  /** Cancels a kill that has not happened yet. */
  spare(): void
  /** Ends the program properly and starts it again. */
  restart(): void
  /** Wakes the machine from sleep. */
  wake(): void
  /** The system tells one of its windows that there is a network again. */
  networkIsBack(): void
  loseQueue(): void
  /** Ends the program properly, for good; returns the account's file. */
  retire(): Buffer
}

const offline = (mayHaveArrived: boolean) =>
  new FailureError({ kind: 'offline', message: 'The server did not answer.', mayHaveArrived })

const answer = (status: number, body: string, headers: Record<string, string> = {}): Answer => ({
  status,
  chunks: [Buffer.from(body)],
  header: (name) => headers[name],
})

/** What all devices of a world use. */
interface Shared {
  readonly directory: string
  readonly time: Time
  readonly server: FastifyInstance
  readonly work: { count: number }
  readonly workspace: Workspace
  readonly user: UserRow
  readonly log: string[]
}

/** A device as its world handles it. */
export interface KillableDevice extends ModelDevice {
  reopenIfDead(): void
  end(): void
}

/** One run of the program on a device, from start to end. */
interface Life {
  readonly account: LiveAccount
  /** Aborts with the process: the network drops its answers. */
  readonly ending: AbortController
}

/** Creates a device of the person, with this file of its account, and starts it. */
export function createDevice(shared: Shared, index: number, content: Buffer): KillableDevice {
  const { directory, time, user } = shared
  let starts = 0
  let path = join(directory, `${index}.db`)
  let commitsToLive: number | null = null
  let left: string | null = null
  let cable = new AbortController()
  let lastEvents: Answer | null = null
  const requests: SeenRequest[] = []
  const wakes = new Set<() => void>()
  writeFileSync(path, content)

  const asUnderstood = (address: string): string => {
    if (device.unknownParameters.length === 0) return address
    const url = new URL(address)
    for (const name of device.unknownParameters) url.searchParams.delete(name)
    return url.href
  }

  const carry = async (request: Outgoing, ending: AbortSignal): Promise<Answer> => {
    const seen: SeenRequest = {
      method: request.method,
      path: request.url.slice(baseUrl.length + '/api/v1'.length),
      form: new URLSearchParams(request.body ?? ''),
      outcome: 'under way',
    }
    requests.push(seen)
    try {
      const answered = await travel({ ...request, url: asUnderstood(request.url) }, ending)
      seen.outcome = answered.status
      return answered
    } catch (error) {
      const failure = failureOf(error)
      seen.outcome = failure.kind === 'offline' && !failure.mayHaveArrived ? 'none' : 'lost'
      throw error
    }
  }

  const travel = async (request: Outgoing, ending: AbortSignal): Promise<Answer> => {
    time.stir()
    const isPoll = request.url.includes('/events?')
    const fault = (isPoll ? device.faults.polls : device.faults.calls).shift()
    if (!device.isConnected || ending.aborted || fault === 'refused') throw offline(false)
    const { latency } = device
    const cut = AbortSignal.any([ending, cable.signal, ...request.signals])
    const timedOut = new AbortController()
    const done = new AbortController()
    const isOver = AbortSignal.any([done.signal, cut])
    void time.wait(request.timeoutMs, isOver).then(() => {
      if (!isOver.aborted) timedOut.abort()
    })
    const gone = AbortSignal.any([cut, timedOut.signal])
    try {
      if (latency.up > 0) await time.wait(latency.up, gone)
      if (gone.aborted || fault === 'lost-before') throw offline(true)
      if (fault === 'too-many') {
        return answer(429, '{"result":"error","msg":"slow down","code":"RATE_LIMIT_HIT","retry-after":3.5}')
      }
      if (fault === 'failed') return answer(502, '<html>bad gateway</html>')
      if (fault === 'page') return answer(200, '<html>Sign in to this network</html>')
      // The service gets the file's content at the time of sending, even if the file changes meanwhile.
      const body = await bodyOf(shared, request)
      if (fault === 'lost-during') {
        // A signal of its own, so that its listeners are released with this request.
        const never = new AbortController().signal
        void time.wait(busyMs, never).then(() => atService(shared, request, body, never))
        throw offline(true)
      }
      if (isPoll && fault === 'twice' && lastEvents !== null) return lastEvents
      if (fault === 'twice' && !isPoll && !isMaking(request)) await atService(shared, request, body, gone)
      const response = await atService(shared, request, body, gone)
      if (response === null || fault === 'lost-after') throw offline(true)
      const date = new Date(begin + time.elapsed).toUTCString()
      const delay = isPoll ? latency.events : latency.down
      if (delay > 0) await time.wait(delay, gone)
      if (gone.aborted) throw offline(true)
      if (fault === 'failed-after') return answer(504, '')
      if (fault === 'truncated') return answer(200, response.body.slice(0, response.body.length >> 1))
      const whole = answer(response.status, response.body, { date })
      if (isPoll && response.status === 200) lastEvents = whole
      return whole
    } finally {
      // With a reason, because otherwise an error with a stack is created for each request.
      done.abort('done')
      time.stir()
    }
  }

  const start = (): Life => {
    starts++
    device.writesToRefuse = 0
    const random = chance(index * 1_000 + starts)
    const ending = new AbortController()
    const store = watchedStore(
      openStore(path, (line) => void shared.log.push(`${index}: ${line}`)),
      () => {
        if (device.writesToRefuse === 0) return
        device.writesToRefuse--
        throw new FailureError({ kind: 'device', code: 'disk-full', message: 'The disk is full.' })
      },
      () => {
        time.stir()
        if (commitsToLive === null || ending.signal.aborted || --commitsToLive > 0) return
        die(ending)
      },
    )
    const platform = testPlatform(directory, {
      now: () => begin + time.elapsed + device.skewMs,
      wait: (ms, signal) => time.wait(ms, signal),
      random,
      log: (line) => void shared.log.push(`${index}: ${line}`),
      onWake: (listener) => {
        wakes.add(listener)
        return () => wakes.delete(listener)
      },
    })
    const account = openAccount({
      known: {
        id: accountId('a1'),
        baseUrl: `${baseUrl}/api/v1`,
        email: user.email,
        userId: userId(user.user_id),
        fullName: user.full_name,
        organizationName: `device ${index}`,
        organizationIconUrl: null,
        isDemo: false,
      },
      key: { apiKey: user.api_key },
      store,
      path,
      fileNotice: null,
      platform,
      userAgent: 'Dunlin/test',
      events: {
        notify: () => {},
        notices: () => [],
        withdraw: () => {},
        knownChanged: () => {},
        countsChanged: () => {},
        shellChanged: () => {},
        attention: () => null,
        isActive: () => false,
        notificationsEnabled: () => false,
        isQuiet: () => false,
        isMetered: () => false,
        wantsAllHistory: () => false,
      },
      exchange: (request) => carry(request, ending.signal),
    })
    return { account, ending }
  }

  /** Kills the process: the next start finds the file as it is now, and the old process's later work has no effect. */
  const die = (ending: AbortController) => {
    commitsToLive = null
    left = join(directory, `${index}-${starts}.db`)
    copyFileSync(path, left)
    for (const name of readdirSync(directory)) {
      const beside = name.startsWith(basename(path)) ? name.slice(basename(path).length) : ''
      if (beside === '-wal' || beside.startsWith('-sent-file-'))
        copyFileSync(join(directory, name), `${left}${beside}`)
    }
    ending.abort()
    time.stir()
  }

  const device: KillableDevice = {
    get account() {
      return life.account
    },
    get store() {
      return life.account.store
    },
    get isKilled() {
      return left !== null
    },
    isConnected: true,
    skewMs: 0,
    writesToRefuse: 0,
    requests,
    latency: { up: 0, down: 0, events: 0 },
    faults: { calls: [], polls: [] },
    unknownParameters: [],
    setConnected(value) {
      device.isConnected = value
      if (value) return
      const before = cable
      cable = new AbortController()
      before.abort()
      time.stir()
    },
    kill(afterCommits) {
      if (afterCommits === 0) die(life.ending)
      else commitsToLive = afterCommits
    },
    spare() {
      commitsToLive = null
    },
    restart() {
      commitsToLive = null
      life.ending.abort()
      life.account.close()
      life = start()
      time.stir()
    },
    wake() {
      for (const listener of wakes) listener()
      time.stir()
    },
    networkIsBack() {
      life.account.networkIsBack()
      time.stir()
    },
    loseQueue() {
      const { queueId } = readCursor(life.account.store.db)
      if (queueId === null) return
      try {
        shared.workspace.queues.remove(queueId, user.user_id)
      } catch {
        // The queue was already lost.
      }
      time.stir()
    },
    retire() {
      device.end()
      return readFileSync(path)
    },
    reopenIfDead() {
      if (left === null) return
      life.account.close()
      path = left
      left = null
      life = start()
      time.stir()
    },
    end() {
      commitsToLive = null
      life.ending.abort()
      life.account.close()
    },
  }
  let life = start()
  return device
}

async function bodyOf({ work }: Shared, request: Outgoing): Promise<string | Buffer | null> {
  if (request.stream === undefined) return request.body
  // Reading a file takes turns in which nothing else happens here.
  work.count++
  try {
    const pieces: Uint8Array[] = []
    for await (const piece of request.stream()) pieces.push(piece)
    return Buffer.concat(pieces)
  } finally {
    work.count--
  }
}

/** Calls the service's own routes; null if the client hung up before the answer. */
async function atService(
  { server, work }: Shared,
  request: Outgoing,
  payload: string | Buffer | null,
  gone: AbortSignal,
): Promise<{ status: number; body: string } | null> {
  work.count++
  try {
    const response = await server.inject({
      method: request.method,
      url: request.url.slice(baseUrl.length),
      headers: request.headers,
      ...(payload === null ? {} : { payload }),
      signal: gone,
    })
    return { status: response.statusCode, body: response.body }
  } catch (error) {
    if (gone.aborted) return null
    throw error
  } finally {
    work.count--
  }
}
