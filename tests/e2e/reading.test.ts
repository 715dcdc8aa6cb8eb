import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawn as drawnPicture } from '../support/pictures.ts'
import { startService, type TestService } from '../support/service.ts'
import { ask, goTo, signIn } from './browser.ts'
import { readSettings, settingControls } from './setting-controls.ts'
import { openAppStage, type AppStage } from './stage.ts'

// The effect of settings for reading and writing: in messages, in read marks, in the list of channels.

type Person = ReturnType<TestService['createUser']>

let service: TestService
let stage: AppStage
let page: Page
let own: Person
let other: Person
let channel: number
let controls: ReturnType<typeof settingControls>

beforeAll(async () => {
  service = await startService()
  own = service.createUser('Maren Aske')
  other = service.createUser('Keiko Tamura')
  channel = service.createChannel('gauges', [own.userId, other.userId])
  const quiet = service.createChannel('old winches', [own.userId])
  service.workspace.db.run('UPDATE channels SET date_created = 1 WHERE channel_id = ?', quiet)
  stage = await openAppStage()
  page = stage.page
  controls = settingControls(
    page,
    readSettings((...call) => ask(service.baseUrl, own, ...call)),
  )
  await signIn(page, service.baseUrl, own)
})

afterAll(async () => {
  await stage?.close()
  await service?.close()
})

const topicPlace = (topic: string) => `channel/${channel}/topic/${encodeURIComponent(topic)}`
const row = (id: number) => page.locator(`.msg[data-message-id="${id}"]`)
const isInView = (id: number) =>
  row(id).evaluate((one) => {
    const { top, bottom } = one.getBoundingClientRect()
    const view = one.closest('.feed')?.getBoundingClientRect()
    return view !== undefined && top >= view.top && bottom <= view.bottom
  })
const isRead = (id: number) =>
  service.database.get<{ is_read: number }>(
    'SELECT is_read FROM user_messages WHERE user_id = ?1 AND message_id = ?2',
    { 1: own.userId, 2: id },
  )?.is_read === 1
/**
 * Waits as long as a message must be in view to count as read, by the window's own timers, however busy the machine is.
 */
const longEnoughToRead = () =>
  page.evaluate(
    () =>
      new Promise<void>((done) => {
        let times = 0
        const timer = setInterval(() => {
          if (++times < 6) return
          clearInterval(timer)
          done()
        }, 400)
      }),
  )

test('a window in the background stays at the end of what is read, and lets nothing unread out of view', async () => {
  const write = (by: Person, count: number) =>
    Array.from({ length: count }, (_, index) =>
      service.send(by.userId, channel, 'away', `Line ${index}\n\nand\n\nmuch\n\nmore`),
    )
  write(own, 30)
  const [seen = 0] = write(other, 1)
  await goTo(page, topicPlace('away'))
  await row(seen).waitFor()
  await page.locator('.nd').waitFor()
  await expect.poll(() => isRead(seen)).toBe(true)
  const last = write(own, 10).at(-1) ?? 0
  await row(last).waitFor()
  await expect.poll(() => isInView(last)).toBe(true)
  expect(await isInView(seen)).toBe(false)
  await page.evaluate(() => (document.hasFocus = () => false))
  await ask(service.baseUrl, other, 'POST', `/messages/${last}/reactions`, { emoji_name: 'tada' })
  await row(last).locator('.rx').first().waitFor()
  expect(await isInView(last)).toBe(true)
  const [unread = 0] = write(other, 1)
  await row(unread).waitFor()
  expect(await isInView(unread)).toBe(true)
  const below = write(other, 10).at(-1) ?? 0
  await row(below).waitFor()
  expect(await isInView(unread)).toBe(true)
  expect(await isInView(below)).toBe(false)
  expect(isRead(unread)).toBe(false)
  await page.evaluate(() => Reflect.deleteProperty(document, 'hasFocus'))
  // Those who come next find nothing unread.
  await ask(service.baseUrl, own, 'POST', '/mark_all_as_read')
  await page.locator('.msg.unr').first().waitFor({ state: 'detached' })
})

test.each([
  ['As you scroll past them', { inFeed: true, inTopic: true }],
  ['In topics and direct messages', { inFeed: false, inTopic: true }],
  ['Only when you choose to', { inFeed: false, inTopic: false }],
])('messages are marked as read: %s', async (choice, becomes) => {
  await controls.open('reading', 'Reading and writing')
  await controls.choose('Mark messages as read', choice)
  const inFeed = service.send(other.userId, channel, `feed ${choice}`, 'Seen among others')
  const inTopic = service.send(other.userId, channel, `topic ${choice}`, 'Seen in its topic')
  const look = async (place: string, id: number, reads: boolean) => {
    await goTo(page, place)
    await row(id).waitFor()
    if (reads) await expect.poll(() => isRead(id)).toBe(true)
    else {
      await longEnoughToRead()
      expect(isRead(id)).toBe(false)
      expect(await row(id).getAttribute('class')).toMatch(/\bunr\b/)
    }
  }
  await look(topicPlace(`topic ${choice}`), inTopic, becomes.inTopic)
  await look('combined', inFeed, becomes.inFeed)
})

test.each([
  ['Always', { still: true, hovered: true }],
  ['On hover', { still: false, hovered: true }],
  ['Never', { still: false, hovered: false }],
])('pictures in messages move: %s', async (choice, moves) => {
  await controls.open('appearance', 'Appearance')
  await controls.choose('Animated pictures', choice)
  const form = new FormData()
  const film = new Uint8Array(await drawnPicture.film(200, 150))
  form.append('file', new Blob([film], { type: 'image/gif' }), 'waves.gif')
  // The envelope of the service's own answer.
  const { url } = (await ask(service.baseUrl, other, 'POST', '/user_uploads', form)) as { url: string }
  const id = service.send(other.userId, channel, 'waves', `[waves.gif](${url})`)
  await goTo(page, topicPlace('waves'))
  const picture = row(id).locator('.message_inline_image img')
  await picture.waitFor()
  const isMoving = async () => /-anim\./.test((await picture.getAttribute('src')) ?? '')
  await page.mouse.move(0, 0)
  await expect.poll(isMoving).toBe(moves.still)
  await picture.hover()
  await expect.poll(isMoving).toBe(moves.hovered)
  await page.mouse.move(0, 0)
  await expect.poll(isMoving).toBe(moves.still)
})

test('channels where nobody writes are set apart at the end of their folder, or not', async () => {
  const sidebar = page.getByRole('navigation', { name: 'Views and channels' })
  const more = sidebar.getByRole('treeitem', { name: 'More channels' })
  const quiet = sidebar.getByRole('treeitem', { name: 'old winches' })
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim())
  await quiet.waitFor()
  expect(await more.count()).toBe(0)
  const choose = async (choice: string) => {
    await controls.open('appearance', 'Appearance')
    await controls.choose('Set inactive channels apart', choice)
    await goTo(page, 'inbox')
  }
  await choose('Always')
  await more.waitFor()
  expect(await quiet.count()).toBe(0)
  const rows = () => sidebar.locator('[role="tree"] [data-row]').allInnerTexts()
  await expect
    .poll(async () => (await rows()).map((text) => text.trim().split('\n')[0]))
    .toEqual(['Channels', 'gauges', 'More channels'])
  // A branch of the tree like others, closed at first.
  await more.focus()
  const isOpen = () => more.getAttribute('aria-expanded')
  // The rows' keys are loaded after the rows.
  await expect
    .poll(async () => {
      if ((await isOpen()) === 'false') await more.press('ArrowRight')
      return isOpen()
    })
    .toBe('true')
  await quiet.waitFor()
  expect(await quiet.getAttribute('aria-level')).toBe('3')
  await page.keyboard.press('ArrowRight')
  await expect.poll(focused).toBe('old winches')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'old winches', level: 1 }).waitFor()
  await page.reload()
  await expect.poll(isOpen).toBe('true')
  await quiet.waitFor()
  // From a topic to its channel, closing that, and on to its folder.
  await expect
    .poll(async () => {
      if ((await focused()) !== 'More channels') await quiet.press('ArrowLeft')
      return focused()
    })
    .toBe('More channels')
  await page.keyboard.press('ArrowLeft')
  // The open channel stays in view.
  await expect.poll(() => quiet.getAttribute('aria-level')).toBe('2')
  await goTo(page, 'inbox')
  await quiet.waitFor({ state: 'detached' })
  // A filter finds it like any other.
  await page.keyboard.press('q')
  await page.keyboard.type('winch')
  await quiet.waitFor()
  expect(await more.count()).toBe(0)
  await page.keyboard.press('Escape')
  await choose('Never')
  await quiet.waitFor()
  expect(await more.count()).toBe(0)
})

test('emoticons become emoji where that is wanted, before the server has the message and after', async () => {
  const write = async (text: string) => {
    await goTo(page, topicPlace('smiles'))
    await page.getByLabel('Message', { exact: true }).fill(text)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const sent = page.locator('.msg[data-message-id]', { hasText: text.split(' ')[0] ?? '' })
    await sent.waitFor()
    return sent.locator('.content').innerText()
  }
  expect(await write('plain :)')).toBe('plain :)')
  await controls.open('reading', 'Reading and writing')
  await controls.flip('Turn emoticons into emoji')
  expect(await write('drawn :)')).toBe('drawn 🙂')
})

test('away from the end a button says how many new messages are below, and leads to the latest', async () => {
  const ids = Array.from({ length: 40 }, (_, index) =>
    service.send(own.userId, channel, 'long', `Line ${index}\n\nand more`),
  )
  await goTo(page, topicPlace('long'))
  await row(ids.at(-1) ?? 0).waitFor()
  await page.mouse.move(600, 400)
  await page.mouse.wheel(0, -2_000)
  await page.getByRole('button', { name: 'Jump to latest' }).waitFor()
  service.send(other.userId, channel, 'long', 'One more')
  await page.getByRole('button', { name: '1 new, jump to latest' }).waitFor()
  const last = service.send(other.userId, channel, 'long', 'And another')
  await page.getByRole('button', { name: '2 new, jump to latest' }).waitFor()
  await page.getByRole('button', { name: '2 new, jump to latest' }).click()
  await row(last).waitFor()
  await expect.poll(() => page.getByRole('button', { name: /jump to latest/i }).count()).toBe(0)
})

test('Home leads to the beginning of a long topic, and nowhere else', async () => {
  service.send(own.userId, channel, 'somewhere else', 'The first message of all is never in the long topic.')
  const ids = Array.from({ length: 150 }, (_, index) =>
    service.send(own.userId, channel, 'beginning', `Line ${index}`),
  )
  const [first = 0, last = 0] = [ids[0], ids.at(-1)]
  await goTo(page, `${topicPlace('beginning')}?near=${last}`)
  await row(last).focus()
  await page.keyboard.press('Home')
  await row(first).waitFor()
  await expect.poll(() => row(first).evaluate((one) => one === document.activeElement)).toBe(true)
  expect(page.url()).toContain('/topic/beginning')
})

test('a link to a message leads there as often as it is followed, and a button to the first unread one', async () => {
  const write = (words: string) => service.send(other.userId, channel, 'landfall', words)
  const ids = Array.from({ length: 40 }, (_, index) => write(`Line ${index}`))
  const [goal = 0] = ids
  const last = write(`[where it began](#narrow/channel/${channel}-gauges/topic/landfall/near/${goal})`)
  await goTo(page, `${topicPlace('landfall')}?near=${last}`)
  // A button leads to the first of what is unread above.
  await page.getByRole('button', { name: /^\d+ unread$/ }).click()
  await expect.poll(() => isInView(goal)).toBe(true)
  await page.getByRole('button', { name: /jump to latest/i }).click()
  await expect.poll(() => isInView(last)).toBe(true)
  const link = row(last).getByRole('link', { name: 'where it began' })
  await link.click()
  await expect.poll(() => page.url()).toContain(`near=${goal}`)
  await expect.poll(() => isInView(goal)).toBe(true)
  await page.getByRole('button', { name: /jump to latest/i }).click()
  await expect.poll(() => isInView(last)).toBe(true)
  await link.click()
  await expect.poll(() => isInView(goal)).toBe(true)
  expect(await isInView(last)).toBe(false)
})

test('a feed that cannot be read says so, and is read once that is asked for', async () => {
  const sent = service.send(other.userId, channel, 'unreadable', 'The gauge is back.')
  /** Which stretches of a feed cannot be read. */
  let isRefused = (_around: unknown) => true
  await page.context().routeWebSocket(/./, (socket) => {
    const engine = socket.connectToServer()
    socket.onMessage((message) => {
      // The bridge's own format.
      const { id, name, params } = JSON.parse(String(message)) as {
        id: number
        name?: string
        params?: { around: unknown }
      }
      if (name !== 'feed' || !isRefused(params?.around)) return engine.send(message)
      const failure = { kind: 'bug', message: 'The messages have no index.' }
      socket.send(JSON.stringify({ kind: 'failure', id, failure }))
    })
  })
  await goTo(page, topicPlace('unreadable'))
  await page.reload()
  const said = page.getByRole('alert').filter({ hasText: 'These messages couldn’t be loaded' })
  const again = page.getByRole('button', { name: 'Try again' })
  await said.getByText('The messages have no index.').waitFor()
  await again.click()
  await said.waitFor()
  isRefused = () => false
  await again.click()
  await row(sent).waitFor()
  expect(await said.count()).toBe(0)
  // What is shown stays, although the stretch around it cannot be read.
  isRefused = (around) => around !== 'opening'
  await page.reload()
  await row(sent).waitFor()
  await said.waitFor()
  isRefused = () => false
  await again.click()
  await expect.poll(() => said.count()).toBe(0)
  await row(sent).waitFor()
})
