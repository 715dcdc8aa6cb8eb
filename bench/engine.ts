// What the engine does with an account's file, beside the bare statements that the same work needs at least.
import Sqlite from 'better-sqlite3'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { draftLines } from './drafts.ts'
import { firstSync } from './first-sync.ts'
import { searchPeers, tinyBase } from './peers.ts'
import { feed } from '../src-main/queries/feed.ts'
import { inbox } from '../src-main/queries/inbox.ts'
import type { QueryContext } from '../src-main/queries/labels.ts'
import { search } from '../src-main/queries/search.ts'
import { sidebar } from '../src-main/queries/sidebar.ts'
import { unreadTotals } from '../src-main/queries/unread-totals.ts'
import { createCheckpoints } from '../src-main/store/checkpoints.ts'
import { putChannel } from '../src-main/store/channels.ts'
import { openStore, type Store } from '../src-main/store/database.ts'
import { putDraft } from '../src-main/store/drafts.ts'
import { putMessage, type MessageFields } from '../src-main/store/messages.ts'
import { addRange } from '../src-main/store/ranges.ts'
import { putUser } from '../src-main/store/users.ts'
import { textFromHtml } from '../src-main/store/words.ts'
import { conversationKey } from '../src-shared/model/conversation.ts'
import { draftId, messageId } from '../src-shared/ids.ts'
import { compare, timed, type Line } from './measure.ts'
import { ownUserId, randomFrom, sizeOf, word, workload, zipf } from './workload.ts'

const perWrite = 1_000
/** More than so many messages do not fit into indexes in memory, or take very long to. */
const mostForPeers = 100_000
const mostForSync = 200_000

/** Fills a new file by the engine's own functions; answers milliseconds for each thousand messages. */
function fill(store: Store, messages: Iterable<MessageFields>): number[] {
  const times: number[] = []
  let batch: MessageFields[] = []
  const flush = () => {
    times.push(timed(() => store.write((db) => batch.forEach((message) => putMessage(db, message, 1)))))
    batch = []
  }
  for (const message of messages) {
    batch.push(message)
    if (batch.length === perWrite) flush()
  }
  if (batch.length > 0) flush()
  return times
}

/** The same rows, index entries and counters by hand, with nothing asked that need not be asked. */
function fillByHand(path: string, messages: Iterable<MessageFields>): number[] {
  // The engine makes the empty file, so that both have the same tables.
  openStore(path, () => {}).close()
  const sqlite = new Sqlite(path)
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = NORMAL')
  const conversation = sqlite.prepare(
    'INSERT INTO conversations (key, kind, channel_id, topic, user_ids) VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING',
  )
  const idOf = sqlite.prepare('SELECT conversation_id FROM conversations WHERE key = ?').pluck()
  const row = sqlite.prepare(
    `INSERT INTO messages (message_id, conversation_id, channel_id, sender_id, sender_name, sent_at, content_html,
       is_me_message, is_read, is_starred, is_mentioned, generation) VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, 1)`,
  )
  const words = sqlite.prepare('INSERT INTO message_words (rowid, words, filters) VALUES (?, ?, ?)')
  const unread = sqlite.prepare('INSERT INTO unread VALUES (?, ?, ?)')
  const reaction = sqlite.prepare('INSERT INTO reactions VALUES (?, ?, ?, ?, ?)')
  const counters = sqlite.prepare(
    `UPDATE conversations SET newest_message_id = ?, unread_count = unread_count + ?, mention_count = mention_count + ?
     WHERE conversation_id = ?`,
  )
  const known = new Map<string, number>()
  const put = (message: MessageFields) => {
    const to = message.conversation
    const key = conversationKey(to)
    let home = known.get(key)
    const isTopic = to.kind === 'topic'
    if (home === undefined) {
      conversation.run(
        key,
        to.kind,
        isTopic ? to.channelId : null,
        isTopic ? to.topic : null,
        isTopic ? null : JSON.stringify(to.userIds),
      )
      home = idOf.get(key) as number
      known.set(key, home)
    }
    const { id, senderId, isRead, isMentioned } = message
    row.run(
      id,
      home,
      isTopic ? to.channelId : null,
      senderId,
      message.senderName,
      message.sentAt,
      message.contentHtml,
      isRead ? 1 : 0,
      message.isStarred ? 1 : 0,
      isMentioned ? 1 : 0,
    )
    for (const { type, code, name, userId } of message.reactions) reaction.run(id, type, code, name, userId)
    words.run(
      id,
      `${textFromHtml(message.contentHtml)} ${isTopic ? to.topic : ''}`,
      `${isTopic ? `c${to.channelId}` : 'direct'} u${senderId} v${home}`,
    )
    if (!isRead) unread.run(id, home, isMentioned ? 1 : 0)
    counters.run(id, isRead ? 0 : 1, isMentioned ? 1 : 0, home)
  }
  const times: number[] = []
  let batch: MessageFields[] = []
  const write = sqlite.transaction(() => batch.forEach(put))
  for (const message of messages) {
    batch.push(message)
    if (batch.length < perWrite) continue
    times.push(timed(() => write()))
    batch = []
  }
  sqlite.close()
  return times
}

/** Runs all comparisons for an account of so many messages. */
export async function engineLines(
  messages: number,
  rounds: number,
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
            const store = openStore(join(directory, `own-${round}.db`), () => {})
            const times = fill(store, workload(sizeOf(some)))
            store.close()
            return times
          },
        },
      ]),
    )

    log(`filling an account of ${messages} messages…`)
    const checkpoints = createCheckpoints(log)
    const store = openStore(path, () => {}, { checkpoints })
    store.write((db) => {
      for (let id = 1; id <= size.users; id++) {
        putUser(db, {
          id,
          email: `p${id}@example.org`,
          fullName: `Person ${id}`,
          role: 400,
          isBot: false,
          isActive: true,
          avatarUrl: null,
          timezone: '',
          botOwnerId: null,
          joinedAt: null,
          deliveryEmail: null,
          profile: '{}',
        })
      }
      for (let id = 1; id <= size.channels; id++) {
        putChannel(db, { ...channel, id, name: `channel ${id}`, isSubscribed: id <= 200 })
      }
    })
    fill(store, workload(size))
    store.write((db) =>
      addRange(db, 'combined', { oldestId: 1, newestId: messages, reachesBeginning: true, isLive: true }),
    )
    log(`the file has ${(statSync(path).size / 1e6).toFixed(0)} MB`)

    facts.push(memoryHeld(path, messages))
    add(await queries(store, path, size.topics, messages, rounds))
    add(await writes(store, path, directory, messages, rounds))
    store.close()
    checkpoints.close()
    add(await draftLines(rounds))
    add(await searchBeside(directory, Math.min(messages, mostForPeers), rounds, facts))
    facts.push(await firstSync(Math.min(messages, mostForSync), log))
    return { lines, facts }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** What a process holds that looked about in the file, beside one that did so with bare statements. */
function memoryHeld(path: string, messages: number): string {
  const [bare, engine] = (['bare', 'engine'] as const).map((mode) =>
    Number(
      execFileSync(process.execPath, ['--expose-gc', join(import.meta.dirname, 'memory.ts'), mode, path], {
        encoding: 'utf8',
      }),
    ),
  )
  return (
    `With ${messages.toLocaleString('en')} messages, after 300 topics, 300 searches and 30 inboxes, the process holds ` +
    `${(engine ?? 0).toFixed(0)} MiB; one that read as many windows of messages with bare statements holds ${(bare ?? 0).toFixed(0)} MiB.`
  )
}

/** Searching beside libraries that keep their index in memory, on as many messages as those can hold. */
async function searchBeside(
  directory: string,
  messages: number,
  rounds: number,
  facts: string[],
): Promise<Line[]> {
  const all = [...workload(sizeOf(messages), 21)]
  const store = openStore(join(directory, 'beside.db'), () => {})
  fill(store, all)
  const peers = searchPeers(all)
  for (const { name, grownMib, builtMs } of peers) {
    facts.push(
      `${name}: the index of ${messages.toLocaleString('en')} messages takes ${grownMib.toFixed(0)} MiB and ` +
        `${(builtMs / 1_000).toFixed(1)} s at every start; Dunlin's is on the disk, and takes neither.`,
    )
  }
  const context = { db: store.db, ownUserId, now: Date.now() } as QueryContext
  const random = randomFrom(17)
  const anyWord = zipf(30_000, random)
  const common = () => word(20 + (anyWord() % 400))
  const kinds = [
    ['one word', () => [common()], false],
    ['two words', () => [common(), common()], false],
    ['a beginning of three letters', () => [common().slice(0, 3)], true],
  ] as const
  const lines: Line[] = []
  for (const [what, make, isBeginning] of kinds) {
    const wanted = Array.from({ length: 25 }, make)
    lines.push(
      ...(await compare(`newest 50 with ${what}, of ${messages.toLocaleString('en')}`, rounds, [
        {
          name: 'Dunlin',
          run: () =>
            wanted.map((words) =>
              timed(() => JSON.stringify(search(context, `${words.join(' ')}${isBeginning ? '' : ' '}`, 50))),
            ),
        },
        ...peers.map(({ name, find }) => ({
          name,
          run: () => wanted.map((words) => timed(() => find(words, isBeginning))),
        })),
      ])),
    )
  }
  store.close()
  return lines
}

const channel = {
  description: '',
  color: '#76ce90',
  isPrivate: false,
  isWebPublic: false,
  isArchived: false,
  hasSharedHistory: true,
  folderId: null,
  topicsPolicy: 'inherit',
  permissions: '{}',
  subscriberCount: 10,
  firstMessageId: 1,
  isMuted: false,
  isPinned: false,
  desktopNotifications: null,
  audibleNotifications: null,
  wildcardMentionsNotify: null,
  pushNotifications: null,
  emailNotifications: null,
  creatorId: null,
  createdAt: null,
  retentionDays: null,
  weeklyTraffic: null,
  isRecentlyActive: true,
}

async function queries(
  store: Store,
  path: string,
  topics: number,
  messages: number,
  rounds: number,
): Promise<Line[]> {
  const random = randomFrom(7)
  const anyTopic = zipf(topics, random)
  const anyWord = zipf(30_000, random)
  const context: QueryContext = { db: store.db, ownUserId, now: Date.now() } as QueryContext
  const bare = new Sqlite(path, { readonly: true })
  const window = bare.prepare(
    'SELECT * FROM messages WHERE conversation_id = ? AND message_id < ? ORDER BY message_id DESC LIMIT 25',
  )
  const homeOf = bare.prepare('SELECT conversation_id FROM conversations WHERE topic = ?').pluck()
  const homes = new Map<string, number>()
  const places = Array.from({ length: 40 }, () => {
    const topic = anyTopic()
    const name = `topic ${topic}`
    homes.set(name, homeOf.get(name) as number)
    return {
      topic: name,
      channelId: (topic % sizeOf(messages).channels) + 1,
      at: Math.floor(random() * messages),
    }
  })
  const found = bare.prepare(
    'SELECT rowid FROM message_words WHERE message_words MATCH ? ORDER BY rowid DESC LIMIT 50',
  )
  const bodies = bare.prepare('SELECT * FROM messages WHERE message_id = ?')
  const counters = bare.prepare(
    'SELECT channel_id, sum(unread_count) FROM conversations WHERE unread_count > 0 GROUP BY channel_id',
  )
  const common = () => word(20 + (anyWord() % 400))
  const searches = (make: () => string) => Array.from({ length: 25 }, make)
  const lines: Line[] = []
  const both = async (what: string, floor: () => number[], ours: () => number[]) =>
    lines.push(
      ...(await compare(what, rounds, [
        { name: 'bare statement', run: floor },
        { name: 'Dunlin', run: ours },
      ])),
    )

  await both(
    '25 messages before and after one in a topic',
    () =>
      places.map(({ topic, at }) =>
        timed(() => {
          const home = homes.get(topic)
          return JSON.stringify([window.all(home, at), window.all(home, at + 1)])
        }),
      ),
    () =>
      places.map(({ topic, channelId, at }) =>
        timed(() =>
          JSON.stringify(
            feed(context, {
              accountId: 'a' as never,
              narrow: { kind: 'topic', channelId: channelId as never, topic },
              around: messageId(at),
              before: 25,
              after: 25,
            }),
          ),
        ),
      ),
  )
  await both(
    'unread totals of all conversations',
    () => [timed(() => counters.all())],
    () => [timed(() => unreadTotals(store.db))],
  )
  await both(
    'the sidebar',
    () => [timed(() => counters.all())],
    () => [timed(() => JSON.stringify(sidebar(context)))],
  )
  await both(
    'the inbox',
    () => [timed(() => counters.all())],
    () => [timed(() => JSON.stringify(inbox(context)))],
  )
  const kinds: readonly [string, () => string, (text: string) => string][] = [
    ['newest 50 with one word', common, (text) => `words : ("${text.trim()}")`],
    [
      'newest 50 with two words',
      () => `${common()} ${common()} `,
      (text) => `words : ("${text.trim().split(' ').join('" AND "')}")`,
    ],
    ['newest 50 with a phrase', () => `"${common()} ${common()}"`, (text) => `words : (${text})`],
    [
      'newest 50 with a beginning of three letters',
      () => common().slice(0, 3),
      (text) => `words : ("${text}" *)`,
    ],
  ]
  for (const [what, make, match] of kinds) {
    const texts = searches(make).map((text) => (what.includes('one word') ? `${text} ` : text))
    await both(
      what,
      () =>
        texts.map((text) =>
          timed(() => {
            const ids = found.pluck().all(match(text)) as number[]
            return JSON.stringify(ids.map((id) => bodies.get(id)))
          }),
        ),
      () => texts.map((text) => timed(() => JSON.stringify(search(context, text, 50)))),
    )
  }
  bare.close()
  return lines
}

async function writes(
  store: Store,
  path: string,
  directory: string,
  messages: number,
  rounds: number,
): Promise<Line[]> {
  const copy = join(directory, 'bare.db')
  store.write((db) => db.run('DELETE FROM typing'))
  for (const suffix of ['', '-wal']) cpSync(`${path}${suffix}`, `${copy}${suffix}`)
  const bare = new Sqlite(copy)
  bare.pragma('journal_mode = WAL')
  bare.pragma('synchronous = NORMAL')
  const row = bare.prepare(
    `INSERT INTO messages (message_id, conversation_id, channel_id, sender_id, sender_name, sent_at, content_html,
       is_me_message, is_read, is_starred, is_mentioned, generation) VALUES (?, 1, 1, ?, ?, ?, ?, 0, 1, 0, 0, 1)`,
  )
  const words = bare.prepare('INSERT INTO message_words (rowid, words, filters) VALUES (?, ?, ?)')
  const draft = bare.prepare(
    `INSERT INTO drafts (draft_id, state, recipient, content, created_at, edited_at) VALUES ('d', 'edited', 'null', ?, 1, 1)
     ON CONFLICT (draft_id) DO UPDATE SET content = excluded.content`,
  )
  const fresh = [...workload(sizeOf(2_000), 99)]
  let next = messages
  let nextBare = messages
  let nextTiny = messages
  const tiny = tinyBase()
  const events = 200
  const lines = await compare('one message event, committed', rounds, [
    {
      name: 'row and words in one transaction',
      run: () =>
        fresh.slice(0, events).map((message) => {
          const id = ++nextBare
          const put = bare.transaction(() => {
            row.run(id, message.senderId, message.senderName, message.sentAt, message.contentHtml)
            words.run(id, textFromHtml(message.contentHtml), 'c1 u1 v1')
          })
          return timed(() => put())
        }),
    },
    {
      name: 'Dunlin',
      run: () =>
        fresh
          .slice(0, events)
          .map((message) => timed(() => store.write((db) => putMessage(db, { ...message, id: ++next }, 1)))),
    },
    {
      name: 'TinyBase, in memory, not searchable',
      run: () => fresh.slice(0, events).map((message) => timed(() => tiny({ ...message, id: ++nextTiny }))),
    },
  ])
  const texts = Array.from({ length: 300 }, (_, index) =>
    'a draft grows by a letter '.repeat(8).slice(0, index),
  )
  const mine = draftId('bench')
  const stored = (content: string) => ({
    id: mine,
    serverId: null,
    state: 'edited' as const,
    local: { recipient: null, content },
    base: null,
    remote: null,
    remoteEditedAt: null,
    onServer: null,
    saving: null,
    createdAt: 1,
    editedAt: 1,
    isDeleted: false,
    attempts: 0,
    nextAttemptAt: null,
  })
  lines.push(
    ...(await compare('one keystroke of a draft, on disk', rounds, [
      { name: 'bare upsert', run: () => texts.map((text) => timed(() => draft.run(text))) },
      {
        name: 'Dunlin',
        run: () => texts.map((text) => timed(() => store.write((db) => putDraft(db, stored(text))))),
      },
    ])),
  )
  bare.close()
  return lines
}
