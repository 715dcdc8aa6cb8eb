import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawn, goTo } from './browser.ts'
import { fileOnDisk } from './file-on-disk.ts'
import { readSettings, settingControls } from './setting-controls.ts'
import { openStage, type Stage } from './stage.ts'
import { drawn as picture } from '../support/pictures.ts'

// The settings in a real window: each one takes effect, works offline, and can be reached by keyboard.

let stage: Stage
let page: Page

beforeAll(async () => {
  stage = await openStage({ window: { colorScheme: 'light' } })
  page = stage.page
  controls = settingControls(page, onServer)
  await stage.signIn()
  await page
    .locator('nav.sb')
    .getByRole('treeitem', { name: /^boat-and-safety/ })
    .waitFor({ timeout: 30_000 })
})

afterAll(() => stage?.close())

const go = async (place: string) => {
  await goTo(page, place)
  await drawn(page)
}
/** The server's settings. */
const onServer = readSettings((...call) => stage.ask(...call))
let controls: ReturnType<typeof settingControls>
const open: typeof controls.open = (...all) => controls.open(...all)
const flip: typeof controls.flip = (...all) => controls.flip(...all)
const choose: typeof controls.choose = (...all) => controls.choose(...all)
const settled = () => controls.settled()
const onRoot = (name: string) => page.evaluate((data) => document.documentElement.dataset[data] ?? null, name)
const size = (selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((node) => Number.parseFloat(getComputedStyle(node).fontSize))

test('opens by key and by menu, and Esc leads back to the exact place', async () => {
  await go('channel/1/topic/battery%20swap%20rota')
  await page.getByText('New quarter, new rota').waitFor()
  const before = await page.evaluate(() => location.hash)
  await page.keyboard.press('Control+,')
  await page.getByRole('heading', { name: 'Appearance', level: 1 }).waitFor()
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Privacy' }).click()
  await page.getByRole('heading', { name: 'Privacy', level: 1 }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate(() => location.hash)).toBe(before)
  await page.getByRole('button', { name: 'Skerry Coast Survey' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByRole('heading', { name: 'Appearance', level: 1 }).waitFor()
})

test('the theme follows the account, this device, and the system', async () => {
  await open('appearance', 'Appearance')
  await page.getByRole('radio', { name: 'Dark', exact: true }).press(' ')
  await expect.poll(() => onRoot('theme')).toBe('dark')
  await expect.poll(async () => (await onServer())['color_scheme']).toBe(2)
  await choose('Theme on this device', 'Light')
  await expect.poll(() => onRoot('theme')).toBe('light')
  await choose('Theme on this device', 'Match the system')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => onRoot('theme')).toBe('dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(() => onRoot('theme')).toBe('light')
  await choose('Theme on this device', 'As chosen above')
  await expect.poll(() => onRoot('theme')).toBe('dark')
  await page.getByRole('radio', { name: 'Match the system' }).press(' ')
  await expect.poll(() => onRoot('theme')).toBe('light')
})

test('text size, line spacing, density, width, contrast and motion change what is on screen', async () => {
  await go('channel/1/topic/gauge%204%20offset%20drift')
  const line = () =>
    page
      .locator('.msg .content')
      .first()
      .evaluate((node) => {
        const { fontSize, lineHeight, maxWidth } = getComputedStyle(node.closest('.txt') ?? node)
        return { font: Number.parseFloat(fontSize), line: Number.parseFloat(lineHeight), maxWidth }
      })
  await page.locator('.msg .content').first().waitFor()
  const before = await line()
  const chrome = await size('body')
  await open('appearance', 'Appearance')
  await page.getByLabel('Text size').fill('19')
  await page.getByLabel('Line spacing').fill('170')
  await flip('Use the whole width')
  await flip('More contrast')
  await choose('Reduce motion', 'Always')
  await page.getByRole('radio', { name: 'Compact' }).press(' ')
  await expect.poll(() => onRoot('density')).toBe('compact')
  await page.getByRole('radio', { name: 'Comfortable' }).press(' ')
  expect(await size('body')).toBeGreaterThan(chrome)
  expect(await onRoot('contrast')).toBe('more')
  expect(await onRoot('motion')).toBe('reduced')
  await go('channel/1/topic/gauge%204%20offset%20drift')
  await page.locator('.msg .content').first().waitFor()
  const after = await line()
  expect(after.font / before.font).toBeCloseTo(17.5 / 14.5, 1)
  expect(after.line / after.font).toBeGreaterThan(before.line / before.font)
  expect(await onRoot('width')).toBe('whole')
  await expect.poll(async () => (await onServer())['web_font_size_px']).toBe(19)
  await open('appearance', 'Appearance')
  await page.getByLabel('Text size').fill('16')
  await page.getByLabel('Line spacing').fill('140')
  await flip('Use the whole width')
  await flip('More contrast')
  await choose('Reduce motion', 'Match the system')
})

test('where the device is in another zone, that is offered, unless the person wants no offers', async () => {
  const here = await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone)
  await open('appearance', 'Appearance')
  await choose('Time zone', 'America/Lima')
  const offer = page.getByRole('status').filter({ hasText: 'America/Lima' })
  await offer.waitFor()
  await flip('Offer to change the time zone')
  await offer.waitFor({ state: 'detached' })
  await flip('Offer to change the time zone')
  await offer.getByRole('button', { name: 'Update my time zone' }).click()
  await offer.waitFor({ state: 'detached' })
  await expect.poll(async () => (await onServer())['timezone']).toBe(here)
  await choose('Time zone', 'Asia/Tokyo')
  const other = page.getByRole('status').filter({ hasText: 'Asia/Tokyo' })
  await other.getByRole('button', { name: 'Keep' }).click()
  await other.waitFor({ state: 'detached' })
  expect((await onServer())['timezone']).toBe('Asia/Tokyo')
  await choose('Time zone', here)
})

test('the sidebar and the people follow', async () => {
  const sidebar = page.getByRole('navigation', { name: 'Views and channels' })
  await open('appearance', 'Appearance')
  await flip('Group channels by folder')
  await choose('Show counts for', 'No channels')
  await flip('Count of starred messages')
  await choose('List of people', 'Names')
  await go('combined')
  await sidebar.getByRole('treeitem', { name: 'Channels', exact: true }).waitFor()
  expect(await sidebar.getByRole('treeitem', { name: 'Fieldwork' }).count()).toBe(0)
  expect(await sidebar.getByRole('treeitem', { name: 'tide-gauges', exact: true }).count()).toBe(1)
  expect(await sidebar.getByRole('link', { name: 'Starred', exact: true }).count()).toBe(1)
  await expect.poll(() => page.locator('.pp .pr-dot').count()).toBeGreaterThan(10)
  expect(await page.locator('.pp .av').count()).toBe(0)

  await open('appearance', 'Appearance')
  await flip('Group channels by folder')
  await choose('Show counts for', 'Unmuted channels')
  await flip('Count of starred messages')
  await choose('List of people', 'Pictures, names and statuses')
  await go('combined')
  await sidebar.getByRole('treeitem', { name: 'Fieldwork' }).waitFor()
  await sidebar.getByRole('treeitem', { name: /^tide-gauges\s*\d/ }).waitFor()
  await sidebar.getByRole('link', { name: /^Starred\s*\d/ }).waitFor()
  expect(await page.locator('.pp .av').count()).toBeGreaterThan(10)
})

test('messages follow: names on reactions, emoji by name', async () => {
  const show = async () => {
    await go('channel/1/topic/gauge%204%20offset%20drift')
    await page.locator('.msg .content', { hasText: 'photograph the fitting' }).waitFor()
  }
  const reaction = page.locator('.rp[data-note-title=":ocean:"]')
  await open('reading', 'Reading and writing')
  await show()
  const many = page.locator('.rp[data-note-title=":thumbs_up:"]').first()
  expect(await many.locator('.num').innerText()).toMatch(/^\d+$/)
  await go('channel/1/topic/battery%20swap%20rota')
  const few = page.locator('.rp[data-note-title=":heart:"] .num').first()
  await expect.poll(() => few.innerText()).toBe('Hanne Berg')
  // A tooltip names the people, in the colours of a tooltip.
  await few.hover()
  const note = await few.evaluate((names) => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.background = 'var(--bg-inverse)'
    const inverse = getComputedStyle(probe).backgroundColor
    probe.remove()
    const { content, backgroundColor } = getComputedStyle(names.closest('.rp') ?? names, '::after')
    return { content, isInverse: backgroundColor === inverse }
  })
  expect(note).toEqual({ content: expect.stringContaining('Hanne Berg'), isInverse: true })
  await open('reading', 'Reading and writing')
  await flip('Names on reactions')
  await go('channel/1/topic/battery%20swap%20rota')
  await expect.poll(() => few.innerText()).toBe('1')
  await open('reading', 'Reading and writing')
  await flip('Names on reactions')

  await open('appearance', 'Appearance')
  await page.getByRole('radio', { name: ':names:' }).press(' ')
  await settled()
  await show()
  const last = page.locator('.msg .content', { hasText: 'photograph the fitting' })
  expect(await last.innerText()).toContain(':camera:')
  expect(await reaction.first().innerText()).toContain(':ocean:')
  // Also in suggestions while writing, and beside a name.
  const field = page.getByLabel('Message', { exact: true })
  await field.click()
  await page.keyboard.type(':camera')
  await expect.poll(() => page.getByRole('option').first().innerText()).toMatch(/^:camera\w*:/)
  await page.keyboard.press('Escape')
  await field.fill('')
  await stage.ask('POST', '/users/me/status', { emoji_name: 'tada' }, stage.other)
  await expect.poll(() => page.locator('.status-emoji').allInnerTexts()).toContain(':tada:')
  await open('appearance', 'Appearance')
  await page.getByRole('radio', { name: 'Google' }).press(' ')
  await settled()
  await show()
  expect(await last.innerText()).toContain('📷')
  expect(await reaction.first().innerText()).toContain('🌊')
})

test('in a narrow window the people go to the left, if wanted', async () => {
  await page.setViewportSize({ width: 900, height: 700 })
  await go('combined')
  const people = page.getByRole('complementary', { name: 'People' })
  await expect.poll(() => people.isVisible()).toBe(false)
  await open('appearance', 'Appearance')
  await flip('People on the left')
  await go('combined')
  await people.first().waitFor({ state: 'visible' })
  const box = await people.first().boundingBox()
  expect(box?.x).toBeLessThan(100)
  await open('appearance', 'Appearance')
  await flip('People on the left')
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('the home view opens at the start and by Esc', async () => {
  await open('reading', 'Reading and writing')
  await choose('Home view', 'Combined feed')
  await go('drafts')
  await page.getByRole('heading', { name: 'Drafts and outbox' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Combined feed' }).waitFor()
  await page.goto(stage.url)
  await page.getByRole('heading', { name: 'Combined feed' }).waitFor()
  await open('reading', 'Reading and writing')
  await flip('Esc goes to the home view')
  await go('drafts')
  await page.getByRole('heading', { name: 'Drafts and outbox' }).waitFor()
  await page.keyboard.press('Escape')
  await drawn(page)
  expect(await page.evaluate(() => location.hash)).toContain('/drafts')
  await open('reading', 'Reading and writing')
  await flip('Esc goes to the home view')
  await choose('Home view', 'Inbox')
})

test('a click on a channel leads where it is wanted', async () => {
  const sidebar = page.getByRole('navigation', { name: 'Views and channels' })
  const channel = sidebar.getByRole('treeitem', { name: /^papers/ })
  for (const [label, address] of [
    ['Everything in it', /channel\/9$/],
    ['Its newest topic', /channel\/9\/topic\//],
    ['Its newest unread topic', /channel\/9\/topic\/funding%20report/],
  ] as const) {
    await open('reading', 'Reading and writing')
    await choose('Clicking a channel opens', label)
    await go('inbox')
    await channel.click()
    await expect.poll(() => page.evaluate(() => location.hash)).toMatch(address)
  }
  // The link's goal is looked up. A person who goes elsewhere meanwhile stays there, even once later queries were
  // answered.
  await go('inbox')
  const elsewhere = (await page.evaluate(() => location.hash)).replace(/inbox$/, 'channel/1')
  await channel.evaluate((link: HTMLElement, hash) => {
    link.click()
    location.hash = hash
  }, elsewhere)
  await page.locator('.msg').first().waitFor()
  expect(await page.evaluate(() => location.hash)).toBe(elsewhere)
})

test('the table of notifications is a table of checkboxes', async () => {
  await open('notifications', 'Notifications')
  const box = page.getByRole('checkbox', { name: 'Channels: Mobile' })
  expect(await box.getAttribute('aria-checked')).toBe('false')
  await box.click()
  await expect.poll(() => box.getAttribute('aria-checked')).toBe('true')
  await expect.poll(async () => (await onServer())['enable_stream_push_notifications']).toBe(true)
  await choose('Wait before sending email', '1 hour')
  await expect.poll(async () => (await onServer())['email_notifications_batching_period_seconds']).toBe(3_600)
})

test('a setting is found by its title, its help, its choices or another word, and shown', async () => {
  await open('about', 'About')
  const find = page.getByLabel('Find a setting')
  await find.fill('gif')
  await page.getByText('1 found').waitFor()
  await find.press('Enter')
  await page.getByRole('heading', { name: 'Appearance', level: 1 }).waitFor()
  const row = page.locator('[data-setting="setting-account-imageAnimation"]')
  await expect.poll(() => row.evaluate((node) => node.classList.contains('found'))).toBe(true)
  expect(await row.isVisible()).toBe(true)
  await find.fill('nothing of that kind')
  await page.getByText('No match').waitFor()
  await find.press('Escape')
  expect(await find.inputValue()).toBe('')
  await page.getByRole('link', { name: 'Privacy' }).waitFor()
})

test('everything can be done by keyboard', async () => {
  await open('drafts', 'Drafts and history')
  const toggle = page.getByRole('switch', { name: 'Drafts on all your devices' })
  await toggle.focus()
  await page.keyboard.press('Space')
  await expect.poll(() => toggle.getAttribute('aria-checked')).toBe('false')
  await page.keyboard.press('Space')
  await expect.poll(() => toggle.getAttribute('aria-checked')).toBe('true')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  await expect
    .poll(() => page.getByRole('radio', { name: 'All time' }).evaluate((node) => node.matches(':checked')))
    .toBe(true)
  // A radio button uses neither letters nor Esc.
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.getByLabel('Find a setting').waitFor({ state: 'detached' })
  // In a text field, the first Esc only leaves the field.
  await open('alert-words', 'Alert words')
  await page.getByLabel('Word or phrase').press('Escape')
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
  await page.getByLabel('Find a setting').waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('Find a setting').waitFor({ state: 'detached' })
})

test('more history is fetched, in sight', async () => {
  await open('drafts', 'Drafts and history')
  await page.getByRole('radio', { name: 'All time' }).press(' ')
  await expect
    .poll(
      async () => {
        const text = (await page.getByText(/messages, oldest from/).textContent()) ?? ''
        return Number(text.replace(/ messages.*/, '').replaceAll(',', ''))
      },
      { timeout: 80_000 },
    )
    .toBeGreaterThan(5_000)
  await page.getByText('Download complete').waitFor({ timeout: 80_000 })
})

test('what was chosen is there at once, and after a restart', async () => {
  await open('appearance', 'Appearance')
  await page.getByLabel('Text size').fill('31')
  await page.getByRole('radio', { name: 'Compact' }).press(' ')
  await page.getByRole('radio', { name: '12-hour' }).press(' ')
  await flip('More contrast')
  await flip('Use the whole width')
  await choose('Reduce motion', 'Always')
  const look = () =>
    page.evaluate(() => {
      const { dataset, style } = document.documentElement
      return { ...dataset, text: Number(style.getPropertyValue('--scale-text')) }
    })
  const chosen = { density: 'compact', contrast: 'more', width: 'whole', motion: 'reduced', text: 2 }
  await expect.poll(look).toMatchObject(chosen)
  await stage.stopApp()
  await stage.startApp()
  await expect.poll(look).toMatchObject(chosen)
  await page.locator('nav.sb a[href^="#/"]').first().waitFor()
  await go('channel/1/topic/gauge%204%20offset%20drift')
  await expect.poll(() => page.locator('.msg time').first().innerText()).toMatch(/[AP]M/i)
  await open('appearance', 'Appearance')
  await page.getByLabel('Text size').fill('16')
  // By then, the element to click has moved.
  await expect.poll(async () => (await look()).text).not.toBe(2)
  await page.getByRole('radio', { name: 'Comfortable' }).press(' ')
  await page.getByRole('radio', { name: '24-hour' }).press(' ')
  await flip('More contrast')
  await flip('Use the whole width')
  await choose('Reduce motion', 'Match the system')
})

test('without the server a change takes effect at once, waits in sight, and arrives', async () => {
  await stage.stopService()
  await open('appearance', 'Appearance')
  await page.getByRole('radio', { name: '12-hour' }).press(' ')
  await page.getByRole('img', { name: 'Waiting for the server' }).waitFor()
  // Faster than the window learns of each change; the last one counts.
  await page.getByRole('radio', { name: '24-hour' }).click({ force: true })
  await page.getByRole('radio', { name: '12-hour' }).click({ force: true })
  await expect
    .poll(() => page.getByRole('radio', { name: '12-hour' }).evaluate((node) => node.matches(':checked')))
    .toBe(true)
  await stage.startService()
  await expect.poll(async () => (await onServer())['twenty_four_hour_time'], { timeout: 60_000 }).toBe(false)
  await expect
    .poll(() => page.getByRole('img', { name: 'Waiting for the server' }).count(), { timeout: 60_000 })
    .toBe(0)
})

test('the own name and picture change here and on the server; a large picture is made smaller first', async () => {
  // The service's own answer.
  const me = () => stage.ask('GET', '/users/me') as Promise<Record<string, unknown>>
  const { full_name, avatar_version } = await me()
  const version = async () => Number((await me())['avatar_version']) - Number(avatar_version)
  await open('profile', 'Profile')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Maren of the Shore')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await me())['full_name']).toBe('Maren of the Shore')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await me())['full_name']).toBe(full_name)

  const chooser = page.getByLabel('Choose a picture…').and(page.locator('input'))
  const choose = (buffer: Buffer) => chooser.setInputFiles(fileOnDisk('me.png', buffer))
  await choose(Buffer.alloc(600 * 1_024))
  await page.getByText('This file isn’t a picture').waitFor()
  // More than a window hands to the app.
  await choose(Buffer.concat([await picture.png(1_600, 1_200), Buffer.alloc(600 * 1_024)]))
  await expect.poll(version).toBe(1)
  const removeButton = page.getByRole('button', { name: 'Remove', exact: true })
  await removeButton.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect.poll(version).toBe(2)
  await expect.poll(() => removeButton.count()).toBe(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Choose a picture…')

  const leaveToAdministrators = (isOn: boolean) =>
    stage.ask('PATCH', '/realm', { name_changes_disabled: String(isOn) }, stage.other)
  await leaveToAdministrators(true)
  await page.getByText('Your organization lets only administrators change names.').waitFor()
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).isDisabled()).toBe(true)
  await leaveToAdministrators(false)
  await expect.poll(() => page.getByRole('textbox', { name: 'Name', exact: true }).isDisabled()).toBe(false)
})

test('a new address and password are asked of the server, whose refusal is shown', async () => {
  await open('profile', 'Profile')
  await page.getByRole('button', { name: 'Change email address' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('New email address').fill(stage.other.email)
  await dialog.getByRole('button', { name: 'Send the link' }).click()
  await dialog.getByText('Another account has this email address.').waitFor()
  await dialog.getByLabel('New email address').fill('maren@shore.example')
  await page.keyboard.press('Enter')
  await page.getByText('A link was sent to maren@shore.example').waitFor()

  await page.getByRole('button', { name: 'Change password' }).click()
  await dialog.getByLabel('Current password').fill('a guess')
  await dialog.getByLabel('New password').fill(stage.own.password)
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await dialog.getByText('Wrong password!').waitFor()
  await dialog.getByLabel('Current password').fill(stage.own.password)
  await page.keyboard.press('Enter')
  await page.getByText('Password changed').waitFor()
  await expect.poll(() => dialog.count()).toBe(0)
})

test('signing out says what is safe, and can be thought over', async () => {
  await open('organizations', 'Organizations')
  await page.getByText(stage.own.email).waitFor()
  await page.getByRole('button', { name: 'Sign out of Skerry Coast Survey' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText('Everything is on the server').waitFor()
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await expect.poll(() => dialog.count()).toBe(0)
  const again = page.getByRole('button', { name: 'Sign out of Skerry Coast Survey' })
  await expect.poll(() => again.evaluate((node) => node === document.activeElement)).toBe(true)
})

test('the app says what it is and where it keeps things', async () => {
  await open('about', 'About')
  await page.getByText(stage.appDirectory).waitFor()
  await page.getByText(/version .*, feature level \d+/).waitFor()
  await page.getByRole('button', { name: 'Show diagnostics' }).click()
  const diagnostics = page.getByRole('dialog', { name: 'Diagnostics' })
  // From this device's file, not only from the server.
  for (const line of [/ last moved into the file /, / last written /, /^Free disk space$/])
    await diagnostics.getByText(line).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  // Esc closed the dialog, not the settings.
  await page.getByRole('heading', { name: 'About', level: 1 }).waitFor()
  await open('keyboard', 'Keyboard')
  await page.getByRole('button', { name: 'Show and change' }).click()
  await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

test('the window speaks the language of the account, and the other one again', async () => {
  const speak = (default_language: string) => stage.ask('PATCH', '/settings', { default_language })
  await go('inbox')
  await speak('de')
  await page.getByRole('heading', { name: 'Eingang', level: 1 }).waitFor()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de-DE')
  await speak('en')
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
})
