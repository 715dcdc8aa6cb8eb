import Sqlite from 'better-sqlite3'
import { existsSync, readFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { ActionInput } from '../../../src-shared/bridge/actions.ts'
import { channelId, messageId } from '../../../src-shared/ids.ts'
import type { Conversation } from '../../../src-shared/model/conversation.ts'
import { startService, type TestService } from '../../support/service.ts'
import { journalPath, openJournal, readJournal } from '../../../src-main/store/journal.ts'
import type { OwnChange } from '../../../src-main/store/own-tables.ts'
import { asKilled, newFolder, openBench, removeFolders, type Bench } from './bench.ts'

// An account's file is damaged in every way that a disk can. Nothing that was typed may be lost, nothing may be sent
// twice, and the person is told.

let service: TestService
let open: Bench[] = []
/** A folder as a killed process leaves it, with drafts and messages that no server has. */
let killed: string
/** The same folder after the program ended properly. */
let closed: string
let topic: Conversation & { kind: 'topic' }
let signIn: { baseUrl: string; email: string; apiKey: string }

const draftTexts = Array.from({ length: 12 }, (_, n) => `draft ${n}: ${'tide table '.repeat(n * 60)}.`)
/** An edit that was begun and not saved. */
const begunEdit = { text: 'gauge 7 reads low', previous: 'gauge 7 reads high' }
const sentTexts = Array.from({ length: 6 }, (_, n) => `waiting message ${n}`)

const start = async (directory: string) => {
  const bench = await openBench({ directory })
  open.push(bench)
  return bench
}

beforeAll(async () => {
  service = await startService()
  const maren = service.createUser('Maren Aske')
  const keiko = service.createUser('Keiko Tamura')
  const channel = service.createChannel('gauges', [maren.userId, keiko.userId])
  topic = { kind: 'topic', channelId: channelId(channel), topic: 'drift' }
  for (let n = 0; n < 150; n++)
    service.send(keiko.userId, channel, 'drift', `gauge ${n} ${'reads high '.repeat(n)}`)
  signIn = { baseUrl: service.baseUrl, email: maren.email, apiKey: maren.apiKey }
  const directory = newFolder()
  const bench = await openBench({ directory, signIn })
  const { accountId } = bench
  await bench.until('sync-state', { accountId }, ({ status }) => status === 'synced')
  await service.stop()
  for (const [n, content] of draftTexts.entries()) {
    const recipient = { ...topic, topic: `drafts ${n}` }
    await bench.bridge.call('save-draft', { accountId, draftId: null, draft: { recipient, content } })
  }
  await bench.bridge.call('keep-edit', { accountId, edited: 'message 7', edit: begunEdit })
  for (const content of sentTexts) {
    await bench.bridge.call('act', {
      accountId,
      action: { name: 'send-message', conversation: topic, content, draftId: null },
    })
  }
  // All of it is written in one turn, and reaches the journal at the end of the turn.
  await turn()
  killed = asKilled(directory)
  await bench.close()
  closed = asKilled(directory)
})

afterEach(async () => {
  for (const bench of open) await bench.close()
  open = []
})

afterAll(async () => {
  await service.close()
  removeFolders()
})

const fileIn = (directory: string, end = '.db') => {
  const folder = join(directory, 'accounts')
  return join(folder, readdirSync(folder).find((name) => name.endsWith(end)) ?? 'none')
}

/** Pseudorandom numbers, the same for the same seed. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

/** Overwrites `count` bytes of a file, at places that the seed determines. */
function flip(path: string, seed: number, count: number): void {
  const bytes = readFileSync(path)
  const random = seeded(seed)
  for (let n = 0; n < count; n++) {
    const at = Math.floor(random() * bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 + Math.floor(random() * 255))
  }
  writeFileSync(path, bytes)
}

/** Checks that everything that was typed is there exactly once. */
async function expectAll(bench: Bench): Promise<void> {
  const { accountId } = bench
  const drafts = await bench.ask('drafts', { accountId })
  const short = (texts: readonly string[]) =>
    texts.map((text) => `${text.slice(0, 20)} ${text.length}`).sort()
  expect(short(drafts.map(({ content }) => content))).toEqual(short(draftTexts))
  expect(new Set(drafts.map(({ content }) => content))).toEqual(new Set(draftTexts))
  const outbox = await bench.ask('outbox', { accountId })
  expect(outbox.map(({ contentMarkdown }) => contentMarkdown)).toEqual(sentTexts)
  expect(await bench.ask('unsaved-edits', { accountId })).toEqual([{ edited: 'message 7', ...begunEdit }])
}

const noticeOf = async (bench: Bench) =>
  (await bench.ask('sync-state', { accountId: bench.accountId })).fileNotice?.message ?? null

test('a killed process loses nothing and raises no alarm', async () => {
  const bench = await start(asKilled(killed))
  await expectAll(bench)
  expect(await noticeOf(bench)).toBe(null)
  expect(bench.log.filter((line) => line.includes('checked after an unclean end'))).toHaveLength(1)
})

test('a file that was closed is not read as a whole at the start', async () => {
  const bench = await start(asKilled(closed))
  await expectAll(bench)
  expect(bench.log.filter((line) => line.includes('unclean'))).toEqual([])
})

test('flipped bytes anywhere in the file cost no word, whether the program was killed or closed', async () => {
  let noticed = 0
  for (let seed = 1; seed <= 24; seed++) {
    const directory = asKilled(seed % 2 === 0 ? killed : closed)
    flip(fileIn(directory), seed, seed % 3 === 0 ? 400 : 12)
    const bench = await start(directory)
    await expectAll(bench)
    if ((await noticeOf(bench)) !== null) noticed++
    await bench.close()
  }
  expect(noticed).toBeGreaterThan(8)
})

test('flipped bytes in the log of a killed process cost no word', async () => {
  for (let seed = 100; seed < 112; seed++) {
    const directory = asKilled(killed)
    flip(fileIn(directory, '-wal'), seed, 30)
    const bench = await start(directory)
    await expectAll(bench)
    await bench.close()
  }
})

test('flipped bytes in the journal cost no word', async () => {
  for (let seed = 200; seed < 212; seed++) {
    const directory = asKilled(seed % 2 === 0 ? killed : closed)
    flip(fileIn(directory, '.journal'), seed, 30)
    const bench = await start(directory)
    await expectAll(bench)
    await bench.close()
  }
})

test('a file cut short is begun anew, the words are kept and the damaged file too', async () => {
  for (const share of [0, 0.02, 0.3, 0.7, 0.99]) {
    const directory = asKilled(closed)
    const path = fileIn(directory)
    truncateSync(path, Math.floor(statSync(path).size * share))
    const bench = await start(directory)
    await expectAll(bench)
    expect(await noticeOf(bench)).toContain('12 drafts, 1 unsaved edit and 6 waiting changes are safe')
    const aside = readdirSync(dirname(path)).filter((name) => name.includes('.damaged-'))
    expect(aside.length).toBe(share === 0 ? 0 : 1)
    await bench.close()
  }
})

test('a log cut short, as a power cut leaves it, is made up for by the journal', async () => {
  for (const share of [0, 0.1, 0.5, 0.95]) {
    const directory = asKilled(killed)
    const path = fileIn(directory, '-wal')
    truncateSync(path, Math.floor(statSync(path).size * share))
    const bench = await start(directory)
    await expectAll(bench)
    await bench.close()
  }
})

test('a journal cut short anywhere loses only what the file has anyway', async () => {
  for (const share of [0, 0.01, 0.4, 0.9, 0.999]) {
    const directory = asKilled(killed)
    const path = fileIn(directory, '.journal')
    truncateSync(path, Math.floor(statSync(path).size * share))
    const bench = await start(directory)
    await expectAll(bench)
    expect(await noticeOf(bench)).toBe(null)
    await bench.close()
  }
})

test('a file that was deleted is made anew with the words from the journal', async () => {
  const directory = asKilled(killed)
  const path = fileIn(directory)
  for (const end of ['', '-wal']) rmSync(`${path}${end}`, { force: true })
  const bench = await start(directory)
  await expectAll(bench)
  expect(await noticeOf(bench)).toContain('was missing')
})

/** Deletes the journal and damages the file, whose header counts one page more than it has. */
function damageWithoutJournal(directory: string): void {
  const path = fileIn(directory)
  rmSync(fileIn(directory, '.journal'))
  const bytes = readFileSync(path)
  bytes.writeUInt32BE(bytes.readUInt32BE(28) + 1, 28)
  writeFileSync(path, bytes)
}

test('without a journal the rows are taken out of the damaged file, and no message is sent unasked', async () => {
  const directory = asKilled(closed)
  damageWithoutJournal(directory)
  const bench = await start(directory)
  const { accountId } = bench
  const outbox = await bench.ask('outbox', { accountId })
  expect(outbox.map(({ contentMarkdown }) => contentMarkdown)).toEqual(sentTexts)
  expect(outbox.every(({ state }) => state.state === 'unsure' && state.reason === 'undecided')).toBe(true)
  expect(await noticeOf(bench)).toContain('6 of them may have been sent')
  const drafts = await bench.ask('drafts', { accountId })
  expect(new Set(drafts.map(({ content }) => content))).toEqual(new Set(draftTexts))
  expect(await bench.ask('unsaved-edits', { accountId })).toEqual([{ edited: 'message 7', ...begunEdit }])
})

test('nor is a message scheduled, a reminder set or a snippet saved unasked; what can be repeated waits', async () => {
  const directory = asKilled(closed)
  const before = await start(directory)
  const soon = Date.now() + 3_600_000
  const actions: ActionInput[] = [
    { name: 'schedule-message', conversation: topic, content: 'low water', draftId: null, sendAt: soon },
    { name: 'remind-me', messageId: messageId(1), at: soon },
    { name: 'save-snippet', title: 'Rota', content: 'Who is on?' },
    { name: 'star-message', messageIds: [messageId(1)], on: true },
  ]
  for (const action of actions) await before.bridge.call('act', { accountId: before.accountId, action })
  await before.close()
  damageWithoutJournal(directory)
  const bench = await start(directory)
  const outbox = await bench.ask('outbox', { accountId: bench.accountId })
  expect(outbox.slice(sentTexts.length).map(({ action, state }) => [action, state.state])).toEqual([
    ['schedule-message', 'unsure'],
    ['remind-me', 'unsure'],
    ['save-snippet', 'unsure'],
    ['star-message', 'waiting'],
  ])
  expect(await noticeOf(bench)).toContain('9 of them may have been sent')
})

test('a letter flipped where a draft is stored as JSON costs neither its words nor the account', async () => {
  const directory = asKilled(closed)
  const path = fileIn(directory)
  rmSync(fileIn(directory, '.journal'))
  const file = new Sqlite(path)
  const ids = file.prepare('SELECT draft_id FROM drafts').pluck().all()
  const recipient = JSON.stringify(topic)
  const whole: Record<string, string> = {
    recipient,
    base_recipient: recipient,
    remote_recipient: recipient,
    server_recipient: recipient,
    saving_recipient: recipient,
    refusal: JSON.stringify({ recipient: topic, content: 'x', reason: 'no' }),
  }
  const names = Object.keys(whole)
  file.exec(`UPDATE drafts SET state = 'conflict', base_content = 'a', remote_content = 'b', remote_edited_at = 1,
    server_content = 'b', saving_content = 'c', ${names.map((name) => `${name} = '${whole[name]}'`).join(', ')}`)
  file.exec(`INSERT INTO draft_versions (draft_id, number, recipient, content, saved_at, origin)
    VALUES ('${String(ids[0])}', 1, '{"kind', 'older', 1, 'here')`)
  for (const [n, name] of names.entries()) {
    const damaged = file.prepare(`UPDATE drafts SET ${name} = replace(${name}, ?, ?) WHERE draft_id = ?`)
    damaged.run('{', '[', ids[n])
    damaged.run('"topic":', '"topyc":', ids[6 + n])
  }
  file.close()
  const bench = await start(directory)
  await expectAll(bench)
  const { accountId } = bench
  const drafts = await bench.ask('drafts', { accountId })
  expect(drafts.filter(({ recipient: kept }) => kept === null)).toHaveLength(2)
  const [draftId] = drafts.filter(({ id }) => id === ids[0]).map(({ id }) => id)
  const versions = await bench.ask('draft-versions', { accountId, draftId: draftId! })
  expect(versions.map(({ content }) => content)).toEqual(['older'])
})

test('what does not fit into the new file is told of, and counts as nothing that is safe', async () => {
  const directory = asKilled(closed)
  const path = fileIn(directory)
  const journal = journalPath(path)
  const lines = readJournal(journal)
  const drafts = [...(lines?.tables.get('drafts')?.values() ?? [])]
  const rows = drafts.map((row, n): OwnChange => ['drafts', 'put', n === 0 ? { ...row, content: null } : row])
  rmSync(path)
  rmSync(journal)
  const written = openJournal(journal, () => {})
  written.rewrite({ ...lines!, rows })
  written.close()
  const bench = await start(directory)
  expect(await noticeOf(bench)).toContain('11 drafts are safe. 1 entry couldn’t be read.')
})

test('damage that is found while the file is in use is mended without a restart, and windows go on', async () => {
  const directory = asKilled(closed)
  const bench = await start(directory)
  const { accountId } = bench
  await expectAll(bench)
  const states: (string | null)[] = []
  const stop = bench.bridge.watch('sync-state', { accountId }, ({ fileNotice }) => {
    states.push(fileNotice?.message ?? null)
  })
  const bytes = readFileSync(bench.path)
  bytes.fill(0xa5, 4096)
  // Cached pages stay as they were; all others are lost.
  writeFileSync(bench.path, bytes)
  bench.store().write((db) => db.run('PRAGMA shrink_memory'))
  for (let n = 0; n < 20; n++) {
    await bench.bridge
      .call('save-draft', {
        accountId,
        draftId: null,
        draft: { recipient: { ...topic, topic: `later ${n}` }, content: 'x' },
      })
      .catch(() => {})
    await bench.ask('search', { accountId, text: 'gauge', limit: 10 }).catch(() => {})
    if (states.some((message) => message !== null)) break
  }
  await expect.poll(() => states.at(-1)).toContain('was damaged')
  const drafts = await bench.ask('drafts', { accountId })
  expect(drafts.map(({ content }) => content)).toEqual(expect.arrayContaining(draftTexts))
  stop()
  await bench.bridge.call('dismiss-file-notice', { accountId })
  expect(await noticeOf(bench)).toBe(null)
})

test('the cache comes back from the server, and everything that waited is sent once, in order', async () => {
  const directory = asKilled(killed)
  const path = fileIn(directory)
  truncateSync(path, 5000)
  await service.start()
  const bench = await start(directory)
  const { accountId } = bench
  const params = { accountId, narrow: topic, around: 'newest', before: 20, after: 0 } as const
  const feed = await bench.until(
    'feed',
    params,
    ({ messages, waiting }) => messages.length > 10 && waiting.length === 0,
  )
  expect(feed.messages.length).toBeGreaterThan(10)
  const sent = service.database.all<{ content: string }>(
    `SELECT content FROM messages WHERE content LIKE 'waiting message %' ORDER BY message_id`,
  )
  expect(sent.map(({ content }) => content)).toEqual(sentTexts)
  await bench.until('drafts', { accountId }, (drafts) => drafts.every(({ state }) => state === 'synced'))
  expect((await bench.ask('drafts', { accountId })).length).toBe(draftTexts.length)
})

test('signing out removes the file, its journal and what was kept of a damaged one', async () => {
  const directory = asKilled(closed)
  truncateSync(fileIn(directory), 5000)
  const bench = await start(directory)
  await bench.bridge.call('sign-out', { accountId: bench.accountId, discard: true })
  expect(readdirSync(join(directory, 'accounts'))).toEqual([])
  expect(existsSync(bench.path)).toBe(false)
})
