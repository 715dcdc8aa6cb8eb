import Sqlite from 'better-sqlite3'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import { channelId, type AccountId } from '../../../src-shared/ids.ts'
import { lockDataDirectory } from '../../../src-main/hosts/instance-lock.ts'
import { secretsFile } from '../../../src-main/hosts/secrets-file.ts'
import { openStore } from '../../../src-main/store/database.ts'
import { journalPath, openJournal } from '../../../src-main/store/journal.ts'
import { migrations } from '../../../src-main/store/migrations/index.ts'
import { manualClock } from '../../fakes/clock.ts'
import { startService, type TestService } from '../../support/service.ts'
import { canMount, openSmallDisk, type SmallDisk } from '../../support/small-disk.ts'
import { asKilled, openBench, removeFolders, startBench, type Bench, type EngineBench } from './bench.ts'

// A small disk that becomes full at any point: while a person signs in, and while an older file is migrated.

let service: TestService
let signIn: { baseUrl: string; email: string; apiKey: string }
let disk: SmallDisk
let bench: EngineBench | null = null

beforeAll(async () => {
  service = await startService()
  const maren = service.createUser('Maren Aske')
  signIn = { baseUrl: service.baseUrl, email: maren.email, apiKey: maren.apiKey }
})
beforeEach(() => {
  if (canMount) disk = openSmallDisk()
})
afterEach(async () => {
  await bench?.close()
  bench = null
  if (canMount) disk.remove()
})
afterAll(async () => {
  await service.close()
  removeFolders()
})

const secretsIn = (directory: string) => secretsFile(join(directory, 'secrets.json'), null, () => {})
const start = (directory: string) =>
  startBench({ directory, clock: manualClock(), secrets: secretsIn(directory) })
const attempt = ({ bridge }: EngineBench) =>
  bridge.call('sign-in', {
    baseUrl: signIn.baseUrl,
    credentials: { kind: 'api-key', email: signIn.email, apiKey: signIn.apiKey },
  })
const draft = (accountId: AccountId, content: string) => ({
  accountId,
  draftId: null,
  draft: { recipient: null, content },
})

/** Checks that the failure says that the disk is full, what is safe and what to do. */
function expectWords(failure: Failure, words: string): void {
  expect(failure).toMatchObject({ kind: 'device', code: 'disk-full' })
  expect(failure.message).toContain(words)
  expect(failure.message).toMatch(/Everything (saved before|in it) is safe\. Free some space/)
}
const refusal = async (work: Promise<unknown>): Promise<Failure | null> =>
  work.then(
    () => null,
    (error: unknown) => failureOf(error),
  )

/** Waits until the account has reported its state; a full disk may also have stopped its first sync. */
async function expectOpenOrTold(one: EngineBench, accountId: AccountId): Promise<void> {
  const { status, problem } = await one.until(
    'sync-state',
    { accountId },
    (state) => state.status === 'synced' || state.problem !== null,
  )
  if (status !== 'synced') expect(problem).toMatch(/^The disk is full, .* Free some space/)
}

/** Checks that everything works as usual. */
async function expectAllWell(one: EngineBench, directory: string): Promise<void> {
  const accounts = await one.ask('accounts', {})
  expect(accounts).toHaveLength(1)
  const { id: accountId } = accounts[0]!
  await one.until('sync-state', { accountId }, ({ status }) => status === 'synced')
  await one.bridge.call('save-draft', draft(accountId, 'the first words'))
  await one.until('drafts', { accountId }, (drafts) =>
    drafts.some(({ content }) => content === 'the first words'),
  )
  // Only the account's key stays; those of the failed attempts are removed soon.
  await expect
    .poll(async () => {
      await one.ask('accounts', {})
      return Object.keys(JSON.parse(readFileSync(join(directory, 'secrets.json'), 'utf8')) as object)
    })
    .toEqual([`api-key:${accountId}`])
  const file = new Sqlite(join(directory, 'accounts', `${accountId}.db`), { readonly: true })
  expect(file.pragma('integrity_check', { simple: true })).toBe('ok')
  file.close()
}

describe.skipIf(!canMount)('signing in', () => {
  test('wherever the room ends, it is told in words, and with room the next attempt signs in', async () => {
    for (let pages = 0; pages < 200; pages += pages < 20 ? 4 : 24) {
      const directory = join(disk.directory, `room-for-${pages}`)
      mkdirSync(directory)
      disk.leave(pages)
      const failed = await refusal(
        start(directory).then((started) => {
          bench = started
        }),
      )
      if (failed !== null) expectWords(failed, 'Dunlin can’t start')
      if (bench !== null) {
        const refused = await refusal(
          attempt(bench).then(({ accountId }) => expectOpenOrTold(bench!, accountId)),
        )
        if (refused !== null) {
          expectWords(refused, 'this couldn’t be saved')
          expect(await bench.ask('accounts', {})).toEqual([])
        }
      }
      disk.empty()
      bench ??= await start(directory)
      if ((await bench.ask('accounts', {})).length === 0) await attempt(bench)
      await expectAllWell(bench, directory)
      await bench.close()
      bench = null
      rmSync(directory, { recursive: true })
    }
  })

  test('who tries again and again, with a page more each time, is signed in once there is enough', async () => {
    const { directory } = disk
    let tries = 0
    for (let pages = 0; ; pages++) {
      disk.leave(pages)
      if (bench === null) {
        const failed = await refusal(
          start(directory).then((started) => {
            bench = started
          }),
        )
        if (failed !== null) expectWords(failed, 'Dunlin can’t start')
      }
      if (bench === null) continue
      const refused = await refusal(attempt(bench))
      if (refused === null) break
      tries++
      expectWords(refused, 'this couldn’t be saved')
    }
    expect(tries).toBeGreaterThan(0)
    const { id: accountId } = (await bench!.ask('accounts', {}))[0]!
    await expectOpenOrTold(bench!, accountId)
    disk.empty()
    await expectAllWell(bench!, directory)
  })

  test('the lock of the folder is refused in words too', () => {
    const { directory } = disk
    let refused = 0
    for (let pages = 0; pages < 16; pages++) {
      disk.leave(pages)
      try {
        lockDataDirectory(join(directory, `room-for-${pages}`))()
      } catch (error) {
        refused++
        expectWords(failureOf(error), 'Dunlin can’t start')
      }
    }
    expect(refused).toBeGreaterThan(0)
    disk.empty()
    lockDataDirectory(join(directory, 'room-for-0'))()
  })
})

describe.skipIf(!canMount)('a list of accounts that is made anew', () => {
  const copyIn = (directory: string) => readFileSync(join(directory, 'app-copy.json'), 'utf8')
  let kept: string
  beforeEach(async () => {
    const account = await openBench({ directory: disk.directory, signIn, clock: manualClock() })
    await account.bridge.call('set-device-setting', { settings: { theme: 'dark' } })
    await account.close()
    kept = copyIn(disk.directory)
    for (const end of ['', '-wal', '-shm']) rmSync(join(disk.directory, `app.db${end}`), { force: true })
  })

  test('wherever the room ends, it comes whole from its copy or the start is refused in words', async () => {
    const { directory } = disk
    let refused = 0
    for (let pages = 0; bench === null; pages++) {
      disk.leave(pages)
      const failed = await refusal(
        start(directory).then((started) => {
          bench = started
        }),
      )
      if (failed === null) break
      refused++
      expectWords(failed, 'Dunlin can’t start')
    }
    expect(refused).toBeGreaterThan(5)
    expect(await bench!.ask('accounts', {})).toHaveLength(1)
    disk.empty()
    await bench!.bridge.call('set-device-setting', { settings: { theme: 'dark' } })
    expect(copyIn(directory)).toBe(kept)
  })

  test('it comes from its copy also when an earlier start was killed over it', async () => {
    new Sqlite(join(disk.directory, 'app.db')).pragma('journal_mode = WAL')
    bench = await start(disk.directory)
    expect(await bench.ask('accounts', {})).toHaveLength(1)
  })
})

describe.skipIf(!canMount)('an older file', () => {
  const olderSteps = migrations.filter(({ number }) => number <= 30)
  const words = Array.from({ length: 12 }, (_, n) => `draft ${n}: ${'reads high '.repeat(100)}`)

  /** Turns the account's file into one of an earlier version, with drafts, a waiting message, and a cache. */
  function makeOlder(path: string): void {
    for (const end of ['', '-wal', '-shm', '.journal']) rmSync(`${path}${end}`, { force: true })
    const store = openStore(path, () => {}, {
      steps: olderSteps,
      journal: openJournal(journalPath(path), () => {}),
    })
    store.write((db) => {
      for (const [n, content] of words.entries())
        db.run(
          `INSERT INTO drafts (draft_id, state, recipient, content, created_at, edited_at)
           VALUES (?, 'edited', 'null', ?, 1, 1)`,
          [`d${n}`, content],
        )
      const action = {
        name: 'send-message',
        conversation: { kind: 'topic', channelId: channelId(1), topic: 'drift' },
        content: 'it waits',
        draftId: null,
      }
      db.run(
        `INSERT INTO outbox (local_id, name, payload, lane, state, created_at)
         VALUES ('o1', 'send-message', ?, 'topic', 'waiting', 1)`,
        [JSON.stringify(action)],
      )
      for (let id = 1; id <= 400; id++)
        db.run(
          `INSERT INTO messages (message_id, conversation_id, sender_id, sender_name, sent_at, content_html,
             is_me_message, is_read, is_starred, is_mentioned, generation)
           VALUES (?, 1, 1, 'Maren', ?, ?, 0, 1, 1, 0, 1)`,
          [id, id, `<p>gauge ${id} ${'ebb and flow '.repeat(20)}</p>`],
        )
    })
    store.close()
  }

  const own = (path: string) => {
    const file = new Sqlite(path, { readonly: true })
    try {
      return [
        ...file.prepare('SELECT content FROM drafts').pluck().all(),
        ...file.prepare('SELECT local_id FROM outbox').pluck().all(),
      ].toSorted()
    } finally {
      file.close()
    }
  }

  let account: Bench
  beforeEach(async () => {
    // The service is stopped, so that waiting changes stay in the file.
    account = await openBench({ directory: disk.directory, signIn, clock: manualClock() })
    await account.until('sync-state', { accountId: account.accountId }, ({ status }) => status === 'synced')
    await account.close()
    await service.stop()
    makeOlder(account.path)
  })
  afterEach(() => service.start())

  test('wherever the room ends while it is brought up to date, its drafts are safe, and it opens by itself with room', async () => {
    const { accountId, path, directory } = account
    const all = [...words, 'o1'].toSorted()
    let closed = 0
    let pages = 0
    for (; ; pages++) {
      disk.leave(pages)
      if (bench === null) {
        const failed = await refusal(
          startBench({ directory, clock: manualClock() }).then((started) => {
            bench = started
          }),
        )
        if (failed !== null) expectWords(failed, 'Dunlin can’t start')
      } else await bench.bridge.call('try-now', { accountId })
      if (bench === null) continue
      const { status, problem } = await bench.ask('sync-state', { accountId })
      if (status !== 'incompatible') break
      closed++
      expect(problem).toContain('this account can’t be opened. Everything in it is safe. Free some space')
      if (closed % 3 === 0) {
        expect(own(join(asKilled(directory), 'accounts', `${accountId}.db`))).toEqual(all)
        // The next start, on an equally full disk.
        await bench.close()
        bench = null
      }
    }
    expect(closed).toBeGreaterThan(5)
    const drafts = await bench!.ask('drafts', { accountId })
    expect(drafts.map(({ content }) => content).toSorted()).toEqual(words.toSorted())
    disk.empty()
    await bench!.bridge.call('save-draft', draft(accountId, 'and one more'))
    expect(await bench!.ask('drafts', { accountId })).toHaveLength(words.length + 1)
    await bench!.close()
    bench = null
    expect(own(path)).toEqual([...all, 'and one more'].toSorted())
  })

  test('an account that found no room opens by itself as soon as there is some', async () => {
    const { accountId, directory } = account
    disk.leave(12)
    bench = await startBench({ directory, clock: manualClock() })
    const { problem } = await bench.ask('sync-state', { accountId })
    expect(problem).toContain('Free some space, and it will open.')
    disk.empty()
    // The bench moves the clock while it waits; the person does nothing.
    const drafts = await bench.until('sync-state', { accountId }, ({ status }) => status !== 'incompatible')
    expect(drafts.fileNotice).toBe(null)
    expect(await bench.ask('drafts', { accountId })).toHaveLength(words.length)
  })
})
