import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { uploads } from '../../../src-shared/api/uploads.ts'
import { FailureError, failureOf, type Failure } from '../../../src-shared/failure.ts'
import { createConnection, type Connection } from '../../../src-main/api/connection.ts'
import type { SentFile } from '../../../src-main/api/multipart.ts'
import { manualClock } from '../../fakes/clock.ts'
import { startScriptedServer, type ScriptedServer } from '../../fakes/scripted-server.ts'

// Uploads of files over real sockets.

let server: ScriptedServer
let connection: Connection

beforeEach(async () => {
  server = await startScriptedServer()
  connection = createConnection({ baseUrl: server.baseUrl, credentials: null, userAgent: 'Dunlin/9.9' })
})
afterEach(async () => {
  connection.close()
  await server.stop()
})

const partSize = 64 * 1024
/** The first parts are all zeros, then all ones, and so on. */
const part = (number: number) => Buffer.alloc(partSize, number)

/** A file of this many parts, which counts the bytes that are read. */
function fileOf(parts: number) {
  const file = {
    name: 'tide "board".bin',
    mediaType: 'image/png',
    size: parts * partSize,
    readings: 0,
    partsRead: 0,
    sent: [] as number[],
    async *read() {
      file.readings++
      for (let number = 0; number < parts; number++) {
        file.partsRead++
        yield part(number)
      }
    },
    onSent: (bytes: number) => void file.sent.push(bytes),
  } satisfies SentFile & Record<string, unknown>
  return file
}
const upload = (file: SentFile) => connection.call(uploads.uploadFile, {}, { file })
const failureFrom = async (work: Promise<unknown>): Promise<Failure> =>
  failureOf(
    await work.then(
      () => null,
      (error: unknown) => error,
    ),
  )
const route = 'POST /user_uploads'

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

test('a file arrives whole, with its length announced, and it is told how much has left', async () => {
  const file = fileOf(5)
  let length = ''
  let body: Buffer = Buffer.alloc(0)
  server.hand(route, async (request, response) => {
    length = request.headers['content-length'] ?? ''
    body = await bodyOf(request)
    response.end(JSON.stringify({ result: 'success', msg: '', url: '/user_uploads/1' }))
  })
  expect((await upload(file)).url).toBe('/user_uploads/1')
  expect(Number(length)).toBe(body.length)
  const from = body.indexOf('\r\n\r\n') + 4
  const bytes = Buffer.concat([0, 1, 2, 3, 4].map(part))
  expect(body.subarray(from, from + file.size).equals(bytes)).toBe(true)
  expect(body.subarray(0, from).toString()).toContain('filename="tide %22board%22.bin"')
  expect(file.sent).toEqual([1, 2, 3, 4, 5].map((number) => number * partSize))
})

test('no more of a file is read than the server takes', async () => {
  const file = fileOf(2_000)
  let release = () => {}
  server.hand(route, (request, response) => {
    release = () => {
      request.resume().on('end', () => {
        response.end(JSON.stringify({ result: 'success', msg: '', url: '/user_uploads/1' }))
      })
    }
  })
  const answer = upload(file)
  // The socket buffers of both sides hold a few megabytes.
  let before = -1
  await expect
    .poll(
      () => {
        const isStill = file.partsRead > 0 && file.partsRead === before
        before = file.partsRead
        return isStill
      },
      { interval: 300 },
    )
    .toBe(true)
  expect(file.partsRead).toBeLessThan(500)
  release()
  await answer
  expect(file.partsRead).toBe(2_000)
})

test('a file may take as long as it needs while parts of it leave, and silence ends', async () => {
  const clock = manualClock()
  const { wait } = clock
  connection.close()
  connection = createConnection({ baseUrl: server.baseUrl, credentials: null, userAgent: 'Dunlin/9.9', wait })
  const file = fileOf(100)
  const slow = {
    ...file,
    async *read() {
      for await (const bytes of file.read()) {
        yield bytes
        await wait(25_000, new AbortController().signal)
      }
    },
  }
  server.hand(route, (request) => void request.resume())
  const failure = failureFrom(upload(slow))
  for (let sent = 1; sent <= 100; sent++) {
    await expect.poll(() => file.sent.length, { interval: 1 }).toBe(sent)
    await clock.advance(25_000)
  }
  // Everything has left, and no answer comes.
  await clock.advance(30_000)
  expect(await failure).toMatchObject({ kind: 'offline', mayHaveArrived: true })
})

test('a connection that breaks in the middle of a file may have carried it, and the next attempt begins anew', async () => {
  const file = fileOf(2_000)
  server.hand(route, (request) => {
    let taken = 0
    request.on('data', (bytes: Buffer) => {
      taken += bytes.length
      if (taken > 20 * partSize) request.destroy()
    })
  })
  expect(await failureFrom(upload(file))).toMatchObject({ kind: 'offline', mayHaveArrived: true })
  expect(file.partsRead).toBeLessThan(2_000)
  let received = 0
  server.hand(route, async (request, response) => {
    received = (await bodyOf(request)).length
    response.end(JSON.stringify({ result: 'success', msg: '', url: '/user_uploads/1' }))
  })
  file.sent.length = 0
  await upload(file)
  expect(file.readings).toBe(2)
  expect(file.sent[0]).toBe(partSize)
  expect(received).toBeGreaterThan(file.size)
})

test('a refusal that comes before the whole file has left is heard', async () => {
  const file = fileOf(2_000)
  server.hand(route, (request, response) => {
    request.once('data', () => {
      response.writeHead(413, { 'content-type': 'text/html', connection: 'close' })
      response.end('<html>Request Entity Too Large</html>')
    })
  })
  expect(await failureFrom(upload(file))).toMatchObject({ kind: 'rejected', code: 'FILE_TOO_LARGE' })
  expect(file.partsRead).toBeLessThan(2_000)
})

test('a file that cannot be read any further says so, and the connection goes on', async () => {
  const failure = { kind: 'device', code: 'disk-error', message: 'The disk fails.' } as const
  const file = fileOf(2_000)
  const cannotBeRead = {
    ...file,
    async *read() {
      yield part(0)
      throw new FailureError(failure)
    },
  }
  expect(await failureFrom(upload(cannotBeRead))).toEqual(failure)
  expect(await connection.call(uploads.getAttachments, {}).catch(failureOf)).toMatchObject({
    kind: 'rejected',
    status: 404,
  })
})
