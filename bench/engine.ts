// The engine's work on an account's file, compared with the bare statements that this work needs at least.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCheckpoints } from '../src-shared/sqlite/checkpoints.ts'
import { putChannel } from '../src-main/store/channels.ts'
import { openStore } from '../src-main/store/database.ts'
import { addRange } from '../src-main/store/ranges.ts'
import { putUser } from '../src-main/store/users.ts'
import { draftLines } from './drafts.ts'
import { fill, fillByHand, gather } from './engine-filling.ts'
import { queries, searchBeside } from './engine-reading.ts'
import { historyPages } from './engine-history.ts'
import { callsBeside } from './engine-calls.ts'
import type { FirstSync } from './first-sync.ts'
import { hasPeers, messageStoresBeside, peerVersions, storesOnDiskBeside } from './engine-peers.ts'
import { keystrokes, writes } from './engine-writing.ts'
import { compare, quantile, type Line } from './measure.ts'
import { plainChannel, plainUser, sizeOf, withRareWords, workload } from './workload.ts'

/** More messages than this do not fit into in-memory indexes, or take very long. */
const mostForPeers = 100_000
const mostForSync = 200_000

/** Runs all comparisons for an account of that many messages, with the libraries of bench/peers if wanted. */
export async function engineLines(
  messages: number,
  rounds: number,
  withPeers: boolean,
  log: (line: string) => void,
): Promise<{ lines: Line[]; facts: string[] }> {
  const directory = mkdtempSync(join(tmpdir(), 'dunlin-bench-'))
  const size = sizeOf(messages)
  const path = join(directory, 'account.db')
  const lines: Line[] = []
  const facts: string[] = []
  const add = (more: readonly Line[]) => {
    lines.push(...more)
    for (const { what, contender, medianMs, ratio } of more) {
      log(`${what}: ${contender} ${medianMs.toFixed(4)} ms, ${ratio.toFixed(2)}`)
    }
  }
  try {
    const some = Math.min(messages, 20_000)
    add(
      await compare('1,000 messages of a first sync, written and searchable', rounds, [
        {
          name: 'by hand',
          run: (round) => fillByHand(join(directory, `hand-${round}.db`), workload(sizeOf(some))),
        },
        {
          name: 'Dunlin',
          run(round) {
            const own = join(directory, `own-${round}.db`)
            const store = openStore(own, () => {})
            const times = fill(store, own, workload(sizeOf(some)))
            store.close()
            return times
          },
        },
      ]),
    )

    add(await historyPages(directory, rounds))
    // Before the memory is full of what the other lines need: a keystroke takes a fifteenth of a millisecond.
    add(await keystrokes(directory, rounds))
    log(`filling an account of ${messages} messages…`)
    const checkpoints = createCheckpoints(log)
    const filled = openStore(path, () => {}, { checkpoints })
    filled.write((db) => {
      for (let id = 1; id <= size.users; id++) putUser(db, plainUser(id))
      for (let id = 1; id <= size.channels; id++) {
        putChannel(db, { ...plainChannel(id), isSubscribed: id <= 200 })
      }
    })
    fill(filled, path, withRareWords(workload(size)))
    filled.write((db) =>
      addRange(db, 'combined', { oldestId: 1, newestId: messages, reachesBeginning: true, isLive: true }),
    )
    filled.close()
    log(`the file has ${(statSync(path).size / 1e6).toFixed(0)} MB`)
    facts.push(gathering(path, messages))
    const store = openStore(path, () => {}, { checkpoints })

    facts.push(memoryHeld(path, messages))
    add(await queries(store, path, size.topics, messages, rounds))
    add(await writes(store, path, directory, messages, rounds, facts))
    store.close()
    checkpoints.close()
    add(await draftLines(rounds))
    // Before the libraries fill the memory with their indexes.
    const synced = Math.min(messages, mostForSync)
    log(`first sync of a service with ${synced} messages`)
    facts.push(...firstSyncs(synced))
    add(await searchBeside(directory, Math.min(messages, mostForPeers), rounds, facts))
    if (withPeers && hasPeers()) {
      facts.push(peerVersions())
      add(await callsBeside(rounds))
      add(await messageStoresBeside(directory, rounds))
      add(await storesOnDiskBeside(directory, messages, rounds, facts, log))
    } else {
      facts.push(
        'RxDB, PouchDB, TinyBase + SQLite, matrix-js-sdk, mattermost-redux and zulip-js were not measured: `--peers` does it.',
      )
    }
    return { lines, facts }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The cost of gathering the vocabulary of a whole file for substring search. */
function gathering(path: string, messages: number): string {
  const before = statSync(path).size
  const times = gather(path).sort((a, b) => a - b)
  const after = statSync(path).size
  const seconds = times.reduce((sum, time) => sum + time, 0) / 1_000
  return (
    `The words of ${messages.toLocaleString('en')} messages are gathered in ${seconds.toFixed(0)} s of spare moments, ` +
    `${quantile(times, 0.99).toFixed(1)} ms a step at the 99 %, ${(times.at(-1) ?? 0).toFixed(0)} ms at most; they make the ` +
    `file of ${(before / 1e6).toFixed(0)} MB ${(((after - before) / before) * 100).toFixed(1)} % longer.`
  )
}

/** The memory of a process that has read around in the file, compared with one that used bare statements. */
function memoryHeld(path: string, messages: number): string {
  const [open = 0, bare = 0, engine = 0] = (['open', 'bare', 'engine'] as const).map((mode) =>
    Number(inOwnProcess('memory.ts', mode, path)),
  )
  return (
    `With ${messages.toLocaleString('en')} messages, after 300 topics, 300 searches and 30 inboxes, the process holds ` +
    `${engine.toFixed(0)} MiB, ${(engine - open).toFixed(0)} more than one that only has the file open ` +
    `(${open.toFixed(0)} MiB); one that read as many windows of messages with bare statements holds ${bare.toFixed(0)} MiB.`
  )
}

/** A first sync that nobody watches, and one with a window open, which asks for its lists again after every change. */
function firstSyncs(messages: number): string[] {
  const [alone, watched] = ['alone', 'window'].map(
    // What first-sync.ts writes.
    (mode) => JSON.parse(inOwnProcess('first-sync.ts', String(messages), mode)) as FirstSync,
  )
  if (alone === undefined || watched === undefined) return []
  const said = ({ usableSeconds, seconds, here, blockedMs: { p99, max } }: FirstSync) =>
    `can be used after ${usableSeconds.toFixed(1)} s and has ${here.toLocaleString('en')} messages after ` +
    `${seconds.toFixed(0)} s; the event loop is blocked for ${p99.toFixed(0)} ms at the 99 %, ${max.toFixed(0)} ms at most`
  const times = (of: (one: FirstSync) => number) => (of(watched) / of(alone)).toFixed(2)
  const { updates = 0, characters = 0 } = watched.window ?? {}
  return [
    `The first sync with 10,000 people, 2,000 channels and ${messages.toLocaleString('en')} messages ${said(alone)}.`,
    `The first sync with a window open ${said(watched)}: ${times((one) => one.usableSeconds)}, ` +
      `${times((one) => one.seconds)}, ${times((one) => one.blockedMs.p99)} and ${times((one) => one.blockedMs.max)} ` +
      `times as long as without. The window was sent ${updates.toLocaleString('en')} answers, ` +
      `${(characters / 1e6).toFixed(0)} MB.`,
  ]
}

/** What a script of this folder writes; its errors appear here. */
const inOwnProcess = (script: string, ...given: readonly string[]): string =>
  execFileSync(process.execPath, ['--expose-gc', join(import.meta.dirname, script), ...given], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim()
