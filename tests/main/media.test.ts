import { dayMs } from '../../src-shared/durations.ts'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { failureOf } from '../../src-shared/failure.ts'
import { createConnection, type Connection } from '../../src-main/api/connection.ts'
import { startWebHost, type WebHost } from '../../src-main/hosts/web/http.ts'
import { createMedia, type Media } from '../../src-main/media/media.ts'
import { openStore, type Store } from '../../src-main/store/database.ts'
import { manualClock, type ManualClock } from '../fakes/clock.ts'
import { openDevice, type Device } from '../support/device.ts'
import { drawn, looked } from '../support/pictures.ts'
import { startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** The smallest possible picture, with a tail that makes each one different. */
const png = (tail: string) =>
  Buffer.concat([
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    ),
    Buffer.from(tail),
  ])

describe('through the host, from the real service', () => {
  let service: TestService
  let device: Device
  let host: WebHost
  let cookie: string
  let maren: { email: string; apiKey: string; userId: number }

  const open = async () => {
    host = await startWebHost({
      // A restarted device has another engine.
      engine: {
        ...device.engine,
        media: (...asked) => device.engine.media(...asked),
      } as typeof device.engine,
      rendererDirectory: device.directory,
      port: 0,
      log: () => {},
    })
    const entered = await fetch(host.startUrl, { redirect: 'manual' })
    cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
  }
  beforeEach(async () => {
    service = await startService()
    maren = service.createUser('Maren Aske')
    device = await openDevice(service.baseUrl, maren)
    await device.until('sync-state', { accountId: device.accountId }, ({ status }) => status === 'synced')
    await open()
  })
  afterEach(async () => {
    await host.close()
    await device.close()
    await service.close()
  })

  const show = async (url: string, accountId: string = device.accountId) => {
    const answer = await fetch(`${host.windowUrl}media/${accountId}?url=${encodeURIComponent(url)}`, {
      headers: { cookie },
    })
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      body: Buffer.from(await answer.arrayBuffer()),
    }
  }
  const give = async (path: string, bytes: Buffer) => {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'tide board.png')
    const answer = await fetch(`${service.baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${maren.email}:${maren.apiKey}`)}` },
      body: form,
    })
    const body = (await answer.json()) as { url?: string; avatar_url?: string; result: string }
    expect(body.result).toBe('success')
    return body
  }
  const folder = () => join(device.directory, 'accounts', `${device.accountId}.db-media`)
  const upload = async (tail: string) => {
    const bytes = png(tail)
    return { bytes, url: (await give('/user_uploads', bytes)).url ?? '' }
  }

  test('uploads, faces and emoji that were seen are shown without the server, also after a restart', async () => {
    const { bytes, url } = await upload('board')
    const face = (await give('/users/me/avatar', png('face'))).avatar_url ?? ''
    await give('/realm/emoji/tern', png('tern'))
    const { organization } = await device.until('emoji', { accountId: device.accountId }, (choices) =>
      choices.organization.some(({ emoji }) => emoji.name === 'tern'),
    )
    const emoji = organization.find((choice) => choice.emoji.name === 'tern')?.imageUrl ?? ''
    const unseen = await upload('never looked at')
    const seen = new Map<string, Buffer>()
    for (const address of [url, face, emoji]) {
      const { status, type, body } = await show(address)
      expect([address, status]).toEqual([address, 200])
      // Avatars and emoji are fetched in the size in which they are shown.
      expect(type).toBe(address === url ? 'image/png' : 'image/webp')
      seen.set(address, body)
    }
    expect(seen.get(url)?.equals(bytes)).toBe(true)
    await service.stop()
    for (const [address, body] of seen) {
      const again = await show(address)
      expect([address, again.status]).toEqual([address, 200])
      expect(again.body.equals(body)).toBe(true)
    }
    await device.restart()
    for (const [address, body] of seen) expect((await show(address)).body.equals(body)).toBe(true)
    const missing = await show(unseen.url)
    expect(missing.status).toBe(502)
    expect(missing.body.toString()).toContain('not on this device')
  })

  test('the feed shows a picture in the size that the service made for it', async () => {
    const large = await drawn.png(2400, 1200)
    const { url = '' } = await give('/user_uploads', large)
    const channel = service.createChannel('harbour', [maren.userId])
    service.send(maren.userId, channel, 'board', `[board](${url})`)
    const sent = await fetch(`${service.baseUrl}/messages?anchor=newest&num_before=1&num_after=0`, {
      headers: { authorization: `Basic ${btoa(`${maren.email}:${maren.apiKey}`)}` },
    })
    const { messages } = (await sent.json()) as { messages: { content: string }[] }
    const [, source = ''] = /<img[^>]* src="([^"]+)"/.exec(messages[0]?.content ?? '') ?? []
    expect(source).toMatch(/\/840x560\.webp$/)
    const shown = await show(source)
    expect([shown.status, shown.type]).toEqual([200, 'image/webp'])
    expect(await looked(shown.body)).toMatchObject({ width: 840, height: 420 })
    expect(shown.body.length).toBeLessThan(large.length)
  })

  test('a picture that was damaged on the disk is fetched anew, and never shown as it is', async () => {
    const { bytes, url } = await upload('board')
    await show(url)
    const [name = ''] = readdirSync(folder())
    const damage = () => {
      const damaged = readFileSync(join(folder(), name))
      damaged.writeUInt8(damaged.readUInt8(40) ^ 1, 40)
      writeFileSync(join(folder(), name), damaged)
    }
    damage()
    expect((await show(url)).body.equals(bytes)).toBe(true)
    // The damaged copy has been replaced.
    await service.stop()
    expect((await show(url)).body.equals(bytes)).toBe(true)
    damage()
    expect((await show(url)).status).toBe(502)
    rmSync(folder(), { recursive: true })
    expect((await show(url)).status).toBe(502)
  })

  test('another account of the same server gets what it may see itself, and nothing that this one saw', async () => {
    const { bytes, url } = await upload('for Maren alone')
    await show(url)
    const keiko = service.createUser('Keiko Tamura')
    const { accountId } = await device.bridge.call('sign-in', {
      baseUrl: service.baseUrl,
      credentials: { kind: 'api-key', email: keiko.email, apiKey: keiko.apiKey },
    })
    expect((await show(url, accountId)).status).toBe(404)
    await service.stop()
    expect((await show(url, accountId)).status).toBe(502)
    expect((await show(url)).body.equals(bytes)).toBe(true)
    expect((await show(url, 'nobody')).status).toBe(404)
  })

  test('signing out of an account deletes its pictures', async () => {
    await show((await upload('board')).url)
    expect(readdirSync(folder())).toHaveLength(1)
    await device.bridge.call('sign-out', { accountId: device.accountId, discard: true })
    expect(readdirSync(join(device.directory, 'accounts'))).toEqual([])
  })
})

describe('beside a server that is scripted', () => {
  let directory: string
  let store: Store
  let server: Server
  let connection: Connection
  let clock: ManualClock
  let ending: AbortController
  let asked: string[]
  let answer: (request: IncomingMessage, response: ServerResponse) => void
  let baseUrl: string
  const lines: string[] = []

  beforeEach(async () => {
    directory = temporaryFolder(onTestFinished)
    store = openStore(join(directory, 'a.db'), () => {})
    clock = manualClock()
    ending = new AbortController()
    asked = []
    lines.length = 0
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' })
      response.end(Buffer.alloc(1_000, asked.length))
    }
    server = createServer((request, response) => {
      asked.push(request.url ?? '')
      answer(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    // It listens on an address and port, so this is not a pipe's name.
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`
    connection = createConnection({
      baseUrl,
      credentials: { email: 'maren@example.org', apiKey: 'key' },
      userAgent: 'Dunlin/0',
    })
  })
  afterEach(() => {
    ending.abort()
    connection.close()
    server.close()
    server.closeAllConnections()
    store.close()
  })
  const openMedia = (limit = 4_500): Media =>
    createMedia({
      path: join(directory, 'a.db'),
      baseUrl,
      store,
      connection,
      clock,
      signal: ending.signal,
      limit,
      log: (line) => lines.push(line),
    })
  const files = () => readdirSync(join(directory, 'a.db-media'))
  const bytesHeld = () =>
    files().reduce((sum, name) => sum + statSync(join(directory, 'a.db-media', name)).size, 0)

  test('the folder stays within its limit, and what was not looked at for the longest time goes', async () => {
    const media = openMedia()
    for (let n = 0; n < 4; n++) {
      await media.get(`/user_uploads/1/${n}`)
      clock.set(clock.now() + 120_000)
    }
    await media.get('/user_uploads/1/0')
    clock.set(clock.now() + 120_000)
    for (let n = 4; n < 6; n++) {
      await media.get(`/user_uploads/1/${n}`)
      expect(bytesHeld()).toBeLessThanOrEqual(4_500)
      clock.set(clock.now() + 120_000)
    }
    const before = asked.length
    for (const n of [0, 3, 4, 5]) await media.get(`/user_uploads/1/${n}`)
    expect(asked.length).toBe(before)
    await media.get('/user_uploads/1/1')
    expect(asked.length).toBe(before + 1)
  })

  test('a picture larger than the limit is shown and not kept', async () => {
    const media = openMedia(500)
    expect((await media.get('/user_uploads/1/large')).body.length).toBe(1_000)
    await media.get('/user_uploads/1/large')
    expect(asked.length).toBe(2)
  })

  test('a picture that comes slowly is waited for as long as something of it comes', async () => {
    // A limit for the whole, if there were one, would be a hundredth.
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const shortened = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 100))
    onTestFinished(() => shortened.mockRestore())
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' })
      const drip = async () => {
        for (let n = 0; n < 20; n++) {
          response.write(Buffer.alloc(16 * 1_024, n))
          await sleep(30)
        }
        response.end()
      }
      void drip()
    }
    const { body } = await openMedia(1_000_000).get('/user_uploads/1/slow.png')
    expect(body.length).toBe(20 * 16 * 1_024)
  })

  test('a part of a kept film is read alone, after the whole was checked once', async () => {
    const media = openMedia()
    const film = '/user_uploads/1/film.webm'
    const beginning = (of: Media) => of.get(film, { range: 'bytes=0-9', ifRange: null })
    await media.get(film)
    await beginning(media)
    const [name = ''] = files()
    const path = join(directory, 'a.db-media', name)
    const damaged = readFileSync(path)
    damaged[999] = 7
    writeFileSync(path, damaged)
    expect(await beginning(media)).toMatchObject({ status: 206, contentRange: 'bytes 0-9/1000' })
    expect(await media.get(film, { range: 'bytes=1000-', ifRange: null })).toMatchObject({ status: 416 })
    expect(asked.length).toBe(1)
    // A file of another size, and any damage after a restart, are noticed.
    writeFileSync(path, damaged.subarray(0, 900))
    expect(await beginning(media)).toMatchObject({ status: 206, contentRange: 'bytes 0-9/1000' })
    expect(asked.length).toBe(2)
    writeFileSync(path, damaged)
    await beginning(openMedia())
    expect(asked.length).toBe(3)
  })

  test('seeking in a kept film reads a few megabytes of it, not the rest', async () => {
    const size = 10 * 1024 * 1024
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'video/webm' })
      response.end(Buffer.alloc(size, 5))
    }
    const media = openMedia(2 * size)
    const seek = () => media.get('/user_uploads/1/film.webm', { range: 'bytes=100-', ifRange: null })
    await media.get('/user_uploads/1/film.webm')
    // The first time since the start, the whole file is checked.
    for (const { body, contentRange } of [await seek(), await seek()]) {
      expect(body.length).toBe(4 * 1024 * 1024)
      expect(contentRange).toBe(`bytes 100-${99 + 4 * 1024 * 1024}/${size}`)
    }
    expect(asked.length).toBe(1)
  })

  test('a sign-in page of the network is neither shown nor kept in place of a picture, an uploaded page is', async () => {
    const media = openMedia()
    const picture = answer
    for (const type of ['text/html; charset=utf-8', '', 'text/plain']) {
      answer = (_request, response) => {
        response.writeHead(200, type === '' ? {} : { 'content-type': type })
        response.end('\n<!DOCTYPE html><title>Sign in to this network</title>')
      }
      for (const address of ['/user_uploads/1/a/board.png', '/avatar/7'])
        await expect(media.get(address)).rejects.toThrow('sign in')
      const notes = media.get('/user_uploads/1/b/notes.txt')
      if (type === 'text/plain') expect((await notes).body.toString()).toContain('<!DOCTYPE html>')
      else await expect(notes).rejects.toThrow('sign in')
    }
    answer = (_request, response) => {
      response.writeHead(302, { location: 'https://portal.test/' })
      response.end()
    }
    await expect(media.get('/user_uploads/1/a/board.png')).rejects.toThrow('portal.test')
    answer = picture
    expect((await media.get('/user_uploads/1/a/board.png')).contentType).toBe('image/png')
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<html>tides</html>')
    }
    expect((await media.get('/user_uploads/1/c/tides.html')).body.toString()).toBe('<html>tides</html>')
    const before = asked.length
    await media.get('/user_uploads/1/a/board.png')
    await media.get('/user_uploads/1/c/tides.html')
    expect(asked.length).toBe(before)
  })

  test('several wishes for one picture are one request', async () => {
    const media = openMedia()
    await Promise.all(Array.from({ length: 5 }, () => media.get('/avatar/7')))
    expect(asked).toEqual(['/avatar/7'])
  })

  test('a face is asked for again after a day, shown as it was while the server fails, and forgotten when it is gone', async () => {
    const media = openMedia()
    const first = await media.get('/avatar/7')
    await media.get('/avatar/7')
    expect(asked.length).toBe(1)
    clock.set(clock.now() + dayMs)
    const second = await media.get('/avatar/7')
    expect(Buffer.from(second.body).equals(first.body)).toBe(false)
    for (const [status, type] of [
      [503, 'text/plain'],
      [302, 'text/html'],
      // A network's sign-in page.
      [200, 'text/html'],
    ] as const) {
      clock.set(clock.now() + dayMs)
      answer = (_request, response) => response.writeHead(status, { 'content-type': type }).end('<p>no</p>')
      expect(Buffer.from((await media.get('/avatar/7')).body).equals(second.body)).toBe(true)
    }
    answer = (_request, response) => response.writeHead(404).end()
    expect((await media.get('/avatar/7')).status).toBe(404)
    expect(files()).toEqual([])
  })

  test('an account whose file cannot be read just then says so in the log, and no promise is left unhandled', async () => {
    const unhandled: unknown[] = []
    const hear = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', hear)
    store.close()
    openMedia()
    await sleep(20)
    process.off('unhandledRejection', hear)
    expect(unhandled).toEqual([])
    expect(lines.join('\n')).toMatch(/^media: /)
  })

  test('files of which nothing is known are cleared away at the start', async () => {
    await openMedia().get('/user_uploads/1/kept')
    writeFileSync(join(directory, 'a.db-media', 'half.new'), 'half')
    const media = openMedia()
    await media.get('/user_uploads/1/kept')
    await expect.poll(files).toHaveLength(1)
    expect(asked.length).toBe(1)
  })

  test('where uploads are open to browsers only, an address that holds for a minute is asked for', async () => {
    answer = (request, response) => {
      const { url = '', headers } = request
      if (url.startsWith('/api/v1/user_uploads/2/ab/tide%20board.png')) {
        expect(headers.authorization).toMatch(/^Basic /)
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ result: 'success', msg: '', url: '/user_uploads/temporary/token/x' }))
      } else if (url === '/user_uploads/temporary/token/x') {
        response.writeHead(200, { 'content-type': 'image/png' }).end('the picture')
      } else response.writeHead(302, { location: '/login' }).end()
    }
    const media = openMedia()
    const shown = await media.get('/user_uploads/2/ab/tide%20board.png')
    expect(Buffer.from(shown.body).toString()).toBe('the picture')
    const small = await media.get('/user_uploads/thumbnail/2/ab/tide%20board.png/840x560.webp')
    expect(Buffer.from(small.body).toString()).toBe('the picture')
    const before = asked.length
    await media.get('/user_uploads/2/ab/tide%20board.png')
    expect(asked.length).toBe(before)
  })

  test('pictures elsewhere are not loaded, and nothing is asked', async () => {
    const media = openMedia()
    for (const url of [
      'https://elsewhere.example/x.png',
      '//elsewhere.example/x.png',
      'file:///etc/passwd',
      'http://[',
    ]) {
      const failure = failureOf(await media.get(url).catch((error: unknown) => error))
      expect([url, failure]).toMatchObject([url, { code: 'FOREIGN_MEDIA' }])
    }
    expect(asked).toEqual([])
  })

  test('a disk that takes nothing keeps no picture from being shown', async () => {
    const media = openMedia()
    writeFileSync(join(directory, 'a.db-media'), 'a file where the folder should be')
    expect((await media.get('/user_uploads/1/a')).status).toBe(200)
    expect(lines).toHaveLength(1)
  })

  test('nothing is left of a picture that the disk or the list of pictures refuses', async () => {
    const media = openMedia()
    await media.get('/user_uploads/1/a')
    const [kept = ''] = files()
    // Something else has the picture's name, so that the last step of writing it fails.
    rmSync(join(directory, 'a.db-media', kept))
    mkdirSync(join(directory, 'a.db-media', kept))
    expect((await media.get('/user_uploads/1/a')).status).toBe(200)
    await expect.poll(() => lines.join('\n')).toContain('EISDIR')
    expect(files()).toEqual([kept])
    vi.spyOn(store, 'write').mockImplementation(() => {
      throw new Error('no row')
    })
    expect((await media.get('/user_uploads/1/b')).status).toBe(200)
    expect(lines.join('\n')).toContain('no row')
    expect(files()).toEqual([kept])
  })
})
