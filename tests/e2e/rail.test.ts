import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawn, enterAccount, startServiceProcess } from './browser.ts'
import { openStage, type Stage } from './stage.ts'

// Several organizations in one window: their order, their labels, and switching between them.

let stage: Stage
let page: Page

const rail = () => page.getByRole('navigation', { name: 'Organizations' })
const items = () => rail().locator('.orgs .ro')
const names = async () => (await items().allInnerTexts()).map((text) => text.split('\n')[0] ?? '')
/** The accounts in the order in which the rail shows them. */
const order = () =>
  items().evaluateAll((all) => all.map((one) => one.getAttribute('href')?.split('/')[1] ?? ''))
const isOpen = (place: number) => items().nth(place).getAttribute('aria-current')
/** Presses an organization's key. The new order may still be on its way, and the first picture handles no keys. */
const opens = async (place: number) => {
  await page.keyboard.press(`Control+${place + 1}`)
  return isOpen(place)
}
const focusedHref = () =>
  page.evaluate(() => document.activeElement?.getAttribute('href')?.split('/')[1] ?? null)

async function add(baseUrl: string, account: { email: string; password: string }): Promise<void> {
  await page.evaluate(() => (location.hash = '/sign-in'))
  await enterAccount(page, baseUrl, account)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await rail().waitFor()
}

beforeAll(async () => {
  stage = await openStage()
  page = stage.page
  page.setDefaultTimeout(30_000)
  await stage.signIn()
  await add(stage.service.baseUrl, stage.other)
  await items().nth(1).waitFor()
})
afterAll(() => stage?.close())

test('organizations say what is unread in them, and what of it is for the person', async () => {
  await expect
    .poll(async () => (await names())[0])
    .toMatch(/^Skerry Coast Survey, Maren Aske, \d+ unread, \d+ for you$/)
  expect(await items().nth(0).locator('.bdg.at').count()).toBe(1)
  // Both are of one organization and have its picture, so each shows whose it is.
  for (const place of [0, 1]) await items().nth(place).locator('.own .av').waitFor()
  await expect.poll(() => items().nth(1).getAttribute('aria-current')).toBe('true')
  await rail()
    .getByRole('button', { name: /, you$/ })
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /status/i })
    .waitFor()
  await page.keyboard.press('Escape')
  await rail().getByRole('link', { name: 'Settings' }).waitFor()
})

test('keys lead to the next organization and the previous one, round again, and to another one', async () => {
  await page.keyboard.press('Control+1')
  await expect.poll(() => isOpen(0)).toBe('true')
  for (const [key, place] of [
    ['Control+Tab', 1],
    ['Control+Tab', 0],
    ['Control+Shift+Tab', 1],
    ['Control+Shift+Tab', 0],
  ] as const) {
    await page.keyboard.press(key)
    await expect.poll(() => isOpen(place)).toBe('true')
  }
  await page.keyboard.press('Control+0')
  await page
    .getByRole('heading', { name: 'All organizations', level: 1 })
    .or(page.locator('main .ur'))
    .first()
    .waitFor()
  await page.keyboard.press('Control+Tab')
  await expect.poll(() => isOpen(0)).toBe('true')
  await page.keyboard.press('Control+Shift+N')
  await expect.poll(() => page.url()).toMatch(/#\/sign-in$/)
  await page.goBack()
  await expect.poll(() => isOpen(0)).toBe('true')
  // A window may begin there, with nothing to go back to.
  const other = await page.context().newPage()
  await other.goto(new URL('#/sign-in', page.url()).href)
  await other.getByRole('button', { name: 'Back' }).click()
  await other.getByRole('heading', { name: 'Inbox' }).waitFor()
  await other.close()
})

test('one inbox over all: by organization or by time, what is for the person, and back to it as it was left', async () => {
  await page.keyboard.press('Control+0')
  const rows = page.locator('main .ur')
  await expect.poll(() => page.locator('main section').count()).toBe(2)
  // The second account has another format of times; in one list they are all alike.
  await page.locator('main .ur time').first().waitFor()
  const times = await page.locator('main .ur time').allInnerTexts()
  expect(times.filter((time) => /[ap]m$/.test(time))).toEqual([])
  /** The number of rows, and how many are direct conversations or mention the person. */
  const counts = () =>
    rows.evaluateAll((found) => ({
      all: found.length,
      forMe: found.filter((row) => row.querySelector('.cnt.dm, .cnt.at') !== null).length,
    }))
  await expect.poll(counts).toSatisfy(({ all, forMe }) => forMe > 0 && all > forMe)
  await page.getByRole('button', { name: 'For me' }).click()
  await expect.poll(counts).toSatisfy(({ all, forMe }) => forMe > 0 && all === forMe)
  await page.getByRole('button', { name: 'By time' }).click()
  await expect.poll(() => page.locator('main section').count()).toBe(0)
  const organizations = () => rows.locator('.ic[title]').count()
  await expect.poll(organizations).toBe(await rows.count())
  const first = await rows.first().getAttribute('href')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).toContain(first ?? 'nowhere')
  await page.goBack()
  await rows.first().waitFor()
  expect(await page.getByRole('button', { name: 'By time' }).getAttribute('aria-pressed')).toBe('true')
  expect(await page.getByRole('button', { name: 'For me' }).getAttribute('aria-pressed')).toBe('true')
  await rail()
    .getByRole('button', { name: /, you$/ })
    .click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'By organization' }).click()
  await page.keyboard.press('Control+k')
  const found = page.getByRole('listbox', { name: 'Results' })
  await page.getByRole('combobox', { name: 'Jump to a conversation' }).fill('gauge 4')
  await expect.poll(() => found.getByRole('group').count()).toBe(2)
  const there = found
    .getByRole('group')
    .nth(1)
    .getByRole('option', { name: /gauge 4 offset drift/ })
  await there.first().click()
  await expect.poll(() => page.url()).toContain(`${(await order())[1]}/channel/1/topic/gauge%204`)
  await page.goBack()
  await rows.first().waitFor()
  await page.keyboard.press('Control+2')
  await expect.poll(() => isOpen(1)).toBe('true')
})

test('a new message over all organizations first asks where, by keys and with the mouse', async () => {
  const accounts = await order()
  const there = (place: number) => new RegExp(`#/${accounts[place]}/inbox$`)
  const menu = page.getByRole('menu', { name: 'New message in' })
  const focusedLabel = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null)
  await page.keyboard.press('Control+0')
  await page.locator('main .ur').first().waitFor()
  await page.keyboard.press('c')
  await expect.poll(() => menu.getByRole('menuitem').count()).toBe(2)
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  await page.keyboard.press('c')
  await menu.waitFor()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).toMatch(there(1))
  await expect.poll(focusedLabel).toBe('Channel')
  await page.keyboard.type('tide')
  await page.goBack()
  await page.locator('main .ur').first().waitFor()
  await page.keyboard.press('x')
  await menu.waitFor()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).toMatch(there(0))
  await expect.poll(focusedLabel).toBe('Add someone')
  await page.goBack()
  await page.locator('main .ur').first().waitFor()
  await page.getByRole('button', { name: 'New message' }).click()
  await menu.getByRole('menuitem').nth(1).click()
  await expect.poll(() => page.url()).toMatch(there(1))
  await expect.poll(focusedLabel).toBe('Channel')
  await page.keyboard.press('Escape')
})

test('the people one talks to most are in the sidebar of all organizations, where arrows walk', async () => {
  await page.keyboard.press('Control+0')
  const sidebar = page.getByRole('navigation', { name: 'All organizations' })
  await sidebar.getByRole('heading', { name: 'People you talk to most' }).waitFor()
  const people = sidebar.locator('a[href*="/direct/"]')
  expect(await people.count()).toBeLessThanOrEqual(5)
  // The two accounts are of one organization; the label says whose conversation it is.
  expect(await people.first().textContent()).toMatch(/Skerry Coast Survey/)
  const inbox = sidebar.getByRole('link', { name: /^Inbox/ })
  await inbox.focus()
  const pages = await sidebar.locator('a[href^="#/all"]').count()
  const steps = pages + (await items().count())
  for (let step = 0; step < steps; step++) await page.keyboard.press('ArrowDown')
  const address = (await people.first().getAttribute('href')) ?? 'nowhere'
  expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe(address)
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).hash).toBe(address)
  await page.goBack()
  await people.first().click()
  await expect.poll(() => new URL(page.url()).hash).toBe(address)
  // The window of that organization is there, with a rail of its own.
  await page.getByLabel('Message', { exact: true }).waitFor()
  await expect
    .poll(() => items().evaluateAll((all) => all.some((one) => one.ariaCurrent === 'true')))
    .toBe(true)
})

test('Alt with an arrow puts one elsewhere and says so; the keys for them follow, also after a restart', async () => {
  const before = await order()
  await items().nth(1).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(order).toEqual(before.toReversed())
  await expect.poll(() => rail().getByRole('status').textContent()).toMatch(/, now 1 of 2$/)
  await expect.poll(focusedHref).toBe(before[1])
  // It is the first one already.
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(() => opens(1)).toBe('true')
  // A new window shows the engine's order.
  await page.reload()
  await expect.poll(order).toEqual(before.toReversed())
  await stage.stopApp()
  await stage.startApp()
  await expect.poll(order).toEqual(before.toReversed())
  await expect.poll(() => opens(1)).toBe('true')
})

test('each has a menu, by key and pointer: what is unread is read, it moves, and its settings open', async () => {
  const before = await order()
  const menu = page.getByRole('menu', { name: 'Organization actions' })
  const act = (name: string) => menu.getByRole('menuitem', { name })
  await expect.poll(() => opens(0)).toBe('true')
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
  // Not only that of the open one.
  await items().nth(1).focus()
  await page.keyboard.press('Shift+F10')
  await act('Mark all as read').waitFor()
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  expect(await focusedHref()).toBe(before[1])
  await expect.poll(async () => (await names())[1]).toMatch(/\d+ unread/)
  await items().nth(1).click({ button: 'right' })
  await act('Mark all as read').click()
  await expect.poll(async () => (await names())[1]).not.toMatch(/unread/)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await names())[1]).toMatch(/\d+ unread/)

  await page.keyboard.press('Control+0')
  await page.locator('main .ur').first().waitFor()
  await items().nth(1).focus()
  await page.keyboard.press('ContextMenu')
  await expect.poll(() => act('Move down').getAttribute('aria-disabled')).toBe('true')
  // Whoever sees knows it, too.
  const ink = (name: string) => act(name).evaluate((item) => getComputedStyle(item).color)
  expect(await ink('Move down')).not.toBe(await ink('Move up'))
  await act('Move up').press('Enter')
  await expect.poll(order).toEqual(before.toReversed())
  await expect.poll(focusedHref).toBe(before[1])
  await page.keyboard.press('Shift+F10')
  await act('Move down').press('Enter')
  await expect.poll(order).toEqual(before)
  await page.keyboard.press('Shift+F10')
  await act('Settings').press('Enter')
  await expect.poll(() => page.url()).toMatch(new RegExp(`#/${before[1]}/settings/`))
})

test('the menu of a place is gone when another organization opens by itself', async () => {
  await expect.poll(() => opens(0)).toBe('true')
  const [, second] = await order()
  const menu = page.locator('[role=menu]')
  await page.locator('main [data-row]').first().click({ button: 'right' })
  await menu.waitFor()
  // As a click on a notification leads there.
  await page.evaluate((id) => (location.hash = `/${id}/inbox`), second)
  await expect.poll(() => page.locator('.rail .orgs .ro').nth(1).getAttribute('aria-current')).toBe('true')
  await drawn(page)
  expect(await menu.count()).toBe(0)
})

test('one is dragged past another, which opens neither', async () => {
  const before = await order()
  const open = await page.evaluate(() => location.hash)
  const [from, to] = [await items().nth(0).boundingBox(), await items().nth(1).boundingBox()]
  if (from === null || to === null) throw new Error('nothing to drag')
  await page.mouse.move(from.x + 20, from.y + 20)
  await page.mouse.down()
  await page.mouse.move(from.x + 20, from.y + 40, { steps: 3 })
  await page.mouse.move(to.x + 20, to.y + 20, { steps: 5 })
  await page.mouse.up()
  await expect.poll(order).toEqual(before.toReversed())
  expect(await page.evaluate(() => location.hash)).toBe(open)
})

test('going to another and back finds the place, the focus and what was being written', async () => {
  await expect.poll(() => opens(0)).toBe('true')
  // For a moment, the list of places may still be the other organization's.
  const account = (await items().nth(0).getAttribute('href'))?.split('/')[1]
  await page.evaluate((hash) => (location.hash = hash), `/${account}/channel/1/topic/battery%20swap%20rota`)
  const field = page.getByLabel('Message', { exact: true })
  await field.fill('Half of a thought')
  await field.evaluate((one: HTMLTextAreaElement) => one.setSelectionRange(4, 6))
  await page.getByTestId('draft-state').waitFor()
  // A held key repeats before the window has switched.
  await field.evaluate((one) => {
    const key = { key: '2', code: 'Digit2', ctrlKey: true, bubbles: true }
    one.dispatchEvent(new KeyboardEvent('keydown', key))
    one.dispatchEvent(new KeyboardEvent('keydown', { ...key, repeat: true }))
  })
  await expect.poll(() => isOpen(1)).toBe('true')
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
  await items().nth(0).click()
  await field.waitFor()
  await expect
    .poll(() =>
      page.evaluate(() => {
        const one = document.activeElement
        return one instanceof HTMLTextAreaElement ? [one.value, one.selectionStart, one.selectionEnd] : null
      }),
    )
    .toEqual(['Half of a thought', 4, 6])
  await field.fill('')
  const place = page.url()
  await expect.poll(() => opens(1)).toBe('true')
  // The account's menu leads to the same place, and before any place is known, to the person's home view there.
  const throughMenu = async (name: string) => {
    await page.locator('.sb-org').click()
    await page.getByRole('menuitem', { name }).click()
  }
  await throughMenu('Maren Aske')
  await field.waitFor()
  expect(page.url()).toBe(place)
  await stage.ask('PATCH', '/settings', { web_home_view: 'recent_topics' }, stage.other)
  await page.reload()
  await throughMenu(stage.other.full_name)
  await page.getByRole('heading', { name: 'Recent conversations', level: 1 }).waitFor()
})

test('what was changed in one is undone there, also from another', async () => {
  const [first = ''] = await order()
  await page.evaluate((id) => (location.hash = `/${id}/settings/profile`), first)
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await expect.poll(() => name.inputValue()).not.toBe('')
  const before = await name.inputValue()
  await name.fill('Somebody else')
  // Every field of the profile has such a button.
  const shown = page.getByRole('region', { name: 'What others see' })
  await shown.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Your name is now Somebody else').waitFor()
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.hover()
  await page.keyboard.press('Control+2')
  await expect.poll(() => isOpen(1)).toBe('true')
  await undo.click()
  await page.evaluate((id) => (location.hash = `/${id}/settings/profile`), first)
  await expect.poll(() => name.inputValue()).toBe(before)
})

test('one whose server is away looks and says so, and the pill counts those that are synced', async () => {
  const service = await startServiceProcess(`${stage.appDirectory}-second`)
  const [account] = service.accounts
  if (account === undefined) throw new Error('nobody can sign in there')
  await page.evaluate(() => (location.hash = '/sign-in'))
  await enterAccount(page, service.baseUrl, account)
  // A person who goes elsewhere while the account is added stays there.
  await page.getByRole('button', { name: 'Sign in' }).evaluate((button: HTMLButtonElement) => {
    button.click()
    location.hash = '/all'
  })
  await expect.poll(() => items().count()).toBe(3)
  await drawn(page)
  expect(new URL(page.url()).hash).toBe('#/all')
  // Whose namesakes they are is said beside their names, in the same line.
  const people = page.getByRole('navigation', { name: 'All organizations' }).locator('a[href*="/direct/"]')
  const labels = people.locator('.meta', { hasText: /^127\.0\.0\.1:\d+$/ })
  await labels.first().waitFor()
  const isBesideName = (label: Element) => {
    const range = document.createRange()
    if (label.parentElement?.firstChild != null) range.selectNode(label.parentElement.firstChild)
    return label.getBoundingClientRect().left >= range.getBoundingClientRect().right
  }
  expect(await labels.first().evaluate(isBesideName)).toBe(true)
  await page.keyboard.press('Control+1')
  await page.locator('.sync.ok').getByText('Synced', { exact: true }).waitFor()
  service.child.kill('SIGKILL')
  await page.locator('.rail .ro.off').waitFor()
  await expect.poll(async () => (await names())[2]).toMatch(/, not reachable$/)
  await page.locator('.sync.ok').getByText('2 of 3 servers synced').waitFor()
  // Signing out of another one leads nowhere else.
  const open = await page.evaluate(() => location.hash)
  const menu = page.getByRole('menu', { name: 'Organization actions' })
  const act = (name: string | RegExp) => menu.getByRole('menuitem', { name })
  await items().nth(2).click({ button: 'right' })
  await act('Mark all as read').click()
  await items().nth(2).click({ button: 'right' })
  // What waits would be lost: that is said, also if the menu is closed before the answer.
  await act(/^Sign out /).evaluate((item: HTMLElement) => {
    item.click()
    item.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  })
  await page.locator('.toast', { hasText: 'Signing out would discard' }).waitFor()
  expect(await menu.count()).toBe(0)
  await items().nth(2).click({ button: 'right' })
  await act(/^Sign out /).click()
  await act('Sign out and discard').click()
  await expect.poll(() => items().count()).toBe(2)
  await menu.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => location.hash)).toBe(open)
})

test('signing out of the open one closes its menu for good and leads to the next', async () => {
  await expect.poll(() => opens(1)).toBe('true')
  const menu = page.getByRole('menu', { name: 'Organization actions' })
  const signOut = menu.getByRole('menuitem', { name: /^Sign out / })
  await items().nth(1).click({ button: 'right' })
  await signOut.waitFor()
  // Counts how often a menu is drawn from here on.
  await page.evaluate(() => {
    const isMenu = (node: Node) => node instanceof Element && node.querySelector('[role=menu]') !== null
    new MutationObserver((changes) => {
      const count = changes.flatMap(({ addedNodes }) => [...addedNodes]).filter(isMenu).length
      document.body.dataset['menus'] = String(Number(document.body.dataset['menus'] ?? 0) + count)
    }).observe(document.body, { childList: true, subtree: true })
  })
  await signOut.click()
  await page.locator('.rail').waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
  await menu.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.body.dataset['menus'] ?? '0')).toBe('0')
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
})
