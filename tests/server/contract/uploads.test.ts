import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { authorization, png, sendFile } from '../../support/files.ts'
import { organization, refused, succeeded, type Person } from '../../support/organization.ts'

const org = organization()

const root = () => new URL(org.service.baseUrl).origin

const upload = async (who: Person, name: string, bytes: Buffer | string, type?: string): Promise<string> =>
  succeeded(await sendFile(org.service, who, '/user_uploads', [name, bytes, type])).url

const fetchAs = (who: Person | null, path: string, headers: Record<string, string> = {}) =>
  fetch(`${root()}${path}`, {
    headers: { ...headers, ...(who === null ? {} : { authorization: authorization(who) }) },
  })

const attachmentsOf = async (who: Person) => succeeded(await who.get('/attachments'))

test('UPLOAD-01: Uploading a file returns its URL, the same value as uri, and its name.', async () => {
  const answer = succeeded(
    await sendFile(org.service, org.member, '/user_uploads', ['Notes of May.txt', 'hello']),
  )
  expect(answer.url).toMatch(/^\/user_uploads\/\d+\/[0-9a-f]{2}\/[\w-]{24}\/Notes-of-May\.txt$/)
  expect(answer.uri).toBe(answer.url)
  expect(answer.filename).toBe('Notes of May.txt')
})

test('UPLOAD-02: The form must contain exactly one file.', async () => {
  refused(await sendFile(org.service, org.member, '/user_uploads'))
  refused(await sendFile(org.service, org.member, '/user_uploads', ['a.txt', 'a'], ['b.txt', 'b']))
  refused(await org.member.post('/user_uploads', { file: 'text' }))
})

test('UPLOAD-03: Uploading requires credentials.', async () => {
  refused(await sendFile(org.service, null, '/user_uploads', ['a.txt', 'a']), 'UNAUTHORIZED', 401)
})

test('UPLOAD-04: A malformed form is rejected.', async () => {
  const response = await fetch(`${org.service.baseUrl}/user_uploads`, {
    method: 'POST',
    body: '--x\r\nnonsense',
    headers: { 'content-type': 'multipart/form-data; boundary=x', authorization: authorization(org.member) },
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ result: 'error', code: 'BAD_REQUEST' })
})

test('UPLOAD-05: The owner gets back exactly the bytes that were sent.', async () => {
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256))
  const url = await upload(org.member, 'all.bin', bytes, 'application/octet-stream')
  const response = await fetchAs(org.member, url)
  expect(response.status).toBe(200)
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
})

test('UPLOAD-06: Only its owner can read a file until a message links to it; then all users who can read the message can.', async () => {
  const url = await upload(org.member, 'plan.txt', 'the plan')
  expect((await fetchAs(org.other, url)).status).toBe(403)
  expect((await fetchAs(null, url)).status).toBe(401)
  await org.member.send([org.other], '', `See [plan](${url})`)
  expect((await fetchAs(org.other, url)).status).toBe(200)
  expect((await fetchAs(org.admin, url)).status).toBe(403)
})

test('UPLOAD-07: A link in a message by a user who cannot read the file gives no access to it.', async () => {
  const url = await upload(org.member, 'private.txt', 'secret')
  await org.other.send([org.admin], '', `[stolen](${url})`)
  expect((await fetchAs(org.other, url)).status).toBe(403)
  expect((await fetchAs(org.admin, url)).status).toBe(403)
  expect((await attachmentsOf(org.member)).attachments.at(-1).messages).toEqual([])
})

test('UPLOAD-08: A temporary URL opens a file without credentials for one minute.', async () => {
  const url = await upload(org.member, 'für alle.txt', 'for a minute')
  const { url: temporary } = succeeded(await org.member.get(url))
  expect(temporary).toMatch(/^\/user_uploads\/temporary\/[^/]+\/f%C3%BCr-alle\.txt$/)
  expect(await (await fetchAs(null, temporary)).text()).toBe('for a minute')
  await org.clock.advance(61_000)
  expect((await fetchAs(null, temporary)).status).toBe(404)
  expect((await fetchAs(null, temporary.replace(/temporary\/../, 'temporary/xx'))).status).toBe(404)
})

test('UPLOAD-09: A temporary URL is available only to users who can read the file.', async () => {
  const url = await upload(org.member, 'mine.txt', 'mine')
  refused(await org.other.get(url))
  refused(await org.member.get('/user_uploads/1/00/aaaaaaaaaaaaaaaaaaaaaaaa/none.txt'))
})

test('UPLOAD-10: Files that a browser could execute are served only as downloads, and content sniffing is turned off.', async () => {
  const page = '<script>alert(1)</script>'
  for (const [name, type] of [
    ['page.html', 'text/html'],
    ['drawing.svg', 'image/svg+xml'],
    ['fake.png', 'image/png'],
    ['script.js', 'text/javascript'],
  ] as const) {
    const response = await fetchAs(org.member, await upload(org.member, name, page, type))
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename*=UTF-8''${name}`)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
  }
})

test('UPLOAD-11: Pictures and plain text are displayed inline, and any file can be requested as a download.', async () => {
  const picture = await upload(org.member, 'dot.png', png)
  const shown = await fetchAs(org.member, picture)
  expect(shown.headers.get('content-type')).toBe('image/png')
  expect(shown.headers.get('content-disposition')).toBe("inline; filename*=UTF-8''dot.png")
  const saved = await fetchAs(org.member, picture.replace('/user_uploads/', '/user_uploads/download/'))
  expect(saved.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''dot.png")
  const text = await fetchAs(org.member, await upload(org.member, 'a.txt', 'ü'))
  expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8')
})

test('UPLOAD-12: A picture has a preview with its type and dimensions, and its thumbnail can be fetched.', async () => {
  const url = await upload(org.member, 'dot.png', png)
  const id = await org.member.send(org.plaza, 'pictures', `[dot](${url})`)
  const { content } = succeeded(await org.other.get(`/messages/${id}`)).message
  expect(content).toContain('data-original-content-type="image/png"')
  expect(content).toContain('data-original-dimensions="3x2"')
  const [, source = ''] = /src="([^"]+)"/.exec(content) ?? []
  expect(source).toBe(`${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`)
  expect((await fetchAs(org.other, source)).headers.get('content-type')).toBe('image/png')
  expect((await fetchAs(org.guest, source)).status).toBe(403)
  const { state } = await org.member.register({ fetch_event_types: ['realm'] })
  expect(state.server_thumbnail_formats).toContainEqual(
    expect.objectContaining({ name: '840x560.webp', max_width: 840, max_height: 560 }),
  )
})

test('UPLOAD-13: Uploads are listed with name, path, size and the messages that link to them; times are in milliseconds.', async () => {
  const url = await upload(org.admin, 'list me.txt', 'twelve bytes')
  const id = await org.admin.send(org.plaza, 'files', `[x](${url})`)
  const { attachments, upload_space_used } = await attachmentsOf(org.admin)
  expect(attachments).toEqual([
    {
      id: expect.any(Number),
      name: 'list me.txt',
      path_id: url.replace('/user_uploads/', ''),
      size: 12,
      create_time: org.clock.now(),
      messages: [{ id, date_sent: Math.floor(org.clock.now() / 1000) * 1000 }],
    },
  ])
  expect(upload_space_used).toBeGreaterThan(12)
})

test('UPLOAD-14: Only its owner can delete a file; its record, its URL and its bytes are then gone.', async () => {
  const url = await upload(org.member, 'gone.txt', 'soon gone')
  const before = await attachmentsOf(org.member)
  const { id } = before.attachments.at(-1)
  refused(await org.other.delete(`/attachments/${id}`))
  const folder = `${org.service.workspace.configuration.filesDirectory}/${url.split('/').slice(2, 4).join('/')}`
  expect(existsSync(folder)).toBe(true)
  succeeded(await org.member.delete(`/attachments/${id}`))
  expect((await fetchAs(org.member, url)).status).toBe(404)
  const after = await attachmentsOf(org.member)
  expect(after.attachments).toHaveLength(before.attachments.length - 1)
  expect(after.upload_space_used).toBe(before.upload_space_used - 9)
  expect(readdirSync(folder)).not.toContain(url.split('/')[4])
  refused(await org.member.delete(`/attachments/${id}`))
})

test('UPLOAD-15: Uploading, linking and deleting a file are events in its owner’s queues only.', async () => {
  const queue = await org.member.register({ event_types: ['attachment'] })
  const others = await org.other.register({ event_types: ['attachment'] })
  const url = await upload(org.member, 'event.txt', 'event')
  const id = await org.member.send(org.plaza, 'files', `[x](${url})`)
  succeeded(await org.member.delete(`/messages/${id}`))
  const attachment = (await attachmentsOf(org.member)).attachments.at(-1)
  succeeded(await org.member.delete(`/attachments/${attachment.id}`))
  const events = await queue.events()
  expect(events).toMatchObject([
    { type: 'attachment', op: 'add', attachment: { id: attachment.id, size: 5, messages: [] } },
    { type: 'attachment', op: 'update', attachment: { id: attachment.id, messages: [{ id }] } },
    { type: 'attachment', op: 'update', attachment: { id: attachment.id, messages: [] } },
    { type: 'attachment', op: 'remove', attachment: { id: attachment.id } },
  ])
  expect(events[0]?.upload_space_used - events[3]?.upload_space_used).toBe(5)
  expect(await others.events()).toEqual([])
})

test('UPLOAD-16: An edit that removes a file from the last message that links to it returns the file in detached_uploads.', async () => {
  const url = await upload(org.member, 'out.txt', 'out')
  const id = await org.member.send(org.plaza, 'files', `[x](${url})`)
  const answer = succeeded(await org.member.patch(`/messages/${id}`, { content: 'without' }))
  expect(answer.detached_uploads).toMatchObject([{ name: 'out.txt', messages: [] }])
  expect((await fetchAs(org.other, url)).status).toBe(403)
})

test('UPLOAD-17: A part of a file can be requested.', async () => {
  const url = await upload(org.member, 'film.mp4', '0123456789', 'video/mp4')
  const part = await fetchAs(org.member, url, { range: 'bytes=2-5' })
  expect(part.status).toBe(206)
  expect(part.headers.get('content-range')).toBe('bytes 2-5/10')
  expect(await part.text()).toBe('2345')
  expect(await (await fetchAs(org.member, url, { range: 'bytes=-3' })).text()).toBe('789')
  const beyond = await fetchAs(org.member, url, { range: 'bytes=10-' })
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10'])
  const tag = part.headers.get('etag') ?? ''
  const again = (ifRange: string) => fetchAs(org.member, url, { range: 'bytes=2-5', 'if-range': ifRange })
  expect((await again(tag)).status).toBe(206)
  // A part of another file would be of no use, nor what makes no sense.
  expect(await (await again('"another"')).text()).toBe('0123456789')
  expect((await fetchAs(org.member, url, { range: 'bytes=5-2' })).status).toBe(200)
})

test('UPLOAD-18: A file name can contain any characters and never leads outside the storage folder.', async () => {
  const url = await upload(org.member, '../../etc/pass wd "ü".txt', 'x')
  expect(url.split('/')).toHaveLength(6)
  expect((await fetchAs(org.member, url)).status).toBe(200)
  expect((await fetchAs(org.member, '/user_uploads/1/00/..%2f..%2fworkspace.db')).status).toBe(404)
})

test('UPLOAD-19: Files linked in a web-public channel are public if spectators are allowed.', async () => {
  const { db } = org.service.workspace
  const url = await upload(org.member, 'open.txt', 'open')
  await org.member.send(org.plaza, 'files', `[x](${url})`)
  db.run('UPDATE channels SET is_web_public = 1 WHERE channel_id = ?', org.plaza)
  expect((await fetchAs(null, url)).status).toBe(401)
  db.run(`INSERT OR REPLACE INTO realm VALUES ('enable_spectator_access', 'true')`)
  expect((await fetchAs(null, url)).status).toBe(200)
  db.run('UPDATE channels SET is_web_public = 0 WHERE channel_id = ?', org.plaza)
})

test('UPLOAD-23: A file that is not a picture has no thumbnail, wrong credentials are rejected, and a file whose bytes are missing is not found.', async () => {
  const url = await upload(org.member, 'words.txt', 'words')
  const thumbnail = `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`
  expect((await fetchAs(org.member, thumbnail)).status).toBe(404)
  const wrong = await fetch(`${root()}${url}`, {
    headers: { authorization: `Basic ${btoa(`${org.member.email}:wrong`)}` },
  })
  expect(wrong.status).toBe(401)
  const [key = ''] = /\d+\/[0-9a-f]{2}\/[\w-]{24}/.exec(url) ?? []
  rmSync(join(org.service.workspace.configuration.filesDirectory, key))
  const gone = await fetchAs(org.member, url)
  expect([gone.status, (await gone.json()).code]).toEqual([404, 'BAD_REQUEST'])
})
