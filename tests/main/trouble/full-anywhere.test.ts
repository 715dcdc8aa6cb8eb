import Sqlite from 'better-sqlite3'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { failureOf } from '../../../src-shared/failure.ts'
import { channelId } from '../../../src-shared/ids.ts'
import type { Conversation } from '../../../src-shared/model/conversation.ts'
import { createEngine } from '../../../src-main/engine/engine.ts'
import { startService, type TestService } from '../../support/service.ts'
import { asKilled, newFolder, openBench, platformOn, removeFolders, type Bench } from './bench.ts'

// The disk becomes full at any point: in the first page of a change or in its last, of a draft or of a message.

let service: TestService
let signIn: { baseUrl: string; email: string; apiKey: string }
let topic: Conversation & { kind: 'topic' }
let benches: Bench[] = []
let bench: Bench

beforeAll(async () => {
  service = await startService()
  const maren = service.createUser('Maren Aske')
  topic = {
    kind: 'topic',
    channelId: channelId(service.createChannel('gauges', [maren.userId])),
    topic: 'drift',
  }
  signIn = { baseUrl: service.baseUrl, email: maren.email, apiKey: maren.apiKey }
  bench = await openBench({ directory: newFolder(), signIn })
  await bench.until('sync-state', { accountId: bench.accountId }, ({ status }) => status === 'synced')
  // So that waiting changes stay here.
  await service.stop()
})
beforeEach(() => {
  benches = []
})
afterEach(async () => {
  for (const one of benches) await one.close()
})
afterAll(async () => {
  await bench.close()
  await service.close()
  removeFolders()
})

const act = (content: string) =>
  bench.bridge.call('act', {
    accountId: bench.accountId,
    action: { name: 'send-message', conversation: topic, content, draftId: null },
  })
const save = (content: string) =>
  bench.bridge.call('save-draft', {
    accountId: bench.accountId,
    draftId: null,
    draft: { recipient: topic, content },
  })
const limit = (pages: number) => {
  const { db } = bench.store()
  const { page_count: now = 0 } = db.get<{ page_count: number }>('PRAGMA page_count') ?? {}
  db.get(`PRAGMA max_page_count = ${now + pages}`)
}

/** The drafts and messages that the device has reported to be on disk. */
const drafts: string[] = []
const sends: string[] = []

async function expectAll(one: Bench): Promise<void> {
  const { accountId } = one
  const here = (await one.ask('drafts', { accountId })).map(({ content }) => content)
  expect(here.toSorted()).toEqual(drafts.toSorted())
  const waiting = (await one.ask('outbox', { accountId })).map(({ contentMarkdown }) => contentMarkdown)
  expect(waiting).toEqual(sends)
}

/** Writes until there is no room; every refusal must come with a message. */
async function writeUntilFull(name: string): Promise<void> {
  for (let n = 0; n < 60; n++) {
    const content = `${name} ${n}: ${'reads high '.repeat(40 * (1 + (n % 5)))}.`
    try {
      if (n % 2 === 0) {
        await save(content)
        drafts.push(content)
      } else {
        await act(content)
        sends.push(content)
      }
    } catch (error) {
      const failure = failureOf(error)
      expect(failure).toMatchObject({ kind: 'device', code: 'disk-full' })
      expect(failure.message).toContain('Everything saved before is safe')
      return
    }
  }
  throw new Error('The disk never was full.')
}

test('wherever the room ends, what was taken stays and what was refused leaves nothing', async () => {
  for (let pages = 0; pages < 8; pages++) {
    limit(pages)
    await writeUntilFull(`room for ${pages}`)
    await expectAll(bench)
    limit(1_000_000)
  }
  expect(bench.store().db.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(drafts.length + sends.length).toBeGreaterThan(8)
})

test('a process that is killed on a full disk has everything after its next start', async () => {
  limit(2)
  await writeUntilFull('the last room')
  const next = await openBench({ directory: asKilled(bench.directory) })
  benches.push(next)
  await expectAll(next)
  limit(1_000_000)
})

test('a list of accounts that another program holds is told of at the start, and left as it is', async () => {
  const directory = asKilled(bench.directory)
  const other = new Sqlite(join(directory, 'app.db'))
  other.pragma('locking_mode = EXCLUSIVE')
  other.exec('BEGIN EXCLUSIVE')
  const failure = failureOf(await createEngine(platformOn(directory, [])).catch((error: unknown) => error))
  expect(failure).toMatchObject({ kind: 'device', code: 'in-use' })
  expect(failure.message).toContain('Another program is using')
  other.close()
  const next = await openBench({ directory })
  benches.push(next)
  await expectAll(next)
})
