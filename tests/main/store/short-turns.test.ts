import Sqlite from 'better-sqlite3'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { plainChannel } from '../../../bench/workload.ts'
import type { EngineParts } from '../../../src-main/engine/calls.ts'
import { createEngine } from '../../../src-main/engine/engine.ts'
import { accountId, userId } from '../../../src-shared/ids.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { openAccountFile, prepareAccountFile } from '../../../src-main/store/account-file.ts'
import { keepOnlyChannels, putChannel, replaceSubscribers } from '../../../src-main/store/channels.ts'
import { openStore } from '../../../src-main/store/database.ts'
import { markAllRead, markRead, markUnread } from '../../../src-main/store/flags.ts'
import { journalPath } from '../../../src-main/store/journal.ts'
import { putMessage } from '../../../src-main/store/messages.ts'
import { migrations } from '../../../src-main/store/migrations/index.ts'
import { Statements } from '../../../src-main/store/statements.ts'
import { feed } from '../../../src-main/queries/feed.ts'
import { messageFields } from '../../support/message-fields.ts'
import { platformOn } from '../trouble/bench.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

// Slow work is done in steps, or reads less: windows wait for each step.

let directory: string
let path: string
beforeEach(() => {
  directory = temporaryFolder(onTestFinished)
  path = join(directory, 'account.db')
})

type Engine = Awaited<ReturnType<typeof createEngine>> & EngineParts

const opened = () =>
  openAccountFile({ path, isDamaged: false, now: 1, log: () => {}, onDamage: () => {}, onDeleted: () => {} })

test('a new file is made in steps, between which others have their turn, and one half made is finished', async () => {
  const forms: number[] = []
  const looked = () => {
    const file = new Sqlite(path, { readonly: true })
    forms.push(Number(file.pragma('user_version', { simple: true })))
    file.close()
    return Promise.resolve()
  }
  await prepareAccountFile(path, looked)
  expect(forms).toEqual(migrations.map(({ number }) => number))
  const { store, notice } = opened()
  expect(notice).toBe(null)
  store.close()
  for (const suffix of ['', '-journal', '.journal']) rmSync(`${path}${suffix}`, { force: true })

  let steps = 0
  const ended = prepareAccountFile(path, () =>
    ++steps < 3 ? Promise.resolve() : Promise.reject(new Error('the program ends')),
  )
  await expect(ended).rejects.toThrow()
  const half = opened()
  expect(half.notice).toBe(null)
  expect(half.store.db.get('PRAGMA user_version')).toEqual({ user_version: migrations.at(-1)?.number })
  half.store.close()
})

test('what takes longer than a frame is logged by its statement, and what is faster is not', () => {
  const lines: string[] = []
  const store = openStore(path, (line) => lines.push(line))
  const put = "INSERT OR REPLACE INTO organization VALUES ('city', '1')"
  const get = 'SELECT count(*) FROM organization'
  const doBoth = () => {
    store.writeOnce((db) => db.run(put))
    store.db.get(get)
  }
  let now = 0
  let stepMs = 16
  vi.spyOn(performance, 'now').mockImplementation(() => (now += stepMs))
  try {
    doBoth()
    expect(lines).toEqual([])
    stepMs = 17
    doBoth()
    expect(lines).toEqual([`store: 17 ms in ${put}`, `store: 17 ms in ${get}`])
  } finally {
    vi.restoreAllMocks()
    store.close()
  }
})

test('a limit that is given at each run is no parameter by itself, which SQLite would prepare anew each time', () => {
  const file = new Sqlite(path)
  onTestFinished(() => void file.close())
  file.exec('CREATE TABLE words (word); INSERT INTO words VALUES (1), (2), (3), (4)')
  const statements = new Statements(file)
  const first = 'SELECT word FROM words ORDER BY word LIMIT ?'
  const last = 'SELECT max(word) FROM (SELECT word FROM words ORDER BY word LIMIT ?2) WHERE word > ?1'
  for (const statement of [statements.of(first), statements.column(first), statements.of(last)])
    expect(statement.source).not.toMatch(/LIMIT \?/)
  expect(statements.column(first).all([2])).toEqual([1, 2])
  expect(statements.column(first).all([3])).toEqual([1, 2, 3])
  expect(statements.column(last).all({ 1: 0, 2: 3 })).toEqual([3])
  expect(statements.tablesOf(first)).toEqual(['words'])
})

test('the unread messages of a conversation are counted from an index alone', () => {
  const store = openStore(path, () => {})
  onTestFinished(() => store.close())
  const plan = store.db.all<{ detail: string }>(
    'EXPLAIN QUERY PLAN SELECT count(*), sum(is_mentioned) FROM unread WHERE conversation_id = 1',
  )
  expect(plan.map(({ detail }) => detail)).toEqual([
    'SEARCH unread USING COVERING INDEX unread_by_conversation (conversation_id=?)',
  ])
  const conversation = topicConversation(3, 'tides')
  store.write((db) => {
    for (let id = 1; id <= 4; id++)
      putMessage(db, messageFields({ id, conversation, isRead: false, isMentioned: id === 2 }), 1)
  })
  const counters = () =>
    store.db.get('SELECT unread_count AS unread, mention_count AS mentions FROM conversations')
  expect(counters()).toEqual({ unread: 4, mentions: 1 })
  store.write((db) => markRead(db, [2, 3]))
  expect(counters()).toEqual({ unread: 2, mentions: 0 })
  store.write((db) => markRead(db, [1, 4]))
  expect(counters()).toEqual({ unread: 0, mentions: 0 })
})

test('marking messages as read writes none of them, and shows them as read', () => {
  const store = openStore(path, () => {})
  onTestFinished(() => store.close())
  const conversation = topicConversation(3, 'tides')
  const unread = () =>
    feed(
      { db: store.db, ownUserId: userId(1), now: 1_000 },
      { accountId: accountId('a'), narrow: conversation, around: 'newest', before: 50, after: 0 },
    ).messages.flatMap(({ id, isUnread }) => (isUnread ? [id] : []))
  store.write((db) => {
    for (let id = 1; id <= 4; id++) putMessage(db, messageFields({ id, conversation, isRead: id === 4 }), 1)
  })
  expect(unread()).toEqual([1, 2, 3])
  const before = store.commitsTo('messages')
  store.write((db) => markRead(db, [2, 4]))
  expect(unread()).toEqual([1, 3])
  store.write(markAllRead)
  expect(unread()).toEqual([])
  expect(store.commitsTo('messages')).toBe(before)
  store.write((db) => markUnread(db, [4]))
  expect(unread()).toEqual([4])
})

test('of channels that are gone the subscribers go too, and nobody else', () => {
  const store = openStore(path, () => {})
  const list = () =>
    store.db.column<string>(
      "SELECT channel_id || ':' || user_id FROM subscribers ORDER BY channel_id, user_id",
    )
  store.write((db) => {
    for (const id of [2, 4, 6]) putChannel(db, { ...plainChannel(id), isSubscribed: true })
    for (const id of [2, 4, 5, 6, 9]) replaceSubscribers(db, id, [1, 7])
    keepOnlyChannels(db, [2, 6, 8])
  })
  expect(store.db.column('SELECT channel_id FROM channels ORDER BY 1')).toEqual([2, 6])
  expect(list()).toEqual(['2:1', '2:7', '6:1', '6:7'])
  store.write((db) => keepOnlyChannels(db, []))
  expect(list()).toEqual([])
  store.write((db) => keepOnlyChannels(db, []))
  store.close()
})

test('an account begins in turns after the one in which its file was opened, and ends with the engine in any', async () => {
  const known = {
    id: accountId('a1'),
    baseUrl: 'http://127.0.0.1:9/api/v1',
    email: 'maren@example.org',
    userId: userId(1),
    fullName: 'Maren Aske',
    organizationName: 'Aske',
    organizationIconUrl: null,
    isDemo: false,
  }
  const begun: string[] = []
  const log: string[] = []
  /** Opens the account; calls `between` in each turn after its file is open, until the account has started. */
  const openIn = async (folder: string, between: (engine: Engine, turns: number) => void) => {
    const platform = platformOn(join(directory, folder), log)
    const onWake = () => {
      begun.push(folder)
      return () => {}
    }
    // The engine has the members that this test uses.
    const engine = (await createEngine({ ...platform, onWake })) as Engine
    let isOpen = true
    engine.accounts.put(known)
    const opening = engine.openAccounts.open(known).finally(() => (isOpen = false))
    for (let turns = 0; isOpen; await turn()) {
      if (begun.includes(folder) || !existsSync(journalPath(engine.openAccounts.filePath(known.id)))) continue
      between(engine, ++turns)
    }
    await opening
    return engine
  }
  let turnsToBegin = 0
  const engine = await openIn('whole', (_, turns) => (turnsToBegin = turns))
  expect(turnsToBegin).toBeGreaterThanOrEqual(3)
  expect(begun).toEqual(['whole'])
  expect(engine.openAccounts.account(known.id).known).toEqual(known)
  await engine.close()

  for (let last = 1; last <= turnsToBegin; last++) {
    const ended = await openIn(`ended ${last}`, (early, turns) => {
      if (turns === last) void early.close()
    })
    // Anything that had started would be noticed now.
    for (let round = 0; round < 10; round++) await turn()
    expect(() => ended.openAccounts.account(known.id)).toThrow()
    // SQLite removes its log when the file is closed.
    expect(existsSync(ended.openAccounts.filePath(known.id))).toBe(true)
    expect(existsSync(`${ended.openAccounts.filePath(known.id)}-wal`)).toBe(false)
  }
  expect(begun).toEqual(['whole'])
  // A busy machine is slow.
  expect(log.filter((line) => !/ \d+ ms in /.test(line))).toEqual([])
})

test('the engine makes the list of accounts and the copy of it in different turns', async () => {
  const seen = new Set<string>()
  let isMade = false
  const making = createEngine(platformOn(directory, [])).finally(() => (isMade = true))
  for (; !isMade; await turn())
    seen.add(['app.db', 'app-copy.json'].filter((name) => existsSync(join(directory, name))).join())
  expect([...seen]).toEqual(['app.db', 'app.db,app-copy.json'])
  await (await making).close()
})
