import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goTo } from './browser.ts'
import { openStage, type Stage } from './stage.ts'

// People: their cards, their statuses, and muting them.

let stage: Stage
let page: Page

beforeAll(async () => {
  stage = await openStage({ window: { permissions: ['clipboard-read', 'clipboard-write'] } })
  page = stage.page
  await stage.signIn()
})

afterAll(() => stage?.close())

const openTopic = async () => {
  await goTo(page, 'channel/1/topic/gauge%204%20offset%20drift')
  await page.locator('.msg').first().waitFor()
}
const card = (name: string) => page.getByRole('dialog', { name, exact: true })
const nameOf = (name: string) => page.locator('.msg .who .name', { hasText: name })
const onServer = (path: string, account = stage.own) =>
  // The envelope of the service's own answer.
  stage.ask('GET', path, {}, account) as Promise<Record<string, unknown>>

test('a card says who wrote a message, by key and by pointer, and leads on', async () => {
  await openTopic()
  const message = page.locator('.msg', { has: page.locator('.name', { hasText: 'Keiko' }) }).first()
  await message.focus()
  await page.keyboard.press('u')
  const keiko = card('Keiko Tamura')
  await keiko.waitFor()
  await expect.poll(() => keiko.textContent()).toContain('At the north hut')
  for (const words of ['Owner', 'she, her', 'Ness field station', '1 March 2027', 'local time'])
    expect(await keiko.textContent()).toContain(words)
  // A field value that names people, and a mention of a group, replace the card.
  await keiko.getByRole('button', { name: '@gauge-team' }).click()
  await card('gauge-team').getByText('6 people').waitFor()
  await card('gauge-team')
    .getByRole('button', { name: /Odhran/ })
    .click()
  await card('Odhran Keane').waitFor()
  await page.keyboard.press('Escape')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.msg') !== null)).toBe(true)

  // In the list of people, either button of the mouse opens it.
  const inList = page.getByRole('complementary', { name: 'People' }).getByRole('button', { name: /^Keiko/ })
  await inList.first().click({ button: 'right' })
  await keiko.waitFor()
  await page.keyboard.press('Escape')
  await keiko.waitFor({ state: 'detached' })

  // A message grouped below another one of the same sender shows no name at which the card could open.
  await page.locator('.msg.g', { hasText: 'If the tube is wet' }).focus()
  await page.keyboard.press('u')
  await keiko.waitFor()
  await expect
    .poll(async () => {
      const { x, width } = (await keiko.boundingBox()) ?? { x: -1, width: 0 }
      return x >= 0 && x + width <= 1440
    })
    .toBe(true)
  await page.keyboard.press('Escape')
  await keiko.waitFor({ state: 'detached' })

  // A mention is inserted into the text that the person is writing.
  await nameOf('Keiko Tamura').first().click()
  await keiko.getByRole('button', { name: 'Mention' }).click()
  const field = page.getByLabel('Message', { exact: true })
  await expect.poll(() => field.inputValue()).toBe(`@**Keiko Tamura|${stage.other.user_id}** `)
  await field.fill('')
  await page
    .locator('.pp')
    .getByRole('button', { name: /^Keiko/ })
    .click()
  await keiko.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Copy mention' }).click()
  await keiko.getByText('Mention copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `@**Keiko Tamura|${stage.other.user_id}**`,
  )
  await keiko.getByRole('button', { name: 'Message' }).click()
  await expect.poll(() => page.url()).toContain(`/direct/${stage.other.user_id}`)
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
})

test('a card stays in the window when what it stands beside is scrolled away', async () => {
  await openTopic()
  await nameOf('Keiko Tamura').first().click()
  const keiko = card('Keiko Tamura')
  await keiko.waitFor()
  for (const distance of ['-3000px', '3000px']) {
    // Scrolling by hand would close the card, and the feed keeps a row in place unless many messages arrive.
    await page.locator('.feed').evaluate(async (feed, by) => {
      feed.style.translate = `0 ${by}`
      dispatchEvent(new Event('resize'))
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
    }, distance)
    const { y, height } = (await keiko.boundingBox()) ?? { y: -1, height: 0 }
    expect(y, distance).toBeGreaterThanOrEqual(0)
    expect(y + height, distance).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0)
  }
  await page.locator('.feed').evaluate((feed) => feed.style.removeProperty('translate'))
  await page.keyboard.press('Escape')
})

test('a bot is never there or away, wherever it stands', async () => {
  const sidebar = page.locator('nav.sb')
  const person = sidebar.getByRole('link', { name: /^Keiko Tamura/ })
  await person.locator('.pr').waitFor()
  await sidebar.getByRole('link', { name: /^Tide bot/ }).waitFor()
  expect(
    await sidebar
      .getByRole('link', { name: /^Tide bot/ })
      .locator('.pr')
      .count(),
  ).toBe(0)
})

test('people beside a topic: who writes in it, who else is in its channel, and whoever is looked for', async () => {
  await openTopic()
  const list = page.locator('.pp')
  const heads = () => list.getByRole('heading').allTextContents()
  await expect
    .poll(async () => (await heads()).map((head) => head.replace(/\s*\d+$/, '').trim()))
    .toEqual(['In this topic', 'In tide-gauges'])
  await stage.ask(
    'POST',
    '/typing',
    { op: 'start', type: 'stream', stream_id: '1', topic: 'gauge 4 offset drift' },
    stage.other,
  )
  const keiko = list.getByRole('button', { name: /^Keiko/ })
  await keiko.getByText('typing…').waitFor()
  await stage.ask(
    'POST',
    '/typing',
    { op: 'stop', type: 'stream', stream_id: '1', topic: 'gauge 4 offset drift' },
    stage.other,
  )
  await keiko.getByText('At the north hut').waitFor()
  await list.getByLabel('Filter people').fill('fat')
  await expect.poll(heads).toEqual([])
  await list.getByLabel('Filter people').fill('ke')
  await keiko.waitFor()
  await list.getByLabel('Filter people').press('Escape')
})

test('a mention is a button with the card of who is mentioned, also of a group', async () => {
  await goTo(page, 'channel/1/topic/mentions')
  const field = page.getByLabel('Message', { exact: true })
  await field.fill('@**Tide bot** and @*boat-crew*')
  await page.keyboard.press('Control+Enter')
  const said = page.locator('.msg[data-message-id]').last()
  await said.getByRole('button', { name: '@Tide bot' }).focus()
  await page.keyboard.press('Enter')
  await card('Tide bot').getByText('Bot of Maren Aske').waitFor()
  await card('Tide bot').getByRole('button', { name: 'Maren Aske' }).click()
  await card('Maren Aske').getByText('You', { exact: true }).waitFor()
  await card('Maren Aske').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Edit profile' }).click()
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
  await page.keyboard.press('Escape')
  await said.getByRole('button', { name: '@boat-crew' }).click()
  await card('boat-crew').getByText('4 people').waitFor()
  await page.keyboard.press('Escape')
  await card('boat-crew').waitFor({ state: 'detached' })

  // In a dialog, the card lies over it, is closed alone, and closes it where it leads elsewhere.
  const id = (await said.getAttribute('data-message-id')) ?? ''
  await stage.ask('PATCH', `/messages/${id}`, { content: 'nobody' })
  await said.getByText('nobody').waitFor()
  await said.focus()
  await page.keyboard.press('Shift+H')
  const history = page.getByRole('dialog', { name: 'Versions of this message' })
  const mention = history.getByRole('button', { name: '@Tide bot' })
  await mention.focus()
  await page.keyboard.press('Enter')
  await card('Tide bot').getByText('Bot of Maren Aske').waitFor()
  await card('Tide bot').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Copy mention' }).click()
  await card('Tide bot').getByText('Mention copied').waitFor()
  await page.keyboard.press('Escape')
  await card('Tide bot').waitFor({ state: 'detached' })
  expect(await history.isVisible()).toBe(true)
  await expect.poll(() => mention.evaluate((one) => one === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await card('Tide bot').getByRole('button', { name: 'Message' }).click()
  await expect.poll(() => page.url()).toContain('/direct/')
  await history.waitFor({ state: 'detached' })
})

test('messages of somebody are found from the card', async () => {
  await openTopic()
  await nameOf('Tomasz Wilk').first().click()
  await card('Tomasz Wilk').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'View messages' }).click()
  await expect.poll(() => decodeURIComponent(page.url())).toContain('sender:"Tomasz Wilk"')
  await page.locator('.result').first().waitFor()
})

test('whoever is muted is not read, until they are heard again', async () => {
  await openTopic()
  await nameOf('Tomasz Wilk').first().click()
  const tomasz = card('Tomasz Wilk')
  await tomasz.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Mute Tomasz Wilk' }).click()
  await page.getByText('Message from a muted person.').first().waitFor()
  await tomasz.getByText('Muted', { exact: true }).waitFor()
  await tomasz.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Unmute Tomasz Wilk' }).click()
  await expect.poll(() => page.getByText('Message from a muted person.').count()).toBe(0)
  await page.keyboard.press('Escape')
})

test('what the organization does not allow is not shown, as soon as it says so', async () => {
  await openTopic()
  const mine = page.locator('.msg', { has: page.locator('.name', { hasText: 'Maren' }) }).last()
  const items = async () => {
    await mine.focus()
    await page.keyboard.press('i')
    await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
    const names = await page.getByRole('menuitem').allTextContents()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('menu').count()).toBe(0)
    return names.map((name) => name.trim()).join(' ')
  }
  await page.getByRole('button', { name: 'Mark as resolved' }).first().waitFor()
  await expect.poll(items).toMatch(/Edit.*Move.*Who has read it.*Delete/)
  const nobody = (await onServer('/user_groups'))['user_groups'] as { id: number; name: string }[]
  const group = nobody.find(({ name }) => name === 'role:nobody')?.id
  const permissions = [
    'can_resolve_topics_group',
    'can_delete_own_message_group',
    'can_delete_any_message_group',
    'can_move_messages_between_topics_group',
    'can_move_messages_between_channels_group',
  ].map((name) => [name, JSON.stringify({ new: group })] as const)
  const fields = {
    allow_message_editing: 'false',
    enable_read_receipts: 'false',
    ...Object.fromEntries(permissions),
  }
  await stage.ask('PATCH', '/realm', fields, stage.other)
  await expect.poll(() => page.getByRole('button', { name: 'Mark as resolved' }).count()).toBe(0)
  await expect.poll(items).not.toMatch(/Edit|Move|Who has read it|Delete/)
  await mine.focus()
  await page.keyboard.press('e')
  await page.getByText('You can no longer edit this message.').waitFor()
  expect(await page.getByRole('textbox', { name: 'Message source' }).getAttribute('readonly')).not.toBeNull()
})

test('a status is set offline, stands beside the name, and reaches the others', async () => {
  await stage.stopService()
  await page
    .getByTestId('sync-pill')
    .filter({ hasText: /Offline|Not reachable/ })
    .waitFor({ timeout: 60_000 })
  await nameOf('Keiko Tamura').first().click()
  // The present presence is unknown offline; the card says when the last sync was.
  await card('Keiko Tamura').getByText('Last synced').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Shift+Y')
  const dialog = page.getByRole('dialog', { name: 'Your status' })
  await dialog.getByRole('textbox').fill('Counting knots')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.keyboard.press('Shift+Y')
  // What was begun is there again.
  await expect.poll(() => dialog.getByRole('textbox').inputValue()).toBe('Counting knots')
  await dialog.getByRole('button', { name: 'Choose an emoji' }).click()
  await page.getByRole('combobox', { name: 'Search emoji' }).fill('bird')
  await page.getByRole('gridcell').first().waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Set status' }).click()
  await page.locator('.pp').getByText('Counting knots').waitFor()
  await page
    .locator('.msg .who', { hasText: 'Maren' })
    .getByRole('img', { name: /Counting knots/ })
    .first()
    .waitFor()
  await stage.startService()
  await expect
    .poll(() => onServer(`/users/${stage.own.user_id}/status`, stage.other), { timeout: 30_000 })
    .toMatchObject({ status: { status_text: 'Counting knots', reaction_type: 'unicode_emoji' } })
  await page.getByRole('button', { name: 'Skerry Coast Survey' }).click()
  await page.getByRole('menuitem', { name: 'Counting knots' }).click()
  await dialog.getByRole('button', { name: 'Clear status' }).click()
  await expect.poll(() => page.locator('.pp').getByText('Counting knots').count()).toBe(0)
})
