import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawn } from '../support/pictures.ts'
import { goTo } from './browser.ts'
import { openStage, type Stage } from './stage.ts'

// Reading what is unread from top to bottom, with and without a mouse.

let stage: Stage
let page: Page

beforeAll(async () => {
  stage = await openStage()
  page = stage.page
  await stage.signIn()
  await page.getByTestId('sync-pill').getByText('Synced').waitFor()
  await rows().nth(12).waitFor()
})

afterAll(() => stage?.close())

const rows = () => page.locator('.ir')
/** All rows: those out of view are drawn a moment after the others. */
async function keys(): Promise<string[]> {
  await page.locator('.ibx > div').waitFor({ state: 'detached' })
  return rows().evaluateAll((all) => all.map((row) => (row as HTMLElement).dataset['key'] ?? ''))
}
const focused = () =>
  page.evaluate(() => document.activeElement?.closest<HTMLElement>('.ir')?.dataset['key'] ?? null)
const row = (name: string) => page.locator('.ir', { hasText: name })
const focusRow = (name: string) => row(name).locator('a').first().focus()
const chip = (name: string) => page.locator('.fchip', { hasText: name })
const group = (name: string, expanded: boolean) =>
  page.locator('.ibx').getByRole('button', { name, expanded })

test('the first picture comes with one answer, and without the rules of the platform that take long to read', async () => {
  const fresh = await page.context().newPage()
  await fresh.addInitScript(() => {
    const asked: string[] = []
    Reflect.set(globalThis, 'asked', asked)
    const note = (name: string) => {
      if (document.querySelector('.ibx .ir') === null) asked.push(name)
    }
    for (const name of ['DateTimeFormat', 'NumberFormat', 'ListFormat', 'Collator'] as const) {
      Reflect.set(
        Intl,
        name,
        new Proxy(Intl[name], {
          construct(target, args) {
            note(name)
            return Reflect.construct(target, args) as object
          },
        }),
      )
    }
    WebSocket.prototype.addEventListener = new Proxy(WebSocket.prototype.addEventListener, {
      apply(target, socket, [type, listener, ...rest]) {
        const noting = (event: Event) => {
          note(String(type))
          Reflect.apply(listener as (event: Event) => void, socket, [event])
        }
        Reflect.apply(target, socket, [type, noting, ...(rest as unknown[])])
      },
    })
  })
  await fresh.goto(new URL('.', page.url()).href)
  await fresh.locator('.ibx .ir').first().waitFor()
  expect(await fresh.evaluate(() => Reflect.get(globalThis, 'asked') as unknown)).toEqual([])
  await fresh.close()
})

test('keys walk over the rows, and what was done with one leads to the next', async () => {
  const all = await keys()
  expect(all.length).toBeGreaterThan(8)
  await page.keyboard.press('j')
  expect(await focused()).toBe(all[0])
  await page.keyboard.press('j')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('k')
  expect(await focused()).toBe(all[1])
  await page.keyboard.press('e')
  await expect.poll(keys).toEqual(all.filter((key) => key !== all[1]))
  await expect.poll(focused).toBe(all[2])

  await focusRow('roost count Sunday')
  const before = await keys()
  await page.keyboard.press('Shift+M')
  await row('roost count Sunday').waitFor({ state: 'detached' })
  await expect
    .poll(focused)
    .toBe(before[before.indexOf((await keys()).find((key) => key.includes('colour')) ?? '')])

  await page.getByText('Muted: roost count Sunday').waitFor()
  await page.keyboard.press('Control+z')
  await row('roost count Sunday').waitFor()
  await page.keyboard.press('End')
  expect(await focused()).toBe((await keys()).at(-1))
  await page.keyboard.press('PageUp')
  expect(await focused()).not.toBe((await keys()).at(-1))
  await page.keyboard.press('Home')
  expect(await focused()).toBe((await keys())[0])

  await focusRow('quadrats')
  await page.keyboard.press('Shift+E')
  await row('quadrats').waitFor({ state: 'detached' })
  await row('ghost nets').waitFor({ state: 'detached' })
  await expect.poll(focused).toContain('gauge 4')
  // From the menu that a row opens at the pointer, too.
  await focusRow('gauge 4')
  const there = await keys()
  const marked = (await focused()) ?? ''
  await row('gauge 4').first().click({ button: 'right' })
  await page
    .getByRole('menuitem', { name: /^Mark as read/ })
    .first()
    .click()
  await expect.poll(keys).not.toContain(marked)
  await expect.poll(focused).toBe(there[there.indexOf(marked) + 1])
  // A conversation read there has gone when the person comes back; the keys continue with the row in its place.
  await focusRow('new bathymetry tiles')
  const left = await keys()
  const opened = (await focused()) ?? ''
  await page.keyboard.press('Enter')
  await page.locator('.msg').first().waitFor()
  await expect.poll(() => page.locator('.msg.unr').count()).toBe(0)
  await page.goBack()
  await expect.poll(keys).toEqual(left.filter((key) => key !== opened))
  await page.keyboard.press('j')
  expect(await focused()).toBe(left[left.indexOf(opened) + 1])
})

test('filters leave what they name', async () => {
  const total = await rows().count()
  await chip('Direct messages').click()
  await expect.poll(() => page.locator('.chh').count()).toBe(0)
  expect(await row('Keiko Tamura').count()).toBe(1)
  await chip('Mentions').click()
  await row('funding report').waitFor()
  expect(await rows().count()).toBe(await page.locator('.ir .cnt.at').count())
  await chip('Followed').click()
  await row('Thursday launch').waitFor()
  await row('funding report').waitFor({ state: 'detached' })
  expect(await rows().count()).toBe(await page.locator('.ir [aria-label="followed"]').count())
  await chip('All').click()
  await expect.poll(() => rows().count()).toBe(total)
})

test('a filter is still chosen when the person comes back, and after a reload', async () => {
  const isChosen = (name: string) => chip(name).getAttribute('aria-pressed')
  const isFiltered = async () => {
    await row('Thursday launch').waitFor()
    expect(await isChosen('Followed')).toBe('true')
    expect(await rows().count()).toBe(await page.locator('.ir [aria-label="followed"]').count())
  }
  // With and without a place.
  for (const address of [page.url(), new URL('.', page.url()).href]) {
    await page.goto(address)
    await chip('Followed').click()
    await row('funding report').waitFor({ state: 'detached' })
    await isFiltered()
    await goTo(page, 'recent')
    await page.locator('main .rr').first().waitFor()
    await page.goBack()
    await isFiltered()
    await page.reload()
    await isFiltered()
  }
  // Closing the channels over it leads back to it by a new entry.
  await page.getByRole('link', { name: 'Browse channels' }).click()
  await page.getByRole('dialog', { name: 'Channels' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Channels' }).waitFor({ state: 'detached' })
  await isFiltered()
  await page.reload()
  await isFiltered()
  // Who opens the inbox anew sees all of it.
  await goTo(page, 'recent')
  await page.locator('main .rr').first().waitFor()
  await goTo(page, 'inbox')
  await row('funding report').waitFor()
  expect(await isChosen('All')).toBe('true')
  expect(await isChosen('Followed')).toBe('false')
})

test('an inbox with a filter does not begin with the picture of the whole inbox', async () => {
  const fresh = await page.context().newPage()
  await fresh.addInitScript(() => {
    const seen: string[] = []
    Reflect.set(globalThis, 'seen', seen)
    const look = () => {
      for (const one of document.querySelectorAll('.ir'))
        if (one.checkVisibility({ visibilityProperty: true })) seen.push(one.textContent)
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  await fresh.goto(new URL('.', page.url()).href)
  const other = fresh.locator('.ir', { hasText: 'funding report' })
  await other.waitFor()
  await fresh.locator('.fchip', { hasText: 'Followed' }).click()
  await other.waitFor({ state: 'detached' })
  await fresh.reload()
  await fresh.locator('.fchip.on', { hasText: 'Followed' }).waitFor()
  await fresh.locator('.ir', { hasText: 'Thursday launch' }).waitFor()
  const seen = await fresh.evaluate(() => Reflect.get(globalThis, 'seen') as string[])
  expect(seen.filter((text) => text.includes('funding report'))).toEqual([])
  await fresh.close()
})

test('a group that is folded stays so', async () => {
  await group('Fieldwork', true).click()
  await row('Thursday launch').waitFor({ state: 'detached' })
  await page.reload()
  await row('funding report').waitFor()
  expect(await row('Thursday launch').count()).toBe(0)
  await group('Fieldwork', false).press('Enter')
  await row('Thursday launch').waitFor()
})

test('a row offers what can be done with it, and shows who wrote', async () => {
  expect(await row('funding report').locator('.who img').count()).toBeGreaterThan(1)
  expect(await page.locator('aside.pp').count()).toBe(0)
  await row('battery swap rota').hover()
  await row('battery swap rota').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Follow the topic' }).click()
  await row('battery swap rota').getByLabel('followed').waitFor({ state: 'attached' })
  await row('battery swap rota').hover()
  await row('battery swap rota').getByRole('button', { name: 'Mark as read' }).click()
  await row('battery swap rota').waitFor({ state: 'detached' })
  await focusRow('funding report')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await row('funding report').waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
})

test('what the menu of a row does away with leads to the next row', async () => {
  const all = await keys()
  await rows().nth(1).locator('a').first().focus()
  for (let step = 0; step < 3; step++) await page.keyboard.press('l')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Mark as read' }).first().press('Enter')
  await expect.poll(keys).toEqual(all.filter((key) => key !== all[1]))
  await expect.poll(focused).toBe(all[2])
  // Left without a choice, it gives the focus back.
  for (let step = 0; step < 3; step++) await page.keyboard.press('l')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Mark as read' }).first().press('Escape')
  await expect.poll(focused).toBe(all[2])
})

test('a line shows the organization’s own emoji as a picture, and leaves other words between colons', async () => {
  const picture = new FormData()
  picture.set(
    'file',
    new Blob([new Uint8Array(await drawn.png(64, 64))], { type: 'image/png' }),
    'petrel.png',
  )
  await stage.ask('POST', '/realm/emoji/petrel', picture)
  const content = 'One :petrel: over the :nosuchbird: skerry'
  await stage.ask('POST', '/messages', { type: 'direct', to: `[${stage.own.user_id}]`, content }, stage.other)
  const line = page.locator('.ir', { hasText: 'skerry' })
  await line.getByRole('img', { name: ':petrel:' }).waitFor()
  await expect
    .poll(() => line.locator('img.emoji').evaluate((one) => (one as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0)
  expect(await line.textContent()).toMatch(/One\s+over the :nosuchbird: skerry/)

  // Its name is found, and the picture is what was found.
  await goTo(page, 'search?text=petrel')
  await page.locator('.result mark').getByRole('img', { name: ':petrel:' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('petrel')
  await page.locator('.pi').getByRole('img', { name: ':petrel:' }).waitFor()
  // The first one empties the field.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.locator('.pi').first().waitFor({ state: 'detached' })

  // Questions about a message quote it so.
  const mine = { type: 'stream', to: '1', topic: 'petrels', content: 'Two :petrel: at the skerry' }
  await stage.ask('POST', '/messages', mine)
  await goTo(page, 'channel/1/topic/petrels')
  const message = page.locator('.msg', { hasText: 'at the skerry' })
  // In a name, the same letters stay letters.
  const rename = (name: string) => stage.ask('PATCH', '/settings', { full_name: name })
  await rename('Maren :petrel:')
  await page.locator('main').getByText('Maren :petrel:').first().waitFor()
  for (const [ways, role] of [
    [['Delete…'], 'alertdialog'],
    [['Remind me', 'Another time, or a note…'], 'dialog'],
  ] as const) {
    await message.click({ button: 'right' })
    for (const way of ways) await page.getByRole('menuitem', { name: way }).press('Enter')
    const petrels = page.getByRole(role).getByRole('img', { name: ':petrel:' })
    await petrels.first().waitFor()
    expect(await petrels.count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.getByRole(role).waitFor({ state: 'detached' })
  }
  await rename('Maren Aske')
  await goTo(page, 'inbox')
})

test('back finds a list as it was left: how far it was scrolled, what was looked for, and what had the focus', async () => {
  const size = page.viewportSize() ?? { width: 1280, height: 800 }
  await page.setViewportSize({ width: 1280, height: 420 })
  const list = page.locator('main .page')
  const scrollTop = () => list.evaluate((element) => element.scrollTop)
  const leaveAndComeBack = async (link: string) => {
    await page.locator(link).first().waitFor()
    const before = await scrollTop()
    expect(before).toBeGreaterThan(60)
    const href = await page.evaluate((selector) => {
      const links = [...document.querySelectorAll<HTMLElement>(selector)]
      const seen = links.find((one) => one.getBoundingClientRect().top > 200)
      seen?.focus()
      seen?.click()
      return seen?.getAttribute('href') ?? null
    }, link)
    await page.locator('.msg').first().waitFor()
    await page.goBack()
    await expect.poll(scrollTop).toBe(before)
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('href') ?? null))
      .toBe(href)
  }
  await goTo(page, 'inbox')
  await keys()
  await list.evaluate((element) => (element.scrollTop = 200))
  await leaveAndComeBack('main .ir a')

  await goTo(page, 'recent')
  const field = page.getByLabel('Filter by name, topic or person')
  await field.fill('a')
  const places = page.locator('main .rr .cv')
  await expect
    .poll(async () => {
      const names = await places.allInnerTexts()
      return names.length > 9 && names.every((name) => /(^|[\s-])a/i.test(name))
    })
    .toBe(true)
  await list.evaluate((element) => (element.scrollTop = 150))
  await leaveAndComeBack('main .rr')
  expect(await field.inputValue()).toBe('a')
  await page.setViewportSize(size)
  await goTo(page, 'inbox')
  await keys()
})

test('recent conversations are filtered and sorted, and stay so for the window', async () => {
  await goTo(page, 'recent')
  const all = page.locator('main .rr')
  const texts = async () => (await all.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
  const read = page.locator('main .rr:not(.un)')
  const people = page.locator('main .rr[href*="/direct/"]')
  await all.first().waitFor()
  await page.getByLabel('Filter by name, topic or person').fill('')
  await read.first().waitFor()
  const unread = chip('Unread')
  const directs = chip('Direct messages')
  const sortBy = (name: string) => page.locator('main button.head', { hasText: name })
  await unread.click()
  await expect.poll(() => read.count()).toBe(0)
  await people.first().waitFor()
  await directs.click()
  await expect.poll(() => people.count()).toBe(0)
  expect(await all.count()).toBeGreaterThan(1)
  const newest = await texts()
  await sortBy('Conversation').click()
  await expect.poll(texts).not.toEqual(newest)
  const byName = await texts()
  await goTo(page, 'inbox')
  await keys()
  await goTo(page, 'recent')
  await all.first().waitFor()
  expect(await unread.getAttribute('aria-pressed')).toBe('true')
  expect(await directs.getAttribute('aria-pressed')).toBe('false')
  await expect.poll(texts).toEqual(byName)
  await page.reload()
  await expect.poll(texts).toEqual(byName)
  expect(await unread.getAttribute('aria-pressed')).toBe('true')
  await sortBy('Latest').click()
  await expect.poll(texts).toEqual(newest)
  for (const one of [unread, directs]) await one.click()
  await read.first().waitFor()
  await people.first().waitFor()
  await goTo(page, 'inbox')
  await keys()
})

test('in Recent the focus moves with its conversation, and from the last one that leaves to the one before it', async () => {
  const write = (topic: string) =>
    stage.ask('POST', '/messages', { type: 'stream', to: '1', topic, content: 'A word.' })
  await goTo(page, 'recent')
  const all = page.locator('main .rr .tp')
  const focusedTopic = () =>
    page.evaluate(() => document.activeElement?.closest('.rr')?.querySelector('.tp')?.textContent ?? null)
  const field = page.getByLabel('Filter by name, topic or person')
  await field.fill('moving')
  for (const topic of ['moving a', 'moving b', 'moving c', 'moving d']) await write(topic)
  await expect.poll(() => all.allInnerTexts()).toEqual(['moving d', 'moving c', 'moving b', 'moving a'])
  await field.press('ArrowDown')
  await page.keyboard.press('End')
  expect(await focusedTopic()).toBe('moving a')
  await write('moving a')
  await expect.poll(() => all.allInnerTexts()).toEqual(['moving a', 'moving d', 'moving c', 'moving b'])
  expect(await focusedTopic()).toBe('moving a')
  await page.keyboard.press('j')
  expect(await focusedTopic()).toBe('moving d')
  await page.keyboard.press('End')
  await page.keyboard.press('Shift+M')
  await expect.poll(() => all.allInnerTexts()).toEqual(['moving a', 'moving d', 'moving c'])
  expect(await focusedTopic()).toBe('moving c')
  // Where the person clicked away from the rows, none takes the focus.
  await page.locator('main .choices').click({ position: { x: 2, y: 2 } })
  await write('moving c')
  await expect.poll(() => all.allInnerTexts()).toEqual(['moving c', 'moving a', 'moving d'])
  expect(await focusedTopic()).toBe(null)
  // The Tab key stops at one row; the pointer finds what the keys do.
  expect(await page.locator('main .rr[tabindex="0"]').count()).toBe(1)
  const line = page.locator('main .line', { hasText: 'moving a' })
  const menu = page.getByRole('menu', { name: 'Topic actions' })
  await line.hover()
  await line.getByRole('button', { name: 'More' }).click()
  await menu.getByText('Copy link').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(focusedTopic).toBe('moving a')
  await page.locator('main .line', { hasText: 'moving d' }).click({ button: 'right' })
  await menu.waitFor()
  // Only the row whose menu is open shows its actions, not the one whose menu was open before.
  expect(await line.getByRole('button', { name: 'More' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await expect.poll(focusedTopic).toBe('moving d')
  await page.locator('main .keys').getByText('Mark channel read').waitFor()
  await field.fill('')
  const unread = page.locator('main .rr.un[href*="/channel/"]')
  await unread.first().focus()
  const channel = (await unread.first().getAttribute('href'))?.replace(/topic.*/, '')
  await page.keyboard.press('Shift+E')
  await expect.poll(() => page.locator(`main .rr.un[href^="${channel}"]`).count()).toBe(0)
  await page.keyboard.press('Control+z')
  await expect.poll(() => page.locator(`main .rr.un[href^="${channel}"]`).count()).toBeGreaterThan(0)
  await goTo(page, 'inbox')
  await keys()
})

test('in a narrow window a topic stands below its channel, and a draft leaves the room to the names', async () => {
  await stage.ask('POST', '/messages', {
    type: 'stream',
    to: '1',
    topic: 'ropes for the new boat',
    content: 'A word.',
  })
  const draft = { type: 'stream', to: [1], topic: 'ropes for the new boat', content: 'A draft.' }
  await stage.ask('POST', '/drafts', { drafts: JSON.stringify([draft]) })
  await goTo(page, 'recent')
  await page.setViewportSize({ width: 420, height: 800 })
  const line = page.locator('main .line', { hasText: 'ropes' })
  await line.getByText('Draft').waitFor({ state: 'attached' })
  const share = await line.evaluate((one) => {
    const width = (selector: string) => one.querySelector(selector)?.getBoundingClientRect().width ?? 0
    return width('.chip') / width('.cv')
  })
  expect(share).toBeGreaterThan(0)
  expect(share).toBeLessThan(0.2)
  const isBelow = await line.evaluate((one) => {
    const of = (selector: string) => one.querySelector<HTMLElement>(selector)
    const [channel, topic] = [of('.cn'), of('.tp')]
    if (channel === null || topic === null) return null
    return channel.getBoundingClientRect().bottom <= topic.getBoundingClientRect().top + 1
  })
  expect(isBelow).toBe(true)
  await page.setViewportSize({ width: 1440, height: 900 })
  await goTo(page, 'inbox')
  await keys()
})

test('everything is marked read at once, as a change that waits for the server', async () => {
  await page.getByTestId('sync-pill').getByText('Synced').waitFor()
  const message = { to: '1', topic: 'spring tides', content: 'Who comes along?' }
  const at = Math.floor(Date.now() / 1_000)
  await stage.ask('POST', '/drafts', {
    drafts: JSON.stringify([{ ...message, type: 'stream', to: [1], timestamp: at }]),
  })
  await stage.ask('POST', '/scheduled_messages', {
    ...message,
    type: 'channel',
    scheduled_delivery_timestamp: at + 3_600,
  })
  const views = page.getByRole('navigation', { name: 'Views and channels' })
  for (const name of [/^Drafts and outbox.*\d/, /^Scheduled.*\d/])
    await views.getByRole('link', { name }).waitFor()
  await page.getByRole('button', { name: 'Mark all read' }).click()
  await page.getByRole('heading', { name: 'Everything is read' }).waitFor()
  // The key undoes it even if no row is left.
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await page.keyboard.press('Control+z')
  await page.locator('.ir').first().waitFor()
  await page.getByTestId('sync-pill').getByText('Synced').waitFor()
  await stage.stopService()
  // Offline, nobody's presence is known.
  await page
    .getByTestId('sync-pill')
    .getByText(/Offline|Not reachable/)
    .waitFor({ timeout: 30_000 })
  expect(await page.locator('.ir .pr:not(.o)').count()).toBe(0)
  await page.getByRole('button', { name: 'Mark all read' }).click()
  await page.getByRole('heading', { name: 'Everything is read' }).waitFor()
  // The suggestions for continuing lead to their places.
  for (const [name, address] of [
    [/^Next scheduled: /, /\/scheduled$/],
    [/^\d+ drafts?$/, /\/drafts$/],
    ['3 starred', /\/starred$/],
  ] as const) {
    await goTo(page, 'inbox')
    await page.locator('main').getByRole('link', { name }).click()
    await expect.poll(() => page.url()).toMatch(address)
  }
  await page.keyboard.press('d')
  // At most two changes wait, those known here and the rest, and never one for each row.
  const waiting = page.locator('main .dr', { hasText: 'marked read' })
  await waiting.getByText('Everything marked read').waitFor()
  expect(await waiting.count()).toBeLessThan(3)
})
