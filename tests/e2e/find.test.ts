import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import { goTo, signIn } from './browser.ts'
import { openAppStage, type AppStage } from './stage.ts'

// Finding a text in the messages of the feed, including those that are not drawn.

const total = 400

let service: TestService
let stage: AppStage
let page: Page
let channel: number
/** Messages of the topic, oldest first. */
const ids: number[] = []
let elsewhere = 0

beforeAll(async () => {
  service = await startService()
  const own = service.createUser('Maren Aske')
  channel = service.createChannel('gauges', [own.userId])
  elsewhere = service.send(own.userId, channel, 'elsewhere', 'The brass clamp is here as well')
  for (let index = 0; index < total; index++) {
    const said =
      index % 100 === 30 ? `Number ${index}: the Brass **clamp**\n\nThe brass clamp.` : `Number ${index}`
    ids.push(service.send(own.userId, channel, 'long', said))
  }
  stage = await openAppStage()
  page = stage.page
  await signIn(page, service.baseUrl, own)
  await page.getByTestId('sync-pill').getByText('Synced').waitFor()
  await goTo(page, `channel/${channel}/topic/long`)
  await row(total - 1).waitFor()
})

afterAll(async () => {
  await stage?.close()
  await service?.close()
})

const row = (index: number) => page.locator(`.msg[data-message-id="${ids[index]}"]`)
const field = () => page.getByRole('textbox', { name: 'Find in these messages' })
const place = () => page.locator('.find [role="status"]')
const found = () => page.locator('.msg.linked').getAttribute('data-message-id')
const isFound = async (index: number) => {
  await expect.poll(found).toBe(String(ids[index]))
  const isInView = await row(index).evaluate((one) => {
    const box = one.getBoundingClientRect()
    const feed = one.closest('.feed')?.getBoundingClientRect()
    return feed !== undefined && box.top >= feed.top && box.bottom <= feed.bottom
  })
  expect(isInView).toBe(true)
}
/** The ranges that the browser highlights. */
const marked = () =>
  page.evaluate(() => [...(CSS.highlights.get('found-here') ?? [])].map((range) => String(range)))

test('a text is found in all messages of the conversation, from the newest on, and marked', async () => {
  expect(await row(30).count()).toBe(0)
  await page.getByLabel('Message', { exact: true }).focus()
  await page.keyboard.press('Control+f')
  await page.keyboard.type('brass clamp')
  await isFound(330)
  await expect.poll(() => place().textContent()).toBe('1 of 4')
  expect(new Set(await marked())).toEqual(new Set(['Brass clamp', 'brass clamp']))
  for (const [at, index] of [230, 130, 30].entries()) {
    await page.keyboard.press('Enter')
    await isFound(index)
    await expect.poll(() => place().textContent()).toBe(`${at + 2} of 4`)
  }
  await expect.poll(marked).toContain('brass clamp')
  // Starts over at both ends.
  await page.keyboard.press('Enter')
  await isFound(330)
  await page.keyboard.press('Shift+Enter')
  await isFound(30)
  await page.getByRole('button', { name: /^Newer match/ }).click()
  await isFound(130)
})

test('what comes while something is being found counts, and nothing moves', async () => {
  const { owner } = service
  service.send(owner.user_id, channel, 'long', 'Another brass clamp')
  await expect.poll(() => place().textContent()).toBe('4 of 5')
  await isFound(130)
})

test('Esc leaves the reader and the focus at what was found, and the marks go', async () => {
  await field().press('Escape')
  await field().waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-message-id'))).toBe(
    String(ids[130]),
  )
  expect(await marked()).toEqual([])
  expect(page.url()).toContain('topic/long')
})

test('what is not there is said, and keeps the place', async () => {
  const before = await page.locator('.feed').evaluate((feed) => feed.scrollTop)
  await page.keyboard.press('Control+f')
  await field().fill('harbour seal')
  await expect.poll(() => place().textContent()).toBe('Nothing on this device')
  expect(await page.locator('.feed').evaluate((feed) => feed.scrollTop)).toBe(before)
  // The shortcut selects the typed text, so that typing replaces it.
  await page.keyboard.press('Control+f')
  await page.keyboard.type('Number 77')
  await isFound(77)
  await field().press('Escape')
})

test('where nothing is found, the focus goes back to where it was', async () => {
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-message-id'))
  expect(await focused()).toBe(String(ids[77]))
  await page.keyboard.press('Control+f')
  await field().fill('harbour seal')
  await expect.poll(() => place().textContent()).toBe('Nothing on this device')
  await field().press('Escape')
  expect(await focused()).toBe(String(ids[77]))
})

test('a text is marked over the ends of bold words, links and lines, and as it is written elsewhere', async () => {
  const { owner } = service
  const ids = [
    'The old **brass** [cl](https://example.org)amp holds',
    'An old\nBRASS clamp\n\n* and an old\n* brass clamp',
    'The old `brass`clamp does not count, nor an old brassclamp',
  ].map((text) => service.send(owner.user_id, channel, 'marks', text))
  await goTo(page, `channel/${channel}/topic/marks`)
  await page.locator(`.msg[data-message-id="${ids[2]}"]`).waitFor()
  await page.keyboard.press('Control+f')
  await page.keyboard.type('old  Brass clamp')
  const plainly = async () => (await marked()).map((text) => text.replace(/\s+/g, ' ').toLowerCase())
  await expect.poll(plainly).toEqual(['old brass clamp', 'old brass clamp', 'old brass clamp'])
  await expect.poll(() => place().textContent()).toMatch(/of 2$/)
  await field().press('Escape')
})

test('a whole channel is looked through too, and where no messages are, the key searches', async () => {
  await goTo(page, `channel/${channel}`)
  await page.locator('.msg').first().waitFor()
  await page.keyboard.press('Control+f')
  await page.keyboard.type('here as well')
  await expect.poll(found).toBe(String(elsewhere))
  await expect.poll(() => place().textContent()).toBe('1 of 1')
  await goTo(page, 'inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await page.keyboard.press('Control+f')
  await page.getByRole('combobox', { name: 'Search messages' }).waitFor()
})
