import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from './browser.ts'
import {
  closeFeeds,
  openFeeds,
  stage,
  page,
  service,
  own,
  other,
  channel,
  first,
  letPictures,
  total,
  young,
  rich,
  go,
  topic,
  row,
  look,
  topOf,
  rest,
  wheel,
  expectWhole,
  type Sight,
} from './feed-stage.ts'

// Reading a long feed: what is drawn, and that nothing moves what is read.

beforeAll(openFeeds)
afterAll(closeFeeds)

let seenUpTo = 6_000
/** A message of the long topic, far from all that these tests look at; another one each time, also when tried again. */
const neverSeen = () => first + (seenUpTo += 1_200)

test('a topic opens at its unread line, with as few rows as are needed', async () => {
  await topic('long')
  const line = page.locator('.nd')
  await line.getByText('6 unread').waitFor()
  await row(first + total - 6).waitFor()
  const sight = await look()
  expectWhole(sight)
  expect(sight.ids.length).toBeLessThan(120)
  // Messages that were in view long enough are read; the line stays.
  await expect
    .poll(() =>
      service.database.get<{ n: number }>(
        `SELECT count(*) AS n FROM user_messages JOIN messages USING (message_id)
         WHERE user_id = ? AND is_read = 0 AND topic = 'long'`,
        own.userId,
      ),
    )
    .toEqual({ n: 0 })
  await line.waitFor()
})

test('older messages load above without moving what is read, and the page stays small', async () => {
  let oldest = first + total
  let most = 0
  // Far beyond the messages that were fetched unasked. A slow machine needs more steps to get there.
  const far = first + total - young - 200
  for (let step = 0; step < 45 || (oldest >= far && step < 300); step++) {
    const before = await look(-900)
    await rest()
    expect(Math.abs((await topOf(before.id)) - before.top)).toBeLessThan(2)
    const sight = await look()
    expectWhole(sight)
    const [top] = sight.ids.filter((id) => id !== 'hole')
    expect(top).toBeLessThanOrEqual(oldest)
    oldest = top ?? oldest
    most = Math.max(most, sight.ids.length)
  }
  expect(oldest).toBeLessThan(far)
  expect(most).toBeLessThan(300)
})

test('back and forward lead to the place that one left', async () => {
  // The place is stored as soon as the feed rests.
  let left = await look()
  const kept = () => page.evaluate(() => (history.state as { feedPlace?: { key: string } }).feedPlace?.key)
  await expect.poll(async () => String((left = await look()).id) === (await kept())).toBe(true)
  await go('starred')
  await page.getByRole('heading', { name: 'Starred' }).waitFor()
  await page.goBack()
  await row(left.id).waitFor()
  await expect.poll(async () => Math.abs((await topOf(left.id)) - left.top)).toBeLessThan(3)
})

test('a conversation opens where it was left, also after a restart, and at its end when that was left', async () => {
  const place = (at: Sight) =>
    expect.poll(async () => Math.abs((await topOf(at.id)) - at.top)).toBeLessThan(3)
  /** The stored reading place; null at the end. */
  const kept = () =>
    page.evaluate(() => (history.state as { feedPlace?: { key: string } | null } | null)?.feedPlace)
  await topic('long')
  const left = await look(-300)
  // Stored as soon as the feed rests.
  await expect.poll(kept).toMatchObject({ key: String(left.id) })
  await go('starred')
  await page.getByRole('heading', { name: 'Starred' }).waitFor()
  await topic('long')
  await place(left)
  const link = page.url()
  await stage.stopApp()
  await stage.startApp()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await page.evaluate((hash) => (location.hash = hash), new URL(link).hash)
  await place(left)
  await expect.poll(kept).toMatchObject({ key: String(left.id) })
  await page.getByRole('button', { name: 'Jump to latest' }).click()
  await row(first + total - 1).waitFor()
  await expect.poll(async () => (await look()).isAtEnd).toBe(true)
  await expect.poll(kept).toBe(null)
  await go('starred')
  await page.getByRole('heading', { name: 'Starred' }).waitFor()
  await topic('long')
  await row(first + total - 1).waitFor()
  await expect.poll(async () => (await look()).isAtEnd).toBe(true)
})

test('a link into the far past opens there, and newer messages load below', async () => {
  const linked = first + 5_000
  // From elsewhere, because a link to the open place leads nowhere.
  await go('starred')
  await page.getByRole('heading', { name: 'Starred' }).waitFor()
  await topic('long', linked)
  await row(linked).waitFor()
  await expect.poll(async () => (await look()).ids.length).toBeGreaterThan(40)
  await rest()
  const { height } = page.viewportSize() ?? { height: 0 }
  const at = await topOf(linked)
  expect(at).toBeGreaterThan(100)
  expect(at).toBeLessThan(height - 200)
  let newest = 0
  // Beyond one answer of the server. A slow machine needs more steps to get there.
  const far = linked + 300
  for (let step = 0; step < 30 || (newest <= far && step < 200); step++) {
    const before = await look(700)
    await rest()
    expect(Math.abs((await topOf(before.id)) - before.top)).toBeLessThan(2)
    const sight = await look()
    expectWhole(sight)
    expect(sight.ids.length).toBeLessThan(300)
    newest = Math.max(newest, ...sight.ids.filter((id) => id !== 'hole'))
  }
  expect(newest).toBeGreaterThan(far)
  await page.getByRole('button', { name: 'Jump to latest' }).click()
  await row(first + total - 1).waitFor()
  await expect.poll(async () => (await look()).isAtEnd).toBe(true)
})

test('the keyboard walks message by message with real focus', async () => {
  const focused = () => page.evaluate(() => (document.activeElement as HTMLElement).dataset['messageId'])
  // The first key for a message only shows which message is current.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('+')
  expect(Number(await focused())).toBeGreaterThan(first)
  expect(await page.locator('.msg:focus .reaction, .msg:focus .rx').count()).toBe(0)
  await row(first + total - 1).focus()
  for (let step = 1; step <= 30; step++) {
    await page.keyboard.press(step % 2 === 0 ? 'k' : 'ArrowUp')
    expect(Number(await focused())).toBe(first + total - 1 - step)
    const view = await page.evaluate(() => {
      const { top = 0, bottom = 0 } = document.activeElement?.getBoundingClientRect() ?? {}
      const feed = document.querySelector('.feed')?.getBoundingClientRect()
      return { isBelowBar: top - (feed?.top ?? 0) >= 55, isAboveEnd: bottom <= (feed?.bottom ?? 0) + 1 }
    })
    expect(view).toEqual({ isBelowBar: true, isAboveEnd: true })
  }
  await page.keyboard.press('j')
  expect(Number(await focused())).toBe(first + total - 30)
  // After writing, no message is marked as current; the first key shows it again.
  await page.getByLabel('Message', { exact: true }).focus()
  await page.keyboard.press('Escape')
  expect(await focused()).toBeUndefined()
  await page.keyboard.press('+')
  expect(Number(await focused())).toBe(first + total - 30)
  expect(await page.locator('.msg:focus .reaction, .msg:focus .rx').count()).toBe(0)
  await page.keyboard.press('PageUp')
  expect(Number(await focused())).toBeLessThan(first + total - 30)
  const facts = await page.evaluate(() => {
    const { activeElement } = document
    return {
      role: activeElement?.tagName,
      feed: activeElement?.closest('[role="log"]') !== null,
      place: Number(activeElement?.getAttribute('aria-posinset')) > 0,
      size: activeElement?.getAttribute('aria-setsize'),
      stops: document.querySelectorAll('.msg[tabindex="0"]').length,
    }
  })
  expect(facts).toEqual({ role: 'ARTICLE', feed: true, place: true, size: '-1', stops: 1 })
  await page.keyboard.press('Home')
  await expect.poll(async () => (await look()).ids[0]).toBeLessThan(first + 6_000)
  await page.keyboard.press('End')
  await row(first + total - 1).waitFor()
  await expect.poll(async () => (await look()).isAtEnd).toBe(true)
  expect(service.database.get('SELECT count(*) AS n FROM reactions')).toEqual({ n: 0 })
})

test('at the end one stays at the end; elsewhere a button says what is new', async () => {
  const one = service.send(other.userId, channel, 'long', 'new at the end')
  await row(one).waitFor()
  await expect.poll(async () => (await look()).isAtEnd).toBe(true)
  await page.locator('.msg.unr').waitFor({ state: 'detached' })
  await wheel(-1_500)
  const before = await look()
  const two = service.send(other.userId, channel, 'long', 'new below')
  await page.getByRole('button', { name: '1 new, jump to latest' }).click({ trial: true })
  expect(Math.abs((await topOf(before.id)) - before.top)).toBeLessThan(2)
  await page.getByRole('button', { name: '1 new, jump to latest' }).click()
  await row(two).waitFor()
  await expect.poll(async () => (await look()).isAtEnd).toBe(true)
})

test('whoever writes sees it go, wherever they were reading', async () => {
  await page.mouse.move(600, 400)
  await page.mouse.wheel(0, -1_500)
  await expect.poll(async () => (await look()).isAtEnd).toBe(false)
  const field = page.getByLabel('Message', { exact: true })
  await field.fill('Written from far above.')
  await field.press('Control+Enter')
  await page.locator('.msg', { hasText: 'Written from far above.' }).waitFor()
  await expect.poll(async () => (await look()).isAtEnd).toBe(true)
})

test('a picture that arrives above and a message that grows above move nothing', async () => {
  const { changing, picture, after } = rich
  await topic('rich', after[9])
  await row(picture).locator('img').last().waitFor({ state: 'attached' })
  await rest()
  // The picture is just above the place where the person reads.
  const top = await topOf(after[0] ?? 0)
  const before = await look(top - 160)
  expect(before.id).toBeGreaterThan(picture)
  letPictures()
  await expect
    .poll(() =>
      row(picture)
        .locator('.content img')
        .evaluate((one) => (one as HTMLImageElement).naturalHeight),
    )
    .toBeGreaterThan(100)
  await rest()
  expect(Math.abs((await topOf(before.id)) - before.top)).toBeLessThan(2)

  await ask(service.baseUrl, other, 'PATCH', `/messages/${changing}`, {
    content: Array.from({ length: 9 }, (_, line) => `line ${line}`).join('\n\n'),
  })
  await row(changing).getByText('line 8').waitFor({ state: 'attached' })
  expect(Math.abs((await topOf(before.id)) - before.top)).toBeLessThan(2)
})

test('what changed while nobody listened is seen again when it is looked at', async () => {
  const old = first + 5_000
  await service.stop()
  await stage.noticeGone()
  await page
    .getByTestId('sync-pill')
    .getByText(/Offline|Not reachable/)
    .waitFor({ timeout: 30_000 })
  service.database.run(
    `UPDATE messages SET content = 'put right', rendered = '<p>put right</p>' WHERE message_id = ?`,
    old,
  )
  await topic('long', old)
  await row(old).getByText('Reading 5000').waitFor()
  await service.start()
  await stage.noticeBack()
  await row(old).getByText('put right').waitFor({ timeout: 60_000 })
})

test('a link that is followed without the server leads there once it is back, unless one has gone on reading', async () => {
  await topic('long', first + total - 1)
  await row(first + total - 1).waitFor()
  const offline = page.getByTestId('sync-pill').getByText(/Offline|Not reachable/)
  await service.stop()
  await stage.noticeGone()
  await offline.waitFor({ timeout: 30_000 })
  await go('starred')
  await page.getByRole('heading', { name: 'Starred' }).waitFor()
  const far = neverSeen()
  await topic('long', far)
  await expect.poll(async () => (await look()).ids.length).toBeGreaterThan(10)
  expect(await row(far).count()).toBe(0)
  await service.start()
  await stage.noticeBack()
  await row(far).waitFor({ timeout: 60_000 })
  const { height } = page.viewportSize() ?? { height: 0 }
  expect(await topOf(far)).toBeGreaterThan(100)
  expect(await topOf(far)).toBeLessThan(height - 200)

  await service.stop()
  await stage.noticeGone()
  await offline.waitFor({ timeout: 30_000 })
  await go('starred')
  await page.getByRole('heading', { name: 'Starred' }).waitFor()
  await topic('long', neverSeen())
  await expect.poll(async () => (await look()).ids.length).toBeGreaterThan(10)
  await wheel(-300)
  const left = await look()
  await service.start()
  await stage.noticeBack()
  await offline.waitFor({ state: 'detached', timeout: 60_000 })
  await page.getByTestId('sync-pill').getByText('Synced').waitFor({ timeout: 60_000 })
  expect(Math.abs((await topOf(left.id)) - left.top)).toBeLessThan(2)

  // Nor is one who goes on while the message is on its way.
  await service.stop()
  await stage.noticeGone()
  await offline.waitFor({ timeout: 30_000 })
  await go('starred')
  await page.getByRole('heading', { name: 'Starred' }).waitFor()
  await topic('long', neverSeen())
  await expect.poll(async () => (await look()).ids.length).toBeGreaterThan(10)
  await page.evaluate(() => {
    const send = WebSocket.prototype.send
    const held: (() => void)[] = []
    WebSocket.prototype.send = function (sent) {
      if (typeof sent === 'string' && sent.includes('load-older')) held.push(() => send.call(this, sent))
      else send.call(this, sent)
    }
    const release = () => {
      WebSocket.prototype.send = send
      for (const one of held) one()
    }
    Object.assign(window, { held, release })
  })
  await service.start()
  await stage.noticeBack()
  const held = () => page.evaluate(() => (window as unknown as { held: unknown[] }).held.length)
  await expect.poll(held, { timeout: 60_000 }).toBeGreaterThan(0)
  await wheel(-300)
  const further = await look()
  await page.evaluate(() => (window as unknown as { release: () => void }).release())
  await page.getByTestId('sync-pill').getByText('Synced').waitFor({ timeout: 60_000 })
  await page.waitForTimeout(1_000)
  expect(Math.abs((await topOf(further.id)) - further.top)).toBeLessThan(2)
})

test('a link that is followed in an interruption too short to be shown leads there right after it', async () => {
  const far = neverSeen()
  await go('starred')
  await page.getByRole('heading', { name: 'Starred' }).waitFor()
  await service.stop()
  await topic('long', far)
  await expect.poll(async () => (await look()).ids.length).toBeGreaterThan(10)
  expect(await row(far).count()).toBe(0)
  await service.start()
  await row(far).waitFor({ timeout: 20_000 })
})

test('of hundreds of channels, those near the view are drawn', async () => {
  for (let number = 0; number < 200; number++)
    service.createChannel(`buoy ${String(number).padStart(3, '0')}`, [own.userId])
  const buoys = page.locator('nav.sb a', { hasText: 'buoy' })
  const group = page.locator('nav.sb button[role="treeitem"]').last()
  await expect
    .poll(async () => {
      // Channels without messages are in a group of their own, which is closed.
      if ((await group.getAttribute('aria-expanded')) === 'false') await group.click()
      return buoys.count()
    })
    .toBeGreaterThan(20)
  await expect.poll(() => buoys.count()).toBeLessThan(150)
  // The last ones may still be on their way.
  await expect
    .poll(async () => {
      await page.locator('nav.sb .sb-scroll').evaluate((list) => (list.scrollTop = list.scrollHeight))
      return buoys.getByText('buoy 199').count()
    })
    .toBe(1)
  await expect.poll(() => buoys.getByText('buoy 000').count()).toBe(0)
})
