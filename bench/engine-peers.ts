import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { feed } from '../src-main/queries/feed.ts'
import type { QueryContext } from '../src-main/queries/labels.ts'
import { openStore } from '../src-main/store/database.ts'
import { putMessage, type MessageFields } from '../src-main/store/messages.ts'
import { conversationKey, type Conversation } from '../src-shared/model/conversation.ts'
import { fill } from './engine-filling.ts'
import { compare, timed, type Line } from './measure.ts'
import type { MessageStore, PlainMessage } from './peers/message-stores.js'
import { ownUserId, sizeOf, workload } from './workload.ts'

const home = join(import.meta.dirname, 'peers')

/** Whether the libraries that keep messages are installed. */
export const hasMessageStores = (): boolean => existsSync(join(home, 'node_modules'))

/** Installs them as their lock says, beside the project's own packages; what they would run then is left out. */
export function installMessageStores(): void {
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: home, stdio: 'inherit' })
}

/** More takes reducers that copy everything for each message too long. */
const messages = 20_000
const opened = 40
const events = 40
const shown = 50

const plain = (message: MessageFields): PlainMessage => {
  const { id, conversation, senderId, senderName, sentAt, contentHtml, isRead } = message
  return {
    id,
    conversation: conversationKey(conversation),
    senderId,
    senderName,
    sentAt,
    contentHtml,
    isRead,
  }
}

/**
 * Applying messages and opening conversations, beside libraries that keep messages; all have the same ones, and have to
 * find the same. Null when those libraries are not installed.
 */
export async function messageStoresBeside(directory: string, rounds: number): Promise<Line[] | null> {
  if (!hasMessageStores()) return null
  const all = [...workload(sizeOf(messages))]
  const path = join(directory, 'beside-stores.db')
  const store = openStore(path, () => {})
  fill(store, path, all)
  const { messageStores } = await import('./peers/message-stores.js')
  const peers = await messageStores(directory)
  for (const peer of peers) await peer.fill(all.map(plain))
  const context = { db: store.db, ownUserId, now: Date.now() } as QueryContext
  const open = (conversation: Conversation) =>
    feed(context, {
      accountId: 'a' as never,
      narrow: conversation,
      around: 'newest',
      before: shown,
      after: 0,
    })
  const places = [...new Map(all.map(({ conversation }) => [conversationKey(conversation), conversation]))]
    .slice(0, opened)
    .map(([key, conversation]) => ({ key, conversation }))
  const checkAll = async () => {
    for (const { key, conversation } of places) {
      const wanted = open(conversation)
        .messages.map(({ id }) => id)
        .reverse()
      for (const peer of peers) await check(peer, key, wanted)
    }
  }
  await checkAll()
  let last = messages
  /** As many for everybody; each has ids of its own, that those of the others are free. */
  const coming = (): MessageFields[] =>
    all.slice(0, events).map((message) => ({ ...message, id: ++last, sentAt: message.sentAt + last * 1_000 }))
  const batches = new Map<number, MessageFields[]>()
  const batchOf = (round: number) => {
    const known = batches.get(round) ?? coming()
    batches.set(round, known)
    return known
  }
  const of = messages.toLocaleString('en')
  const lines = [
    ...(await compare(`newest 50 of a conversation, of ${of}`, rounds, [
      {
        name: 'Dunlin, on the disk, with all that a screen shows of them',
        run: () => places.map(({ conversation }) => timed(() => JSON.stringify(open(conversation)))),
      },
      ...peers.map((peer) => ({
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
      ...peers.map((peer) => ({
        name: peer.name,
        run: (round: number) => inTurn(batchOf(round).map(plain), async (message) => peer.put(message)),
      })),
    ])),
  ]
  await checkAll()
  for (const peer of peers) await peer.close()
  store.close()
  return lines
}

async function check(peer: MessageStore, key: string, wanted: readonly number[]): Promise<void> {
  const found = (await peer.open(key)).map((message) => peer.idOf(message))
  if (found.join() !== wanted.join()) throw new Error(`${peer.name} finds other messages in ${key}`)
}

/** Milliseconds of each piece of work, one after the other. */
async function inTurn<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (const one of all) {
    const start = performance.now()
    await work(one)
    times.push(performance.now() - start)
  }
  return times
}
