import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rangeIn, wantedRange } from '../../src-shared/byte-range.ts'
import { startWebHost, type WebHost } from '../../src-main/hosts/web/http.ts'
import { wholeFile } from '../../src-renderer/whole-file.ts'
import { openDevice, type Device } from '../support/device.ts'
import { startService, type TestService } from '../support/service.ts'

// Players seek: they request parts of sounds and films from the host, whether they are kept here or not.

const mebibyte = 1024 * 1024
/** Bytes that differ in every stretch. */
const sound = (size: number) =>
  Buffer.from(Uint8Array.from({ length: size }, (_, at) => (at * 7 + (at >> 8)) & 255))

let service: TestService
let device: Device
let host: WebHost
let cookie: string
let maren: { email: string; apiKey: string; userId: number }

beforeAll(async () => {
  service = await startService({ configuration: { maxUploadMib: 40 } })
  maren = service.createUser('Maren Aske')
  device = await openDevice(service.baseUrl, maren)
  await device.until('sync-state', { accountId: device.accountId }, ({ status }) => status === 'synced')
  host = await startWebHost({
    engine: device.engine,
    rendererDirectory: device.directory,
    port: 0,
    log: () => {},
  })
  const entered = await fetch(host.startUrl, { redirect: 'manual' })
  cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
})
afterAll(async () => {
  await host.close()
  await device.close()
  await service.close()
})

const upload = async (bytes: Buffer, name: string, type: string): Promise<string> => {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)], { type }), name)
  const answer = await fetch(`${service.baseUrl}/user_uploads`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${maren.email}:${maren.apiKey}`)}` },
    body: form,
  })
  return ((await answer.json()) as { url: string }).url
}
const ask = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${host.windowUrl}media/${device.accountId}?url=${encodeURIComponent(url)}`, {
    headers: { cookie, ...headers },
  })
  return {
    status: answer.status,
    range: answer.headers.get('content-range'),
    tag: answer.headers.get('etag') ?? '',
    accepts: answer.headers.get('accept-ranges'),
    length: answer.headers.get('content-length'),
    body: Buffer.from(await answer.arrayBuffer()),
  }
}
const kept = () => {
  const folder = join(device.directory, 'accounts', `${device.accountId}.db-media`)
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.endsWith('.new')).length : 0
}

test('a part is answered at once, the whole is kept, and from then on parts come without the server', async () => {
  const bytes = sound(500_000)
  const url = await upload(bytes, 'terns.wav', 'audio/wav')
  const first = await ask(url, { range: 'bytes=400000-400099' })
  expect(first).toMatchObject({
    status: 206,
    range: 'bytes 400000-400099/500000',
    accepts: 'bytes',
    length: '100',
  })
  expect(first.body.equals(bytes.subarray(400_000, 400_100))).toBe(true)
  await expect.poll(kept).toBe(1)
  await service.stop()
  for (const [range, from, to] of [
    ['bytes=0-', 0, 499_999],
    ['bytes=499990-', 499_990, 499_999],
    ['bytes=499990-600000', 499_990, 499_999],
    ['bytes=-10', 499_990, 499_999],
    ['bytes=7-7', 7, 7],
  ] as const) {
    const part = await ask(url, { range })
    expect(part).toMatchObject({ status: 206, range: `bytes ${from}-${to}/500000`, tag: first.tag })
    expect(part.body.equals(bytes.subarray(from, to + 1))).toBe(true)
  }
  const whole = await ask(url)
  expect(whole).toMatchObject({
    status: 200,
    range: null,
    accepts: 'bytes',
    tag: first.tag,
    length: '500000',
  })
  expect(whole.body.equals(bytes)).toBe(true)

  expect(await ask(url, { range: 'bytes=500000-' })).toMatchObject({ status: 416, range: 'bytes */500000' })
  // Several ranges, invalid ones and unknown units get the whole file.
  for (const range of ['bytes=0-1,5-6', 'bytes=9-3', 'bytes=-', 'lines=1-2'])
    expect((await ask(url, { range })).status).toBe(200)
  const ifSame = (tag: string) => ask(url, { range: 'bytes=0-9', 'if-range': tag })
  expect(await ifSame(first.tag)).toMatchObject({ status: 206, length: '10' })
  expect(await ifSame('"another"')).toMatchObject({ status: 200, length: '500000' })

  const unseen = await ask('/user_uploads/1/ab/never.wav', { range: 'bytes=0-' })
  expect(unseen.status).toBe(502)
  await service.start()
})

test('of a long film only so much is fetched at once as is soon there', async () => {
  const bytes = sound(6 * mebibyte)
  const url = await upload(bytes, 'film.webm', 'video/webm')
  const first = await ask(url, { range: 'bytes=1000-' })
  expect(first).toMatchObject({
    status: 206,
    range: `bytes 1000-${1000 + 4 * mebibyte - 1}/${bytes.length}`,
    length: String(4 * mebibyte),
  })
  expect(first.body.equals(bytes.subarray(1000, 1000 + 4 * mebibyte))).toBe(true)
  const beyond = await ask(url, { range: `bytes=${bytes.length}-` })
  expect(beyond).toMatchObject({ status: 416, range: `bytes */${bytes.length}` })
})

test('an uploaded file can be saved, however long it is', async () => {
  const saved = async (url: string) => {
    const address = `${host.windowUrl}media/${device.accountId}?url=${encodeURIComponent(url)}`
    const file = await wholeFile((range) =>
      fetch(address, { headers: { cookie, ...(range === null ? {} : { range }) } }),
    )
    return typeof file === 'number' ? file : Buffer.from(await file.arrayBuffer())
  }
  for (const size of [33 * mebibyte, 5 * mebibyte, 1, 0]) {
    const bytes = sound(size)
    const file = await saved(await upload(bytes, 'archive.bin', 'application/octet-stream'))
    expect(file instanceof Buffer && file.equals(bytes)).toBe(true)
  }
  expect(await saved('/user_uploads/1/ab/never.bin')).toBe(404)
})

test('ranges as headers write them', () => {
  const read = (header: string, size: number) => {
    const wanted = wantedRange(header)
    return wanted === null ? null : rangeIn(wanted, size)
  }
  expect(read('bytes=0-', 10)).toEqual({ from: 0, to: 9 })
  expect(read('bytes=3-4', 10)).toEqual({ from: 3, to: 4 })
  expect(read('bytes=3-99', 10)).toEqual({ from: 3, to: 9 })
  expect(read('bytes=-99', 10)).toEqual({ from: 0, to: 9 })
  expect(read('bytes=10-', 10)).toBe('beyond')
  expect(read('bytes=-0', 10)).toBe('beyond')
  expect(read('bytes=0-', 0)).toBe('beyond')
  for (const header of ['', 'bytes=-', 'bytes=4-3', 'bytes=1-2,3-4', 'bytes= 1-2', 'bytes=1-2 ', 'items=1-2'])
    expect(wantedRange(header)).toBeNull()
})
