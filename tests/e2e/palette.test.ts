import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { t } from '../../src-shared/texts/texts.ts'
import { goTo } from './browser.ts'
import { openStage, type Stage } from './stage.ts'

// Opening places and running actions by name.

let stage: Stage
let page: Page

beforeAll(async () => {
  stage = await openStage()
  page = stage.page
  await stage.signIn()
  await page.getByTestId('sync-pill').getByText('Synced').waitFor()
})

afterAll(() => stage?.close())

/** Leaves a dialog by keyboard, which it does not hear before it has the focus. */
async function leave(other: Locator): Promise<void> {
  await other.and(page.locator(':focus-within')).waitFor()
  await page.keyboard.press('Escape')
  await other.waitFor({ state: 'detached' })
}

const dialog = () => page.getByRole('dialog', { name: 'Go to' })
const options = () => dialog().getByRole('option')
const part = (name: string) => dialog().getByRole('group', { name })
const chosen = () => dialog().locator('[aria-selected="true"]')
/** Opens the palette, types, and waits for the answer. */
async function find(typed: string, first: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await dialog().waitFor()
  await page.keyboard.type(typed)
  await dialog().locator('[role="listbox"][aria-busy="false"]').waitFor()
  await expect.poll(() => chosen().textContent()).toContain(first)
}
const openGauge = async () => {
  await goTo(page, 'channel/1/topic/gauge%204%20offset%20drift')
  await page.locator('.msg').first().waitFor()
}

test('opens with recent conversations, unread first, and goes to one by keys alone', async () => {
  await page.keyboard.press('Control+k')
  const recent = part('Recent conversations').getByRole('option')
  await expect.poll(() => recent.count()).toBe(5)
  // There are no messages on screen to find something in.
  expect(await part('Actions').getByText('Find in the messages on screen').count()).toBe(0)
  expect(await recent.locator('.cnt:not(.at)').count()).toBe(5)
  // Direct messages call for the person as mentions do.
  expect(await recent.allTextContents()).toContainEqual(expect.stringContaining('Keiko Tamura'))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const name = (await chosen().locator('.trunc').textContent())?.trim() ?? ''
  expect(await chosen().getByText('Enter').count()).toBe(1)
  await page.keyboard.press('Enter')
  await dialog().waitFor({ state: 'detached' })
  await expect.poll(() => page.url()).toContain('/topic/')
  expect(name).toContain(decodeURIComponent(page.url().split('/topic/')[1] ?? 'nowhere'))
})

test('Esc clears, then closes, and the focus is where it was', async () => {
  await openGauge()
  await page.locator('.msg').last().focus()
  const id = await page.locator('.msg').last().getAttribute('data-message-id')
  await find('battery', 'battery')
  await page.keyboard.press('Escape')
  expect(await dialog().getByRole('combobox').inputValue()).toBe('')
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-message-id'))).toBe(id)
})

test('shows what fits in its parts, with the letters that fit marked', async () => {
  await openGauge()
  await find('gau', 'gau')
  await part('Messages on this device').getByRole('option').nth(1).waitFor()
  expect(await part('Conversations').getByRole('option').first().locator('mark').textContent()).toBe('gau')
  await part('Conversations')
    .getByRole('option', { name: /tide-gauges.*people.*topics/ })
    .waitFor()
  await part('Actions')
    .getByRole('option', { name: /Mute this topic gauge 4 offset drift/ })
    .waitFor()
  await part('People and groups')
    .getByRole('option', { name: /@gauge-team user group/ })
    .waitFor()
  // The count follows the typed text.
  await expect
    .poll(async () => Number.parseInt((await dialog().locator('#palette-messages .num').textContent()) ?? ''))
    .toBeGreaterThan(50)
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => page.url()).toContain('/search?text=gau')
  await page.locator('.result').first().waitFor()
})

test('messages are found by a part of a word too', async () => {
  await openGauge()
  await page.keyboard.press('Control+k')
  await dialog().waitFor()
  await page.keyboard.type('esiccant')
  const messages = part('Messages on this device').getByRole('option')
  await messages.filter({ hasText: 'check the desiccant' }).waitFor()
  await expect.poll(() => messages.first().locator('mark').textContent()).toBe('esiccant')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
})

test('resolved topics say so, letters may be left out, and signs look for one kind', async () => {
  await goTo(page, 'inbox')
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
  await find('spring cal', 'spring calibration tide-gauges, resolved')
  await page.keyboard.press('Escape')
  await page.keyboard.type('btswro')
  await expect.poll(() => chosen().textContent()).toContain('battery swap rota')
  await page.keyboard.press('Escape')
  await page.keyboard.type('#maps')
  await expect.poll(() => options().count()).toBe(1)
  await page.keyboard.press('Escape')
  await page.keyboard.type('@ke')
  await expect.poll(() => chosen().textContent()).toContain('Keiko Tamura')
  expect(await part('Conversations').count()).toBe(0)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Keiko Tamura', level: 1 }).waitFor()
})

test('does what the keys would do here, and what was chosen often comes first', async () => {
  await goTo(page, 'channel/1/topic/battery%20swap%20rota')
  await page.locator('.msg').first().waitFor()
  await find('>mute this', 'Mute this topic')
  await page.keyboard.press('Enter')
  await page.locator('.rb .lucide-bell-off').first().waitFor()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await find('>link place', 'Copy a link to this place')
  await page.keyboard.press('Enter')
  await page.getByText('Link copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/topic/battery.20swap.20rota')
  await find('>find in', 'Find in the messages on screen')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await find('>unmute this', 'Unmute this topic')
  await page.keyboard.press('Enter')
  await page.locator('.rb .lucide-bell-off').waitFor({ state: 'detached' })
  await find('>mute this', 'Mute this topic')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  // Editing, starring and quoting apply to the selected message.
  const last = page.locator('.msg').last()
  await last.focus()
  await find('>earlier versions', 'Earlier versions')
  await page.keyboard.press('Enter')
  await leave(page.getByRole('dialog', { name: 'Versions of this message' }))
  const unread = page.locator('nav.sb').getByRole('treeitem', { name: /battery swap rota.*unread/ })
  await page.keyboard.press('Shift+U')
  await unread.waitFor()
  await find('>everything read', 'Mark everything here as read')
  await page.keyboard.press('Enter')
  await unread.waitFor({ state: 'detached' })
  for (let times = 0; times < 2; times++) {
    await find('>next channel', 'Next channel')
    await page.keyboard.press('Enter')
    await dialog().waitFor({ state: 'detached' })
  }
  await page.reload()
  await page.locator('nav.sb a').first().waitFor()
  await find('>next', 'Next channel')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  // One key too many signs nobody out: the action leads to the page that asks and says what would be lost.
  await find('>sign out', 'Sign out')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Sign out of Skerry Coast Survey' }).waitFor()
  await page.keyboard.press('Escape')
})

test('has the keys also where something took the focus away', async () => {
  await goTo(page, 'inbox')
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
  const blur = () => page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await page.keyboard.press('Control+k')
  await dialog().getByRole('combobox').waitFor()
  await blur()
  await page.keyboard.type('maps')
  await expect.poll(() => dialog().getByRole('combobox').inputValue()).toBe('maps')
  await blur()
  await page.keyboard.press('Escape')
  await expect.poll(() => dialog().getByRole('combobox').inputValue()).toBe('')
  await blur()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
})

test('the topic that is open can be followed, marked as resolved and renamed', async () => {
  await goTo(page, 'channel/1/topic/battery%20swap%20rota')
  await page.locator('.rb .tp', { hasText: 'battery swap rota' }).first().waitFor()
  await find('>follow', 'Follow this topic')
  await page.keyboard.press('Enter')
  await page.locator('.rb .lucide-bell-ring').first().waitFor()
  await find('>follow', 'Stop following this topic')
  await page.keyboard.press('Enter')
  await page.locator('.rb .lucide-bell-ring').waitFor({ state: 'detached' })
  await find('>resolved', 'Mark topic as resolved')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Mark as unresolved' }).first().waitFor()
  // The feed follows the topic.
  await expect.poll(() => page.url()).toContain('%E2%9C%94')
  await page.locator('.rb.resolved').first().waitFor()
  await find('>resolved', 'Mark topic as unresolved')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  await page.keyboard.press('Control+Shift+R')
  await page.getByRole('button', { name: 'Mark as resolved' }).first().waitFor()
  await expect.poll(() => page.url()).not.toContain('%E2%9C%94')
  await page.locator('.rb:not(.resolved)').first().waitFor()
  await find('>rename', 'Rename or move the topic')
  await page.keyboard.press('Enter')
  await leave(page.getByRole('dialog', { name: /topic/i }))
})

test('a setting is found by name and opens at its row', async () => {
  await goTo(page, 'inbox')
  await find('quiet hours', 'Stay quiet between')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).toContain('/settings/notifications')
  await page.keyboard.press('Escape')
})

test('what helps with a connection opens by name, and leads from one to the other', async () => {
  await goTo(page, 'inbox')
  await find('proxy', 'Network: proxy and certificates')
  await page.keyboard.press('Enter')
  const network = page.getByRole('dialog', { name: t.network.title })
  await network.getByRole('button', { name: t.network.diagnostics }).click()
  const diagnostics = page.getByRole('dialog', { name: t.diagnostics.title })
  await diagnostics.waitFor()
  expect(await network.count()).toBe(0)
  await page.keyboard.press('Escape')
  await diagnostics.waitFor({ state: 'detached' })
  await find('>diagnost', 'Diagnostics')
  await page.keyboard.press('Enter')
  await leave(diagnostics)
})

test('what the box can do is found by name, and the text keeps its selection and gets the focus', async () => {
  await openGauge()
  const field = page.locator('.cmp textarea')
  const hasFocus = () => field.evaluate((element) => element === document.activeElement)
  await field.fill('one two')
  await field.press('Home')
  for (let letter = 0; letter < 3; letter++) await field.press('Shift+ArrowRight')
  await find('>bold', 'Bold')
  await page.keyboard.press('Enter')
  await expect.poll(() => field.inputValue()).toBe('**one** two')
  await expect.poll(hasFocus).toBe(true)
  await find('>send later', 'Send later')
  await page.keyboard.press('Enter')
  await leave(page.getByRole('dialog', { name: 'Send later' }))
  // From elsewhere in the window it is the same.
  await page.locator('.msg').last().focus()
  await find('>poll', 'Make a poll')
  await page.keyboard.press('Enter')
  await leave(page.getByRole('dialog', { name: 'Poll' }))
  await expect.poll(hasFocus).toBe(true)
  await find('>preview', 'Preview')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Preview' }).getByText('two').waitFor()
  // While the text is hidden, nothing is offered that changes it.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('>poll')
  await dialog().getByText('No action here matches “poll”.').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.type('>write')
  await expect.poll(() => chosen().textContent()).toContain('Write')
  await page.keyboard.press('Enter')
  await expect.poll(hasFocus).toBe(true)
  await field.fill('')
  // Views of the sidebar are among the actions.
  await find('>reactions', 'Reactions')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Reactions', level: 1 }).waitFor()
})

test('what is typed before it is loaded is in it, and does nothing else', async () => {
  await goTo(page, 'inbox')
  let release = () => {}
  const isWanted = new Promise<void>((wanted) => {
    const released = new Promise<void>((done) => (release = done))
    void page.route('**/Palette-*.js', async (route) => {
      wanted()
      await released
      await route.continue()
    })
  })
  await page.reload()
  await page.locator('.ir').first().focus()
  const rows = await page.locator('.ir').count()
  await page.keyboard.press('Control+k')
  await isWanted
  await page.keyboard.type('se?e')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('nsor')
  expect(await page.getByRole('dialog').count()).toBe(0)
  release()
  const field = dialog().getByRole('combobox')
  await field.waitFor()
  expect(await field.inputValue()).toBe('sensor')
  await page.keyboard.type('-specs')
  expect(await field.inputValue()).toBe('sensor-specs')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  expect(await page.locator('.ir').count()).toBe(rows)
  await page.unroute('**/Palette-*.js')
})
