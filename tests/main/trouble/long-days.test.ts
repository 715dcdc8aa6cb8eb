import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import Sqlite from 'better-sqlite3'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { channelId } from '../../../src-shared/ids.ts'
import { systemClock } from '../../../src-shared/clock/clock.ts'
import { journalPath } from '../../../src-main/store/journal.ts'
import { Watches } from '../../../src-main/store/watches.ts'
import { manualClock } from '../../fakes/clock.ts'
import { startService } from '../../support/service.ts'
import { newFolder, openBench, removeFolders } from './bench.ts'

// Weeks of ordinary days in a minute: nothing may accumulate.

afterAll(removeFolders)

const hour = 60 * 60 * 1_000

setFlagsFromString('--expose-gc')
// With the flag, V8 gives every new context this function.
const collect = runInNewContext('gc') as () => void
/**
 * The reachable memory in megabytes: engine, service and test together. Weakly held objects outlive the turn in which
 * they were last read, and what they hold outlives the next collection. So it collects over several turns.
 */
async function heapMegabytes(): Promise<number> {
  for (let turn = 0; turn < 6; turn++) {
    collect()
    await sleep(20)
  }
  collect()
  return process.memoryUsage().heapUsed / 1024 ** 2
}

/** Counts from now on what is open: watched queries, listeners, and statements that were ever prepared. */
function countOpen() {
  const open = { queries: 0, listeners: 0, statements: 0 }
  const { add, addListener } = Watches.prototype
  const { prepare } = Sqlite.prototype
  const counted = (what: 'queries' | 'listeners', stop: () => void) => {
    open[what]++
    let isOpen = true
    return () => {
      if (isOpen) open[what]--
      isOpen = false
      stop()
    }
  }
  // Not with spies, which keep every call.
  Watches.prototype.add = function (...values) {
    return counted('queries', add.apply(this, values))
  }
  Watches.prototype.addListener = function (...values) {
    return counted('listeners', addListener.apply(this, values))
  }
  Object.assign(Sqlite.prototype, {
    prepare(this: Sqlite.Database, sql: string) {
      open.statements++
      return prepare.call(this, sql)
    },
  })
  return {
    now: () => ({ ...open }),
    end() {
      Object.assign(Watches.prototype, { add, addListener })
      Object.assign(Sqlite.prototype, { prepare })
    },
  }
}

/** The process's timers, and its other open things: sockets, requests, files. */
function activeResources(): { timers: number; others: number } {
  const all = process.getActiveResourcesInfo()
  const timers = all.filter((name) => name === 'Timeout' || name === 'Immediate').length
  return { timers, others: all.length - timers }
}

test('forty days with nights: no timer, row, line or byte piles up, and nothing is missing', async () => {
  const warnings: string[] = []
  const warned = (warning: Error) => void warnings.push(warning.message)
  process.on('warning', warned)
  const open = countOpen()
  onTestFinished(open.end)
  const clock = manualClock(Date.now())
  // Its time passes with the device's, but it waits in real time.
  const service = await startService({ clock: { ...systemClock, now: () => clock.now() } })
  const maren = service.createUser('Maren Aske')
  const keiko = service.createUser('Keiko Tamura')
  const gauges = service.createChannel('gauges', [maren.userId, keiko.userId])
  const bench = await openBench({
    directory: newFolder(),
    signIn: { baseUrl: service.baseUrl, email: maren.email, apiKey: maren.apiKey },
    clock,
  })
  const { accountId, bridge, until } = bench
  const conversation = { kind: 'topic', channelId: channelId(gauges), topic: 'drift' } as const
  let sent = 0
  const measured: Record<string, number>[] = []
  const count = (table: string) =>
    bench.store().db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0

  for (let day = 1; day <= 40; day++) {
    await until('sync-state', { accountId }, ({ status }) => status === 'synced')
    const linesBefore = bench.log.length
    for (let n = 0; n < 4; n++) {
      service.send(keiko.userId, gauges, 'drift', `day ${day}, ${n}`)
      const { draftId } = await bridge.call('save-draft', {
        accountId,
        draftId: null,
        draft: { recipient: conversation, content: `answer on day ${day}, ${n}` },
      })
      await clock.advance(hour / 4)
      await bridge.call('act', {
        accountId,
        action: { name: 'send-message', conversation, content: `answer on day ${day}, ${n}`, draftId },
      })
      sent += 2
      await until(
        'feed',
        { accountId, narrow: conversation, around: 'newest', before: 10, after: 0 },
        ({ messages, waiting }) =>
          waiting.length === 0 &&
          ['day', 'answer on day'].every((who) =>
            messages.some(({ contentHtml }) => contentHtml === `<p>${who} ${day}, ${n}</p>`),
          ),
      )
    }
    // On some nights the service is stopped until late, and asked all the time; on the others only this device sleeps,
    // and its timers stand still.
    if (day % 2 === 0) {
      await service.stop()
      await clock.advance(2 * hour)
      clock.set(clock.now() + 21 * hour)
      await service.start()
    } else {
      clock.set(clock.now() + 22 * hour)
      await clock.advance(hour)
    }
    if (day === 3 || day === 40) {
      await until('sync-state', { accountId }, ({ status }) => status === 'synced')
      await until('drafts', { accountId }, (drafts) => drafts.length === 0)
      measured.push({
        waits: clock.waits.length,
        lines: bench.log.length - linesBefore,
        outbox: count('outbox'),
        drafts: count('drafts'),
        versions: count('draft_versions'),
        typing: count('typing'),
        setAside: count('set_aside'),
        ranges: count('ranges'),
        presence: count('presence'),
        journal: statSync(journalPath(bench.path)).size,
        heap: await heapMegabytes(),
        polls: service.workspace.queues.waiting,
        ...open.now(),
        ...activeResources(),
      })
    }
  }
  const everything = await bench.ask('feed', {
    accountId,
    narrow: conversation,
    around: 'newest',
    before: 400,
    after: 0,
  })
  expect(everything.messages).toHaveLength(sent)
  expect(new Set(everything.messages.map(({ contentHtml }) => contentHtml)).size).toBe(sent)
  const [early, late] = measured
  for (const what of ['queries', 'listeners', 'polls']) expect(late?.[what], what).toBe(early?.[what])
  // A few belong to what happens only after weeks, such as the end of old versions.
  expect(late?.['statements']).toBeLessThan((early?.['statements'] ?? 0) + 20)
  for (const what of ['timers', 'others'])
    expect(late?.[what], what).toBeLessThanOrEqual((early?.[what] ?? 0) + 5)
  expect(late).toMatchObject({ outbox: 0, drafts: 0, typing: 0, setAside: 0 })
  // Which stretches were checked since the last registration is forgotten at the next.
  expect(late?.['ranges']).toBeLessThanOrEqual(early?.['ranges'] ?? 0)
  expect(late?.['waits']).toBeLessThanOrEqual((early?.['waits'] ?? 0) + 2)
  expect(late?.['lines']).toBeLessThan(60)
  expect(late?.['presence']).toBeLessThanOrEqual(10)
  expect(late?.['journal']).toBeLessThan(1024 * 1024)
  // Four drafts a day. Their versions are kept for thirty days; older ones are dropped once per day awake.
  expect(late?.['versions']).toBeLessThanOrEqual(4 * 33)
  // A kilobyte that each request of those thirty-seven days left behind would be more.
  expect(late?.['heap']).toBeLessThan((early?.['heap'] ?? 0) + 8)
  const server = service.database.all<{ content: string }>('SELECT content FROM messages')
  expect(server).toHaveLength(sent)
  expect(new Set(server.map(({ content }) => content)).size).toBe(sent)
  expect(warnings.filter((line) => line.includes('listener'))).toEqual([])
  await bench.close()
  // Everything that waited for the account has stopped.
  await clock.advance(0)
  expect(clock.waits).toEqual([])
  await service.close()
  process.off('warning', warned)
}, 360_000)
