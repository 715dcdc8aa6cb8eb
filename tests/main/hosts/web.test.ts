import { closeSync, ftruncateSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { fingerprintOf, type OpeningAnswer } from '../../../src-shared/bridge/opening.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import type { Engine } from '../../../src-main/engine/contract.ts'
import type { MediaAnswer } from '../../../src-main/media/media.ts'
import {
  announceAddress,
  announcedAddress,
  lockDataDirectory,
} from '../../../src-main/hosts/instance-lock.ts'
import { startWebHost, type WebHost } from '../../../src-main/hosts/web/http.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let directory: string
let host: WebHost
/** The engine's answers, by query. */
let answers: Map<string, string>
let media: MediaAnswer | null = null
/** The start addresses that the host announced. */
let announced: string[]

beforeEach(async () => {
  answers = new Map()
  announced = []
  directory = temporaryFolder(onTestFinished)
  mkdirSync(join(directory, 'renderer'))
  writeFileSync(
    join(directory, 'renderer/index.html'),
    '<!doctype html><title>Dunlin</title><div id="app"></div>',
  )
  writeFileSync(join(directory, 'secret.txt'), 'not to be served')
  // The host only passes text to the engine; here the engine answers one call.
  const engine = {
    call: () => Promise.resolve(null),
    watch(name: string, _params: unknown, update: (json: string) => void) {
      const json = answers.get(name)
      if (json !== undefined) update(json)
      return () => {}
    },
    media: () => Promise.resolve(media),
  }
  host = await startWebHost({
    engine: engine as unknown as Engine,
    rendererDirectory: join(directory, 'renderer'),
    port: 0,
    onStartUrl: (url) => announced.push(url),
    log: () => {},
  })
})

afterEach(async () => {
  await host.close()
})

interface Answer {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: string
}

/** Where the window is served: `/` and a secret and `/`. */
const root = () => new URL(host.windowUrl).pathname

const getAt = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(host.windowUrl)
    request({ hostname, port, path, headers }, (response) => {
      let body = ''
      response.on('data', (data: Buffer) => (body += data.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
      .on('error', reject)
      .end()
  })

/** The same, for a path below that of the window. */
const get = (path: string, headers: Record<string, string> = {}) =>
  getAt(`${root()}${path.slice(1)}`, headers)

const start = (url = host.startUrl) => getAt(url.slice(new URL(url).origin.length))

const enter = async (): Promise<string> => {
  const { status, headers } = await start()
  expect(status).toBe(302)
  return String(headers['set-cookie']).split(';')[0] ?? ''
}

const dial = (
  headers: Record<string, string>,
  origin = new URL(host.windowUrl).origin,
  path = `${root()}bridge`,
): Promise<'open' | 'refused'> =>
  new Promise((resolve) => {
    const { host: address } = new URL(host.windowUrl)
    const socket = new WebSocket(`ws://${address}${path}`, { headers, origin })
    socket.on('open', () => {
      socket.close()
      resolve('open')
    })
    socket.on('error', () => resolve('refused'))
  })

test('the start address works once and becomes a cookie that scripts cannot read', async () => {
  const { headers } = await start()
  const cookie = String(headers['set-cookie'])
  expect(cookie).toMatch(/HttpOnly; SameSite=Strict/)
  expect(await start()).toMatchObject({ status: 403 })
  expect(await getAt(host.startUrl.slice(new URL(host.startUrl).origin.length), { cookie })).toMatchObject({
    status: 403,
  })
  // Every use announces the next address, for a second start.
  expect(announced).toHaveLength(2)
  expect(announced[0]).toBe(host.startUrl)
  expect((await start(announced[1])).status).toBe(302)
})

test('a server on another port gets no cookie, because the browser sends it only to a secret path', async () => {
  const { headers } = await start()
  const path = root()
  expect(path).toMatch(/^\/[\w-]{32}\/$/)
  expect(headers['location']).toBe(path)
  expect(String(headers['set-cookie'])).toMatch(new RegExp(`; Path=${path}$`))
  // Outside that path, nothing is served even to somebody who has the cookie.
  const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
  for (const other of ['/', '/index.html', `/${'a'.repeat(32)}/`, path.slice(0, -1)])
    expect((await getAt(other, { cookie })).status).toBe(403)
  expect(await dial({ cookie }, undefined, '/bridge')).toBe('refused')
  // What is told to anybody does not contain it.
  expect((await getAt('/')).body + (await start()).body).not.toContain(path)
})

test('with the cookie the window is served, under a strict policy; without it nothing is', async () => {
  const cookie = await enter()
  const { status, headers, body } = await get('/', { cookie })
  expect(status).toBe(200)
  expect(body).toContain('Dunlin')
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(headers['content-security-policy']).toContain("script-src 'self'")
  expect((await get('/')).status).toBe(403)
  expect((await get('/', { cookie: 'dunlin=guess' })).status).toBe(403)
})

test('a page that reaches this port under another name gets nothing', async () => {
  const cookie = await enter()
  expect((await get('/', { cookie, host: 'evil.example' })).status).toBe(403)
})

test('what a window opens with is given to ours alone, the inbox where it comes first', async () => {
  const cookie = await enter()
  const opening = async () => {
    const { body, headers } = await get('/', { cookie })
    expect(headers['cache-control']).toBe('no-store')
    const text = /<script type="application\/json" id="opening">(.*)<\/script>/.exec(body)?.[1] ?? ''
    // The host wrote it, so it has this form.
    return JSON.parse(text) as readonly OpeningAnswer[]
  }
  const names = async () => (await opening()).map(({ name }) => name)
  expect(await names()).toEqual([])
  answers.set('accounts', '[]')
  expect(await names()).toEqual(['accounts'])
  answers.set('accounts', '[{"id":"a"}]')
  // Text from people must not end the element.
  answers.set('inbox', '{"rowCount":1,"text":"</script><b>"}')
  answers.set('account-settings', '{"homeView":"recent"}')
  expect(await names()).toEqual(['accounts', 'account-settings'])
  answers.set('account-settings', '{"homeView":"inbox"}')
  expect(await names()).toEqual(['accounts', 'account-settings', 'inbox'])
  expect((await opening()).at(-1)).toEqual({
    name: 'inbox',
    params: { accountId: 'a', filter: 'all' },
    fingerprint: fingerprintOf('{"rowCount":1,"text":"</script><b>"}'),
    value: { rowCount: 1, text: '</script><b>' },
  })
})

test('files outside the window are not served', async () => {
  const cookie = await enter()
  for (const path of ['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/%2e%2e%2fsecret.txt']) {
    const { body, status } = await get(path, { cookie })
    expect([403, 404]).toContain(status)
    expect(body).not.toContain('not to be served')
  }
})

test('a file that is there but cannot be read ends nothing', async () => {
  const cookie = await enter()
  // A sparse file; Node reads no file that is larger than 2 GiB.
  const file = openSync(join(directory, 'renderer/large.js'), 'w')
  ftruncateSync(file, 3 * 1024 ** 3)
  closeSync(file)
  expect((await get('/large.js', { cookie })).status).toBe(404)
  expect((await get('/', { cookie })).status).toBe(200)
})

test('what is no address, or hangs up half-way, ends nothing', async () => {
  for (const path of ['//', '///', '//[', '/%', '/media/%/?url=%']) {
    expect((await get(path)).status).not.toBe(200)
    expect((await getAt(path)).status).not.toBe(200)
  }
  const cookie = await enter()
  expect((await getAt('//', { cookie })).status).toBe(400)
  expect((await get('/%', { cookie })).status).toBe(400)
  const { hostname, port } = new URL(host.windowUrl)
  for (let tries = 0; tries < 5; tries++) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `GET /bridge HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
        )
        socket.resetAndDestroy()
      })
      socket.on('close', () => resolve())
      socket.on('error', () => {})
    })
  }
  expect((await get('/', { cookie })).status).toBe(200)
})

test('a picture has the type that its server says, and nothing else of what it says there', async () => {
  const cookie = await enter()
  media = {
    status: 200,
    contentType: 'image/png; name=€\u0000\r\nx-evil: 1',
    // A header value from a server may look like this too.
    contentRange: 'bytes 0-2/3\r\nx-evil: 2',
    tag: null,
    body: new Uint8Array([1, 2, 3]),
  }
  const { status, headers } = await get('/media/a1/?url=/user_uploads/1/ab/x.png', { cookie })
  media = null
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('image/png')
  expect(headers['x-evil']).toBeUndefined()
  expect(headers['content-range']).toBeUndefined()
})

test('the bridge opens to our own page only', async () => {
  const cookie = await enter()
  expect(await dial({ cookie })).toBe('open')
  expect(await dial({})).toBe('refused')
  expect(await dial({ cookie }, 'http://evil.example')).toBe('refused')
})

test('a second start on the same folder is refused with words, a dead one is taken over', () => {
  const unlock = lockDataDirectory(directory)
  try {
    lockDataDirectory(directory)
    expect.unreachable()
  } catch (error) {
    expect(failureOf(error)).toMatchObject({ kind: 'device', code: 'in-use' })
  }
  unlock()
  writeFileSync(join(directory, 'lock'), '999999999')
  lockDataDirectory(directory)()
})

test.runIf(process.platform !== 'win32')('a new folder is its owner’s alone', () => {
  const fresh = join(directory, 'below/data')
  lockDataDirectory(fresh)()
  expect(statSync(fresh).mode & 0o077).toBe(0)
})

test.runIf(process.platform !== 'win32')('the announced address is readable for the owner alone', () => {
  // Left behind by a crash of a version that did not care.
  writeFileSync(join(directory, 'lock'), '999999999', { mode: 0o644 })
  const unlock = lockDataDirectory(directory)
  announceAddress(directory, host.startUrl)
  expect(statSync(join(directory, 'lock')).mode & 0o077).toBe(0)
  expect(announcedAddress(directory)).toBe(host.startUrl)
  unlock()
})
