import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { feed } from '../src-main/queries/feed.ts'
import type { QueryContext } from '../src-main/queries/context.ts'
import { openStore, type Store } from '../src-main/store/database.ts'
import { putMessage, type MessageFields } from '../src-main/store/messages.ts'
import { messageId } from '../src-shared/ids.ts'
import { conversationKey, type Conversation } from '../src-shared/model/conversation.ts'
import { fill } from './engine-filling.ts'
import { compare, timed, type Contender, type Line } from './measure.ts'
import type { MessageStore, PlainMessage, StoreOnDisk } from './peers/message-stores.js'
import { ownUserId, sizeOf, workload, type Size } from './workload.ts'

const home = join(import.meta.dirname, 'peers')

const wanted = (): Record<string, string> =>
  // Our own file.
  (JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { dependencies: Record<string, string> })
    .dependencies

/** Whether all libraries of bench/peers are installed. */
export const hasPeers = (): boolean =>
  Object.keys(wanted()).every((name) => existsSync(join(home, 'node_modules', name)))

/** Installs them according to their lock file, beside the project's own packages; install scripts are not run. */
export function installPeers(): void {
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: home, stdio: 'inherit' })
}

/** The installed versions of the libraries that are measured only with `--peers`. */
export function peerVersions(): string {
  // TinyBase is measured without `--peers` too, in memory, and is one of the project's own packages.
  const places = {
    ...Object.fromEntries(Object.keys(wanted()).map((name) => [name, home])),
    tinybase: join(home, '../..'),
  }
  const named = Object.entries(places).map(([name, place]) => {
    const text = readFileSync(join(place, 'node_modules', name, 'package.json'), 'utf8')
    // A package's own package.json, which always has a version.
    return `${name} ${(JSON.parse(text) as { version: string }).version}`
  })
  return `Measured with \`--peers\` alone: ${named.join(', ')} (with SQLite).`
}

/** More would take too long for reducers, which copy everything for each message. */
const fewMessages = 20_000
const opened = 40
const events = 40
const shown = 50
/** How long filling a library that stores its messages on disk may take. */
const longestFillMs = 120_000
const filledAtOnce = 5_000

const plain = ({ id, conversation, ...rest }: MessageFields): PlainMessage => ({
  id,
  conversation: conversationKey(conversation),
  senderId: rest.senderId,
  senderName: rest.senderName,
  sentAt: rest.sentAt,
  contentHtml: rest.contentHtml,
  isRead: rest.isRead,
})

function* first(count: number, size: Size): Generator<MessageFields> {
  for (const message of workload(size)) {
    if (message.id > count) return
    yield message
  }
}

/** A conversation to open, and a message somewhere in it. */
interface Place {
  readonly key: string
  readonly conversation: Conversation
  readonly at: number
}

/** Dunlin's file with the first messages of an account, and the operations on it. */
function dunlinWith(path: string, count: number, size: Size) {
  const store = openStore(path, () => {})
  const ids = new Map<string, { conversation: Conversation; ids: number[] }>()
  const noted = function* () {
    for (const message of first(count, size)) {
      const key = conversationKey(message.conversation)
      const known = ids.get(key)
      if (known !== undefined) known.ids.push(message.id)
      else if (ids.size < opened) ids.set(key, { conversation: message.conversation, ids: [message.id] })
      yield message
    }
  }
  fill(store, path, noted())
  const places = [...ids].map(([key, { conversation, ids }], index): Place => ({
    key,
    conversation,
    at: ids[Math.floor((ids.length * index) / opened)] ?? 0,
  }))
  return { store, places, ...openingOf(store) }
}

/** How a screen opens conversations of a file. */
function openingOf(store: Store) {
  const context = { db: store.db, ownUserId, now: Date.now() } as QueryContext
  const accountId = 'a' as never
  return {
    newest: ({ conversation: narrow }: Place) =>
      feed(context, { accountId, narrow, around: 'newest', before: shown, after: 0 }),
    around: ({ conversation: narrow, at }: Place) =>
      feed(context, { accountId, narrow, around: messageId(at), before: shown / 2, after: shown / 2 }),
  }
}
type Dunlin = ReturnType<typeof dunlinWith>

/** Messages that arrive in a round, the same for every contender, with unused ids. */
function coming(count: number, size: Size): (round: number) => readonly MessageFields[] {
  const begun = [...first(events, size)]
  return (round) =>
    begun.map((message, index) => {
      const id = count + round * events + index + 1
      return { ...message, id, sentAt: message.sentAt + id * 1_000, isRead: false }
    })
}

/** The comparisons: opening the newest messages, and applying one that arrives. */
async function openedAndApplied(
  dunlin: Dunlin,
  peers: readonly MessageStore[],
  of: string,
  batchOf: (round: number) => readonly MessageFields[],
  rounds: number,
): Promise<Line[]> {
  const { store, places, newest } = dunlin
  return [
    ...(await compare(`newest 50 of a conversation, of ${of}`, rounds, [
      {
        name: 'Dunlin, on the disk, with all that a screen shows of them',
        run: () => places.map((place) => timed(() => JSON.stringify(newest(place)))),
      },
      ...peers.map((peer): Contender => ({
        name: peer.name,
        run: () => inTurn(places, async ({ key }) => JSON.stringify(await peer.open(key))),
      })),
    ])),
    ...(await compare(`one message event, of ${of}`, rounds, [
      {
        name: 'Dunlin, on the disk, searchable',
        run: (round) =>
          batchOf(round).map((message) => timed(() => store.write((db) => putMessage(db, message, 1)))),
      },
      ...peers.map((peer): Contender => ({
        name: peer.name,
        run: (round) => inTurn(batchOf(round).map(plain), async (message) => peer.put(message)),
      })),
    ])),
  ]
}

/**
 * Applying messages and opening conversations, compared with libraries that store messages. All have the same messages
 * and must find the same ones.
 */
export async function messageStoresBeside(directory: string, rounds: number): Promise<Line[]> {
  const { messageStores } = await import('./peers/message-stores.js')
  const size = sizeOf(fewMessages)
  const dunlin = dunlinWith(join(directory, 'beside-stores.db'), fewMessages, size)
  const peers = await messageStores(directory)
  const all = [...first(fewMessages, size)].map(plain)
  for (const peer of peers) await peer.fill(all)
  const checkAll = async () => {
    for (const place of dunlin.places) {
      const own = dunlin.newest(place).messages.toReversed()
      for (const peer of peers) check(peer, await peer.open(place.key), own)
    }
  }
  await checkAll()
  const of = fewMessages.toLocaleString('en')
  const lines = await openedAndApplied(dunlin, peers, of, coming(fewMessages, size), rounds)
  await checkAll()
  for (const peer of peers) await peer.close()
  dunlin.store.close()
  return lines
}

/**
 * The same, and opening conversations anywhere, compared with each library that stores messages on disk. Each gets as
 * many of the account's messages as it accepts in two minutes and in a quarter of the memory that this process may
 * use.
 */
export async function storesOnDiskBeside(
  directory: string,
  messages: number,
  rounds: number,
  facts: string[],
  say: (line: string) => void,
): Promise<Line[]> {
  const { storesOnDisk } = await import('./peers/message-stores.js')
  const size = sizeOf(messages)
  const lines: Line[] = []
  for (const [index, openPeer] of storesOnDisk.entries()) {
    const folder = join(directory, `on-disk-${index}`)
    mkdirSync(folder)
    const peer = await openPeer(folder)
    const { count, seconds } = await fillFor(peer, size)
    const of = `${count.toLocaleString('en')}, on the disk`
    say(`${peer.name}: ${count} messages in ${seconds.toFixed(0)} s`)
    const path = join(folder, 'dunlin.db')
    const dunlin = dunlinWith(path, count, size)
    const checkAll = async () => {
      for (const place of dunlin.places) {
        check(peer, await peer.open(place.key), dunlin.newest(place).messages.toReversed())
        check(peer, await peer.openAround(place.key, place.at), dunlin.around(place).messages)
      }
    }
    await checkAll()
    lines.push(
      ...(await compare(`25 messages before and after one in a conversation, of ${of}`, rounds, [
        {
          name: 'Dunlin, on the disk, with all that a screen shows of them',
          run: () => dunlin.places.map((place) => timed(() => JSON.stringify(dunlin.around(place)))),
        },
        {
          name: peer.name,
          run: () =>
            inTurn(dunlin.places, async ({ key, at }) => JSON.stringify(await peer.openAround(key, at))),
        },
      ])),
      ...(await openedAndApplied(dunlin, [peer], of, coming(count, size), rounds)),
    )
    await checkAll()
    await peer.close()
    dunlin.store.close()
    const [one] = dunlin.places
    if (one === undefined) continue
    const openedMs = timed(() => {
      const store = openStore(path, () => {})
      JSON.stringify(openingOf(store).newest(one))
      store.close()
    })
    const [openedThereMs = Number.NaN] = await inTurn([one], async ({ key }) => {
      const again = await openPeer(folder, true)
      if ((await again.open(key)).length === 0) throw new Error(`${peer.name} has lost ${key}`)
      await again.close()
    })
    facts.push(
      `${peer.name}: filled with ${count.toLocaleString('en')} messages in ${seconds.toFixed(0)} s. Opening the file ` +
        `again, one conversation of it, and closing takes ${openedThereMs.toFixed(0)} ms; Dunlin's ${openedMs.toFixed(0)} ms.`,
    )
  }
  return lines
}

/** Adds messages of the account until there are no more, time is up or memory is short. */
async function fillFor(peer: StoreOnDisk, size: Size): Promise<{ count: number; seconds: number }> {
  const start = performance.now()
  // What a library holds in memory is loaded once more when the file is reopened, and takes as much memory again
  // meanwhile.
  const most = getHeapStatistics().heap_size_limit / 4
  const isFull = () => {
    if (process.memoryUsage().heapUsed < most) return false
    globalThis.gc?.()
    return process.memoryUsage().heapUsed >= most
  }
  let count = 0
  let batch: PlainMessage[] = []
  for (const message of workload(size)) {
    batch.push(plain(message))
    if (batch.length < filledAtOnce && message.id < size.messages) continue
    await peer.fill(batch)
    count += batch.length
    batch = []
    if (performance.now() - start > longestFillMs || isFull()) break
  }
  return { count, seconds: (performance.now() - start) / 1_000 }
}

function check(
  peer: MessageStore,
  messages: readonly object[],
  own: readonly { readonly id: number }[],
): void {
  const found = messages.map((message) => peer.idOf(message))
  if (found.join() !== own.map(({ id }) => id).join())
    throw new Error(`${peer.name} finds other messages: ${found.join()}`)
}

/** Milliseconds of each operation, one after another. */
export async function inTurn<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (const one of all) {
    const start = performance.now()
    await work(one)
    times.push(performance.now() - start)
  }
  return times
}
