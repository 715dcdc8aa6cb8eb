import { spawn, type ChildProcess } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { linkOfFile } from '../../src-shared/model/outgoing-file.ts'
import { startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** How often the process is killed: as `npm run proof` sets it, or few enough to keep the whole suite quick. */
const kills = Number(process.env['DUNLIN_KILLS'] ?? 15)

let service: TestService
let directory: string
let account: { email: string; apiKey: string; userId: number }
let other: number
let channel: number
let living: ChildProcess | null

beforeEach(async () => {
  service = await startService()
  account = service.createUser('Maren Aske')
  other = service.createUser('Keiko Tamura').userId
  channel = service.createChannel('gauges', [account.userId, other])
  directory = temporaryFolder(onTestFinished)
  living = null
})

afterEach(async () => {
  living?.kill('SIGKILL')
  await service.close()
})

/** What the engine reported to be on disk: the words of everything that the person did, and what they typed. */
interface Acknowledged {
  readonly acted: string[]
  readonly typed: string[]
}

/** Messages that one run edits, stars and wants to be reminded of. */
const perRun = 5
const some = (from: number, topic: string, words: string) =>
  Array.from({ length: perRun }, () => service.send(from, channel, topic, words))

interface Busy {
  readonly process: ChildProcess
  /** Resolves once the account is open and the person writes. */
  readonly ready: Promise<void>
  /** Resolves once the engine has reported this many more texts to be on disk. */
  said(more: number): Promise<void>
  /** Resolves once the process is gone and all of its output was read. */
  readonly ended: Promise<void>
}

function startEngine(folder: string, run: number, mode: 'write' | 'rest', acknowledged: Acknowledged): Busy {
  const script = join(import.meta.dirname, '../support/busy-engine.ts')
  const { email, apiKey } = account
  const old = { own: some(account.userId, 'own', 'unedited'), heard: some(other, 'heard', 'unmarked') }
  const place = [folder, service.baseUrl, email, apiKey, String(channel)]
  const values = [...place, String(run), mode, JSON.stringify(mode === 'write' ? old : {})]
  const child = spawn(process.execPath, [script, ...values], { stdio: ['ignore', 'pipe', 'inherit'] })
  living = child
  const lines = createInterface({ input: child.stdout })
  const ready = new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('The engine ended before it was ready.')))
    lines.on('line', (line) => {
      const [kind, text] = line.split(' ')
      if (kind === 'ready') resolve()
      if (kind === 'acted' && text !== undefined) acknowledged.acted.push(text)
      if (kind === 'typed' && text !== undefined) acknowledged.typed.push(text)
    })
  })
  const ended = Promise.all([
    new Promise((resolve) => child.once('exit', resolve)),
    new Promise((resolve) => lines.once('close', resolve)),
  ]).then(() => {})
  const count = () => acknowledged.acted.length + acknowledged.typed.length
  const said = (more: number) => {
    const enough = count() + more
    return expect.poll(count, { interval: 1 }).toBeGreaterThanOrEqual(enough)
  }
  return { process: child, ready, said, ended }
}

const accountFile = (folder: string): string => {
  const [name] = readdirSync(join(folder, 'accounts')).filter((one) => one.endsWith('.db'))
  if (name === undefined) throw new Error('There is no account.')
  return join(folder, 'accounts', name)
}

/** What actions have in common that is looked at here. */
interface Waiting {
  readonly content?: string
  readonly note?: string
  readonly messageIds?: readonly number[]
}

/** All words that a file still has, and whether it is intact. */
function contentOf(file: string) {
  const db = new Sqlite(file)
  try {
    const column = (sql: string) => db.prepare<[], string>(sql).pluck().all()
    return {
      integrity: column('PRAGMA integrity_check'),
      // The engine wrote them from such actions.
      waiting: column('SELECT payload FROM outbox ORDER BY sequence').map(
        (payload) => JSON.parse(payload) as Waiting,
      ),
      drafts: column('SELECT content FROM drafts UNION ALL SELECT content FROM draft_versions').join(' '),
    }
  } finally {
    db.close()
  }
}

const ofAccount = (sql: string): string[] =>
  service.database.all<{ text: string | number }>(sql, account.userId).map(({ text }) => String(text))

/** Everything that the person did as far as the service has it: each in words that occur only once. */
const onService = () => ({
  messages: ofAccount(
    `SELECT content AS text FROM messages WHERE sender_id = ? AND content <> 'unedited' ORDER BY message_id`,
  ),
  scheduled: ofAccount('SELECT content AS text FROM scheduled_messages WHERE user_id = ?'),
  reminders: ofAccount('SELECT note AS text FROM reminders WHERE user_id = ?'),
  stars: ofAccount('SELECT message_id AS text FROM user_messages WHERE user_id = ? AND is_starred = 1'),
})

const firstWord = (text: string) => text.split(' ')[0] ?? ''

/** Checks that everything acknowledged is in the file or on the service. */
function expectNothingLost(file: string, { acted, typed }: Acknowledged): void {
  const { integrity, waiting, drafts } = contentOf(file)
  expect(integrity).toEqual(['ok'])
  const texts = waiting.flatMap(({ content, note, messageIds = [] }) => [
    content ?? '',
    note ?? '',
    ...messageIds.map(String),
  ])
  const there = new Set([...texts, ...Object.values(onService()).flat()].map(firstWord))
  expect(acted.filter((text) => !there.has(text))).toEqual([])
  const words = new Set(drafts.split(' '))
  expect(typed.filter((word) => !words.has(word))).toEqual([])
}

/** Checks that the files of waiting messages are still here, whole, or on the service. */
function expectFilesThere(file: string): void {
  for (const { content = '' } of contentOf(file).waiting) {
    for (const [, id = ''] of content.matchAll(linkOfFile)) {
      const copy = `${file}-sent-file-${id}`
      // The engine wrote it in this form.
      const { url, size } = JSON.parse(readFileSync(`${copy}.json`, 'utf8')) as {
        url: string | null
        size: number
      }
      if (url === null) expect(readFileSync(copy)).toHaveLength(size)
    }
  }
}

test('an engine that is killed at any moment loses nothing that it said is on disk', async () => {
  const acknowledged: Acknowledged = { acted: [], typed: [] }
  for (let run = 0; run < kills; run++) {
    const engine = startEngine(directory, run, 'write', acknowledged)
    await engine.ready
    // Some are killed at once and some after a while, each at a random point between two words.
    await engine.said((run * 7) % 25)
    await sleep(Math.random() * 10)
    engine.process.kill('SIGKILL')
    await engine.ended
    expectNothingLost(accountFile(directory), acknowledged)
    expectFilesThere(accountFile(directory))
  }
  expect(acknowledged.acted.length).toBeGreaterThan(kills)
  for (const kind of ['drift', 'rope', 'attached', 'edited', 'later', 'reminded'])
    expect(
      acknowledged.acted.some((text) => text.startsWith(kind)),
      kind,
    ).toBe(true)
  expect(acknowledged.typed.length).toBeGreaterThan(kills)

  const last = startEngine(directory, kills, 'rest', acknowledged)
  await last.ready
  const file = accountFile(directory)
  const waiting = () => {
    const db = new Sqlite(file, { readonly: true })
    try {
      return db.prepare<[], number>('SELECT count(*) FROM outbox').pluck().get()
    } finally {
      db.close()
    }
  }
  await expect.poll(waiting, { timeout: 240_000, interval: 200 }).toBe(0)
  last.process.kill('SIGKILL')
  await last.ended

  const there = onService()
  for (const list of Object.values(there)) {
    expect(list.length).toBeGreaterThan(0)
    expect(new Set(list).size, 'nothing is there twice').toBe(list.length)
  }
  const arrived = there.messages
  for (const text of arrived.filter((one) => one.startsWith('attached')))
    expect(text).toMatch(/\]\(\/user_uploads\//)
  for (const topic of ['drift', 'rope']) {
    const inTopic = arrived.filter((text) => text.startsWith(topic))
    const acknowledgedThere = acknowledged.acted.filter((text) => text.startsWith(topic))
    expect(
      inTopic.filter((text) => acknowledgedThere.includes(text)),
      `${topic}: in order`,
    ).toEqual(acknowledgedThere)
  }
  expectNothingLost(file, acknowledged)
}, 3_600_000)

test('a file that a power cut leaves in the middle of a write is whole, and holds what was written before', async () => {
  const acknowledged: Acknowledged = { acted: [], typed: [] }
  const engine = startEngine(directory, 0, 'write', acknowledged)
  await engine.ready
  const file = accountFile(directory)
  for (let cut = 0; cut < Math.max(5, kills / 4); cut++) {
    await engine.said(1)
    await sleep(Math.random() * 60)
    // The texts acknowledged before the power cut. The log's shared index was only in memory, so it is lost.
    const before: Acknowledged = { acted: [...acknowledged.acted], typed: [...acknowledged.typed] }
    const left = mkdtempSync(join(directory, 'cut-'))
    const copy = join(left, 'account.db')
    // Stopped between two instructions, so that both copies are of the same moment.
    engine.process.kill('SIGSTOP')
    copyFileSync(file, copy)
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`)
    engine.process.kill('SIGCONT')
    expectNothingLost(copy, before)
  }
  engine.process.kill('SIGKILL')
  await engine.ended
  expect(acknowledged.acted.length).toBeGreaterThan(0)
}, 600_000)
