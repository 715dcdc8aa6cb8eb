import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { authorization, png, sendFile } from '../../support/files.ts'
import { organization, succeeded, type Person } from '../../support/organization.ts'
import { bomb, drawn, looked } from '../../support/pictures.ts'

// Pictures in a smaller size (specification, POST /register: server_thumbnail_formats).

const org = organization()
const root = () => new URL(org.service.baseUrl).origin
const upload = async (name: string, bytes: Buffer): Promise<string> =>
  succeeded(await sendFile(org.service, org.member, '/user_uploads', [name, bytes, 'image/x'])).url
const smaller = (url: string, size = '840x560.webp') =>
  `${root()}${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${size}`
const get = (address: string, who: Person | null = org.member, headers: Record<string, string> = {}) =>
  fetch(address, { headers: who === null ? headers : { ...headers, authorization: authorization(who) } })
async function shown(address: string) {
  const response = await get(address)
  expect(response.status).toBe(200)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { type: response.headers.get('content-type'), size: bytes.length, ...(await looked(bytes)) }
}

test('THUMB-01: Large pictures have thumbnails in the requested format that keep their proportions.', async () => {
  const bytes = await drawn.png(2400, 1200)
  const url = await upload('wide.png', bytes)
  expect(await shown(smaller(url))).toMatchObject({
    type: 'image/webp',
    width: 840,
    height: 420,
    corner: 'red',
  })
  const tall = await upload('tall.png', await drawn.png(1000, 4000))
  expect(await shown(smaller(tall))).toMatchObject({ width: 140, height: 560 })
  expect(await shown(`${root()}${url}`)).toMatchObject({ type: 'image/png', width: 2400, size: bytes.length })
})

test('THUMB-02: A picture that is already small is not enlarged.', async () => {
  const url = await upload('small.png', await drawn.png(60, 40))
  expect(await shown(smaller(url))).toMatchObject({ type: 'image/webp', width: 60, height: 40 })
})

test('THUMB-03: A photograph is rotated to the orientation of the camera, and its other metadata is removed.', async () => {
  const url = await upload('upright.jpg', await drawn.upright(1200, 900))
  // What is left in the file is above once it is turned.
  expect(await shown(smaller(url))).toMatchObject({ width: 420, height: 560, corner: 'red', notes: null })
})

test('THUMB-04: An animated picture has an animated thumbnail in the animated format, and a still one in the other.', async () => {
  const url = await upload('film.gif', await drawn.film(1200, 600))
  expect(await shown(smaller(url, '840x560-anim.webp'))).toMatchObject({ type: 'image/webp', frames: 3 })
  expect(await shown(smaller(url))).toMatchObject({ type: 'image/webp', frames: 1, width: 840, height: 420 })
})

test('THUMB-05: A picture that claims an excessive size is never decoded: it is served unchanged, and the service keeps working.', async () => {
  const bytes = bomb(30_000, 30_000)
  const url = await upload('bomb.png', bytes)
  for (const size of ['840x560.webp', '840x560-anim.webp']) {
    const response = await get(smaller(url, size))
    expect(response.headers.get('content-type')).toBe('image/png')
    expect((await response.arrayBuffer()).byteLength).toBe(bytes.length)
  }
  expect(await shown(smaller(await upload('after.png', await drawn.png(1000, 100))))).toMatchObject({
    width: 840,
  })
})

test('THUMB-06: A broken picture is served unchanged.', async () => {
  const response = await get(smaller(await upload('broken.png', png)))
  expect(response.headers.get('content-type')).toBe('image/png')
  const whole = await drawn.png(1600, 900)
  const torn = await upload('torn.png', whole.subarray(0, whole.length / 2))
  expect((await get(smaller(torn))).status).toBe(200)
})

test('THUMB-07: Simultaneous requests for thumbnails are all answered, and other requests do not wait for them.', async () => {
  const photograph = await drawn.upright(5000, 4000)
  const urls = await Promise.all([1, 2, 3].map((index) => upload(`large-${index}.jpg`, photograph)))
  const answered: string[] = []
  const all = urls.flatMap((url) =>
    [1, 2, 3].map(async () => {
      const { width } = await shown(smaller(url))
      answered.push('picture')
      return width
    }),
  )
  succeeded(await org.member.get('/users/me'))
  answered.push('person')
  expect(new Set(await Promise.all(all))).toEqual(new Set([448]))
  expect(answered[0]).toBe('person')
  const folder = join(dirname(org.service.workspace.configuration.filesDirectory), 'thumbnails')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  expect(files.filter((name) => name.endsWith('.part'))).toEqual([])
})

test('THUMB-08: A thumbnail is available only to users who can read the picture, and an unknown size is not found.', async () => {
  const url = await upload('mine.png', await drawn.png(1000, 500))
  expect((await get(smaller(url))).status).toBe(200)
  expect((await get(smaller(url), org.other)).status).toBe(403)
  expect((await get(smaller(url), null)).status).toBe(401)
  for (const size of ['1x1.webp', '840x560.png', '']) expect((await get(smaller(url, size))).status).toBe(404)
  await org.member.send(org.plaza, 'Pictures', `[mine](${url})`)
  expect((await get(smaller(url), org.other)).status).toBe(200)
})

test('THUMB-09: A thumbnail never changes and can be cached; scripts in it do not run.', async () => {
  const address = smaller(await upload('kept.png', await drawn.png(1000, 500)))
  const { headers } = await get(address)
  expect(headers.get('cache-control')).toContain('immutable')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-security-policy')).toContain('sandbox')
  const again = await get(address, org.member, { 'if-none-match': headers.get('etag') ?? '' })
  expect(again.status).toBe(304)
})

test('THUMB-10: Deleting a file deletes its thumbnails.', async () => {
  const url = await upload('gone.png', await drawn.png(1000, 500))
  await get(smaller(url))
  const { filesDirectory } = org.service.workspace.configuration
  const key = url.split('/').slice(2, 5).join('/')
  const folder = join(dirname(filesDirectory), 'thumbnails', key)
  expect(existsSync(folder)).toBe(true)
  const { attachments } = succeeded(await org.member.get('/attachments'))
  const { id } = attachments.find((one: { path_id: string }) => url.endsWith(one.path_id))
  succeeded(await org.member.delete(`/attachments/${id}`))
  expect(existsSync(folder)).toBe(false)
  expect((await get(smaller(url))).status).toBe(404)
})

test('THUMB-11: Avatars and emoji are public and scaled to the sizes in which they are displayed; a generated avatar fits every size.', async () => {
  const give = async (path: string, bytes: Buffer) =>
    succeeded(await sendFile(org.service, org.member, path, ['picture', bytes, 'image/x']))
  await give('/users/me/avatar', await drawn.png(1200, 1200))
  const { state } = await org.member.register({ fetch_event_types: ['realm_user', 'realm_emoji'] })
  const face = await get(`${root()}${state.avatar_url}`, null)
  expect(await looked(Buffer.from(await face.arrayBuffer()))).toMatchObject({ width: 200, height: 200 })
  expect(await shown(`${root()}${state.avatar_url_medium}`)).toMatchObject({ type: 'image/webp', width: 500 })
  await give('/realm/emoji/film', await drawn.film(400, 200))
  const { emoji } = succeeded(await org.member.get('/realm/emoji'))
  const [{ source_url: source }] = Object.values<{ source_url: string }>(emoji) as [{ source_url: string }]
  expect(await shown(`${root()}${source}`)).toMatchObject({ type: 'image/webp', width: 128, frames: 3 })
  succeeded(await org.member.delete('/users/me/avatar'))
  for (const size of ['', '/medium']) {
    const response = await get(`${root()}/avatar/${org.member.id}${size}`, null)
    expect(response.headers.get('content-type')).toBe('image/svg+xml')
  }
})
