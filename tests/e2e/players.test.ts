import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goTo } from './browser.ts'
import { openStage, type Stage } from './stage.ts'

// A sound in a message is played from wherever the listener wants, also without the server.

let stage: Stage
let page: Page

const seconds = 100
/** A tone, long enough that no player reads it to the end unasked. */
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

beforeAll(async () => {
  stage = await openStage()
  page = stage.page
  const form = new FormData()
  form.append('file', new Blob([tone()], { type: 'audio/wav' }), 'terns.wav')
  // The envelope of the service's own answer.
  const { url } = (await stage.ask('POST', '/user_uploads', form)) as { url: string }
  const content = `![The terns](${url})`
  await stage.ask('POST', '/messages', { type: 'stream', to: 1, topic: 'sounds', content })
  await stage.signIn()
})
afterAll(() => stage?.close())

/** Goes to a second of the sound; answers where it is then. */
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

test('the middle of a sound is reached at once, from the server and later without it', async () => {
  /** Where the parts began that the player got; the whole where it got that. */
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
  // It did not read up to there.
  expect(got.some((from) => from !== 'whole' && from > 0)).toBe(true)

  // Kept whole by now, or soon.
  const source = await audio.evaluate((one: HTMLAudioElement) => one.src)
  await expect.poll(() => page.evaluate((url) => fetch(url).then(({ status }) => status), source)).toBe(200)
  await stage.stopService()
  await page.reload()
  await audio.waitFor()
  await expect.poll(length).toBeCloseTo(seconds, 0)
  expect(await seek(65)).toEqual({ at: 65, isThere: true })
  expect(got).not.toContain('whole')
})
