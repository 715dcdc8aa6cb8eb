import Sqlite from 'better-sqlite3'
import { join } from 'node:path'
import { feed } from '../src-main/queries/feed.ts'
import { inbox } from '../src-main/queries/inbox.ts'
import { jumpTargets } from '../src-main/queries/jump-targets.ts'
import type { QueryContext } from '../src-main/queries/context.ts'
import { search, searchInside } from '../src-main/queries/search.ts'
import { sidebar } from '../src-main/queries/sidebar.ts'
import { unreadTotals } from '../src-main/queries/unread-totals.ts'
import { openStore, type Store } from '../src-main/store/database.ts'
import type { MessageFields } from '../src-main/store/messages.ts'
import { termsWithin } from '../src-main/store/vocabulary.ts'
import { wordsFromHtml } from '../src-main/store/html-text.ts'
import { messageId } from '../src-shared/ids.ts'
import { fill, gather } from './engine-filling.ts'
import { compare, timed, type Line } from './measure.ts'
import { searchPeers } from './peers.ts'
import { ownUserId, randomFrom, sizeOf, withRareWords, word, workload, zipf } from './workload.ts'

/** The queries of screens, compared with bare statements on the same file. */
export async function queries(
  store: Store,
  path: string,
  topics: number,
  messages: number,
  rounds: number,
): Promise<Line[]> {
  const random = randomFrom(7)
  const anyTopic = zipf(topics, random)
  const anyWord = zipf(30_000, random)
  /** Answers a query as for a window that begins to show it. */
  const answer = (query: (context: QueryContext) => unknown) =>
    store.watch(
      (db) => query({ db, ownUserId, now: Date.now() }),
      () => {},
    )()
  const bare = new Sqlite(path, { readonly: true })
  const older = bare.prepare(
    'SELECT * FROM messages WHERE conversation_id = ? AND message_id < ? ORDER BY message_id DESC LIMIT 25',
  )
  const newer = bare.prepare(
    'SELECT * FROM messages WHERE conversation_id = ? AND message_id >= ? ORDER BY message_id LIMIT 25',
  )
  const anchorOf = bare
    .prepare(
      'SELECT coalesce(max(message_id), 1) FROM messages WHERE conversation_id = ? AND message_id <= ?',
    )
    .pluck()
  const homeOf = bare.prepare('SELECT conversation_id FROM conversations WHERE topic = ?').pluck()
  const homes = new Map<string, number>()
  // Enough runs to show one in a thousand, and most of them in parts of the file that nobody has just read.
  const places = Array.from({ length: 400 }, () => {
    const topic = anyTopic()
    const name = `topic ${topic}`
    const home = homeOf.get(name) as number
    homes.set(name, home)
    return {
      topic: name,
      channelId: (topic % sizeOf(messages).channels) + 1,
      // Anywhere in it.
      at: anchorOf.get(home, Math.floor(random() * messages)) as number,
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

  /** As after a new message: what is remembered of conversations is read again. */
  const change = () =>
    void store.write((db) =>
      db.run('UPDATE conversations SET mention_count = mention_count WHERE conversation_id = 1'),
    )
  // A screen asks after every change, and not only when it opens.
  const again = (work: () => unknown) =>
    Array.from({ length: 10 }, () => {
      change()
      return timed(work)
    })
  const shownWindow = windowsByHand(bare)
  const window = async (
    what: string,
    floor: (place: (typeof places)[number]) => unknown,
    byHand: (place: (typeof places)[number]) => unknown,
    ours: () => number[],
  ) =>
    lines.push(
      ...(await compare(what, rounds, [
        {
          name: 'bare statement',
          run: () => places.map((place) => timed(() => JSON.stringify(floor(place)))),
        },
        {
          name: 'by hand, with all that a screen shows of them',
          run: () => places.map((place) => timed(() => JSON.stringify(byHand(place)))),
        },
        { name: 'Dunlin', run: ours },
      ])),
    )
  await window(
    '25 messages before and after one in a topic',
    ({ topic, at }) => [older.all(homes.get(topic), at), newer.all(homes.get(topic), at)],
    ({ topic, at }) => shownWindow.inTopic(homes.get(topic), at),
    () =>
      places.map(({ topic, channelId, at }) =>
        timed(() =>
          answer((context) =>
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
  const newestOf = bare.prepare(
    'SELECT * FROM messages WHERE message_id < ? ORDER BY message_id DESC LIMIT 50',
  )
  await window(
    '50 messages of all conversations together',
    ({ at }) => newestOf.all(at),
    ({ at }) => shownWindow.inAll(at),
    () =>
      places.map(({ at }, index) => {
        // A person who scrolls asks several times before the next message arrives.
        if (index % 10 === 0) change()
        return timed(() =>
          answer((context) =>
            feed(context, {
              accountId: 'a' as never,
              narrow: { kind: 'combined' },
              around: messageId(at),
              before: 50,
              after: 0,
            }),
          ),
        )
      }),
  )
  await both(
    'unread totals of all conversations',
    () => again(() => counters.all()),
    () => again(() => answer(({ db }) => unreadTotals(db))),
  )
  await both(
    'the sidebar',
    () => again(() => counters.all()),
    () => again(() => answer(sidebar)),
  )
  await both(
    'the inbox',
    () => again(() => counters.all()),
    () => again(() => answer(inbox)),
  )
  const newestTopics = bare.prepare(
    'SELECT topic, channel_id FROM conversations WHERE newest_message_id > 0 ORDER BY newest_message_id DESC LIMIT 5000',
  )
  const named = bare.prepare('SELECT full_name FROM users WHERE folded_name LIKE ?')
  const typed = ['p', 'pe', 'person 1', 'topic 44', 'channel', 'to 7', 'ch 12', 'rson']
  const goTo = (text: string) =>
    timed(() => answer((context) => jumpTargets(context, { text, of: 'everything', often: [], limit: 5 })))
  lines.push(
    ...(await compare('where to go, by a few letters', rounds, [
      {
        name: 'bare statement',
        run: () =>
          typed.map((text) =>
            timed(() => JSON.stringify([newestTopics.all().slice(0, 5), named.all(`%${text}%`)])),
          ),
      },
      {
        name: 'Dunlin, where a message came before each key',
        run: () =>
          typed.map((text) => {
            change()
            return goTo(text)
          }),
      },
      { name: 'Dunlin, while none comes', run: () => typed.map(goTo) },
    ])),
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
    [
      'newest 50 with a beginning of four letters',
      () => common().slice(0, 4),
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
      () => texts.map((text) => timed(() => answer((context) => search(context, text, 50)))),
    )
  }
  const parts = Array.from({ length: 25 }, () => partOf(anyWord()))
  await both(
    'newest 50 with a part of a word',
    () =>
      parts.map((part) => {
        // The words that contain it are known beforehand.
        const terms = termsWithin(store.db, part, 'inside', 128)
        return timed(() => {
          const ids = found
            .pluck()
            .all(`words : (${terms.map((term) => `"${term}"`).join(' OR ')})`) as number[]
          return JSON.stringify(ids.map((id) => bodies.get(id)))
        })
      }),
    () => parts.map((part) => timed(() => answer((context) => searchInside(context, part, 50)))),
  )
  bare.close()
  return lines
}

/** The rows that a feed shows of messages, by hand: places, senders, what is unread, reactions. */
function windowsByHand(bare: Sqlite.Database) {
  const messages = `SELECT m.*, c.topic, c.user_ids, ch.name, ch.color, ch.is_private, ch.is_web_public, ch.is_muted,
      u.full_name, u.avatar_url, u.is_bot, u.role,
      EXISTS (SELECT 1 FROM unread WHERE message_id = m.message_id) AS is_unread
    FROM messages m CROSS JOIN conversations c ON c.conversation_id = m.conversation_id
    LEFT JOIN channels ch ON ch.channel_id = c.channel_id LEFT JOIN users u ON u.user_id = m.sender_id`
  const older = bare.prepare<unknown[], { message_id: number }>(
    `${messages} WHERE m.conversation_id = ? AND m.message_id < ? ORDER BY m.message_id DESC LIMIT 25`,
  )
  const newer = bare.prepare<unknown[], { message_id: number }>(
    `${messages} WHERE m.conversation_id = ? AND m.message_id >= ? ORDER BY m.message_id LIMIT 25`,
  )
  const newest = bare.prepare<unknown[], { message_id: number }>(
    `${messages} WHERE m.message_id < ? ORDER BY m.message_id DESC LIMIT 50`,
  )
  const reactions = bare.prepare(
    'SELECT r.* FROM json_each(?) wanted CROSS JOIN reactions r ON r.message_id = wanted.value',
  )
  const withReactions = (rows: readonly { message_id: number }[]) => [
    rows,
    reactions.all(JSON.stringify(rows.map((row) => row.message_id))),
  ]
  return {
    inTopic: (home: number | undefined, at: number) =>
      withReactions([...older.all(home, at), ...newer.all(home, at)]),
    inAll: (at: number) => withReactions(newest.all(at)),
  }
}

/** Four letters from the middle of a word. */
const partOf = (rank: number): string => word(400 + (rank % 5_000)).slice(1, 5)

/** Searching, compared with in-memory libraries, on as many messages as those can hold. */
export async function searchBeside(
  directory: string,
  messages: number,
  rounds: number,
  facts: string[],
): Promise<Line[]> {
  const all = [...withRareWords(workload(sizeOf(messages), 21))]
  const path = join(directory, 'beside.db')
  const filled = openStore(path, () => {})
  fill(filled, path, all)
  filled.close()
  gather(path)
  const store = openStore(path, () => {})
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
  const trigrams = trigramIndex(join(directory, 'trigrams.db'), all)
  facts.push(
    `An index of every three letters of ${messages.toLocaleString('en')} messages takes ${trigrams.megabytes.toFixed(0)} MB ` +
      `beside them and ${(trigrams.builtMs / 1_000).toFixed(1)} s to build.`,
  )
  const parts = Array.from({ length: 25 }, () => partOf(anyWord()))
  lines.push(
    ...(await compare(`newest 50 with a part of a word, of ${messages.toLocaleString('en')}`, rounds, [
      {
        name: 'Dunlin',
        run: () => parts.map((part) => timed(() => JSON.stringify(searchInside(context, part, 50)))),
      },
      {
        name: 'an index of every three letters of the messages, by SQLite',
        run: () => parts.map((part) => timed(() => trigrams.find(part))),
      },
    ])),
  )
  trigrams.close()
  store.close()
  return lines
}

/** SQLite's own substring search: a trigram index of all texts. */
function trigramIndex(path: string, messages: readonly MessageFields[]) {
  const sqlite = new Sqlite(path)
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = NORMAL')
  sqlite.exec(`
    CREATE VIRTUAL TABLE trigrams USING fts5 (words, content='', tokenize='trigram remove_diacritics 1');
    CREATE TABLE bodies (id INTEGER PRIMARY KEY, html TEXT);
  `)
  const words = sqlite.prepare('INSERT INTO trigrams (rowid, words) VALUES (?, ?)')
  const body = sqlite.prepare('INSERT INTO bodies VALUES (?, ?)')
  const texts = messages.map(({ id, contentHtml }) => [id, wordsFromHtml(contentHtml)] as const)
  const write = sqlite.transaction((part: typeof texts) => part.forEach((one) => words.run(...one)))
  const builtMs = timed(() => {
    for (let at = 0; at < texts.length; at += 1_000) write(texts.slice(at, at + 1_000))
  })
  const bytes = sqlite.prepare('SELECT sum(length(block)) FROM trigrams_data').pluck().get() as number
  sqlite.transaction(() => messages.forEach(({ id, contentHtml }) => body.run(id, contentHtml)))()
  const found = sqlite
    .prepare('SELECT rowid FROM trigrams WHERE trigrams MATCH ? ORDER BY rowid DESC LIMIT 50')
    .pluck()
  const html = sqlite.prepare('SELECT html FROM bodies WHERE id = ?').pluck()
  return {
    megabytes: bytes / 1e6,
    builtMs,
    find: (part: string) => JSON.stringify((found.all(`"${part}"`) as number[]).map((id) => html.get(id))),
    close: () => sqlite.close(),
  }
}
