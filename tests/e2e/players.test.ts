import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goTo, setInsets } from './browser.ts'
import { openStage, type Stage } from './stage.ts'

// Pictures and sounds of messages, viewed and played in the window, also without the server.

let stage: Stage
let page: Page

const seconds = 100
/** A tone, too long for a player to load completely by itself. */
function tone(): Buffer<ArrayBuffer> {
  const rate = 44_100
  const size = seconds * rate * 2
  const wav = Buffer.alloc(44 + size)
  wav.write('RIFF', 0)
  wav.writeUInt32LE(36 + size, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(rate, 24)
  wav.writeUInt32LE(rate * 2, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(size, 40)
  for (let at = 0; at < seconds * rate; at++) wav.writeInt16LE(at % 100 < 50 ? 3_000 : -3_000, 44 + at * 2)
  return wav
}

const picture = async (background: string) =>
  new Uint8Array(
    await sharp({ create: { width: 1_600, height: 900, channels: 3, background } })
      .png()
      .toBuffer(),
  )

/** Uploads a file; returns its address on the server. */
async function upload(name: string, mediaType: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([bytes], { type: mediaType }), name)
  // The envelope of the service's own answer.
  const { url } = (await stage.ask('POST', '/user_uploads', form)) as { url: string }
  return url
}
const post = (topic: string, content: string) =>
  stage.ask('POST', '/messages', { type: 'stream', to: 1, topic, content })

beforeAll(async () => {
  stage = await openStage()
  page = stage.page
  await post('sounds', `![The terns](${await upload('terns.wav', 'audio/wav', tone())})`)
  const board = await upload('board.png', 'image/png', await picture('#205060'))
  const mast = await upload('mast.png', 'image/png', await picture('#803020'))
  await post('pictures', `[board](${board})\n\n[mast](${mast})`)
  await stage.signIn()
})
afterAll(() => stage?.close())

/** Seeks to a second of the sound; returns the position afterwards. */
const seek = (to: number) =>
  page.locator('.msg audio').evaluate(
    (audio: HTMLAudioElement, wanted) =>
      new Promise<{ at: number; isThere: boolean }>((resolve) => {
        audio.addEventListener(
          'seeked',
          () =>
            resolve({
              at: audio.currentTime,
              isThere: audio.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA,
            }),
          { once: true },
        )
        audio.currentTime = wanted
      }),
    to,
  )

test('pictures open in the window by key and by pointer, are turned by arrows, and Esc leads back', async () => {
  await goTo(page, 'channel/1/topic/pictures')
  const message = page.locator('.msg[data-message-id]').last()
  await message.locator('.message_inline_image img').nth(1).waitFor()
  await message.focus()
  await page.keyboard.press('v')
  const viewer = (name: string) => page.getByRole('dialog', { name })
  await viewer('board').getByText('1 of 2').waitFor()
  /** Whether the viewer shows the full picture instead of the message's preview. */
  const isWhole = (name: string) =>
    viewer(name)
      .getByRole('img', { name })
      .evaluate((image: HTMLImageElement) => image.naturalWidth === 1_600)
  await expect.poll(() => isWhole('board')).toBe(true)
  // Its sender's face and the buttons make room for the system's own buttons in the window's corners.
  const ends = async () => {
    const bar = viewer('board').locator('.viewer-bar')
    const face = await bar.locator('.av').boundingBox()
    const close = await bar.getByRole('button', { name: 'Close' }).boundingBox()
    const width = page.viewportSize()?.width ?? 0
    return { left: face?.x ?? 0, right: width - (close?.x ?? 0) - (close?.width ?? 0) }
  }
  expect(await ends()).toEqual({ left: 14, right: 14 })
  await setInsets(page, 80, 138)
  expect(await ends()).toEqual({ left: 94, right: 152 })
  await setInsets(page, 0, 0)
  await page.keyboard.press('ArrowRight')
  await viewer('mast').getByText('2 of 2', { exact: true }).waitFor()
  await expect.poll(() => isWhole('mast')).toBe(true)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    viewer('mast').getByRole('button', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('mast.png')
  // Links that leave the app for a browser.
  await page.evaluate(() => {
    const left: string[] = []
    const give = WebSocket.prototype.send
    WebSocket.prototype.send = function (sent) {
      if (typeof sent === 'string' && sent.includes('open-link')) left.push(sent)
      give.call(this, sent)
    }
    Object.assign(window, { left })
  })
  await viewer('mast').getByRole('button', { name: 'Open in the browser' }).click()
  const left = () => page.evaluate(() => (window as unknown as { left: string[] }).left)
  await expect.poll(left).toEqual([expect.stringMatching(/"http[^"]+\/user_uploads\/[^"]+\/mast\.png"/)])
  await viewer('mast').getByRole('button', { name: 'Next picture' }).click()
  await viewer('board').waitFor()
  await page.keyboard.press('Escape')
  await viewer('board').waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.msg') !== null)).toBe(true)
  await message.locator('.message_inline_image img').nth(1).click()
  await viewer('mast').waitFor()
  await page.keyboard.press('Escape')
})

test('a picture is zoomed by keys, wheel, double click and buttons, moved about, and leads to its message', async () => {
  const message = page.locator('.msg[data-message-id]').last()
  await message.focus()
  await page.keyboard.press('v')
  const viewer = page.getByRole('dialog')
  const image = viewer.getByRole('img', { name: 'board' })
  const box = async () => (await image.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const button = (name: string) => viewer.getByRole('button', { name, exact: true })
  const isOn = (name: string) => button(name).getAttribute('aria-pressed')
  const turn = async (by: number) => {
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, by)
    await page.keyboard.up('Control')
  }
  await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(1_600)
  // As large as fits.
  await expect.poll(() => isOn('Fit to window')).toBe('true')
  const fitted = await box()
  expect(fitted.width).toBeLessThan(1_400)
  await page.keyboard.press('1')
  expect([(await box()).width, await isOn('Actual size'), await isOn('Fit to window')]).toEqual([
    1_600,
    'true',
    'false',
  ])
  await viewer.getByText('100%').first().waitFor()
  // Its middle is still in the middle. Arrows move what is larger than the window, instead of turning pages.
  const middle = ({ x, width }: { x: number; width: number }) => x + width / 2
  expect(Math.abs(middle(await box()) - middle(fitted))).toBeLessThan(2)
  const before = await box()
  await page.keyboard.press('ArrowRight')
  expect((await box()).x).toBeCloseTo(before.x - 80, 0)
  await page.keyboard.press('+')
  expect((await box()).width).toBe(2_400)
  await page.keyboard.press('-')
  await page.keyboard.press('-')
  expect((await box()).width).toBeLessThan(1_600)
  await page.keyboard.press('0')
  expect(await box()).toEqual(fitted)
  // A double click shows the actual size where the pointer is, and what is dragged follows it.
  const point = { x: fitted.x + 300, y: fitted.y + 200 }
  const share = ({ x, width }: { x: number; width: number }) => (point.x - x) / width
  await page.mouse.dblclick(point.x, point.y)
  expect((await box()).width).toBe(1_600)
  expect(share(await box())).toBeCloseTo(share(fitted), 1)
  const still = await box()
  await page.mouse.down()
  await page.mouse.move(point.x - 50, point.y - 30, { steps: 3 })
  await page.mouse.up()
  expect(Math.abs((await box()).x - (still.x - 50))).toBeLessThan(2)
  await turn(-100)
  await expect.poll(async () => (await box()).width).toBeGreaterThan(2_000)
  await page.mouse.dblclick(point.x, point.y)
  expect(await box()).toEqual(fitted)
  await turn(100)
  expect(await box()).toEqual(fitted)
  await button('Zoom in').click()
  expect((await box()).width).toBe(1_600)
  await button('Zoom out').click()
  expect(await box()).toEqual(fitted)
  // Turned to the next picture by arrows again.
  await page.keyboard.press('ArrowRight')
  await page.getByRole('dialog', { name: 'mast' }).getByText('2 of 2', { exact: true }).waitFor()
  // Whose picture it is, and where.
  await viewer.getByText(stage.own.full_name, { exact: true }).waitFor()
  await viewer.locator('time', { hasText: /\d:\d\d/ }).waitFor()
  await viewer.getByRole('link', { name: 'View in context' }).click()
  await viewer.waitFor({ state: 'detached' })
  const id = await message.getAttribute('data-message-id')
  await expect.poll(() => new URL(page.url()).hash).toContain(`near=${id}`)
  await page.locator(`.msg.linked[data-message-id="${id}"]`).waitFor()
})

/** A film of a second, made by the browser itself. */
async function film(): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    const drawing = canvas.getContext('2d')
    const timer = setInterval(() => {
      if (drawing === null) return
      drawing.fillStyle = `hsl(${Math.round(performance.now() / 5) % 360}, 50%, 40%)`
      drawing.fillRect(0, 0, canvas.width, canvas.height)
    }, 40)
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm;codecs=vp8' })
    const parts: Blob[] = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
    const stopped = new Promise((done) => (recorder.onstop = done))
    recorder.start()
    await new Promise((done) => setTimeout(done, 1_000))
    recorder.stop()
    await stopped
    clearInterval(timer)
    return [...new Uint8Array(await new Blob(parts).arrayBuffer())]
  })
  return Uint8Array.from(bytes)
}

test('a film plays in its message and in the viewer, which the key for pictures opens', async () => {
  await post('films', `[swell.webm](${await upload('swell.webm', 'video/webm', await film())})`)
  await goTo(page, 'channel/1/topic/films')
  const message = page.locator('.msg[data-message-id]', { has: page.locator('video') })
  const viewer = page.getByRole('dialog', { name: 'swell.webm' })
  const plays = async (player: ReturnType<typeof page.locator>) => {
    await player.evaluate((video: HTMLVideoElement) => {
      video.muted = true
      video.loop = true
      return video.play()
    })
    await expect
      .poll(() => player.evaluate((video: HTMLVideoElement) => video.currentTime))
      .toBeGreaterThan(0)
  }
  const inMessage = message.getByLabel('swell.webm', { exact: true })
  await plays(inMessage)
  await message.focus()
  await page.keyboard.press('v')
  await viewer.waitFor()
  expect(await inMessage.evaluate((video: HTMLVideoElement) => video.paused)).toBe(true)
  await plays(viewer.locator('video'))
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    viewer.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('swell.webm')
  await page.keyboard.press('Escape')
  await viewer.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.msg') !== null)).toBe(true)
})

test('the middle of a sound is reached at once, from the server and later without it', async () => {
  /** The starts of the parts that the player received; `whole` if it received the whole file. */
  const got: (number | 'whole')[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'media') return
    const from = /^bytes (\d+)-/.exec(response.headers()['content-range'] ?? '')?.[1]
    got.push(response.status() === 206 && from !== undefined ? Number(from) : 'whole')
  })
  await goTo(page, 'channel/1/topic/sounds')
  const audio = page.locator('.msg audio')
  await audio.waitFor()
  const length = () => audio.evaluate((one: HTMLAudioElement) => one.duration)
  await expect.poll(length).toBeCloseTo(seconds, 0)
  expect(await audio.evaluate((one: HTMLAudioElement) => one.seekable.end(0))).toBeCloseTo(seconds, 0)
  expect(await seek(80)).toEqual({ at: 80, isThere: true })
  expect(await seek(20)).toEqual({ at: 20, isThere: true })

  expect(got).not.toContain('whole')
  // The player had not loaded that far.
  expect(got.some((from) => from !== 'whole' && from > 0)).toBe(true)

  // The whole file is stored by now, or soon.
  const source = await audio.evaluate((one: HTMLAudioElement) => one.src)
  await expect.poll(() => page.evaluate((url) => fetch(url).then(({ status }) => status), source)).toBe(200)
  await stage.stopService()
  await page.reload()
  await audio.waitFor()
  await expect.poll(length).toBeCloseTo(seconds, 0)
  expect(await seek(65)).toEqual({ at: 65, isThere: true })
  expect(got).not.toContain('whole')
})
