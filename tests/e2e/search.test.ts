import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs } from '../../src-shared/durations.ts'
import { goTo } from './browser.ts'
import { openStage, type Stage } from './stage.ts'

// Finding messages, on this device and on the server, by keyboard and by mouse.

let stage: Stage
let page: Page

beforeAll(async () => {
  stage = await openStage()
  page = stage.page
  await stage.signIn()
  await page.getByTestId('sync-pill').getByText('Synced').waitFor()
  await page.locator('.ir').first().focus()
  await page.keyboard.press('/')
  await field().waitFor()
})

afterAll(() => stage?.close())

const field = () => page.getByRole('combobox', { name: 'Search messages' })
const chips = () => page.getByRole('list', { name: 'Conditions' }).getByRole('listitem')
const chipTexts = async () => (await chips().allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim())
const suggestions = () => page.locator('.search-suggestions').getByRole('option')
const here = () => page.getByRole('listbox', { name: 'On this device' }).getByRole('option')
const there = () => page.getByRole('listbox', { name: 'From the server' }).getByRole('option')
const address = () => decodeURIComponent(page.url()).replace(/.*search\?text=/, '')
async function search(text: string): Promise<void> {
  await field().focus()
  while ((await field().inputValue()) !== '' || (await chips().count()) > 0) await field().press('Escape')
  await field().pressSequentially(text)
  await page.locator('.search-page[aria-busy=false]').waitFor()
}

test('names are offered while they are typed, and become conditions', async () => {
  await search('sender:kei')
  await suggestions().getByText('Keiko Tamura').waitFor()
  await field().press('Enter')
  await expect.poll(chipTexts).toEqual(['sender: Keiko Tamura'])
  await field().pressSequentially('gauge')
  await here().first().waitFor()
  await expect.poll(address).toBe('sender:"Keiko Tamura" gauge')
  await expect
    .poll(async () =>
      (await here().allInnerTexts()).map((text) => /gauge/i.test(text) && text.includes('Keiko Tamura')),
    )
    .toSatisfy((all: boolean[]) => all.length > 0 && all.every(Boolean))
  expect(new Set(await here().locator('mark').allInnerTexts())).toContain('gauge')
})

test('Esc leads from a result back to the results, but not from where the person went afterwards', async () => {
  const openFirst = async () => {
    await here().first().click()
    await expect.poll(() => page.url()).toContain('?near=')
    await page.locator('.msg').first().waitFor()
  }
  const escapeUntil = (isThere: () => Promise<boolean>) =>
    expect
      .poll(async () => {
        await page.keyboard.press('Escape')
        await page.waitForTimeout(300)
        return isThere()
      })
      .toBe(true)
  const inbox = page.getByRole('heading', { name: 'Inbox', level: 1 })
  const isAway = async () => (await inbox.isVisible()) || page.url().includes('/search')
  await search('gauge')
  await here().first().waitFor()
  await openFirst()
  await escapeUntil(isAway)
  await here().first().waitFor()
  expect(address()).toBe('gauge')
  await openFirst()
  await page.keyboard.press('a')
  await page.getByRole('heading', { name: 'Combined feed' }).waitFor()
  await escapeUntil(isAway)
  await inbox.waitFor()
  await page.keyboard.press('/')
  await field().waitFor()
})

test('a space does not end a name, a word that no name goes on with does', async () => {
  await search('sender:keiko tamura gauge')
  await expect.poll(chipTexts).toEqual(['sender: Keiko Tamura'])
  expect(await field().inputValue()).toBe('gauge')
  await search('sender:keiko tam')
  await suggestions().getByText('Keiko Tamura').waitFor()
  expect(await chips().count()).toBe(0)
  // A name that is only begun may be anybody's: those who have it are offered, and the words after it stay.
  await search('sender:keiko gauge')
  await suggestions().getByText('Keiko Tamura').waitFor()
  expect(await chips().count()).toBe(0)
  await field().press('Enter')
  await expect.poll(chipTexts).toEqual(['sender: Keiko Tamura'])
  expect(await field().inputValue()).toBe('gauge')
  await search('dm:Keiko Tamura, od')
  await suggestions().first().waitFor()
  expect(await chips().count()).toBe(0)
  await field().press('Enter')
  await expect.poll(chipTexts).toEqual([expect.stringMatching(/^dm: Keiko Tamura, Od\w+ \w+$/)])
  await search('sender:nobody-here gauge')
  await expect.poll(chipTexts).toEqual(['sender: nobody-here'])
  await page.getByText('No match for “nobody-here”.').waitFor()
  await search('has:image gauge zzz')
  await page.getByText('Nothing on this device matches.').waitFor()
  await page.getByText('come first, then words that contain it').waitFor()
  // Nothing can be narrowed.
  await expect.poll(() => page.getByRole('radiogroup', { name: 'When' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Remove has:image?' }).click()
  await expect.poll(() => chips().count()).toBe(0)
})

test('conditions are taken away by Backspace, by their cross, and put in by what is offered', async () => {
  await search('gauge')
  await page.getByRole('button', { name: 'has:reaction' }).click()
  await page.getByRole('button', { name: 'is:mentioned' }).click()
  await expect.poll(chipTexts).toEqual(['has: reaction', 'is: mentioned'])
  await field().press('Home')
  await field().press('Backspace')
  expect(await chips().count()).toBe(2)
  await field().press('Backspace')
  await expect.poll(chipTexts).toEqual(['has: reaction'])
  await page.getByRole('button', { name: 'Remove has:reaction' }).click()
  await expect.poll(() => chips().count()).toBe(0)
  expect((await field().inputValue()).trim()).toBe('gauge')
})

test('every condition is explained, begun by its first letters, and offered with its values', async () => {
  await search('')
  const explained = page.locator('.search-operators')
  await explained.getByText('Direct messages that include someone').waitFor()
  await explained.getByRole('button', { name: 'in:', exact: true }).click()
  expect(await field().inputValue()).toBe('in:')
  await page.getByRole('button', { name: 'in:home' }).click()
  await field().pressSequentially('cha')
  await page.getByRole('button', { name: 'channels:', exact: true }).click()
  await page.getByRole('button', { name: 'channels:public' }).click()
  await field().pressSequentially('dm-including:kei')
  await suggestions().getByText('Keiko Tamura').waitFor()
  await field().press('Enter')
  await expect.poll(chipTexts).toEqual(['in: home', 'channels: public', 'dm-including: Keiko Tamura'])
  await search('')
  await explained.getByRole('button', { name: '-has:image', exact: true }).click()
  await expect.poll(chipTexts).toEqual(['−has: image'])
  await search('mentions:me ')
  await here().first().waitFor()
  await expect
    .poll(async () => (await here().allInnerTexts()).every((text) => text.includes('@Maren')))
    .toBe(true)
})

/** The texts that the browser highlights, without duplicates. */
const markedInFeed = () =>
  page.evaluate(() => [...new Set([...(CSS.highlights.get('found') ?? [])].map(String))].join(' '))

test('a part of a word finds it, below the words that begin so, unless it is in quotation marks', async () => {
  const inside = () => page.getByRole('listbox', { name: 'Inside longer words' }).getByRole('option')
  await search('auge')
  // Each letter gets its own answer.
  await expect.poll(() => here().count()).toBe(0)
  await expect
    .poll(async () => [...new Set(await inside().locator('mark').allInnerTexts())])
    .toEqual(['auge'])
  await field().press('ArrowDown')
  await expect
    .poll(async () => field().getAttribute('aria-activedescendant'))
    .toBe(await inside().first().getAttribute('id'))
  // Matches are marked in the conversation too. Results may move during a click by mouse.
  await inside()
    .filter({ has: page.locator('.tx mark') })
    .first()
    .dispatchEvent('click')
  await expect.poll(markedInFeed, { timeout: 20_000 }).toBe('auge')
  await page.goBack()
  await inside().first().waitFor()
  await expect.poll(markedInFeed).toBe('')
  await search('"auge"')
  await page.getByText('Nothing on this device matches.').waitFor()
  await expect.poll(() => inside().count()).toBe(0)
})

test('facets count what they would leave, and leave it', async () => {
  // The counts stand still once all that this device keeps is here.
  await goTo(page, 'settings/drafts')
  await page.getByText('Download complete').waitFor()
  await page.goBack()
  await field().waitFor()
  await search('gauge')
  await page.locator('.facets[aria-busy=false]').waitFor()
  // The five with the most results come first, and the others are there for whoever wants them.
  const senders = page.getByRole('group', { name: 'Sender' })
  const listed = () => senders.getByRole('checkbox').count()
  expect(await listed()).toBe(5)
  await senders.getByRole('button', { name: 'More', expanded: false }).click()
  await expect.poll(listed).toBeGreaterThan(8)
  await senders.getByRole('checkbox').nth(7).click()
  await expect.poll(() => chips().count()).toBe(1)
  await senders.getByRole('button', { name: 'Fewer', expanded: true }).click()
  // A chosen one stays in sight.
  await expect.poll(listed).toBe(6)
  await senders.getByRole('checkbox', { checked: true }).click()
  await expect.poll(listed).toBe(5)
  await page.locator('.facets[aria-busy=false]').waitFor()
  const facet = page.getByRole('group', { name: 'Sender' }).getByRole('checkbox').first()
  const [name = '', count = ''] = (await facet.innerText()).split('\n').filter((line) => line.trim() !== '')
  await facet.click()
  await expect.poll(chipTexts).toEqual([`sender: ${name}`])
  await expect.poll(() => here().count()).toBe(Number(count))
  await page.getByRole('group', { name: 'Sender' }).getByRole('checkbox', { checked: true }).click()
  await expect.poll(() => chips().count()).toBe(0)
  const message = {
    type: 'stream',
    to: 'tide-gauges',
    topic: '✔ zephyr vane',
    content: 'Zephyr turns again.',
  }
  await stage.ask('POST', '/messages', message, stage.other)
  await search('channel:tide-gauges zephyr')
  // An icon and a word show that a topic is resolved, as everywhere.
  const topic = page.getByRole('group', { name: 'Topic' }).getByRole('checkbox', { name: /^resolved zephyr/ })
  // The results' heading and the card say the same of what was looked through.
  const span = await page.locator('.search-part .rt').innerText()
  expect(await page.locator('.facets .cover').innerText()).toContain(span)
  await topic.click()
  await expect.poll(() => topic.getAttribute('aria-checked')).toBe('true')
  // A condition that was typed in another form is the same choice, and ends with it.
  await search('channel:"#Tide-Gauges" sender:"keiko" gauge')
  const channel = page.getByRole('group', { name: 'Channel' }).getByRole('checkbox', { name: /^tide-gauges/ })
  const keiko = senders.getByRole('checkbox', { name: /^Keiko/ }).first()
  await expect.poll(() => channel.getAttribute('aria-checked')).toBe('true')
  await expect.poll(() => keiko.getAttribute('aria-checked')).toBe('true')
  await keiko.click()
  await expect.poll(chipTexts).toEqual(['channel: #Tide-Gauges'])
  await expect.poll(() => senders.getByRole('checkbox', { checked: true }).count()).toBe(0)
})

test('the filters are beside the results or over them; their button and a key open them', async () => {
  const button = page.getByRole('button', { name: 'Filters' })
  const filters = page.getByRole('complementary', { name: 'Narrow the search' })
  const sender = filters.getByRole('checkbox').first()
  await search('gauge')
  await sender.waitFor()
  expect(await button.getAttribute('aria-expanded')).toBe('true')
  await button.click()
  await expect.poll(() => filters.count()).toBe(0)
  expect(await button.getAttribute('aria-expanded')).toBe('false')
  await page.locator('main').focus()
  await page.keyboard.press('w')
  await expect.poll(() => filters.evaluate((it) => it === document.activeElement)).toBe(true)
  await sender.waitFor()
  await page.keyboard.press('Tab')
  expect(await sender.evaluate((it) => it === document.activeElement)).toBe(true)
  await page.setViewportSize({ width: 900, height: 700 })
  await expect.poll(() => filters.isVisible()).toBe(false)
  await button.click()
  await sender.click()
  await expect.poll(chipTexts).toEqual([expect.stringMatching(/^sender: /)])
  await sender.press('Escape')
  await expect.poll(() => filters.isVisible()).toBe(false)
  expect(await chips().count()).toBe(1)
  await page.setViewportSize({ width: 1440, height: 900 })
  await sender.waitFor()
})

test('a period is chosen, by its name or by its days', async () => {
  const when = page.getByRole('radiogroup', { name: 'When' })
  const type = async (field: 'From' | 'Before', parts: readonly string[]) => {
    const group = when.getByRole('group', { name: field })
    const places = ['month', 'day', 'year'].map((part) => group.getByLabel(`${field}, ${part}`))
    for (const [index, part] of parts.entries()) await places[index]?.pressSequentially(part)
  }
  await search('gauge')
  await when.getByRole('radio', { name: 'Past month' }).click()
  const monthAgo = new Date(Date.now() - 30 * dayMs)
  await expect.poll(chipTexts).toEqual([`after: ${monthAgo.toLocaleDateString('sv')}`])
  await when.getByRole('radio', { name: 'Any time' }).click()
  await expect.poll(() => chips().count()).toBe(0)
  await when.getByRole('radio', { name: 'Pick dates…' }).click()
  await type('From', ['2', '3', '2024'])
  await expect.poll(chipTexts).toEqual(['after: 2024-02-03'])
  await type('Before', ['4', '5', '2024'])
  await expect.poll(chipTexts).toEqual(['after: 2024-02-03', 'before: 2024-04-05'])
  // Nothing is found in it, and still the focus stays at what was chosen.
  await expect.poll(() => page.locator('.facets').getAttribute('aria-busy')).toBe('false')
  const anyTime = when.getByRole('radio', { name: 'Any time' })
  await anyTime.click()
  await expect.poll(() => chips().count()).toBe(0)
  await expect.poll(() => page.locator('.facets').getAttribute('aria-busy')).toBe('false')
  expect(await anyTime.evaluate((it) => it === document.activeElement)).toBe(true)
})

test('the topic without a name is offered and chosen by the name that it is shown with', async () => {
  const message = { type: 'stream', to: 'tide-gauges', topic: '', content: 'Nameless words.' }
  await stage.ask('POST', '/messages', message, stage.other)
  await search('channel:tide-gauges nameless')
  await here().first().waitFor()
  await page.locator('.facets[aria-busy=false]').waitFor()
  const facet = page.getByRole('group', { name: 'Topic' }).getByRole('checkbox', { name: /^general chat/ })
  await facet.click()
  await expect.poll(chipTexts).toEqual(['channel: tide-gauges', 'topic: general chat'])
  await expect.poll(address).toBe('channel:tide-gauges topic:"" nameless')
  await expect.poll(() => here().count()).toBe(1)
  await page.getByRole('button', { name: 'Remove topic:general chat' }).click()
  await field().press('End')
  await field().pressSequentially(' topic:gen')
  await suggestions().getByText('general chat').waitFor()
  await field().press('Enter')
  await expect.poll(chipTexts).toEqual(['channel: tide-gauges', 'topic: general chat'])
  // The address follows once the person pauses.
  await expect.poll(address).toContain('topic:""')
  await page.reload()
  await expect.poll(chipTexts).toEqual(['channel: tide-gauges', 'topic: general chat'])
})

test('a window that begins with a search is left for the inbox', async () => {
  await search('gauge')
  await expect.poll(address).toBe('gauge')
  const url = page.url()
  const other = await page.context().newPage()
  await other.goto(url)
  const searched = other.getByRole('combobox')
  await expect.poll(() => searched.inputValue()).toBe('gauge')
  await searched.press('Escape')
  await expect.poll(() => searched.inputValue()).toBe('')
  await searched.press('Escape')
  await other.getByRole('heading', { name: 'Inbox' }).waitFor({ timeout: 20_000 })
  await other.close()
})

test('what is typed stays while others write', async () => {
  await search('gauge')
  const inbox = page.locator('nav.sb').getByRole('link', { name: /^Inbox/ })
  const before = await inbox.innerText()
  const message = { type: 'stream', to: 'tide-gauges', topic: 'battery swap rota', content: 'Anybody there?' }
  await stage.ask('POST', '/messages', message, stage.other)
  await expect.poll(() => inbox.innerText()).not.toBe(before)
  expect(await field().inputValue()).toBe('gauge')
})

test('the server adds what is older; what was opened leads back to the search', async () => {
  await search('gauge')
  await there().first().waitFor()
  const all = [...(await here().allInnerTexts()), ...(await there().allInnerTexts())]
  expect(new Set(all).size).toBe(all.length)
  await field().press('ArrowDown')
  await field().press('ArrowDown')
  const chosen = page.getByRole('option', { selected: true })
  const sender = await chosen.locator('.tx b').innerText()
  await field().press('Enter')
  await page.getByRole('article').filter({ hasText: sender }).first().waitFor()
  await page.goBack()
  await here().first().waitFor()
  expect(await field().inputValue()).toBe('gauge')
})

test('exact phrases stand in this order, and the view says what it searches', async () => {
  await search('"gauge offset"')
  await page.getByText('Nothing on this device matches.').waitFor()
  await search('"offset drift"')
  await expect
    .poll(async () => (await here().allInnerTexts()).map((text) => /offset drift/i.test(text)))
    .toSatisfy((all: boolean[]) => all.length > 0 && all.every(Boolean))
  await search('')
  await page.getByText(/^Searches [\d,]+ messages on this device while you type\.$/).waitFor()
})

test('without the server, this device answers and says what it cannot know', async () => {
  await stage.stopService()
  await page
    .getByTestId('sync-pill')
    .getByText(/Offline|Not reachable/)
    .waitFor()
  await search('gauge')
  await here().first().waitFor()
  await page
    .getByText('Older messages are on the server. They can be searched when you’re back online.')
    .waitFor()
  expect(await there().count()).toBe(0)
  // The server is asked as soon as it is back, and until then nothing is said about what it has.
  await stage.startService()
  await there().first().waitFor()
})

test('Enter before the answer opens the first result of what was typed, not of what was there', async () => {
  const near = () => /near=(\d+)/.exec(page.url())?.[1]
  await search('gauge')
  const [before] = await here().allInnerTexts()
  await search('tide')
  expect((await here().allInnerTexts())[0]).not.toBe(before)
  await field().press('Enter')
  await expect.poll(near).toBeDefined()
  const expected = near()
  await page.goBack()
  await search('gauge')
  // Both at once, so that no answer arrives in between.
  await field().evaluate((input: HTMLInputElement) => {
    input.value = 'tide'
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  })
  await expect.poll(near).toBe(expected)
  await page.goBack()
  await field().waitFor()
})
