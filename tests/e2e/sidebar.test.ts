import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import { ask, drawn, goTo, signIn } from './browser.ts'
import { openAppStage, type AppStage } from './stage.ts'

// What surrounds the sheet: the list of places, the actions for each, and moving among them.

type Person = ReturnType<TestService['createUser']>

let stage: AppStage
let page: Page
let service: TestService
let ada: Person
let keiko: Person
let others: readonly Person[]
const channels = { gauges: 0, maps: 0, boats: 0 }

const say = (channel: number, topic: string, content: string) =>
  service.send(keiko.userId, channel, topic, content)
const writeToAda = (content: string) =>
  ask(service.baseUrl, keiko, 'POST', '/messages', { type: 'direct', to: `[${ada.userId}]`, content })

beforeAll(async () => {
  service = await startService()
  ada = service.createUser('Ada Byron', 200)
  keiko = service.createUser('Keiko Tamura')
  service.createUser('Odhran Kelly')
  others = ['Bo', 'Cy', 'Di', 'Ed', 'Flo', 'Gil', 'Hal', 'Ike', 'Joy'].map((name) =>
    service.createUser(`${name} Example`),
  )
  const both = [ada.userId, keiko.userId]
  channels.gauges = service.createChannel('gauges', both)
  channels.maps = service.createChannel('maps', both)
  channels.boats = service.createChannel('boats', both)
  say(channels.gauges, 'gauge 4', 'Gauge 4 reads six centimetres high.')
  say(channels.gauges, 'gauge 4', 'It still does.')
  say(channels.gauges, 'rota', 'Who has the week?')
  say(channels.maps, 'index sheets', 'They are done.')
  await writeToAda('Are you at the desk?')
  stage = await openAppStage({
    window: { reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'] },
  })
  page = stage.page
  await signIn(page, service.baseUrl, ada)
  await page.locator('.sync.ok').waitFor()
})

afterAll(async () => {
  await stage?.close()
  await service.stop()
})

const sidebar = () => page.getByRole('navigation', { name: 'Views and channels' })
const item = (name: string | RegExp) => sidebar().getByRole('treeitem', { name })
const direct = () => sidebar().getByRole('link', { name: /Keiko Tamura/ })
const menu = () => page.getByRole('menu')
const entry = (name: string | RegExp) => menu().getByRole('menuitem', { name })
const focused = () => page.evaluate(() => document.activeElement?.textContent?.replace(/\s+/g, ' ').trim())
const focusedName = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
const findHasFocus = async () => (await focusedName()) === 'Find in these messages'
/** Takes back what a toast says. */
const undo = (words: string) =>
  page.locator('.toast', { hasText: words }).getByRole('button', { name: 'Undo' }).click()
const copied = () => page.evaluate(() => navigator.clipboard.readText())
const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

test('the menu of a topic follows and mutes it, marks it read, resolves it and copies its link', async () => {
  // The rows' keys and menus are loaded a moment after the first picture.
  await expect
    .poll(async () => {
      await item(/^maps/).hover()
      await item(/^gauges/).hover()
      return sidebar().getByRole('button', { name: 'Channel actions' }).count()
    })
    .toBe(1)
  // Not with the messages in view, because they would be read.
  await item(/^gauges/).focus()
  await press('ArrowRight')
  await item(/^gauge 4 2 unread/).click({ button: 'right' })
  expect(await menu().getAttribute('aria-label')).toBe('Topic actions')
  await menu().getByRole('menuitemradio', { name: 'Follow' }).click()
  await item(/^gauge 4 followed 2 unread/).waitFor()

  await item(/^gauge 4/).click({ button: 'right' })
  await entry('Copy link').click()
  const link = `/#narrow/channel/${channels.gauges}-gauges/topic/gauge.204/with/`
  await expect.poll(copied).toMatch(new RegExp(`${link}\\d+$`))
  await expect.poll(focused).toMatch(/^gauge 4/)

  await item(/^gauge 4/).click({ button: 'right' })
  await entry('Mark as read').click()
  await item(/^gauge 4 followed$/).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await item(/^gauge 4 followed 2 unread/).waitFor()
  await item(/^gauge 4/).click({ button: 'right' })
  await expect.poll(() => entry('Remove all stars').getAttribute('aria-disabled')).toBe('true')
  await entry('Mark as read').click()
  await item(/^gauge 4 followed$/).waitFor()
  await item(/^gauge 4/).click({ button: 'right' })
  await entry('Mark as unread').click()
  await item(/^gauge 4 followed 2 unread/).waitFor()

  await item(/^rota/).click({ button: 'right' })
  await menu().getByRole('menuitemradio', { name: 'Mute' }).click()
  await item(/^rota muted$/).waitFor()
  await item(/^rota/).click({ button: 'right' })
  await entry('Mark as resolved').click()
  await item(/^resolved rota/).waitFor()
})

test('the menu of a row opens by its button and by keys, and gives the focus back to the row', async () => {
  await item(/^maps/).hover()
  await sidebar().getByRole('button', { name: 'Channel actions' }).click()
  await entry('List of topics').click()
  await expect.poll(() => page.url()).toMatch(new RegExp(`channel/${channels.maps}/topics$`))

  await direct().focus()
  await press('Shift+F10')
  await expect.poll(() => menu().getAttribute('aria-label')).toBe('Conversation actions')
  await press('Escape')
  await menu().waitFor({ state: 'detached' })
  await expect.poll(focused).toContain('Keiko Tamura')
  await press('Shift+F10')
  await entry('Mark as read').click()
  await expect
    .poll(() =>
      direct()
        .getByRole('img', { name: /unread/ })
        .count(),
    )
    .toBe(0)
  await press('Shift+F10')
  await expect.poll(() => entry('Mark as read').getAttribute('aria-disabled')).toBe('true')
  await entry('Profile').click()
  await page.getByRole('dialog', { name: 'Keiko Tamura' }).waitFor()
  await press('Escape')
})

test('a topic is begun in a channel from its row, by its button and by its menu', async () => {
  const topicField = page.getByRole('combobox', { name: 'Topic' })
  const isBegunIn = async (name: string) => {
    await page.getByRole('button', { name: `Channel: ${name}` }).waitFor()
    await expect.poll(() => topicField.evaluate((one) => one === document.activeElement)).toBe(true)
    // The first time may close the list of topics.
    while ((await topicField.count()) > 0) await press('Escape')
  }
  await goTo(page, 'inbox')
  await item(/^maps/).hover()
  await sidebar().getByRole('button', { name: 'New topic in maps' }).click()
  await isBegunIn('maps')
  await item(/^boats/).focus()
  await press('Shift+F10')
  await entry('New topic').press('Enter')
  await isBegunIn('boats')

  // In a narrow window the sidebar lies over the message, so it is put away.
  await page.setViewportSize({ width: 760, height: 900 })
  for (const button of ['New topic in maps', 'New message']) {
    await page.getByRole('button', { name: 'Show sidebar' }).click()
    await item(/^maps/).hover()
    await sidebar().getByRole('button', { name: button }).click()
    await sidebar().waitFor({ state: 'detached' })
    await topicField.waitFor()
    while ((await topicField.count()) > 0) await press('Escape')
  }
  await page.setViewportSize({ width: 1440, height: 900 })

  // The words are those of the channel, and where nothing can be written, nothing is offered.
  const asOwner = { email: service.owner.email, apiKey: service.owner.api_key }
  const change = (id: number, fields: Record<string, string>) =>
    ask(service.baseUrl, asOwner, 'PATCH', `/streams/${id}`, fields)
  const letWrite = (group: string) =>
    change(channels.maps, {
      can_send_message_group: JSON.stringify({
        new: service.database.get<{ group_id: number }>(
          'SELECT group_id FROM user_groups WHERE name = ?',
          group,
        )?.group_id,
      }),
    })
  await letWrite('role:nobody')
  await change(channels.boats, { topics_policy: 'empty_topic_only' })
  await item(/^boats/).hover()
  await sidebar().getByRole('button', { name: 'Write in boats' }).waitFor()
  await item(/^boats/).click({ button: 'right' })
  await entry('Write in boats').waitFor()
  await press('Escape')
  await item(/^maps/).click({ button: 'right' })
  await entry('Copy link').waitFor()
  expect(await entry('New topic').count()).toBe(0)
  await press('Escape')
  expect(await sidebar().getByRole('button', { name: 'New topic in maps' }).count()).toBe(0)
  await change(channels.boats, { topics_policy: 'inherit' })
  await letWrite('role:everyone')
})

test('a topic is renamed from its row, all of a channel is marked read and unread, and stars are removed', async () => {
  await goTo(page, `channel/${channels.maps}`)
  await item(/^index sheets/).click({ button: 'right' })
  await entry('Rename or move…').click()
  const dialog = page.getByRole('dialog', { name: 'Rename or move the topic' })
  // The name is selected, so that typing replaces it.
  const selected = () => page.evaluate(() => getSelection()?.toString())
  await expect.poll(selected).toBe('index sheets')
  await page.keyboard.type('index of sheets')
  await dialog.getByRole('button', { name: 'Move' }).click()
  await item(/^index of sheets/).waitFor()
  await dialog.waitFor({ state: 'detached' })

  const id = say(channels.boats, 'fuel', 'The tank is half full.')
  await item(/^boats 1 unread/).click({ button: 'right' })
  await entry('Mark all as read').click()
  await item(/^boats$/).waitFor()
  await item(/^boats/).click({ button: 'right' })
  await entry('Mark all as unread').click()
  await item(/^boats 1 unread/).waitFor()
  await undo('Marked unread: boats')
  await item(/^boats$/).waitFor()

  const starred = sidebar().getByRole('link', { name: /^Starred 1/ })
  const flag = { op: 'add', flag: 'starred', messages: JSON.stringify([id]) }
  await ask(service.baseUrl, ada, 'POST', '/messages/flags', flag)
  await starred.waitFor()
  await goTo(page, `channel/${channels.boats}`)
  const unstar = async () => {
    await item(/^fuel/).click({ button: 'right' })
    await entry('Remove all stars').click()
    await starred.waitFor({ state: 'detached' })
  }
  await unstar()
  await undo('1 star removed')
  await starred.waitFor()
  await unstar()

  // The answer's form by the specification.
  const heard = (await writeToAda('Bring the rope.')) as { id: number }
  await ask(service.baseUrl, ada, 'POST', '/messages/flags', { ...flag, messages: `[${heard.id}]` })
  await starred.waitFor()
  await direct().click({ button: 'right' })
  await entry('Remove all stars').click()
  await starred.waitFor({ state: 'detached' })
})

test('where there is no channel to join, looking around shows what there is', async () => {
  await sidebar().getByRole('link', { name: 'Browse channels' }).click()
  const dialog = page.getByRole('dialog', { name: 'Channels' })
  await dialog.getByRole('link', { name: /^gauges / }).waitFor()
  await dialog.getByText('Available', { exact: true }).click()
  await dialog.getByText('There are no other channels you can join.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test('the menu of a channel mutes it, pins it to the top, colours it, opens its settings and leaves it', async () => {
  const names = () => sidebar().locator('a[aria-level="2"] > .trunc').allInnerTexts()
  service.createChannel('left alone', [ada.userId])
  await item(/^left alone/).waitFor()
  await item(/^boats/).click({ button: 'right' })
  await entry('Mute channel').click()
  // Muted channels come last.
  await expect.poll(names).toEqual(['gauges', 'left alone', 'maps', 'boats'])
  await item(/^boats muted/).click({ button: 'right' })
  await entry('Unmute channel').click()
  await expect.poll(names).toEqual(['boats', 'gauges', 'left alone', 'maps'])
  await item(/^maps/).click({ button: 'right' })
  await entry('Pin to the top').click()
  await item(/^Pinned/).waitFor()
  await expect.poll(names).toEqual(['maps', 'boats', 'gauges', 'left alone'])
  await item(/^maps/).click({ button: 'right' })
  await entry('Unpin').click()
  await expect.poll(names).toEqual(['boats', 'gauges', 'left alone', 'maps'])

  await item(/^boats/).click({ button: 'right' })
  await entry('Colour').press('ArrowRight')
  await page.getByRole('menuitemradio', { name: 'Plum' }).press('Enter')
  await expect
    .poll(() =>
      item(/^boats/)
        .locator('.ch')
        .first()
        .getAttribute('style'),
    )
    .toContain('--ch-plum')
  await item(/^boats/).click({ button: 'right' })
  await entry('Channel settings').click()
  await page.getByRole('dialog').waitFor()
  await press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await item(/^left alone/).click({ button: 'right' })
  await entry('Leave channel').click()
  await item(/^left alone/).waitFor({ state: 'detached' })
})

test('the bar above messages has the same menu, and a topic that is renamed there stays open', async () => {
  await goTo(page, `channel/${channels.gauges}/topic/gauge%204`)
  await page.locator('.rb').getByRole('button', { name: 'Topic actions' }).click()
  await entry('Rename or move…').click()
  const dialog = page.getByRole('dialog', { name: 'Rename or move the topic' })
  await dialog.getByLabel('Topic', { exact: true }).fill('gauge 5')
  await dialog.getByRole('button', { name: 'Move' }).click()
  await expect.poll(() => page.url()).toMatch(/topic\/gauge%205$/)
  await page.locator('.rb').getByRole('link', { name: 'gauge 5' }).waitFor()
  // Its messages are another topic's from then on, with a bar of their own.
  const isRenamed = "SELECT count(*) AS count FROM messages WHERE topic = 'gauge 5'"
  await expect.poll(() => service.database.get<{ count: number }>(isRenamed)?.count).toBeGreaterThan(0)
  await drawn(page)
  await page.locator('.rb').getByRole('button', { name: 'Topic actions' }).click()
  await entry('Mark as resolved').click()
  await item(/^resolved gauge 5/).waitFor()
  // Whoever renames a topic is not told its name.
  expect(await page.getByText('is now called').count()).toBe(0)
  await page.locator('.rb').getByRole('button', { name: 'Mark as unresolved' }).click()
  await item(/^gauge 5/).waitFor()
  // The open messages are searched, and the focus goes back to where it was when nothing is looked for.
  await page.locator('.rb').getByRole('button', { name: 'Topic actions' }).click()
  await entry('Find in this conversation').click()
  await expect.poll(findHasFocus).toBe(true)
  await press('Escape')
  await expect.poll(focusedName).toBe('Topic actions')
  // Other messages are opened first.
  await direct().focus()
  await press('Shift+F10')
  await entry('Find in this conversation').click()
  await expect.poll(() => page.url()).toContain('/direct/')
  await expect.poll(findHasFocus).toBe(true)
  await press('Escape')
  await expect.poll(focused).toContain('Keiko Tamura')
  await item(/^gauges/).click({ button: 'right' })
  await entry('Find in this channel').click()
  await expect.poll(() => page.url()).toMatch(new RegExp(`channel/${channels.gauges}$`))
  await expect.poll(findHasFocus).toBe(true)
  await press('Escape')
})

test('channels and topics are a tree: one stop of Tab, opened and closed by arrows', async () => {
  await goTo(page, 'inbox')
  await item(/^boats/).focus()
  expect(await sidebar().locator('[role="tree"] [tabindex="0"]').count()).toBe(1)
  await press('ArrowRight')
  await item('fuel').waitFor()
  await expect.poll(() => item(/^boats/).getAttribute('aria-expanded')).toBe('true')
  await press('ArrowRight')
  await expect.poll(focused).toBe('fuel')
  await press('ArrowLeft')
  await expect.poll(focused).toBe('boats')
  await press('ArrowLeft')
  await item('fuel').waitFor({ state: 'detached' })
  await press('ArrowDown')
  await expect.poll(focused).toMatch(/^gauges/)
  await press('ArrowRight')
  await expect.poll(() => item(/^gauges/).getAttribute('aria-expanded')).toBe('true')
  await press('ArrowLeft')
  await expect.poll(() => item(/^gauges/).getAttribute('aria-expanded')).toBe('false')
  await press('ArrowLeft')
  await expect.poll(focused).toMatch(/^Channels/)
  // Pressed twice before the first takes effect; the channel is closed all the same.
  await press('ArrowLeft', 'ArrowLeft')
  await item(/^boats/).waitFor({ state: 'detached' })
  await press('ArrowUp')
  await expect.poll(focused).toMatch(/Keiko/)
  await press('ArrowDown', 'ArrowRight')
  await item(/^boats/).waitFor()
  await press('ArrowRight')
  await expect.poll(focused).toMatch(/^boats/)
  await press('ArrowRight')
  await item('fuel').waitFor()
  await press('ArrowRight', 'Enter')
  await expect.poll(() => page.url()).toMatch(/topic\/fuel$/)
})

test('what is opened by pointer has the keys, and by keyboard one walks on among the rows', async () => {
  await item(/^gauges/).click()
  // The previous feed may still be there while the key is pressed.
  const endIsInFeed = async () => {
    await press('End')
    return page.evaluate(() => document.activeElement?.matches('.msg'))
  }
  await expect.poll(endIsInFeed).toBe(true)
  await item(/^maps/).focus()
  await press('Enter')
  await page.getByRole('heading', { name: 'maps' }).first().waitFor()
  expect(await item(/^maps/).evaluate((row) => row === document.activeElement)).toBe(true)
})

test('both sides are made wider by their edge, by pointer and by keys, for good until they are reset', async () => {
  await goTo(page, 'combined')
  const widthOf = (side: string) =>
    page.locator(side).evaluate((element) => Math.round(element.getBoundingClientRect().width))
  const edge = (name: string) => page.getByRole('separator', { name })
  const before = await widthOf('nav.sb')
  const box = await edge('Width of the sidebar').boundingBox()
  const [x, y] = [(box?.x ?? 0) + 4, (box?.y ?? 0) + 200]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 40, y)
  await page.mouse.up()
  await expect.poll(() => widthOf('nav.sb')).toBe(before + 40)
  await edge('Width of the list of people').focus()
  await press('End')
  await expect.poll(() => widthOf('.pp')).toBe(320)
  await press('ArrowRight')
  await expect.poll(() => widthOf('.pp')).toBe(304)

  await page.reload()
  await expect.poll(() => widthOf('nav.sb')).toBe(before + 40)
  await expect.poll(() => widthOf('.pp')).toBe(304)
  await edge('Width of the sidebar').dblclick()
  await edge('Width of the list of people').dblclick()
  await expect.poll(() => widthOf('nav.sb')).toBe(before)
  await expect.poll(() => widthOf('.pp')).toBe(232)
})

test('a closed folder says how much is unread in it, without muted channels, and stays closed', async () => {
  await goTo(page, 'inbox')
  say(channels.boats, 'fuel', 'The tank is empty.')
  say(channels.maps, 'index of sheets', 'One is missing.')
  await item(/^boats 1 unread/).waitFor()
  await item(/^maps/).click({ button: 'right' })
  await entry('Mute channel').click()
  await item(/^maps muted/).waitFor()
  const counts = sidebar().locator('a[aria-level="2"]:not(.mut) .cnt')
  const sum = (await counts.allInnerTexts()).reduce((total, text) => total + Number(text), 0)
  expect(sum).toBeGreaterThan(0)
  await item(/^Channels/).click()
  await item(`Channels ${sum} unread`).waitFor()
  await page.reload()
  await item(`Channels ${sum} unread`).waitFor()
  expect(await item(/^boats/).count()).toBe(0)
  await item(/^Channels/).click()
  await item(/^maps/).click({ button: 'right' })
  await entry('Unmute channel').click()
  await item(/^boats/).waitFor()
  // Its menu is about all folders.
  await item(/^Channels/).click({ button: 'right' })
  await entry('Collapse all folders').click()
  await item(/^boats/).waitFor({ state: 'detached' })
  await expect.poll(focused).toMatch(/^Channels/)
  await press('Shift+F10')
  await entry('Expand all folders').press('Enter')
  await item(/^boats/).waitFor()
})

test('the filter finds views, people, channels and topics, and Enter opens the first', async () => {
  await goTo(page, 'inbox')
  const field = page.getByLabel('Filter views, people, channels and topics')
  const rows = () => sidebar().locator('[data-row]')
  await sidebar().getByRole('button', { name: 'Filter', exact: true }).click()
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
  await press('Escape')
  await field.waitFor({ state: 'detached' })
  await press('q')
  await field.fill('star')
  await expect.poll(() => rows().allInnerTexts()).toEqual(['Starred'])
  await expect.poll(() => sidebar().getByRole('heading').count()).toBe(0)
  await field.fill('odhran')
  await expect.poll(() => rows().allInnerTexts()).toEqual(['Odhran Kelly'])
  await field.fill('gauge 5')
  await item(/^gauge 5/).waitFor()
  await expect
    .poll(async () => (await rows().allInnerTexts()).map((text) => text.trim().split('\n')[0]))
    .toEqual(['Channels', 'gauges', 'gauge 5'])
  await field.fill('boat')
  await item(/^boats/).waitFor()
  await expect
    .poll(() => sidebar().locator('[data-first]').allInnerTexts())
    .toEqual([expect.stringMatching(/^boats/)])
  await field.press('Enter')
  await page.getByRole('heading', { name: 'boats', level: 1 }).waitFor()
  await field.waitFor({ state: 'detached' })
})

test('the row of a place that is opened elsewhere comes into view, unless one is in the sidebar', async () => {
  const list = page.locator('.sb-scroll')
  const isInView = (row: Locator) =>
    row.evaluate((element) => {
      const [{ top, bottom }, seen] = [
        element.getBoundingClientRect(),
        element.closest('.sb-scroll')?.getBoundingClientRect(),
      ]
      return seen !== undefined && top >= seen.top && bottom <= seen.bottom
    })
  await page.setViewportSize({ width: 1440, height: 360 })
  await goTo(page, 'inbox')
  await list.evaluate((element) => element.scrollTo(0, 0))
  await page.locator('main').hover()
  await page.locator('main').focus()
  expect(await isInView(item(/^maps/))).toBe(false)
  await goTo(page, `channel/${channels.maps}/topic/index%20of%20sheets`)
  await expect.poll(() => isInView(item(/^index of sheets/))).toBe(true)
  // A view, too.
  const inbox = sidebar().getByRole('link', { name: /^Inbox/ })
  expect(await isInView(inbox)).toBe(false)
  await goTo(page, 'inbox')
  await expect.poll(() => isInView(inbox)).toBe(true)
  await list.evaluate((element) => element.scrollTo(0, 0))
  await sidebar().hover()
  await goTo(page, `channel/${channels.gauges}`)
  await expect.poll(() => item(/^gauges/).getAttribute('aria-current')).toBe('page')
  await page.waitForTimeout(300)
  expect(await list.evaluate((element) => element.scrollTop)).toBe(0)
  // It stays in view when others are put above it, until the person has scrolled.
  await page.locator('main').hover()
  await page.locator('main').focus()
  await goTo(page, `channel/${channels.maps}/topic/index%20of%20sheets`)
  await expect.poll(() => isInView(item(/^index of sheets/))).toBe(true)
  for (const topic of ['one', 'two', 'three']) say(channels.maps, topic, 'It goes above the others.')
  await item(/^three/).waitFor()
  await expect.poll(() => isInView(item(/^index of sheets/))).toBe(true)
  await list.evaluate((element) => element.scrollTo(0, 0))
  say(channels.maps, 'four', 'So does this.')
  await item(/^four/).waitFor({ state: 'attached' })
  expect(await list.evaluate((element) => element.scrollTop)).toBe(0)
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('further direct conversations are listed on request, by keyboard too, and stay listed until there are to be fewer', async () => {
  for (const { userId } of others)
    await ask(service.baseUrl, ada, 'POST', '/messages', {
      type: 'direct',
      to: `[${userId}]`,
      content: 'Welcome.',
    })
  const rows = sidebar().getByRole('link', { name: / Example|Keiko Tamura/ })
  const button = (name: string) => sidebar().getByRole('button', { name, exact: true })
  await button('Show 2 more').waitFor()
  expect(await rows.count()).toBe(8)
  // The open one is always listed.
  const [first] = others
  await goTo(page, `direct/${first?.userId}`)
  await expect.poll(() => rows.count()).toBe(9)
  expect(await rows.last().getAttribute('aria-current')).toBe('page')
  await button('Show 1 more').waitFor()
  // An address may name the reader too: the open one is the listed one.
  await goTo(page, `direct/${ada.userId},${others.at(-1)?.userId}`)
  await expect.poll(() => rows.count()).toBe(8)
  expect(await rows.first().getAttribute('aria-current')).toBe('page')
  await goTo(page, 'inbox')
  await button('Show 2 more').waitFor()
  await rows.last().focus()
  await press('ArrowDown', 'Enter')
  await expect.poll(() => rows.count()).toBe(10)
  // The button keeps the focus.
  expect(await focused()).toBe('Show fewer')
  await goTo(page, 'settings/appearance')
  await sidebar().waitFor({ state: 'detached' })
  await goTo(page, 'inbox')
  await expect.poll(() => rows.count()).toBe(10)
  await button('Show fewer').click()
  await expect.poll(() => rows.count()).toBe(8)
  await button('Show 2 more').waitFor()
})
