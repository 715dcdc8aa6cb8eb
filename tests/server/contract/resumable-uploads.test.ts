import { hourMs } from '../../../src-shared/durations.ts'
import { readdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { authorization, sendFile } from '../../support/files.ts'
import { found, organization, succeeded, type Person } from '../../support/organization.ts'

const org = organization({ configuration: { maxUploadMib: 1 } })

const unfinished = () => join(org.service.workspace.configuration.filesDirectory, 'unfinished')
const root = () => new URL(org.service.baseUrl).origin
const call = (
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
  who: Person | null = org.member,
) =>
  fetch(`${root()}${path}`, {
    method,
    headers: {
      'tus-resumable': '1.0.0',
      ...headers,
      ...(who === null ? {} : { authorization: authorization(who) }),
    },
    ...(body === undefined ? {} : { body }),
  })
const base64 = (text: string) => Buffer.from(text).toString('base64')
const begin = async (length: number, name = 'words.txt', who: Person = org.member): Promise<string> => {
  const headers = { 'upload-length': String(length), 'upload-metadata': `filename ${base64(name)}` }
  const response = await call('POST', '/api/v1/tus', headers, undefined, who)
  expect(response.status).toBe(201)
  return response.headers.get('location') ?? ''
}
const piece = (path: string, offset: number, body: string, who: Person = org.member) =>
  call(
    'PATCH',
    path,
    { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
    body,
    who,
  )
const offsetOf = async (path: string) => (await call('HEAD', path)).headers.get('upload-offset')

test('TUS-01: A file can be uploaded in pieces; the response to the last piece holds its URL, and the file is complete.', async () => {
  const path = await begin(11, 'für dich.txt')
  expect((await piece(path, 0, 'hello ')).status).toBe(204)
  expect(await offsetOf(path)).toBe('6')
  const last = await piece(path, 6, 'world')
  expect(last.status).toBe(200)
  const { url, filename } = (await last.json()) as { url: string; filename: string }
  expect(filename).toBe('für dich.txt')
  expect(await (await call('GET', url)).text()).toBe('hello world')
  const { attachments } = succeeded(await org.member.get('/attachments'))
  expect(attachments.at(-1)).toMatchObject({ name: 'für dich.txt', size: 11 })
})

test('TUS-02: The URL is returned again if the response was lost.', async () => {
  const path = await begin(4)
  const first = (await (await piece(path, 0, 'once')).json()) as { url: string }
  expect(await offsetOf(path)).toBe('4')
  const again = (await (await piece(path, 4, '')).json()) as { url: string }
  expect(again.url).toBe(first.url)
})

test('TUS-03: Data that arrived before the connection was cut is kept, even across a restart of the service.', async () => {
  const path = await begin(10)
  const { port } = new URL(root())
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      [
        `PATCH ${path} HTTP/1.1`,
        'Host: 127.0.0.1',
        `Authorization: ${authorization(org.member)}`,
        'Upload-Offset: 0',
        'Content-Type: application/offset+octet-stream',
        'Content-Length: 10',
        '',
        'half ',
      ].join('\r\n'),
    )
    socket.on('error', () => {})
    socket.on('close', () => resolve())
    void expect
      .poll(() => offsetOf(path))
      .toBe('5')
      .then(() => socket.destroy())
  })
  await org.service.stop()
  await org.service.start()
  await expect.poll(async () => (await piece(path, 5, 'there')).status).toBe(200)
})

test('TUS-04: A piece at the wrong offset is rejected with 409, a piece that is too long with 413.', async () => {
  const path = await begin(4)
  expect((await piece(path, 2, 'xx')).status).toBe(409)
  expect((await piece(path, 0, 'too long')).status).toBe(413)
  expect(await offsetOf(path)).toBe('0')
})

test('TUS-05: A file above the size limit is rejected before any of it is sent.', async () => {
  const response = await call('POST', '/api/v1/tus', { 'upload-length': String(1024 * 1024 + 1) })
  expect(response.status).toBe(413)
  const options = await call('OPTIONS', '/api/v1/tus', {}, undefined, null)
  expect(options.headers.get('tus-max-size')).toBe(String(1024 * 1024))
  expect(options.headers.get('tus-extension')).toContain('creation')
  expect((await call('POST', '/api/v1/tus', {})).status).toBe(400)
})

test('TUS-06: Only its owner can continue an upload, and starting one requires credentials.', async () => {
  const path = await begin(4)
  expect((await piece(path, 0, 'evil', org.other)).status).toBe(404)
  expect((await call('POST', '/api/v1/tus', { 'upload-length': '1' }, undefined, null)).status).toBe(401)
})

test('TUS-07: An upload is discarded on request, or after a day without activity.', async () => {
  const path = await begin(4)
  expect((await call('DELETE', path)).status).toBe(204)
  expect((await call('HEAD', path)).status).toBe(404)
  const [old, goesOn] = [await begin(4), await begin(4)]
  await org.clock.advance(20 * hourMs)
  expect((await piece(goesOn, 0, 'on')).status).toBe(204)
  await org.clock.advance(5 * hourMs)
  await expect
    .poll(async () => {
      await org.clock.advance(hourMs)
      return (await call('HEAD', old)).status
    })
    .toBe(404)
  expect(await offsetOf(goesOn)).toBe('2')
  expect((await readdir(unfinished())).map((name) => `/api/v1/tus/${name.slice(0, -5)}`)).not.toContain(old)
})

test('TUS-08: A piece must state its content type; once the file is deleted, its URL is no longer returned.', async () => {
  const path = await begin(4)
  const untyped = await call('PATCH', path, { 'upload-offset': '0', 'content-type': 'text/plain' }, 'once')
  expect(untyped.status).toBe(415)
  expect((await piece(path, 0, 'once')).status).toBe(200)
  const { attachments } = succeeded(await org.member.get('/attachments'))
  succeeded(await org.member.delete(`/attachments/${attachments.at(-1).id}`))
  expect((await piece(path, 4, '')).status).toBe(404)
})

test('TUS-09: A user can have at most twenty unfinished uploads; finishing or cancelling one makes room for another.', async () => {
  const busy = org.join('Many Files')
  const paths = await Promise.all(Array.from({ length: 20 }, () => begin(4, 'one.txt', busy)))
  const more = () => call('POST', '/api/v1/tus', { 'upload-length': '4' }, undefined, busy)
  const refusal = await more()
  expect(refusal.status).toBe(400)
  expect(await refusal.json()).toMatchObject({ result: 'error', msg: expect.stringContaining('20 files') })
  await begin(4)
  expect((await piece(paths[0]!, 0, 'done', busy)).status).toBe(200)
  expect((await more()).status).toBe(201)
  expect((await more()).status).toBe(400)
  expect((await call('DELETE', paths[1]!, {}, undefined, busy)).status).toBe(204)
  expect((await more()).status).toBe(201)
})

test('TUS-10: Unfinished uploads of other users count towards the quota of the organization.', async () => {
  const { configuration } = org.service.workspace
  Object.assign(configuration, { uploadQuotaMib: 1 })
  const half = 600 * 1024
  const path = await begin(half)
  const refusal = await call('POST', '/api/v1/tus', { 'upload-length': String(half) }, undefined, org.other)
  expect(await refusal.json()).toMatchObject({ code: 'REALM_UPLOAD_QUOTA' })
  expect((await call('DELETE', path)).status).toBe(204)
  await begin(half, 'half.txt', org.other)
  Object.assign(configuration, { uploadQuotaMib: null })
})

test('TUS-11: Requests of resumable uploads count towards the user’s rate limit.', async () => {
  const own = await found({ rateLimit: 3 })
  const ask = (method: string, path: string) =>
    fetch(new URL(path, own.service.workspace.url), {
      method,
      headers: { 'upload-length': '4', authorization: authorization(own.member) },
    })
  const first = await ask('POST', '/api/v1/tus')
  expect(first.headers.get('x-ratelimit-remaining')).toBe('2')
  expect((await ask('HEAD', first.headers.get('location') ?? '')).status).toBe(200)
  succeeded(await own.member.get('/users/me'))
  const last = await ask('POST', '/api/v1/tus')
  expect(last.status).toBe(429)
  expect(await last.json()).toMatchObject({ code: 'RATE_LIMIT_HIT' })
  await own.service.close()
})

test('TUS-12: Data that belongs to no upload is deleted at the next start; data of unfinished uploads is kept.', async () => {
  const path = await begin(4)
  expect((await piece(path, 0, 'on')).status).toBe(204)
  await writeFile(join(unfinished(), 'nobodys.part'), 'left over')
  await org.service.stop()
  await org.service.start()
  await expect.poll(() => readdir(unfinished())).not.toContain('nobodys.part')
  expect(await offsetOf(path)).toBe('2')
})

test('TUS-13: An ordinary upload cannot take space that is reserved for a resumable one.', async () => {
  const { configuration, db } = org.service.workspace
  const [{ bytes: used } = { bytes: 0 }] = db.all<{ bytes: number }>('SELECT bytes FROM upload_space')
  const waiting = 'SELECT coalesce(sum(size), 0) AS bytes FROM resumable_uploads WHERE attachment_id IS NULL'
  const promised = db.get<{ bytes: number }>(waiting)?.bytes ?? 0
  Object.assign(configuration, { uploadQuotaMib: (used + promised + 10) / (1024 * 1024) })
  const atOnce = (bytes: string) =>
    sendFile(org.service, org.other, '/user_uploads', ['at-once.txt', bytes] as const)
  const path = await begin(6)
  expect(await atOnce('12345')).toMatchObject({ status: 400, body: { code: 'REALM_UPLOAD_QUOTA' } })
  expect(await atOnce('1234')).toMatchObject({ status: 200 })
  // Nothing is left, and what was promised is kept.
  expect((await piece(path, 0, 'inside')).status).toBe(200)
  expect(await atOnce('1')).toMatchObject({ status: 400, body: { code: 'REALM_UPLOAD_QUOTA' } })
  Object.assign(configuration, { uploadQuotaMib: null })
})
