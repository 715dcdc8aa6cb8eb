import { dayMs } from '../../../src-shared/durations.ts'
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { channelId } from '../../../src-shared/ids.ts'
import { topicConversation } from '../../../src-shared/model/conversation.ts'
import { linkToFile, type OutgoingFile } from '../../../src-shared/model/outgoing-file.ts'
import { manualClock, type ManualClock } from '../../fakes/clock.ts'
import {
  startScriptedServer,
  type Received,
  type Reply,
  type ScriptedServer,
} from '../../fakes/scripted-server.ts'
import { newFolder, openBench, removeFolders, type Bench } from './bench.ts'

// Uploads that fail in various ways, beside others that succeed.

let server: ScriptedServer
let clock: ManualClock
let bench: Bench

beforeEach(async () => {
  clock = manualClock()
  server = await startScriptedServer({ subscriptions: [{ stream_id: 7, name: 'tides' }] })
  server.answer('GET /users/me', {
    success: { user_id: 1, email: 'ada@example.org', full_name: 'Ada Asker' },
  })
  server.answer('POST /messages', { success: { id: 12 } })
  bench = await openBench({
    directory: newFolder(),
    signIn: { baseUrl: server.baseUrl, email: 'ada@example.org', apiKey: 'k' },
    clock,
  })
  await bench.until('sync-state', { accountId: bench.accountId }, ({ status }) => status === 'synced')
})
afterEach(async () => {
  await bench.close()
  await server.stop()
})
afterAll(removeFolders)

/** Answers uploads by the file's name; other files succeed. */
function answerUploads(byName: Readonly<Record<string, Reply>>): void {
  server.answer('POST /user_uploads', ({ body }) => {
    const name = /filename="([^"]*)"/.exec(body)?.[1] ?? ''
    return byName[name] ?? { success: { url: `/user_uploads/${name}` } }
  })
}
const isUploadOf = (name: string) => (request: Received) => request.body.includes(`filename="${name}"`)
const uploadsOf = (name: string) => server.received('POST /user_uploads').filter(isUploadOf(name))

async function attach(name: string): Promise<string> {
  const { bridge, accountId } = bench
  const bytes = Buffer.from('a very small picture')
  const { fileId } = await bridge.call('begin-file', {
    accountId,
    name,
    mediaType: 'image/png',
    size: bytes.length,
  })
  await bridge.call('put-file-part', { accountId, fileId, bytes: bytes.toString('base64') })
  return fileId
}
const send = (content: string) =>
  bench.bridge.call('act', {
    accountId: bench.accountId,
    action: {
      name: 'send-message',
      conversation: topicConversation(channelId(7), 'drift'),
      content,
      draftId: null,
    },
  })
const untilState = async (fileId: string, state: OutgoingFile['state']): Promise<OutgoingFile> => {
  const isIt = (file: OutgoingFile) => file.fileId === fileId && file.state === state
  const files = await bench.until('files', { accountId: bench.accountId }, (all) => all.some(isIt))
  return files.find(isIt) as OutgoingFile
}
const open = async (directory: string) => {
  bench = await openBench({ directory, clock })
}
/** The copies of outgoing files beside the account's file. */
const copiesOf = (fileId: string) =>
  readdirSync(dirname(bench.path))
    .filter((name) => name.endsWith(`-sent-file-${fileId}`))
    .map((name) => join(dirname(bench.path), name))
const sentWords = () => server.received('POST /messages').map(({ fields }) => fields['content'])

test('a file that a proxy refuses as too large is refused, and its message says why', async () => {
  answerUploads({
    'large.png': { text: '<html><h1>413 Request Entity Too Large</h1></html>', status: 413 },
  })
  const large = await attach('large.png')
  const refused = await untilState(large, 'refused')
  expect(refused.reason).toBe('The file is larger than the server, or a proxy in front of it, accepts.')
  await clock.advance(10 * 60_000)
  expect(uploadsOf('large.png')).toHaveLength(1)
  await send(`[large](${linkToFile(large)})`)
  const { accountId } = bench
  const [item] = await bench.until('outbox', { accountId }, (all) =>
    all.some(({ state }) => state.state === 'refused'),
  )
  expect(item?.state.reason).toBe(refused.reason)
})

test('a file whose upload fails again and again holds back no other file and no other message', async () => {
  answerUploads({ 'odd.png': { text: '<html>What is this?</html>', status: 400 } })
  const odd = await attach('odd.png')
  await send(`[odd](${linkToFile(odd)})`)
  await expect.poll(() => uploadsOf('odd.png').length).toBe(1)
  const good = await attach('good.png')
  await untilState(good, 'uploaded')
  await send(`[good](${linkToFile(good)})`)
  // In another lane than the waiting message.
  await bench.bridge.call('act', {
    accountId: bench.accountId,
    action: {
      name: 'send-message',
      conversation: topicConversation(channelId(7), 'surge'),
      content: `[good](${linkToFile(good)})`,
      draftId: null,
    },
  })
  await expect.poll(sentWords).toEqual(['[good](/user_uploads/good.png)'])
  // It continues by itself once the upload succeeds.
  answerUploads({})
  await untilState(odd, 'uploaded')
  await bench.until('outbox', { accountId: bench.accountId }, (all) => all.length === 0)
  expect(sentWords()[1]).toBe('[odd](/user_uploads/odd.png)')
})

test('an answer with the address under its older name is understood, so the file is uploaded once', async () => {
  answerUploads({ 'board.png': { success: { uri: '/user_uploads/board.png' } } })
  const file = await attach('board.png')
  await send(`[board](${linkToFile(file)})`)
  await bench.until('outbox', { accountId: bench.accountId }, (all) => all.length === 0)
  expect(sentWords()).toEqual(['[board](/user_uploads/board.png)'])
  expect(uploadsOf('board.png')).toHaveLength(1)
})

test('a file whose answer is never understood is not uploaded for ever', async () => {
  answerUploads({
    'nowhere.png': { success: { url: 7 } },
    'odd.png': { text: '<html>What is this?</html>' },
  })
  const nowhere = await attach('nowhere.png')
  const { reason } = await untilState(nowhere, 'refused')
  expect(reason).toBe('The server took the file, but didn’t report its address.')
  expect(uploadsOf('nowhere.png')).toHaveLength(1)
  await untilState(await attach('odd.png'), 'refused')
  await clock.advance(10 * 60_000)
  expect(uploadsOf('odd.png')).toHaveLength(8)
})

test('a file that fails waits longer from attempt to attempt, whatever the other files do', async () => {
  answerUploads({ 'odd.png': { text: '<html>What is this?</html>', status: 400 } })
  await attach('odd.png')
  await expect.poll(() => uploadsOf('odd.png').length).toBe(1)
  for (let n = 0; n < 10; n++) await untilState(await attach(`good-${n}.png`), 'uploaded')
  const before = uploadsOf('odd.png').length
  await clock.advance(60_000)
  await expect.poll(() => clock.waits.length).toBeGreaterThan(0)
  expect(uploadsOf('odd.png').length - before).toBeLessThan(6)
})

test('a file whose copy is gone from this device is refused in clear words, and the next one is uploaded', async () => {
  answerUploads({})
  await server.stop()
  await bench.until('sync-state', { accountId: bench.accountId }, ({ status }) => status === 'offline')
  const lost = await attach('lost.png')
  expect(copiesOf(lost)).toHaveLength(1)
  for (const copy of copiesOf(lost)) rmSync(copy)
  const good = await attach('good.png')
  await server.start()
  await untilState(good, 'uploaded')
  expect((await untilState(lost, 'refused')).reason).toBe(
    'A file in this message is no longer on this device. Remove it, or attach it again.',
  )
})

test('a file of which little is known for a moment is not lost, and goes when it is known again', async () => {
  answerUploads({})
  await server.stop()
  await bench.until('sync-state', { accountId: bench.accountId }, ({ status }) => status === 'offline')
  const file = await attach('board.png')
  const [copy = ''] = copiesOf(file)
  const { accountId, directory } = bench
  await bench.close()
  // A link to itself cannot be read.
  const aside = join(directory, 'aside.json')
  renameSync(`${copy}.json`, aside)
  symlinkSync(`${copy}.json`, `${copy}.json`)
  await open(directory)
  await bench.until('sync-state', { accountId }, ({ status }) => status === 'incompatible')
  expect(existsSync(copy)).toBe(true)
  renameSync(aside, `${copy}.json`)
  await server.start()
  await bench.until('sync-state', { accountId }, ({ status }) => status === 'synced')
  await untilState(file, 'uploaded')
})

test('a file is read while it is uploaded, and never lies in memory as a whole', async () => {
  const megabytes = 128
  const size = megabytes * 1_024 * 1_024
  await server.stop()
  await bench.until('sync-state', { accountId: bench.accountId }, ({ status }) => status === 'offline')
  const large = await attach('large.bin')
  const [copy = ''] = copiesOf(large)
  const facts = JSON.parse(readFileSync(`${copy}.json`, 'utf8')) as object
  await bench.close()
  // As large as a film, without the time to hand it over.
  truncateSync(copy, size)
  writeFileSync(`${copy}.json`, JSON.stringify({ ...facts, size }))
  let received = 0
  let takeAll = () => {}
  server.hand('POST /user_uploads', (request, response) => {
    takeAll = () => {
      request.on('data', (bytes: Buffer) => (received += bytes.length))
      request.on('end', () => {
        response.end(JSON.stringify({ result: 'success', msg: '', url: '/user_uploads/large.bin' }))
      })
    }
  })
  await server.start()
  const held = () => process.memoryUsage().arrayBuffers
  const before = held()
  await open(bench.directory)
  // The server reads slowly, so everything that was read of the file is still held.
  const { accountId } = bench
  await bench.until('files', { accountId }, ([file]) => file !== undefined && file.sent > 0)
  expect((held() - before) / 1_024 / 1_024).toBeLessThan(megabytes / 2)
  takeAll()
  await untilState(large, 'uploaded')
  expect(received).toBeGreaterThan(size)
})

test('what is known of a file is kept for thirty days after the server took or refused it, and no longer', async () => {
  answerUploads({ 'bad.png': { error: 'QUOTA', status: 400 } })
  const { accountId } = bench
  const known = () => readdirSync(dirname(bench.path)).filter((name) => name.includes('-sent-file-')).length
  await untilState(await attach('good.png'), 'uploaded')
  await untilState(await attach('bad.png'), 'refused')
  clock.set(clock.now() + 28 * dayMs)
  await clock.advance(dayMs)
  expect(known()).toBe(3)
  clock.set(clock.now() + dayMs)
  await clock.advance(dayMs)
  expect(await bench.ask('files', { accountId })).toEqual([])
  expect(known()).toBe(0)
})

test('a file of a message that was discarded before it was uploaded goes once that is restored', async () => {
  answerUploads({})
  const { accountId, bridge } = bench
  const status = (wanted: string) => bench.until('sync-state', { accountId }, (is) => is.status === wanted)
  await server.stop()
  await status('offline')
  const fileId = await attach('unwanted.png')
  const { localId } = await send(`[it](${linkToFile(fileId)})`)
  await bridge.call('discard-outbox-item', { accountId, localId })
  await server.start()
  await status('synced')
  await untilState(await attach('good.png'), 'uploaded')
  await clock.advance(60_000)
  expect(uploadsOf('unwanted.png')).toEqual([])
  const [ended] = await bench.ask('ended-drafts', { accountId })
  const { id: draftId = '', number = 0 } = ended ?? {}
  await bridge.call('restore-draft-version', { accountId, draftId, number })
  await untilState(fileId, 'uploaded')
})

test('a file whose words were deleted from a draft goes at once when they are back', async () => {
  answerUploads({})
  const { accountId, bridge } = bench
  const status = (wanted: string) => bench.until('sync-state', { accountId }, (is) => is.status === wanted)
  await server.stop()
  await status('offline')
  const fileId = await attach('undone.png')
  const write = (draftId: string | null, content: string) =>
    bridge.call('save-draft', { accountId, draftId, draft: { recipient: null, content } })
  const words = `[it](${linkToFile(fileId)})`
  const { draftId } = await write(null, words)
  await write(draftId, '')
  await server.start()
  await status('synced')
  await untilState(await attach('good.png'), 'uploaded')
  await clock.advance(60_000)
  expect(uploadsOf('undone.png')).toEqual([])
  // As another draft, because the first has ended.
  await write(null, words)
  await untilState(fileId, 'uploaded')
})

test('an upload of which nothing leaves begins anew after sleep, a change of the network or “Try now”', async () => {
  let begun = 0
  server.hand('POST /user_uploads', () => void begun++)
  const { accountId, bridge } = bench
  await attach('board.png')
  await expect.poll(() => begun).toBe(1)
  // The machine slept.
  clock.set(clock.now() + 60_000)
  await bridge.call('network-is-back', {})
  const untilBegun = (times: number) => bench.until('files', { accountId }, () => begun === times)
  await untilBegun(2)
  // The network changed right after the file had left.
  await bridge.call('try-now', { accountId })
  await clock.advance(20_000)
  expect(begun).toBe(2)
  await clock.advance(20_000)
  await untilBegun(3)
})

test('a file that is given up while it is uploaded ends its request, and the next file goes', async () => {
  let ended = false
  server.hand('POST /user_uploads', (request, response) => {
    request.once('data', () => request.pause())
    response.on('close', () => (ended = true))
  })
  const { accountId, bridge } = bench
  const unwanted = await attach('unwanted.png')
  await untilState(unwanted, 'uploading')
  await bridge.call('cancel-file', { accountId, fileId: unwanted })
  await expect.poll(() => ended).toBe(true)
  server.hand('POST /user_uploads', (_request, response) => {
    response.end(JSON.stringify({ result: 'success', msg: '', url: '/user_uploads/good.png' }))
  })
  await untilState(await attach('good.png'), 'uploaded')
  expect(bench.log.filter((line) => line.includes('file: '))).toEqual([])
})
