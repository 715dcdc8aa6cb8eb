import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goTo } from './browser.ts'
import { openStage, type Stage } from './stage.ts'

// The window without a mouse, and in little space.

let stage: Stage
let page: Page

beforeAll(async () => {
  stage = await openStage()
  page = stage.page
  await stage.signIn()
})

afterAll(() => stage?.close())

const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const heading = (name: string) => page.getByRole('heading', { name, level: 1 })
const focused = () =>
  page.evaluate(() => {
    const region = ['.cmp', 'main', 'header', 'nav', 'aside'].find(
      (selector) => document.activeElement?.closest(selector) != null,
    )
    return region ?? ''
  })
const focusedName = () => page.evaluate(() => document.activeElement?.textContent)
const keysAre = (keys: string) => `Change the keys of “Drafts and outbox”, now ${keys}`
const shortcutsDialog = () => page.getByRole('dialog', { name: 'Shortcuts' })

test('keys lead everywhere', async () => {
  await press('a')
  await heading('Combined feed').waitFor()
  await press('d')
  await heading('Drafts and outbox').waitFor()
  await press('*')
  await heading('Starred').waitFor()
  await press('Shift+I')
  await heading('Inbox').waitFor()
  await press('y')
  await page.getByText('Open a channel first.').waitFor()
  await page.locator('.ibx .ir').first().waitFor()
  await press('n')
  await expect.poll(() => page.url()).toContain('/topic/')
  const first = page.url()
  await press('n')
  await expect.poll(() => page.url()).not.toBe(first)
  await press('Alt+ArrowLeft')
  await expect.poll(() => page.url()).toBe(first)
  await press('Shift+D')
  const channelIn = (url: string) => /channel\/(\d+)/.exec(url)?.[1]
  await expect.poll(() => channelIn(page.url())).not.toBe(channelIn(first))
  await press('Escape')
  await heading('Inbox').waitFor()
  // In a text field, a letter is only a letter.
  await press('q')
  await page.getByLabel('Filter views, people, channels and topics').waitFor()
  await page.keyboard.type('maps')
  await expect.poll(() => page.locator('nav.sb a[data-row]').count()).toBe(1)
  await press('Enter')
  await heading('maps').waitFor()
  await press('w')
  await page.keyboard.type('luc')
  await expect.poll(() => page.locator('.pp .pr-row').count()).toBe(1)
  await press('ArrowDown', 'Enter')
  await page.getByRole('dialog', { name: 'Lucian Stan' }).waitFor()
  await press('Escape', 'Escape')
})

test('what a key asked for is done once, and not again wherever the same field appears', async () => {
  await press('t')
  await heading('Recent conversations').waitFor()
  await press('w')
  await expect.poll(focused).toBe('aside')
  await press('Escape')
  await press('g')
  await page.getByRole('menu').waitFor()
  await press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await press('Control+,')
  await heading('Appearance').waitFor()
  await press('Escape')
  await page.locator('nav.sb').waitFor()
  await goTo(page, 'channel/1')
  await heading('tide-gauges').waitFor()
  await page.locator('aside.pp').waitFor()
  await page.locator('.msg').first().waitFor()
  expect(await page.getByRole('menu').count()).toBe(0)
  expect(await focused()).not.toBe('aside')
  // The filter of the sidebar ends with the row that it led to.
  await press('q')
  await page.keyboard.type('kitch')
  await expect.poll(() => page.locator('nav.sb a[data-row]').count()).toBe(1)
  await press('ArrowDown', 'Enter')
  await heading('kitchen').waitFor()
  await expect.poll(() => page.locator('nav.sb .filter').count()).toBe(0)
  await expect.poll(focused).toBe('main')
})

test('keys hold notifications back, load the window anew and show all keys', async () => {
  await goTo(page, 'channel/1/topic/gauge%204%20offset%20drift')
  await page.locator('.msg').first().waitFor()
  const quiet = page.getByTestId('quiet-mark')
  await press('Control+Shift+M')
  await quiet.waitFor()
  await press('Control+Shift+M')
  await quiet.waitFor({ state: 'detached' })
  for (const key of ['Control+R', 'F5']) {
    await page.evaluate(() => Object.assign(window, { isOld: true }))
    await press(key)
    await expect.poll(() => page.evaluate(() => 'isOld' in window)).toBe(false)
    await page.locator('.msg').first().waitFor()
  }
  await press('Control+Shift+K')
  await shortcutsDialog().waitFor()
  await press('Escape')
  await shortcutsDialog().waitFor({ state: 'detached' })
})

test('the topics of a channel are listed, found, sorted, and stay across a reload', async () => {
  await goTo(page, 'channel/1/topic/gauge%204%20offset%20drift')
  await page.locator('.msg').first().waitFor()
  await press('y')
  await expect.poll(() => page.url()).toMatch(/channel\/1\/topics$/)
  const rows = page.getByRole('list', { name: 'Topics' }).getByRole('link')
  const first = () => rows.first().textContent()
  await expect.poll(first).toContain('gauge 4 offset drift')
  expect(await first()).toContain('Ines Duarte')
  // The server has listed the topics.
  await page
    .getByRole('status')
    .filter({ hasText: /^\s*\d+\s+topics\s*$/ })
    .waitFor()
  await page.getByLabel('Find a topic').fill('rota')
  await expect.poll(() => rows.count()).toBe(1)
  await press('Escape')
  expect(await page.getByLabel('Find a topic').inputValue()).toBe('')
  await page.getByRole('button', { name: 'Resolved', exact: true }).click()
  await rows.getByLabel('resolved').first().waitFor()
  await expect.poll(async () => (await rows.getByLabel('resolved').count()) - (await rows.count())).toBe(0)
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await page.getByRole('button', { name: 'Topic', exact: true }).click()
  await expect.poll(first).not.toContain('gauge 4 offset drift')
  await page.reload()
  await rows.first().waitFor()
  expect(await first()).not.toContain('gauge 4 offset drift')
  await page.getByRole('button', { name: 'Latest', exact: true }).click()
  await expect.poll(first).toContain('gauge 4 offset drift')
  await press('j', 'Enter')
  await expect.poll(() => page.url()).toContain('channel/1/topic/gauge%204%20offset%20drift')
  await page.locator('.msg').first().waitFor()
  await press('y')
  await rows.first().waitFor()
  await press('y')
  await expect.poll(() => page.url()).toMatch(/channel\/1$/)
})

test('where nothing is unread any more, the key for the next unread one says so', async () => {
  await press('p')
  await expect.poll(() => page.url()).toContain('/direct/')
  await expect
    .poll(async () => {
      // What is open is read in a moment; a key pressed at once would lead to and fro.
      await page.locator('.msg').first().waitFor()
      await expect.poll(() => page.locator('.msg.unr').count()).toBe(0)
      await press('p')
      return page.getByText('No more unread direct messages').count()
    })
    .toBe(1)
})

test('keys lead to what is followed, to all direct messages, to the neighbours of a message and to one’s last', async () => {
  await press('Shift+P')
  await heading('Direct messages').waitFor()
  await page.locator('.msg').last().focus()
  const id = await page.locator('.msg').last().getAttribute('data-message-id')
  await press('z')
  await expect.poll(() => page.url()).toMatch(new RegExp(`/direct/[\\d,]+\\?near=${id}$`))
  await press('Shift+I')
  await heading('Inbox').waitFor()
  const followed = ['gauge%204%20offset%20drift', 'roost%20count%20Sunday', 'Thursday%20launch']
  for (let times = 0; times < 3; times++) {
    const before = page.url()
    await press('Shift+N')
    await expect.poll(() => page.url()).not.toBe(before)
    expect(followed.some((topic) => page.url().endsWith(topic))).toBe(true)
    await page.locator('.msg').first().waitFor()
  }
  await goTo(page, 'channel/1/topic/gauge%204%20offset%20drift')
  await page.locator('.msg').last().focus()
  await press('ArrowLeft')
  const edit = page.locator('.msg', { has: page.locator('.name', { hasText: 'Maren' }) }).locator('textarea')
  await expect.poll(() => edit.evaluate((element) => element === document.activeElement)).toBe(true)
  await press('Escape')
  await press('g')
  await page.getByRole('menuitem', { name: 'Settings' }).waitFor()
  await press('Escape')
  await expect.poll(() => page.getByRole('menu').count()).toBe(0)
})

test('a new message goes on in the conversation that it goes to', async () => {
  await goTo(page, 'inbox')
  await heading('Inbox').waitFor()
  await press('c')
  await page.getByRole('combobox', { name: 'Channel' }).fill('maps')
  await page.getByRole('option', { name: 'maps' }).click()
  await page.getByRole('combobox', { name: 'Topic' }).fill('where it goes')
  await press('Tab')
  const field = page.getByLabel('Message', { exact: true })
  await field.last().fill('Half a thought')
  await press('Control+.')
  await expect.poll(() => page.url()).toContain('topic/where%20it%20goes')
  await page.getByLabel('Compose to maps, where it goes').waitFor()
  await expect.poll(() => field.inputValue()).toBe('Half a thought')
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
  await field.fill('')
  await press('Escape')
})

test('what was marked read in a list can be taken back', async () => {
  await goTo(page, 'inbox')
  await heading('Inbox').waitFor()
  const rows = page.locator('.ir')
  await rows.first().waitFor()
  // Rows out of view are drawn a moment later; placeholders stand for them until then.
  await page.locator('.ibx > div').waitFor({ state: 'detached' })
  const count = await rows.count()
  for (const takeBack of [
    () => page.getByRole('button', { name: 'Undo' }).click(),
    () => page.keyboard.press('Control+z'),
  ]) {
    await rows.nth(1).getByRole('link').first().focus()
    await press('e')
    await page.getByRole('status').filter({ hasText: 'Marked read' }).waitFor()
    await expect.poll(() => rows.count()).toBe(count - 1)
    await takeBack()
    await expect.poll(() => rows.count()).toBe(count)
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  }
})

test('a search is kept under a name, opens from the sidebar, survives a reload, and can be removed', async () => {
  await goTo(page, 'search?text=has%3Alink%20gauge')
  await page.getByRole('button', { name: 'Save search' }).click()
  const name = page.getByRole('textbox', { name: 'Name' })
  // What is typed replaces the words of the search, which are offered as its name.
  await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true)
  await page.keyboard.type('Gauge links')
  await press('Enter')
  const kept = page.getByRole('navigation').getByRole('link', { name: 'Gauge links' })
  await kept.waitFor()
  await page.getByRole('button', { name: 'Saved as Gauge links' }).click()
  await name.fill('Links of gauges')
  await press('Enter')
  const renamed = page.getByRole('navigation').getByRole('link', { name: 'Links of gauges' })
  await renamed.waitFor()
  expect(await kept.count()).toBe(0)
  await goTo(page, 'inbox')
  await page.reload()
  await renamed.click()
  await expect.poll(() => decodeURIComponent(page.url())).toContain('search?text=has:link gauge')
  await page.locator('.result').first().waitFor()
  const remove = async () => {
    await renamed.focus()
    await press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Remove this search' }).press('Enter')
  }
  await remove()
  await expect.poll(() => renamed.count()).toBe(0)
  await press('Control+z')
  await renamed.waitFor()
  await remove()
  await expect.poll(() => renamed.count()).toBe(0)
})

test('F6 walks through the parts of the window', async () => {
  await press('n')
  await page.locator('.cmp').waitFor()
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  let seen: string[] = []
  // At first the topic is still being drawn, and redrawn elements lose the focus.
  await expect
    .poll(async () => {
      seen = []
      for (let step = 0; step < 5; step++) {
        await press('F6')
        seen.push(await focused())
      }
      return seen.toSorted()
    })
    .toEqual(['.cmp', 'aside', 'header', 'main', 'nav'])
  await press('Shift+F6')
  expect(await focused()).not.toBe(seen.at(-1))
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
})

test('all shortcuts are shown and can be changed, also across a reload', async () => {
  await press('?')
  await shortcutsDialog().getByText('New direct message', { exact: true }).waitFor()
  const change = (action: string) =>
    shortcutsDialog().getByRole('button', { name: `Change the keys of “${action}”` })
  await change('Drafts and outbox').focus()
  await press('Enter')
  // Keys that move the focus keep that function.
  await press('Tab')
  await shortcutsDialog().getByRole('alert').getByText('Tab is needed everywhere').waitFor()
  // A key that is taken already is refused.
  await press('a')
  await shortcutsDialog().getByRole('alert').getByText('Combined feed').waitFor()
  await press('b')
  await shortcutsDialog()
    .getByRole('button', { name: keysAre('B') })
    .waitFor()
  await expect(focusedName()).resolves.toContain('Drafts and outbox')
  await press('Escape')
  await shortcutsDialog().waitFor({ state: 'detached' })
  await page.reload()
  await page.locator('nav.sb a').first().waitFor()
  await press('Shift+I')
  await heading('Inbox').waitFor()
  await press('d')
  await press('b')
  await heading('Drafts and outbox').waitFor()
  await press('?')
  // Its default key has another meaning meanwhile.
  await change('Reminders').focus()
  await press('Enter', 'd')
  await shortcutsDialog().getByRole('button', { name: 'Reset “Reminders” to the default keys' }).waitFor()
  const back = shortcutsDialog().getByRole('button', {
    name: 'Reset “Drafts and outbox” to the default keys',
  })
  await back.press('Enter')
  await shortcutsDialog().getByRole('alert').getByText('D is now “Reminders”').waitFor()
  await shortcutsDialog()
    .getByRole('button', { name: 'Reset “Reminders” to the default keys' })
    .press('Enter')
  await change('Reminders').getByText('now none').waitFor()
  await back.press('Enter')
  await shortcutsDialog()
    .getByRole('button', { name: keysAre('D') })
    .waitFor()
  await expect(focusedName()).resolves.toContain('Drafts and outbox')
  // Resets all shortcuts at once, which can be undone.
  await change('Inbox').focus()
  await press('Enter', 'Alt+9')
  await shortcutsDialog().getByRole('button', { name: 'Change the keys of “Inbox”, now Alt 9' }).waitFor()
  const reset = shortcutsDialog().getByRole('button', { name: 'Reset all' })
  await reset.press('Enter')
  await reset.waitFor({ state: 'detached' })
  await page.getByText('All shortcuts have their default keys again.').waitFor()
  // As slowly as a person presses.
  await page.getByRole('button', { name: 'Undo', exact: true }).click({ delay: 100 })
  await shortcutsDialog().getByRole('button', { name: 'Change the keys of “Inbox”, now Alt 9' }).waitFor()
  await reset.press('Enter')
  await reset.waitFor({ state: 'detached' })
  await shortcutsDialog().getByRole('checkbox').uncheck()
  await press('Escape')
  await shortcutsDialog().waitFor({ state: 'detached' })
  // The engine stores it before the window knows.
  await expect
    .poll(async () => {
      await goTo(page, 'drafts')
      await press('Shift+I')
      return page.evaluate(() => location.hash)
    })
    .toContain('/drafts')
  await press('Shift+I', 'a', 'c')
  await heading('Drafts and outbox').waitFor()
  expect(await page.getByLabel('Message', { exact: true }).count()).toBe(0)
  await press('Control+k')
  await page.getByRole('dialog').waitFor()
  await press('Escape')
  await page.keyboard.press('Tab')
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
})

test('a keyboard without Latin letters has the same shortcuts by place', async () => {
  // Switched on again by means that a person without single-key shortcuts can use.
  await page.evaluate(() => {
    dispatchEvent(new KeyboardEvent('keydown', { key: '?', code: 'Slash', shiftKey: true, bubbles: true }))
  })
  expect(await shortcutsDialog().count()).toBe(0)
  await page
    .getByRole('button', { name: /Skerry/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Shortcuts' }).click()
  await shortcutsDialog().getByRole('checkbox').check()
  await press('Escape')
  await shortcutsDialog().waitFor({ state: 'detached' })
  // The engine stores it before the window knows.
  await expect
    .poll(async () => {
      await page.evaluate(() => {
        dispatchEvent(new KeyboardEvent('keydown', { key: 'Ш', code: 'KeyI', shiftKey: true, bubbles: true }))
      })
      return heading('Inbox').isVisible()
    })
    .toBe(true)
})

test('with little room, people and sidebar lie over the sheet while they are wanted', async () => {
  await page.setViewportSize({ width: 900, height: 700 })
  await expect.poll(() => page.locator('aside.pp').count()).toBe(0)
  await page.getByRole('button', { name: 'People', exact: true }).click()
  await page.locator('aside.pp').waitFor()
  // What arrives meanwhile closes nothing.
  const inbox = () => page.locator('nav.sb a', { hasText: 'Inbox' }).innerText()
  const before = await inbox()
  const message = { type: 'direct', to: JSON.stringify([stage.own.user_id]), content: 'While you look' }
  await stage.ask('POST', '/messages', message, stage.other)
  await expect.poll(inbox).not.toBe(before)
  expect(await page.locator('aside.pp').count()).toBe(1)
  await press('Escape')
  await expect.poll(() => page.locator('aside.pp').count()).toBe(0)
  await page.setViewportSize({ width: 700, height: 700 })
  await expect.poll(() => page.locator('nav.sb').count()).toBe(0)
  await page.getByRole('button', { name: 'Show sidebar' }).click()
  await page.getByRole('link', { name: 'Combined feed' }).click()
  await heading('Combined feed').waitFor()
  await expect.poll(() => page.locator('nav.sb').count()).toBe(0)
  await page.setViewportSize({ width: 1440, height: 900 })
})

/** Presses Tab until the target has the focus. */
async function tabTo(target: Locator): Promise<void> {
  for (let step = 0; step < 60; step++) {
    await press('Tab')
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error('Tab does not lead there')
}

test('a person signs in, reads, answers, reacts, searches and sets something without a mouse', async () => {
  await goTo(page, 'inbox')
  await heading('Inbox').waitFor()
  await press('g')
  const add = page.getByRole('menuitem', { name: 'Add an organization' })
  await add.waitFor()
  // The menu handles keys once it has the focus, a moment after it opens.
  await expect
    .poll(async () => {
      const isChosen = (await add.getAttribute('data-highlighted')) !== null
      if (!isChosen) await press('ArrowDown')
      return isChosen
    })
    .toBe(true)
  await press('Enter')
  await tabTo(page.getByLabel('Address'))
  await page.keyboard.type(new URL(stage.service.baseUrl).host)
  await press('Enter')
  await page.getByLabel('Email').waitFor()
  await tabTo(page.getByLabel('Email'))
  await page.keyboard.type(stage.service.accounts[1]?.email ?? '')
  await tabTo(page.getByRole('textbox', { name: 'Password' }))
  await page.keyboard.type(stage.service.accounts[1]?.password ?? '')
  await press('Enter')
  await heading('Inbox').waitFor({ timeout: 60_000 })
  const rows = page.locator('.ir')
  await rows.first().waitFor()
  await press('j', 'Enter')
  await page.locator('.msg').first().waitFor()
  await press('r')
  const field = page.getByLabel('Message', { exact: true })
  await expect.poll(() => field.last().evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.type('Without a mouse.')
  await press('Control+Enter')
  const sent = page.locator('.msg[data-message-id]', { hasText: 'Without a mouse.' })
  await sent.waitFor()
  await press('Escape')
  await sent.focus()
  await press('+')
  await sent.locator('.rp.me').first().waitFor()
  await press('/')
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
  await page.keyboard.type('mouse')
  await page.locator('mark').first().waitFor()
  await press('Control+,')
  await heading('Appearance').waitFor()
  const contrast = page.getByRole('switch', { name: 'More contrast' })
  await tabTo(contrast)
  await press('Space')
  await expect.poll(() => contrast.getAttribute('aria-checked')).toBe('true')
  await press('Space')
  await press('Shift+I')
  await heading('Inbox').waitFor()
  await rows.first().waitFor()
  // Marks all other rows as read, one after another.
  for (let left = await rows.count(); left > 0; left = await rows.count()) {
    await press('j', 'e')
    await expect.poll(() => rows.count()).toBeLessThan(left)
  }
  // Once the last row has gone, the focus is on the view.
  await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true)
})

/** A key with Ctrl, as a layout reports it that has this character there. */
const pressSign = (key: string, code: string) =>
  page.evaluate(
    (facts) => void dispatchEvent(new KeyboardEvent('keydown', { ...facts, ctrlKey: true, bubbles: true })),
    { key, code },
  )

test('two organizations have a rail, keys, and one inbox for all', async () => {
  const rail = page.getByRole('navigation', { name: 'Organizations' })
  await expect.poll(() => rail.locator('.orgs').getByRole('link').count()).toBe(2)
  const second = page.url()
  await press('Control+1')
  await expect.poll(() => page.url()).not.toBe(second)
  await press('Control+2')
  await expect.poll(() => page.url()).toBe(second)
  // French has the digits with Shift, and a Czech plus is no zoom.
  for (const [one, two] of [
    ['&', 'é'],
    ['+', 'ě'],
  ] as const) {
    await pressSign(one, 'Digit1')
    await expect.poll(() => page.url()).not.toBe(second)
    await pressSign(two, 'Digit2')
    await expect.poll(() => page.url()).toBe(second)
  }
  await press('Control+0')
  await heading('Inbox, all organizations').waitFor()
  await page.locator('.ur').first().waitFor()
  await press('j')
  const row = page.locator('.ur:focus')
  const href = await row.getAttribute('href')
  await press('j', 'k')
  expect(await row.getAttribute('href')).toBe(href)
  await press('Enter')
  await page.locator('.msg').first().waitFor()
  expect(page.url()).toContain(href ?? 'nowhere')
  await page.goBack()
  await heading('Inbox, all organizations').waitFor()
  // Messages read in one place are read in the other.
  await page.locator('.ur').first().waitFor()
  await press('j')
  const marked = await row.getAttribute('href')
  await press('e')
  await page.locator(`.ur[href="${marked}"]`).waitFor({ state: 'detached' })
})
