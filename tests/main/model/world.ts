import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { FailureError, failureOf } from '../../../src-shared/failure.ts'
import { accountId, userId } from '../../../src-shared/ids.ts'
import type { Answer, Outgoing } from '../../../src-main/api/connection.ts'
import { openAccount, type LiveAccount } from '../../../src-main/engine/account.ts'
import type { Platform } from '../../../src-main/engine/platform.ts'
import { readCursor } from '../../../src-main/store/cursor.ts'
import { openStore, type Store } from '../../../src-main/store/database.ts'
import { createUser } from '../../../src-server/people/accounts.ts'
import { createSystemGroups } from '../../../src-server/organization/found-organization.ts'
import { createChannel } from '../../../src-server/channels/channels.ts'
import { addSubscriber } from '../../../src-server/channels/subscriptions.ts'
import { createWorkspace } from '../../../src-server/create-workspace.ts'
import type { UserRow, Workspace } from '../../../src-server/workspace.ts'
import { testConfiguration } from '../../support/configuration.ts'
import { emptyAccount, emptyDatabase, filesIn, serverOf } from './ready-made.ts'

/**
 * A fault of one request. "Lost" means that the connection breaks: before the service gets the request, after its
 * effect, or during it ("lost-during": the service handles the request some time later). "Twice" means that a proxy
 * repeats the request and returns the second answer; for a poll, it returns the last answer once more.
 */
export type Fault =
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
const begin = Date.UTC(2026, 2, 2, 9)
/** How much later a busy service handles a request whose connection the device has already lost. */
const busyMs = 4_000
/** After this many turns of the event loop without activity, nothing more happens by itself. */
const quietTurns = 4
/** After this many turns without a pause, something must be running in circles. */
const mostTurns = 2_000
/** Within this many turns the service answers requests that do not write to a real disk. */
const quickTurns = 300
/** Within this many milliseconds the service has written a file to a real disk, however busy that is. */
const mostWaits = 10_000

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
}

/** A service and devices in one process, on one clock that only the test moves. */
export interface World {
  readonly workspace: Workspace
  readonly user: UserRow
  readonly other: UserRow
  readonly channelId: number
  readonly devices: readonly ModelDevice[]
  readonly log: readonly string[]
  /** Runs everything that needs no time. */
  settle(): Promise<void>
  /** Lets time pass. */
  pass(ms: number): Promise<void>
  /** Skips time while everything sleeps, the service too; what became due meanwhile happens afterwards. */
  skip(ms: number): Promise<void>
  /** A fault-free request of the same person from elsewhere; returns the status. */
  ask(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, form?: string, as?: UserRow): Promise<number>
  close(): Promise<void>
}

const offline = (mayHaveArrived: boolean) =>
  new FailureError({ kind: 'offline', message: 'The server did not answer.', mayHaveArrived })

const answer = (status: number, body: string, headers: Record<string, string> = {}): Answer => ({
  status,
  chunks: [Buffer.from(body)],
  header: (name) => headers[name],
})

/** A small random number generator: the same seed makes the same history. */
function chance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A clock whose waits only the world ends. */
function createTime() {
  let elapsed = 0
  let signs = 0
  const waits = new Set<{ due: number; end: () => void }>()
  return {
    get elapsed() {
      return elapsed
    },
    /** Changes whenever something happens. */
    get signs() {
      return signs
    },
    stir: () => void signs++,
    wait: (ms: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        signs++
        if (signal.aborted || ms <= 0) {
          setImmediate(() => {
            signs++
            resolve()
          })
          return
        }
        const wait = {
          due: elapsed + ms,
          end: () => {
            signs++
            waits.delete(wait)
            signal.removeEventListener('abort', wait.end)
            resolve()
          },
        }
        waits.add(wait)
        signal.addEventListener('abort', wait.end, { once: true })
      }),
    skip: (ms: number) => void (elapsed += ms),
    /** Ends the next wait that is due by then, or moves on to that time; returns whether there was one. */
    step(target: number): boolean {
      let next: { due: number; end: () => void } | null = null
      for (const wait of waits) if (next === null || wait.due < next.due) next = wait
      if (next === null || next.due > target) {
        elapsed = target
        return false
      }
      elapsed = Math.max(elapsed, next.due)
      next.end()
      return true
    },
  }
}
type Time = ReturnType<typeof createTime>

/** `rateLimit`: how many requests per minute the service accepts from a person; null: no limit. */
export async function createWorld(
  deviceCount: number,
  featureLevel = 420,
  rateLimit: number | null = null,
): Promise<World> {
  const directory = mkdtempSync(join(filesIn, 'dunlin-model-'))
  const time = createTime()
  const log: string[] = []
  /** Requests that the service has not answered; when it is idle, all of these wait for events. */
  const work = { count: 0 }
  const database = emptyDatabase()
  const workspace = createWorkspace({
    database,
    clock: {
      now: () => begin + time.elapsed,
      wait: (ms, signal) => time.wait(ms, signal),
    },
    random: chance(1),
    rateLimit,
    featureLevel,
    configuration: testConfiguration(directory),
    log: (line) => log.push(`service: ${line}`),
  })
  createSystemGroups(workspace)
  const person = (name: string) =>
    createUser(workspace, {
      fullName: name,
      email: `${name.toLowerCase()}@example.org`,
      role: 400,
      password: null,
    })
  const user = person('Maren')
  const other = person('Keiko')
  const channel = createChannel(workspace, user, { name: 'gauges', description: '' })
  addSubscriber(workspace, user, channel)
  addSubscriber(workspace, other, channel)
  const { server, giveBack } = await serverOf(workspace)

  const devices: KillableDevice[] = []
  const settle = async () => {
    for (let quiet = 0, turns = 0, waits = 0; quiet < quietTurns;) {
      if (turns > mostTurns || waits > mostWaits) throw new Error('The devices do not come to rest.')
      const before = time.signs
      await turn()
      for (const device of devices) device.reopenIfDead()
      const isIdle = work.count === workspace.queues.waiting
      const isQuiet = time.signs === before
      quiet = isQuiet && isIdle ? quiet + 1 : 0
      if (!isQuiet || isIdle) turns++
      else if (++waits > quickTurns) await sleep(1)
    }
  }
  const shared = { directory, time, server, work, workspace, user, log }
  for (let index = 0; index < deviceCount; index++) devices.push(createDevice(shared, index))
  await settle()
  const world: World = {
    workspace,
    user,
    other,
    channelId: channel.channel_id,
    devices,
    log,
    settle,
    async pass(ms) {
      const target = time.elapsed + ms
      await settle()
      for (let steps = 0; time.step(target); steps++) {
        if (steps > mostTurns) throw new Error('The devices do not come to rest.')
        await settle()
      }
      await settle()
    },
    async skip(ms) {
      time.skip(ms)
      await world.pass(0)
    },
    async ask(method, path, form = '', as = user) {
      work.count++
      const response = await server.inject({
        method,
        url: `/api/v1${path}`,
        headers: { ...authorization(as), 'content-type': 'application/x-www-form-urlencoded' },
        payload: form,
      })
      work.count--
      await settle()
      return response.statusCode
    },
    async close() {
      for (const device of devices) device.end()
      workspace.queues.expireAll()
      for (let turns = 0; turns < 3; turns++) await turn()
      await giveBack()
      database.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
  return world
}

const authorization = (user: UserRow) => ({
  authorization: `Basic ${Buffer.from(`${user.email}:${user.api_key}`).toString('base64')}`,
})

interface Shared {
  readonly directory: string
  readonly time: Time
  readonly server: FastifyInstance
  readonly work: { count: number }
  readonly workspace: Workspace
  readonly user: UserRow
  readonly log: string[]
}

interface KillableDevice extends ModelDevice {
  reopenIfDead(): void
  end(): void
}

/** One run of the program on a device, from start to end. */
interface Life {
  readonly account: LiveAccount
  /** Aborts with the process: the network drops its answers. */
  readonly ending: AbortController
}

function createDevice(shared: Shared, index: number): KillableDevice {
  const { directory, time, user } = shared
  let starts = 0
  let path = join(directory, `${index}.db`)
  let commitsToLive: number | null = null
  let left: string | null = null
  let cable = new AbortController()
  let lastEvents: Answer | null = null
  const requests: SeenRequest[] = []
  const wakes = new Set<() => void>()
  writeFileSync(path, emptyAccount())

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
      const delay = isPoll ? latency.events : latency.down
      if (delay > 0) await time.wait(delay, gone)
      if (gone.aborted) throw offline(true)
      if (fault === 'failed-after') return answer(504, '')
      if (fault === 'truncated') return answer(200, response.body.slice(0, response.body.length >> 1))
      const whole = answer(response.status, response.body)
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
    const platform: Platform = {
      dataDirectory: directory,
      now: () => begin + time.elapsed + device.skewMs,
      wait: (ms, signal) => time.wait(ms, signal),
      random,
      log: (line) => void shared.log.push(`${index}: ${line}`),
      secrets: { get: () => Promise.resolve(null), set: async () => {}, delete: async () => {} },
      notify: () => {},
      openExternal: () => {},
      findProxy: () => Promise.resolve(null),
      onWake: (listener) => {
        wakes.add(listener)
        return () => wakes.delete(listener)
      },
      startDemo: null,
    }
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
        countsChanged: () => {},
        shellChanged: () => {},
        attention: () => null,
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

/** Calls back before every transaction, which does not begin if that throws, and after every commit. */
function watchedStore(store: Store, begins: () => void, committed: () => void): Store {
  let depth = 0
  const changes = () => store.db.get<{ n: number }>('SELECT total_changes() AS n')?.n
  const counted =
    (write: Store['write'], hasCommitted: (before: number | undefined) => boolean): Store['write'] =>
    (work) => {
      if (depth === 0) begins()
      depth++
      const before = changes()
      let result: ReturnType<typeof work>
      try {
        result = write(work)
      } finally {
        depth--
      }
      if (depth === 0 && hasCommitted(before)) committed()
      return result
    }
  return {
    db: store.db,
    write: counted(
      (work) => store.write(work),
      () => true,
    ),
    // A single statement that changes nothing commits nothing, and the caller continues.
    writeOnce: counted(
      (work) => store.writeOnce(work),
      (before) => changes() !== before,
    ),
    watch: (query, update) => store.watch(query, update),
    onChange: (tables, listener) => store.onChange(tables, listener),
    commitsTo: (table) => store.commitsTo(table),
    untilCheckpointed: () => store.untilCheckpointed(),
    onRefusal: (listener) => store.onRefusal(listener),
    close: () => store.close(),
  }
}
