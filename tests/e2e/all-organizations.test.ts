import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, enterAccount, kill, startServiceProcess, type Fields } from './browser.ts'
import { openStage, type Stage } from './stage.ts'

// The pages over all organizations: one person in two organizations, each on a service of its own.

let stage: Stage
let second: Awaited<ReturnType<typeof startServiceProcess>>
let page: Page
/** The ids of the two accounts, in the order of the rail. */
let ids: readonly [string, string]

const heading = (name: string) => page.getByRole('heading', { name: `${name}, all organizations`, level: 1 })
const sidebar = () => page.getByRole('navigation', { name: 'All organizations' })
const hash = () => new URL(page.url()).hash
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('href') ?? null)
const sections = () => page.locator('main section')
/** The number beside a view in the sidebar that is shown; 0 if there is none. */
const numberOf = async (scope: ReturnType<Page['locator']>, name: string) =>
  Number(
    (
      await scope
        .getByRole('link', { name: new RegExp(`^${name}`) })
        .locator('.cnt')
        .allInnerTexts()
    )[0] ?? 0,
  )

/** Calls the API of the second organization. */
function askSecond(method: string, path: string, fields: Fields = {}) {
  const [person] = second.accounts
  if (person === undefined) throw new Error('nobody can sign in there')
  return ask(second.baseUrl, { email: person.email, apiKey: person.api_key }, method, path, fields)
}

async function goToAll(name = ''): Promise<void> {
  await page.evaluate((to) => (location.hash = to), `/all${name === '' ? '' : `/${name}`}`)
}

beforeAll(async () => {
  stage = await openStage()
  page = stage.page
  page.setDefaultTimeout(30_000)
  await stage.signIn()
  second = await startServiceProcess(`${stage.appDirectory}-second`)
  await page.evaluate(() => (location.hash = '/sign-in'))
  await enterAccount(page, second.baseUrl, second.accounts[0])
  await page.getByRole('button', { name: 'Sign in' }).click()
  const items = page.getByRole('navigation', { name: 'Organizations' }).locator('.orgs .ro')
  await items.nth(1).waitFor()
  const [one = '', two = ''] = await items.evaluateAll((all) =>
    all.map((item) => item.getAttribute('href')?.split('/')[1] ?? ''),
  )
  ids = [one, two]
})
afterAll(async () => {
  await stage?.close()
  if (second !== undefined) await kill(second.child)
})

test('the keys of a view within one organization lead to the one over all, and back and forward through them', async () => {
  await page.keyboard.press('Control+0')
  await heading('Inbox').waitFor()
  for (const [key, name, address] of [
    ['t', 'Recent conversations', '#/all/recent'],
    ['*', 'Starred', '#/all/starred'],
    ['d', 'Drafts and outbox', '#/all/drafts'],
    // Where it was opened from.
    ['d', 'Starred', '#/all/starred'],
    ['Shift+I', 'Inbox', '#/all'],
  ] as const) {
    await page.keyboard.press(key)
    await heading(name).waitFor()
    expect(hash()).toBe(address)
    expect(await sidebar().locator('[aria-current="page"]').getAttribute('href')).toBe(address)
    await expect.poll(() => page.title()).toBe(`${name}, all organizations`)
    await expect.poll(() => page.getByTestId('place').textContent()).toBe(`${name}, all organizations`)
  }
  await page.keyboard.press('Alt+ArrowLeft')
  await heading('Starred').waitFor()
  await page.keyboard.press('Alt+ArrowRight')
  await heading('Inbox').waitFor()
  await sidebar()
    .getByRole('link', { name: /^Mentions/ })
    .click()
  await heading('Mentions').waitFor()
  expect(hash()).toBe('#/all/mentions')
  await page.reload()
  await heading('Mentions').waitFor()
  // From a place where nothing has the focus, Esc leads home.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await heading('Inbox').waitFor()
  await goToAll('drafts')
  await heading('Drafts and outbox').waitFor()
  await page.keyboard.press('Control+0')
  await heading('Inbox').waitFor()
})

test('a narrow window cuts no title: it shows the name of the page alone', async () => {
  await goToAll('recent')
  await heading('Recent conversations').waitFor()
  const parts = () =>
    page.locator('main h1').evaluate((title) => {
      const edge = title.getBoundingClientRect()
      const words = document.createRange()
      words.selectNodeContents(title.firstElementChild ?? title)
      return {
        isNameWhole: words.getBoundingClientRect().right <= edge.right + 1,
        isRestShown: (title.lastElementChild?.getBoundingClientRect().top ?? 0) < edge.bottom,
      }
    })
  expect(await parts()).toEqual({ isNameWhole: true, isRestShown: true })
  await page.setViewportSize({ width: 900, height: 700 })
  await expect.poll(parts).toEqual({ isNameWhole: true, isRestShown: false })
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('the numbers are the sums of those in each organization', async () => {
  const soon = String(Math.floor(Date.now() / 1_000) + 86_400)
  const message = { type: 'stream', to: '1', topic: 'battery swap rota' }
  const scheduled = { ...message, scheduled_delivery_timestamp: soon }
  await stage.ask('POST', '/scheduled_messages', { ...scheduled, content: 'Tomorrow, in the first' })
  await askSecond('POST', '/scheduled_messages', { ...scheduled, content: 'Tomorrow, in the second' })
  const names = ['Inbox', 'Mentions', 'Starred', 'Drafts and outbox', 'Scheduled'] as const
  const within = async (id: string) => {
    await page.evaluate((to) => (location.hash = to), `/${id}/recent`)
    const views = page.getByRole('navigation', { name: 'Views and channels' })
    await expect.poll(() => numberOf(views, 'Scheduled')).toBe(1)
    return Promise.all(names.map((name) => numberOf(views, name)))
  }
  const [first, other] = [await within(ids[0]), await within(ids[1])]
  expect(first.every((count) => count > 0)).toBe(true)
  await goToAll()
  await heading('Inbox').waitFor()
  const sums = first.map((count, at) => count + (other[at] ?? 0))
  await expect.poll(() => Promise.all(names.map((name) => numberOf(sidebar(), name)))).toEqual(sums)
  // Each account has its own setting for starred messages.
  const starred = names.indexOf('Starred')
  await askSecond('PATCH', '/settings', { starred_message_counts: 'false' })
  await expect.poll(() => numberOf(sidebar(), 'Starred')).toBe(first[starred])
  await askSecond('PATCH', '/settings', { starred_message_counts: 'true' })
  await expect.poll(() => numberOf(sidebar(), 'Starred')).toBe(sums[starred])
})

test('recent conversations are by time or by organization, filtered by name, and open in their organization', async () => {
  await goToAll('recent')
  const rows = page.locator('main .ur')
  await rows.first().waitFor()
  const organizations = () =>
    rows.evaluateAll((all) =>
      [...new Set(all.map((row) => row.getAttribute('href')?.split('/')[1] ?? ''))].sort(),
    )
  await expect.poll(organizations).toEqual([...ids].sort())
  expect(await rows.locator('.ic[title]').count()).toBe(await rows.count())
  await page.keyboard.press('t')
  const find = page.getByRole('searchbox', { name: 'Filter by name, topic or person' })
  await expect.poll(() => find.evaluate((field) => field === document.activeElement)).toBe(true)
  await find.fill('offset drift')
  await expect.poll(() => rows.count()).toBe(2)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const address = await focused()
  await page.keyboard.press('Enter')
  await page.locator('.msg').first().waitFor()
  expect(hash()).toBe(address)
  await page.goBack()
  // As it was left: the filter, and the row that was opened.
  await expect.poll(() => rows.count()).toBe(2)
  await expect.poll(focused).toBe(address)
  await find.fill('')
  await page.getByRole('button', { name: 'By organization' }).click()
  await expect.poll(() => sections().count()).toBe(2)
  const older = sections().nth(1).getByRole('button', { name: 'Show older' })
  const listed = () => sections().nth(1).locator('.ur').count()
  await expect.poll(listed).toBe(8)
  await older.click()
  await expect.poll(listed).toBeGreaterThan(8)
  // Back from one of them, as many are shown.
  const grown = await listed()
  await sections().nth(1).locator('.ur').last().click()
  await page.locator('.msg').first().waitFor()
  await page.goBack()
  await expect.poll(listed).toBe(grown)
  const unread = rows.filter({ has: page.locator('.cnt') }).last()
  const marked = await unread.getAttribute('href')
  await unread.focus()
  await page.keyboard.press('e')
  // It stays in the list, as one that is read.
  await expect.poll(() => page.locator(`main .ur[href="${marked}"] .cnt`).count()).toBe(0)
  expect(await page.locator(`main .ur[href="${marked}"]`).count()).toBe(1)
  await page.keyboard.press('Control+z')
  await expect.poll(() => page.locator(`main .ur[href="${marked}"] .cnt`).count()).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'By time' }).click()
  await expect.poll(() => sections().count()).toBe(0)
})

test('from the last unread conversation that leaves, the focus goes to the one before it', async () => {
  await goToAll()
  await page.locator('main .ur').first().waitFor()
  await page.getByRole('button', { name: 'By time' }).click()
  await page.getByRole('button', { name: 'Followed' }).click()
  const rows = page.locator('main .ur')
  await expect.poll(() => sections().count()).toBe(0)
  await expect
    .poll(async () => (await rows.count()) === (await rows.locator('[aria-label="followed"]').count()))
    .toBe(true)
  const addresses = () => rows.evaluateAll((all) => all.map((row) => row.getAttribute('href')))
  const before = await addresses()
  expect(before.length).toBeGreaterThan(1)
  await rows.last().focus()
  await page.keyboard.press('e')
  await expect.poll(addresses).toEqual(before.slice(0, -1))
  await expect.poll(focused).toBe(before.at(-2))
  await page.keyboard.press('Control+z')
  await expect.poll(addresses).toEqual(before)
  await page.getByRole('button', { name: 'By organization' }).click()
  await page.getByRole('button', { name: 'All', exact: true }).click()
})

test('mentions and starred messages are listed by organization, and each leads to its place there', async () => {
  await goToAll('mentions')
  for (const place of [0, 1] as const) {
    const row = sections().nth(place).locator('.ur').first()
    const address = (await row.getAttribute('href')) ?? 'nowhere'
    expect(address).toContain(`#/${ids[place]}/`)
    const words = (await row.locator('.sn').innerText()).replace(/^[^:]+: /, '').slice(0, 20)
    await row.click()
    await page.locator('.msg', { hasText: words }).first().waitFor()
    expect(hash()).toBe(address)
    expect(address).toMatch(/[?]near=\d+$/)
    await page.goBack()
    await heading('Mentions').waitFor()
  }
  await sections().nth(1).getByRole('link', { name: 'All mentions' }).click()
  await expect.poll(hash).toBe(`#/${ids[1]}/mentions`)
  await goToAll('starred')
  const rows = sections().nth(1).locator('.ur')
  await rows.first().waitFor()
  const before = await rows.count()
  const sent = await askSecond('POST', '/messages', {
    type: 'stream',
    to: '1',
    topic: 'battery swap rota',
    content: 'Starred from elsewhere',
  })
  // The envelope of the service's own answer.
  const { id } = sent as { id: number }
  const star = { messages: JSON.stringify([id]), flag: 'starred' }
  await askSecond('POST', '/messages/flags', { ...star, op: 'add' })
  await expect.poll(() => rows.first().innerText()).toMatch(/Starred from elsewhere/)
  expect(await rows.count()).toBe(before + 1)
  await rows.first().focus()
  await page.keyboard.press('Enter')
  await page.locator('.msg', { hasText: 'Starred from elsewhere' }).waitFor()
  expect(hash()).toContain(`#/${ids[1]}/channel/1/topic/battery%20swap%20rota?near=${id}`)
  await askSecond('POST', '/messages/flags', { ...star, op: 'remove' })
  await page.goBack()
  await expect.poll(() => rows.count()).toBe(before)
})

test('drafts of both are walked through as one list, deleted in their own organization, and opened there', async () => {
  const draft = (topic: string, content: string) => ({
    drafts: JSON.stringify([
      { type: 'stream', to: [1], topic, content, timestamp: Math.floor(Date.now() / 1_000) },
    ]),
  })
  await askSecond('POST', '/drafts', draft('battery swap rota', 'Half a thought in the second'))
  await goToAll('drafts')
  const rows = page.locator('main .dr')
  const there = sections().nth(1).locator('.dr')
  const own = there.filter({ hasText: 'Half a thought in the second' })
  await own.waitFor()
  const inFirst = await sections().nth(0).locator('.dr').count()
  expect(inFirst).toBeGreaterThan(0)
  // From the first row of the first organization into the second.
  for (let step = 0; step <= inFirst; step++) await page.keyboard.press('j')
  const isFocused = (row: typeof own) => row.evaluate((one) => one.contains(document.activeElement))
  await expect.poll(() => isFocused(there.first())).toBe(true)
  await page.keyboard.press('k')
  await expect.poll(() => isFocused(sections().nth(0).locator('.dr').last())).toBe(true)
  const all = await rows.count()
  await own.getByRole('button').first().focus()
  await page.keyboard.press('Delete')
  await expect.poll(() => rows.count()).toBe(all - 1)
  expect(await sections().nth(0).locator('.dr').count()).toBe(inFirst)
  await page.keyboard.press('Control+z')
  await own.waitFor()
  await own.getByRole('button').first().press('Enter')
  await expect.poll(hash).toBe(`#/${ids[1]}/channel/1/topic/battery%20swap%20rota`)
  const field = page.getByLabel('Message', { exact: true })
  await expect.poll(() => field.inputValue()).toBe('Half a thought in the second')
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
  await page.goBack()
  // One without recipients goes on as a new message, which needs the window of its organization.
  const without = there.filter({ hasText: 'No recipient yet' })
  await without.getByRole('button').first().click()
  await expect.poll(hash).toBe(`#/${ids[1]}/drafts`)
  await expect
    .poll(() => page.locator('.cmp-wrap.new textarea').inputValue())
    .toMatch(/^Shopping for Saturday/)
  await page.goBack()
  await heading('Drafts and outbox').waitFor()
})

test('scheduled messages of both are changed and deleted where they are listed', async () => {
  await goToAll('scheduled')
  const rows = page.locator('main .later-row')
  await expect.poll(() => rows.count()).toBe(2)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Change the scheduled message' })
  await dialog.getByRole('textbox', { name: 'Message' }).fill('Tomorrow, in the second, changed')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(async () => JSON.stringify(await askSecond('GET', '/scheduled_messages')))
    .toContain('changed')
  await dialog.waitFor({ state: 'detached' })
  await rows.nth(1).getByRole('button').first().focus()
  await page.keyboard.press('Delete')
  await expect.poll(() => sections().nth(1).locator('.later-row').count()).toBe(0)
  await sections().nth(1).getByText('Nothing is scheduled').waitFor()
  // The focus stays in the list, and the other organization's message is still there.
  await expect.poll(() => rows.first().evaluate((row) => row.contains(document.activeElement))).toBe(true)
  // The keys still reach it past an organization without any.
  await sections().nth(0).getByRole('button').first().focus()
  await page.keyboard.press('Delete')
  await expect.poll(() => rows.count()).toBe(0)
  await page.keyboard.press('Control+z')
  await expect.poll(() => rows.count()).toBe(1)
})

test('news is shown without watching anything anew', async () => {
  const watched: string[] = []
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      // Frames of the app's own bridge.
      const frame = JSON.parse(payload.toString()) as { kind: string; name: string }
      if (frame.kind === 'watch') watched.push(frame.name)
    }),
  )
  const [, sender] = second.accounts
  if (sender === undefined) throw new Error('nobody else can write there')
  await goToAll()
  await page.reload()
  for (const [name, row] of [
    ['', '.ur'],
    ['recent', '.ur'],
    ['mentions', '.ur'],
    ['drafts', '.dr'],
  ] as const) {
    await goToAll(name)
    await page.locator(`main ${row}`).first().waitFor()
    await expect.poll(() => watched.length).toBeGreaterThan(0)
    const inbox = () => numberOf(sidebar(), 'Inbox')
    await expect.poll(inbox).toBeGreaterThan(0)
    const [before, unread] = [watched.length, await inbox()]
    const { email, api_key: apiKey } = sender
    const message = { type: 'stream', to: '1', topic: 'battery swap rota', content: `News for ${name}` }
    await ask(second.baseUrl, { email, apiKey }, 'POST', '/messages', message)
    await expect.poll(inbox).toBe(unread + 1)
    expect(watched.slice(before)).toEqual([])
  }
})

test('an organization whose server is away shows what is on this device', async () => {
  await goToAll('starred')
  const there = sections().nth(1)
  await there.locator('.ur').first().waitFor()
  const count = await there.locator('.ur').count()
  await kill(second.child)
  await there.getByText(/showing what’s on this device$/).waitFor()
  for (const name of ['recent', 'mentions', 'starred', 'drafts']) {
    await goToAll(name)
    const rows = page.locator(`main :is(.ur[href^="#/${ids[1]}/"], section:nth-of-type(2) .dr)`)
    await expect.poll(() => rows.count()).toBeGreaterThan(0)
  }
  await goToAll('starred')
  await expect.poll(() => there.locator('.ur').count()).toBe(count)
})
