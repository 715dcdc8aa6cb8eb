import { spawn, type ChildProcess } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'

/** How often the process is killed: as `npm run proof` sets it, or few enough to keep the whole suite quick. */
const kills = Number(process.env['DUNLIN_KILLS'] ?? 32)

let service: TestService
let directory: string
let account: { email: string; apiKey: string; userId: number }
let channel: number
let living: ChildProcess | null

beforeEach(async () => {
  service = await startService()
  account = service.createUser('Maren Aske')
  channel = service.createChannel('gauges', [account.userId])
  directory = mkdtempSync(join(tmpdir(), 'dunlin-kill-'))
  living = null
})

afterEach(async () => {
  living?.kill('SIGKILL')
  await service.close()
  rmSync(directory, { recursive: true, force: true })
})

/** The texts that the engine reported to be on disk. */
interface Acknowledged {
  readonly sent: string[]
  readonly typed: string[]
}

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
  const values = [folder, service.baseUrl, account.email, account.apiKey, String(channel), String(run), mode]
  const child = spawn(process.execPath, [script, ...values], { stdio: ['ignore', 'pipe', 'inherit'] })
  living = child
  const lines = createInterface({ input: child.stdout })
  const ready = new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('The engine ended before it was ready.')))
    lines.on('line', (line) => {
      const [kind, text] = line.split(' ')
      if (kind === 'ready') resolve()
      if (kind === 'sent' && text !== undefined) acknowledged.sent.push(text)
      if (kind === 'typed' && text !== undefined) acknowledged.typed.push(text)
    })
  })
  const ended = Promise.all([
    new Promise((resolve) => child.once('exit', resolve)),
    new Promise((resolve) => lines.once('close', resolve)),
  ]).then(() => {})
  const count = () => acknowledged.sent.length + acknowledged.typed.length
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

/** All texts that a file still has, and whether it is intact. */
function contentOf(file: string) {
  const db = new Sqlite(file)
  try {
    const column = (sql: string) => db.prepare<[], string>(sql).pluck().all()
    return {
      integrity: column('PRAGMA integrity_check'),
      waiting: column(`SELECT payload FROM outbox WHERE name = 'send-message' ORDER BY sequence`).map(
        // The engine wrote it from an action with content.
        (payload) => (JSON.parse(payload) as { content: string }).content,
      ),
      drafts: column('SELECT content FROM drafts UNION ALL SELECT content FROM draft_versions').join(' '),
    }
  } finally {
    db.close()
  }
}

const onService = (): string[] =>
  service.database
    .all<{ content: string }>(
      `SELECT content FROM messages WHERE sender_id = ${account.userId} ORDER BY message_id`,
    )
    .map(({ content }) => content)

/** Checks that every acknowledged text is in the file or on the service. */
function expectNothingLost(file: string, { sent, typed }: Acknowledged): void {
  const { integrity, waiting, drafts } = contentOf(file)
  expect(integrity).toEqual(['ok'])
  const there = new Set([...waiting, ...onService()])
  expect(sent.filter((text) => !there.has(text))).toEqual([])
  const words = new Set(drafts.split(' '))
  expect(typed.filter((word) => !words.has(word))).toEqual([])
}

test('an engine that is killed at any moment loses nothing that it said is on disk', async () => {
  const acknowledged: Acknowledged = { sent: [], typed: [] }
  for (let run = 0; run < kills; run++) {
    const engine = startEngine(directory, run, 'write', acknowledged)
    await engine.ready
    // Some are killed at once and some after a while, each at a random point between two words.
    await engine.said((run * 7) % 25)
    await sleep(Math.random() * 10)
    engine.process.kill('SIGKILL')
    await engine.ended
    expectNothingLost(accountFile(directory), acknowledged)
  }
  expect(acknowledged.sent.length).toBeGreaterThan(kills)
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

  const arrived = onService()
  expect(new Set(arrived).size, 'nothing is there twice').toBe(arrived.length)
  for (const topic of ['drift', 'rope']) {
    const inTopic = arrived.filter((text) => text.startsWith(topic))
    const acknowledgedThere = acknowledged.sent.filter((text) => text.startsWith(topic))
    expect(
      inTopic.filter((text) => acknowledgedThere.includes(text)),
      `${topic}: in order`,
    ).toEqual(acknowledgedThere)
  }
  expectNothingLost(file, acknowledged)
}, 3_600_000)

test('a file that a power cut leaves in the middle of a write is whole, and holds what was written before', async () => {
  const acknowledged: Acknowledged = { sent: [], typed: [] }
  const engine = startEngine(directory, 0, 'write', acknowledged)
  await engine.ready
  const file = accountFile(directory)
  for (let cut = 0; cut < Math.max(5, kills / 4); cut++) {
    await engine.said(1)
    await sleep(Math.random() * 60)
    // The texts acknowledged before the power cut. The log's shared index was only in memory, so it is lost.
    const before: Acknowledged = { sent: [...acknowledged.sent], typed: [...acknowledged.typed] }
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
  expect(acknowledged.sent.length).toBeGreaterThan(0)
}, 600_000)
