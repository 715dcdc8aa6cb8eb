import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goTo } from './browser.ts'
import { openStage, type Stage } from './stage.ts'

// The sync pill and the sync panel: their texts, and what waits, by keyboard.

let stage: Stage
let page: Page

const wide = { width: 1440, height: 900 }
const narrow = { width: 900, height: 700 }
const topic = 'channel/1/topic/battery%20swap%20rota'
const pill = () => page.getByTestId('sync-pill')
const panel = () => page.getByRole('region', { name: 'Sync', exact: true })
const rows = () => panel().getByRole('list', { name: 'Waiting for the server' }).getByRole('link')
const row = (words: string) => rows().filter({ hasText: words })
const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')
const isAsked = () => page.getByRole('alertdialog', { name: 'Discard this?' })

beforeAll(async () => {
  stage = await openStage()
  page = stage.page
  page.setDefaultTimeout(30_000)
  await stage.signIn()
  await page.locator('.sync.ok').waitFor()
})
afterAll(() => stage?.close())

test('the pill says since when all is there, and its key opens the panel in place of people', async () => {
  await goTo(page, topic)
  await page.locator('.msg').first().waitFor()
  await expect.poll(() => pill().getAttribute('title')).toMatch(/^All changes are on the server, \d\d:\d\d$/)
  await page.locator('aside.pp').waitFor()
  await page.keyboard.press('Control+Shift+S')
  await panel().getByRole('heading', { name: 'Synced' }).waitFor()
  await panel()
    .getByText(/^All changes are on the server/)
    .waitFor()
  await page
    .locator('.side')
    .getByRole('heading', { name: /^People/ })
    .waitFor()
  expect(await page.locator('aside.pp').count()).toBe(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.qp') !== null)).toBe(true)
  await page.keyboard.press('Control+Shift+S')
  await panel().waitFor({ state: 'detached' })
  await page.locator('aside.pp').waitFor()
})

test('offline, it says since when, when the next attempt is, and what waits in which order', async () => {
  const search = page.locator('.omni')
  const before = await search.boundingBox()
  await stage.killService()
  await page.locator('.sync.off').waitFor()
  const field = page.getByLabel('Message', { exact: true })
  for (const text of ['First from the tunnel.', 'Second from the tunnel.']) {
    await field.fill(text)
    await field.press('Control+Enter')
    await page.locator('[data-local-id]', { hasText: text }).waitFor()
  }
  for (const step of [1, 2]) {
    const message = page.locator('.msg[data-message-id]').nth(-step)
    await message.focus()
    await page.keyboard.press('+')
    await message.locator('.rx button').first().waitFor()
  }
  await pill().click()
  await panel()
    .getByRole('heading', { name: /^Offline since \d\d:\d\d$/ })
    .waitFor()
  await expect
    .poll(() => panel().getByRole('progressbar').getAttribute('aria-valuetext'))
    .toMatch(/^(Next attempt in \d+ seconds?|Trying now)$/)
  await page
    .locator('.side')
    .getByRole('heading', { name: /^People, as of \d\d:\d\d/ })
    .waitFor()
  await expect.poll(async () => (await rows().allInnerTexts()).join('\n')).toContain('2 reactions')
  const all = (await rows().allInnerTexts()).join('\n')
  expect(all.indexOf('First from')).toBeLessThan(all.indexOf('Second from'))
  await row('Second from').getByText('Queued').waitFor()
  await search.getByText(/^Search [\d,]+ messages on this device$/).waitFor()
  expect(await search.boundingBox()).toEqual(before)
})

test('arrows go through what waits, Enter to its place, and Delete asks before it is given up', async () => {
  await goTo(page, 'inbox')
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
  await row('First from').focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(focused).toContain('Second from')
  await page.keyboard.press('Delete')
  await isAsked().getByText('Second from the tunnel.').waitFor()
  await page.keyboard.press('Escape')
  await isAsked().waitFor({ state: 'detached' })
  await expect.poll(focused).toContain('Second from')
  await page.keyboard.press('Delete')
  await isAsked().getByRole('button', { name: 'Keep as a draft' }).click()
  await row('Second from').waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.matches('.qp a'))).toBe(true)
  await page.keyboard.press('Home')
  while (!(await focused()).includes('First from')) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.locator('.msg', { hasText: 'First from the tunnel.' }).waitFor()
  await panel().waitFor()

  // A message is gone to as often as it is asked for.
  await page.setViewportSize({ width: 1440, height: 420 })
  for (const _time of [1, 2]) {
    await row('2 reactions').click()
    await expect.poll(() => page.url()).toContain('near=')
    const linked = page.locator(`[data-message-id="${/near=(\d+)/.exec(page.url())?.[1]}"]`)
    const isInView = () =>
      linked
        .evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect()
          return top < innerHeight && bottom > 0
        })
        .catch(() => false)
    await expect.poll(isInView).toBe(true)
    await linked.evaluate((element) => element.closest('.feed')?.scrollTo(0, 0))
    await expect.poll(isInView).toBe(false)
  }
  await page.setViewportSize(wide)
  await goTo(page, 'drafts')
  await page.getByRole('main').getByText('Second from the tunnel.').waitFor()
})

test('what waits is given up from the outbox with the same question, and the focus stays in the list', async () => {
  const waiting = page.locator('.dr', { hasText: 'Reaction' })
  const bin = waiting.first().getByRole('button', { name: 'Discard' })
  expect(await waiting.count()).toBe(2)
  await bin.click()
  await isAsked().getByText('discarding it deletes it for good').waitFor()
  await page.keyboard.press('Escape')
  await isAsked().waitFor({ state: 'detached' })
  expect(await waiting.count()).toBe(2)
  expect(await bin.evaluate((button) => button === document.activeElement)).toBe(true)
  await bin.press('Enter')
  await isAsked().getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => waiting.count()).toBe(1)
  await isAsked().waitFor({ state: 'detached' })
  await expect.poll(() => waiting.first().evaluate((row) => row.contains(document.activeElement))).toBe(true)
  // Enter opens it there, as it does for a draft.
  await page.keyboard.press('Home')
  while (!(await waiting.first().evaluate((row) => row.contains(document.activeElement))))
    await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).toContain('near=')
  await goTo(page, 'drafts')
  await waiting.first().waitFor()
})

test('a narrow window has it over the sheet, and a click beside it puts it away', async () => {
  await page.setViewportSize(narrow)
  await page.locator('.sync-over').waitFor()
  await page.mouse.click(300, 500)
  await panel().waitFor({ state: 'detached' })
  await page.keyboard.press('Control+Shift+S')
  await page.locator('.sync-over').waitFor()
  await page.keyboard.press('Escape')
  await panel().waitFor({ state: 'detached' })
  await page.setViewportSize(wide)
})

test('the network can be looked at from there, and trying now sends what waits', async () => {
  await pill().click()
  await panel().getByRole('button', { name: 'Network' }).click()
  await page
    .getByRole('dialog', { name: 'Network of this account' })
    .getByRole('button', { name: 'Cancel' })
    .click()
  await stage.startService()
  await panel().getByRole('button', { name: 'Try now' }).click()
  await page.locator('.sync.ok').waitFor()
  await panel().getByRole('heading', { name: 'Synced' }).waitFor()
  expect(await rows().count()).toBe(0)
  // A refused item comes before the others, with its reason: no server accepts such a topic.
  await goTo(page, `channel/1/topic/${encodeURIComponent('ebb\0flow')}`)
  await page.getByLabel('Message', { exact: true }).fill('Nobody takes this.')
  await page.keyboard.press('Control+Enter')
  await panel().getByRole('heading', { name: '1 message needs you' }).waitFor()
  await panel().getByText('This, and anything waiting for it, stays here until you decide.').waitFor()
  await row('Nobody takes this.')
    .getByText(/^Not sent\. .*topic/)
    .waitFor()
  await panel().getByRole('link', { name: 'Open outbox' }).click()
  await page.getByRole('heading', { name: 'Drafts and outbox' }).first().waitFor()
})
