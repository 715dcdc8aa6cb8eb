import Sqlite from 'better-sqlite3'
import { createHash } from 'node:crypto'
import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { failureOf } from '../../../src-shared/failure.ts'
import { createEngine } from '../../../src-main/engine/engine.ts'
import { manualClock } from '../../fakes/clock.ts'
import { startService, type TestService } from '../../support/service.ts'
import { asKilled, newFolder, openBench, platformOn, removeFolders, type Bench } from './bench.ts'

// The app's folder is in use, read-only, newer than this version, or locked by another program.

let service: TestService
let signIn: { baseUrl: string; email: string; apiKey: string }
let bench: Bench | null = null
const children: ChildProcess[] = []

beforeAll(async () => {
  service = await startService()
  const maren = service.createUser('Maren Aske')
  signIn = { baseUrl: service.baseUrl, email: maren.email, apiKey: maren.apiKey }
})
afterEach(async () => {
  await bench?.close()
  bench = null
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(async () => {
  await service.close()
  removeFolders()
})

const root = resolve(import.meta.dirname, '../../..')
/** The web host as a separate process, without building a window for it. */
const program = (directory: string) => `
  import { failureOf } from '${root}/src-shared/failure.ts'
  import { runWebHost } from '${root}/src-main/hosts/web/main.ts'
  runWebHost({ dataDirectory: ${JSON.stringify(directory)}, rendererDirectory: '/none', port: 0, demo: 'no', opensBrowser: false })
    .catch((error) => { process.stderr.write(failureOf(error).message); process.exit(3) })`

function startHost(directory: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program(directory)])
  children.push(child)
  let output = ''
  const said = new Promise<string>((done) => {
    child.stdout.on('data', (text: Buffer) => {
      output += String(text)
      if (output.includes('ready')) done(output)
    })
    child.on('exit', () => done(output))
    child.stderr.on('data', (text: Buffer) => (output += String(text)))
  })
  const ended = new Promise<number | null>((done) => child.on('exit', (code) => done(code)))
  return { child, said, ended }
}

test('a second start says where the first is; a killed one leaves nothing in the way', async () => {
  const directory = newFolder()
  const first = startHost(directory)
  const ready = await first.said
  const origin = new URL(/http:\S+/.exec(ready)?.[0] ?? '').origin
  const second = startHost(directory)
  expect(await second.ended).toBe(3)
  const words = await second.said
  expect(words).toContain(`already running with ${directory} (process ${first.child.pid})`)
  expect(words).toContain(origin)
  expect(words).toContain('Nothing was changed')
  first.child.kill('SIGKILL')
  await first.ended
  expect(await startHost(directory).said).toContain('ready')
})

const refusedStart = async (directory: string) =>
  failureOf(await createEngine(platformOn(directory, [])).catch((error: unknown) => error))

test('a folder that cannot be written is refused with words', async () => {
  const file = join(newFolder(), 'not-a-folder')
  writeFileSync(file, 'something of the person')
  const failure = await refusedStart(join(file, 'data'))
  expect(failure).toMatchObject({ kind: 'device', code: 'read-only' })
  expect(failure.message).toContain('What is there is safe')
  expect(failure.message).toContain('--data-dir')
  expect(readFileSync(file, 'utf8')).toBe('something of the person')
})

async function signedIn(): Promise<{ directory: string; path: string; draftId: string }> {
  const directory = newFolder()
  const first = await openBench({ directory, signIn })
  const { accountId, path } = first
  const { draftId } = await first.bridge.call('save-draft', {
    accountId,
    draftId: null,
    draft: { recipient: null, content: 'kept through everything' },
  })
  await first.close()
  return { directory, path, draftId }
}

/** The files in a folder, by name; without the log if it is empty. */
const contentsOf = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }))
    .filter(({ name, bytes }) => !name.endsWith('-shm') && bytes.length > 0)
    .map(({ name, bytes }) => [name, createHash('sha256').update(bytes).digest('hex')])

test('files of a newer version are refused with words, byte for byte unharmed', async () => {
  const { directory, path } = await signedIn()
  const newer = new Sqlite(path)
  newer.pragma('user_version = 99999')
  newer.close()
  const before = contentsOf(join(directory, 'accounts'))
  bench = await openBench({ directory })
  const state = await bench.ask('sync-state', { accountId: bench.accountId })
  expect(state).toMatchObject({ status: 'incompatible' })
  expect(state.problem).toContain('newer version of Dunlin')
  expect(state.problem).toContain('untouched')
  await bench.close()
  bench = null
  expect(contentsOf(join(directory, 'accounts'))).toEqual(before)

  const list = new Sqlite(join(directory, 'app.db'))
  list.pragma('user_version = 99999')
  list.close()
  const bytes = readFileSync(join(directory, 'app.db'))
  expect(await refusedStart(directory)).toMatchObject({ kind: 'device', code: 'newer-version' })
  expect(readFileSync(join(directory, 'app.db')).equals(bytes)).toBe(true)
})

test('an account whose file cannot be opened can be signed out, after a warning', async () => {
  const { directory, path } = await signedIn()
  const newer = new Sqlite(path)
  newer.pragma('user_version = 99999')
  newer.close()
  bench = await openBench({ directory })
  const { bridge, accountId } = bench
  const refused = failureOf(
    await bridge.call('sign-out', { accountId, discard: false }).catch((error: unknown) => error),
  )
  expect(refused).toMatchObject({ kind: 'rejected', code: 'THINGS_WAIT' })
  expect(refused.message).toContain('can’t tell')
  await bridge.call('sign-out', { accountId, discard: true })
  expect(await bench.ask('accounts', {})).toEqual([])
  expect(readdirSync(join(directory, 'accounts'))).toEqual([])
})

test('a file that another program holds is waited for, in words, and opened by itself', async () => {
  const { directory, path, draftId } = await signedIn()
  const other = new Sqlite(path)
  other.pragma('locking_mode = EXCLUSIVE')
  other.exec('BEGIN EXCLUSIVE')
  const clock = manualClock()
  bench = await openBench({ directory, clock })
  const { accountId } = bench
  const state = await bench.ask('sync-state', { accountId })
  expect(state.status).toBe('incompatible')
  expect(state.problem).toContain('Another program is using')
  other.close()
  await clock.advance(20_000)
  await bench.until('sync-state', { accountId }, ({ status }) => status === 'synced')
  expect((await bench.ask('draft', { accountId, draftId }))?.content).toBe('kept through everything')
})

test('a program that holds the file while it is in use costs a sentence and no word', async () => {
  const { directory, path, draftId } = await signedIn()
  bench = await openBench({ directory })
  const { accountId } = bench
  await bench.until('sync-state', { accountId }, ({ status }) => status === 'synced')
  const other = new Sqlite(path)
  other.exec('BEGIN IMMEDIATE')
  const save = (content: string) =>
    bench?.bridge.call('save-draft', { accountId, draftId, draft: { recipient: null, content } })
  const failure = failureOf(await save('not now')?.catch((error: unknown) => error))
  expect(failure).toMatchObject({ kind: 'device', code: 'in-use' })
  expect(failure.message).toContain('Close it and try again')
  other.close()
  await save('now it goes')
  expect((await bench.ask('draft', { accountId, draftId }))?.content).toBe('now it goes')
})

test('what is typed after the folder was deleted is safe, also if the app is killed then', async () => {
  const { directory, draftId } = await signedIn()
  bench = await openBench({ directory })
  const { accountId } = bench
  await bench.until('sync-state', { accountId }, ({ status }) => status === 'synced')
  rmSync(directory, { recursive: true })
  const draft = { recipient: null, content: 'typed after that' }
  await bench.bridge.call('save-draft', { accountId, draftId, draft })
  const state = await bench.until('sync-state', { accountId }, ({ fileNotice }) => fileNotice !== null)
  expect(state.fileNotice?.message).toContain('was missing')
  await bench.until('sync-state', { accountId }, ({ status }) => status === 'synced')
  const killed = asKilled(directory)
  for (const folder of [killed, directory]) {
    await bench.close()
    bench = await openBench({ directory: folder })
    expect((await bench.ask('draft', { accountId, draftId }))?.content).toBe('typed after that')
  }
})

test.each([
  ['damaged', (path: string) => writeFileSync(path, Buffer.alloc(8_192, 7))],
  ['cut short', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 5_000))],
  ['gone', (path: string) => rmSync(path)],
])('a list of accounts that is %s comes back from its copy, with everything typed', async (_what, harm) => {
  const { directory, draftId } = await signedIn()
  for (const end of ['-wal', '-shm']) rmSync(join(directory, `app.db${end}`), { force: true })
  harm(join(directory, 'app.db'))
  bench = await openBench({ directory })
  const { accountId } = bench
  expect(await bench.ask('accounts', {})).toMatchObject([{ email: signIn.email }])
  expect((await bench.ask('draft', { accountId, draftId }))?.content).toBe('kept through everything')
})
