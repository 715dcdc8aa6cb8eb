import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { userId } from '../../../src-shared/ids.ts'
import type { HistoryPause } from '../../../src-shared/model/account.ts'
import type { Narrow } from '../../../src-shared/model/narrow.ts'
import { narrowKey } from '../../../src-shared/model/narrow.ts'
import { createConnection, type Connection } from '../../../src-main/api/connection.ts'
import { openStore, type SqlValue, type Store } from '../../../src-main/store/database.ts'
import { readCursor } from '../../../src-main/store/cursor.ts'
import { rangesOf, type Range } from '../../../src-main/store/ranges.ts'
import type { LinkState } from '../../../src-main/sync/link.ts'
import { createServerTime } from '../../../src-main/sync/server-time.ts'
import { startSync, type Sync, type SyncHooks } from '../../../src-main/sync/sync.ts'
import { manualClock, type ManualClock } from '../../fakes/clock.ts'
import { eventually } from '../../support/until.ts'
import { makeFolder, removeFolder } from '../../support/temporary-folder.ts'

/** The sync of one account on a real file, with its own clock and hooks that record their calls. */
export interface SyncedAccount {
  readonly sync: Sync
  readonly store: Store
  readonly clock: ManualClock
  readonly log: string[]
  readonly links: LinkState[]
  /** Requests since the last (re)start, as "GET /events". */
  readonly calls: string[]
  readonly arrived: number[]
  readonly own: [localId: string, messageId: number][]
  readonly draftEvents: unknown[]
  readonly snapshots: unknown[]
  rows<Row = Record<string, SqlValue>>(sql: string, ...parameters: SqlValue[]): Row[]
  ranges(narrow: Narrow): Range[]
  /** How many registrations have been written. */
  readonly generation: number
  /** Waits in real time while the clock moves. */
  until(isTrue: () => boolean, stepMs?: number): Promise<void>
  /** Waits in real time while the clock stands still. */
  untilStill(isTrue: () => boolean): Promise<void>
  /** Waits until the account is online and has finished its background fetching. */
  untilSynced(): Promise<void>
  /** Ends the sync and starts another on the same file, like a restart of the program. */
  restart(): Promise<void>
  stop(): void
  close(): Promise<void>
}

export function openSync(
  baseUrl: () => string,
  account: { email: string; apiKey: string; userId: number },
  hooks: Partial<SyncHooks> = {},
  options: {
    /** Whether requests time out by the account's clock. */
    readonly timesOutByClock?: boolean
    readonly historyMs?: () => number | null
    readonly isActive?: () => boolean
    readonly sparing?: () => HistoryPause | null
  } = {},
): SyncedAccount {
  const directory = makeFolder()
  const clock = manualClock()
  const log: string[] = []
  const links: LinkState[] = []
  const arrived: number[] = []
  const own: [string, number][] = []
  const draftEvents: unknown[] = []
  const snapshots: unknown[] = []
  let calls: string[] = []
  let underWay = 0
  let running: { sync: Sync; store: Store; stop(): void } | null = null

  const start = () => {
    const ending = new AbortController()
    const store = openStore(join(directory, 'account.db'), (line) => log.push(line))
    const connection = createConnection({
      baseUrl: baseUrl(),
      credentials: { email: account.email, apiKey: account.apiKey },
      userAgent: 'Dunlin/test',
      ...(options.timesOutByClock === true ? { wait: clock.wait } : {}),
    })
    const counted: Connection = {
      ...connection,
      async call(endpoint, input, options) {
        calls.push(`${endpoint.method} ${endpoint.path}`)
        const isPoll = endpoint.path === '/events'
        if (!isPoll) underWay++
        try {
          return await connection.call(endpoint, input, options)
        } finally {
          if (!isPoll) underWay--
        }
      },
    }
    const sync = startSync({
      store,
      connection: counted,
      clock,
      ownUserId: userId(account.userId),
      serverTime: createServerTime(() => clock.now()),
      signal: ending.signal,
      ...(options.historyMs === undefined ? {} : { historyMs: options.historyMs }),
      ...(options.isActive === undefined ? {} : { isActive: options.isActive }),
      ...(options.sparing === undefined ? {} : { sparing: options.sparing }),
      log: (line) => log.push(line),
      hooks: {
        reapply: () => {},
        draftsEvent: (_db, payload) => draftEvents.push(payload),
        draftsSwitched: () => {},
        registering: () => {},
        draftsSnapshot: (_db, drafts) => snapshots.push(drafts),
        ownMessageArrived: (_db, id, messageId) => own.push([id, messageId]),
        objectMade: () => {},
        creationHeard: () => {},
        topicMoved: () => {},
        messagesDeleted: () => {},
        topicsFound: () => {},
        messagesArrived: (ids) => arrived.push(...ids),
        linkChanged: (link) => links.push(link),
        ...hooks,
      },
    })
    running = {
      sync,
      store,
      stop() {
        ending.abort()
        connection.close()
        store.close()
      },
    }
  }
  start()
  const current = () => {
    if (running === null) throw new Error('this account is closed')
    return running
  }
  const until = (isTrue: () => boolean, stepMs = 100) =>
    eventually(isTrue, { clock, stepMs, describe: () => ({ link: current().sync.link, calls, log }) })
  const stop = () => {
    running?.stop()
    running = null
  }
  return {
    get sync() {
      return current().sync
    },
    get store() {
      return current().store
    },
    get generation() {
      return readCursor(current().store.db).generation
    },
    get calls() {
      return calls
    },
    clock,
    log,
    links,
    arrived,
    own,
    draftEvents,
    snapshots,
    rows: (sql, ...parameters) => current().store.db.all(sql, parameters),
    ranges: (narrow) => rangesOf(current().store.db, narrowKey(narrow)),
    until,
    untilStill: (isTrue) => eventually(isTrue, { describe: () => ({ calls, log }) }),
    async untilSynced() {
      const fetched = () => calls.filter((call) => call === 'GET /messages').length
      for (let quiet = 0, before = -1; quiet < 5;) {
        await until(() => current().sync.link.status === 'online')
        await clock.advance(500)
        await sleep(5)
        const isQuiet = underWay === 0 && fetched() === before && current().sync.link.progress === null
        quiet = isQuiet ? quiet + 1 : 0
        before = fetched()
      }
    },
    async restart() {
      stop()
      calls = []
      start()
      await Promise.resolve()
    },
    stop,
    async close() {
      stop()
      // Work under way notices the end.
      await sleep(5)
      removeFolder(directory)
    },
  }
}
