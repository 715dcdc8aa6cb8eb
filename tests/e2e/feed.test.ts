import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import { ask, goTo, signIn } from './browser.ts'
import { openAppStage, type AppStage } from './stage.ts'

// One feed of twenty thousand messages, and one with everything that a message can contain.

const total = 20_000
/** How many of the long topic's messages are recent enough to be fetched unasked. */
const young = 600
const daySeconds = 24 * 60 * 60

let stage: AppStage
let page: Page
let service: TestService
let own: ReturnType<TestService['createUser']>
let other: ReturnType<TestService['createUser']>
let channel: number
/** The id of the first message of the long topic. */
let first: number
/** Lets the pictures arrive, which are held back until then. */
let letPictures = () => {}

/** Writes the long topic as an organization would have it after years, without rendering each message. */
function seed(): void {
  const db = service.database
  first = (db.get<{ id: number | null }>('SELECT max(message_id) AS id FROM messages')?.id ?? 0) + 1
  const now = Math.floor(Date.now() / 1_000)
  db.run(
    `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${total - 1})
     INSERT INTO messages (sender_id, channel_id, topic, topic_key, content, rendered, sent_at)
     SELECT CASE i / 3 % 2 WHEN 0 THEN ?1 ELSE ?2 END, ?3, 'long', 'long', 'Reading ' || i,
       '<p>Reading ' || i || '</p>' || CASE WHEN i % 5 = 0 THEN '<p>and <strong>more</strong><br>in two lines</p>' ELSE '' END,
       CASE WHEN i < ${total - young} THEN ?4 - ${200 * daySeconds} + i * 60 ELSE ?4 - (${total} - i) * 60 END
     FROM n`,
    { 1: own.userId, 2: other.userId, 3: channel, 4: now },
  )
  db.run(
    `INSERT INTO user_messages (user_id, message_id, is_read)
     SELECT u.user_id, m.message_id, CASE WHEN u.user_id = ?1 AND m.message_id >= ?2 THEN 0 ELSE 1 END
     FROM messages m JOIN (SELECT ?1 AS user_id UNION SELECT ?3) u WHERE m.topic = 'long'`,
    { 1: own.userId, 2: first + total - 6, 3: other.userId },
  )
}

/** Messages of the topic with everything that a message can contain. */
const rich = {
  changing: 0,
  picture: 0,
  after: [] as number[],
  hostile: 0,
  code: 0,
  spoiler: 0,
  long: 0,
  time: 0,
}

function seedRich(): void {
  service.database.run(
    "INSERT INTO linkifiers (pattern, url_template, position) VALUES ('ri(?P<end>ch)', 'https://rules.example/{end}', 0)",
  )
  for (const name of ['Notebook', 'Sandbox'])
    service.database.run(
      "INSERT INTO playgrounds (name, pygments_language, url_template) VALUES (?, 'Python', ?)",
      name,
      `https://${name.toLowerCase()}.example/new{?code}`,
    )
  const send = (content: string) => service.send(other.userId, channel, 'rich', content)
  /** Sends a message and replaces its content by HTML that a server could send. */
  const sendHtml = (html: string): number => {
    const id = send('a placeholder')
    service.database.run('UPDATE messages SET rendered = ?1 WHERE message_id = ?2', { 1: html, 2: id })
    return id
  }
  for (let index = 0; index < 12; index++) send(`before ${index}`)
  rich.changing = send('one line')
  rich.picture = sendHtml(
    '<div class="message_inline_image"><a href="/user_uploads/1/tall.png"><img src="/user_uploads/1/tall.png"></a></div>',
  )
  rich.after = Array.from({ length: 40 }, (_, index) => send(`after ${index}`))
  rich.hostile = sendHtml(
    [
      '<p onclick="window.harmed=true">hostile <img src="/x.png" onerror="window.harmed=true"></p>',
      '<script>window.harmed=true</script><iframe srcdoc="<script>parent.harmed=true</script>"></iframe>',
      '<a href="javascript:window.harmed=true">run</a><svg><script>window.harmed=true</script></svg>',
      '<form action="/x"><input name="q"><button>go</button></form><style>*{display:none}</style>',
      '<p style="position:fixed;inset:0">cover</p>',
    ].join(''),
  )
  const lines = Array.from({ length: 40 }, (_, index) => `reading_${index} = ${index}`).join('\n')
  rich.code = send(`\`\`\`python\n${lines}\n\`\`\``)
  rich.spoiler = send('```spoiler The winner\nEider\n```')
  rich.long = send(Array.from({ length: 60 }, (_, index) => `paragraph ${index}`).join('\n\n'))
  rich.time = send('Low water <time:2026-05-12T12:36:00Z>')
}

beforeAll(async () => {
  service = await startService()
  own = service.createUser('Maren Aske')
  other = service.createUser('Keiko Tamura')
  channel = service.createChannel('gauges', [own.userId, other.userId])
  seed()
  seedRich()
  const pictures = new Promise<void>((done) => (letPictures = done))
  stage = await openAppStage({
    window: { viewport: { width: 1200, height: 800 }, permissions: ['clipboard-read', 'clipboard-write'] },
    // The route is set before the app loads, because a request that is under way when routing starts may never arrive.
    prepare: (context) =>
      context.route('**/media/**tall.png', async (route) => {
        await pictures
        const picture =
          '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="400"><rect width="300" height="400"/></svg>'
        await route.fulfill({ contentType: 'image/svg+xml', body: picture })
      }),
  })
  page = stage.page
  await signIn(page, service.baseUrl, own)
})

afterAll(async () => {
  await stage?.close()
  await service?.close()
})

const go = (place: string) => goTo(page, place)
const topic = (name: string, near?: number) =>
  go(`channel/${channel}/topic/${name}${near === undefined ? '' : `?near=${near}`}`)
const row = (id: number) => page.locator(`.msg[data-message-id="${id}"]`)

interface Sight {
  readonly id: number
  readonly top: number
  /** Message ids in order, with `hole` where the page says that messages are missing. */
  readonly ids: readonly (number | 'hole')[]
  readonly isAtEnd: boolean
  readonly nodes: number
}
/** Scrolls, and returns what the reader sees right afterwards. */
const look = (by = 0): Promise<Sight> =>
  page.evaluate((delta) => {
    const feed = document.querySelector('.feed')
    if (feed === null) throw new Error('no feed')
    feed.scrollTop += delta
    const { top, bottom } = feed.getBoundingClientRect()
    const rows = [...feed.querySelectorAll<HTMLElement>('.msg[data-message-id]')]
    const seen = rows.find((one) => {
      const box = one.getBoundingClientRect()
      return box.top >= top + 56 && box.top < bottom
    })
    return {
      id: Number(seen?.dataset['messageId']),
      top: seen?.getBoundingClientRect().top ?? Number.NaN,
      ids: [...feed.querySelectorAll<HTMLElement>('.msg[data-message-id], .feed-note[data-row]')].map(
        (one) =>
          one.dataset['messageId'] === undefined ? ('hole' as const) : Number(one.dataset['messageId']),
      ),
      isAtEnd: feed.scrollHeight - feed.scrollTop - feed.clientHeight < 4,
      nodes: feed.querySelectorAll('*').length,
    }
  }, by)
const topOf = (id: number) =>
  row(id).evaluate((one) => one.getBoundingClientRect().top, null, { timeout: 30_000 })
/** Waits two frames and for the engine's answer. */
const rest = () => page.waitForTimeout(120)

/** Messages on the page follow one another without a hole, unless the page shows one. */
function expectWhole({ ids }: Sight): void {
  for (const [index, id] of ids.entries()) {
    const before = ids[index - 1]
    if (typeof id === 'number' && typeof before === 'number') expect(id - before).toBe(1)
  }
}

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
})

test('at the end one stays at the end; elsewhere a button says what is new', async () => {
  const one = service.send(other.userId, channel, 'long', 'new at the end')
  await row(one).waitFor()
  await expect.poll(async () => (await look()).isAtEnd).toBe(true)
  await page.locator('.msg.unr').waitFor({ state: 'detached' })
  await page.mouse.move(600, 400)
  await page.mouse.wheel(0, -1_500)
  await rest()
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

test('what a message holds can be used, and nothing in it can act', async () => {
  await page.evaluate(() => Object.assign(window, { harmed: false }))
  const { hostile, code, spoiler, long, time } = rich
  await topic('rich', hostile)
  await row(hostile).getByText('hostile').waitFor()
  await row(hostile).getByText('run').click()
  expect(await page.evaluate(() => (window as unknown as { harmed: boolean }).harmed)).toBe(false)
  expect(await row(hostile).locator('script, iframe, form, input, style, [onclick], [onerror]').count()).toBe(
    0,
  )

  await row(code).locator('.code-tools').getByText('python').waitFor()
  await row(code).getByRole('button', { name: 'Show 16 more lines' }).click()
  await row(code).getByRole('button', { name: 'Copy', exact: true }).click()
  await row(code).getByRole('button', { name: 'Copied', exact: true }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('reading_39 = 39')

  // Links that leave the app for a browser.
  await page.evaluate(() => {
    const links: string[] = []
    const send = WebSocket.prototype.send
    WebSocket.prototype.send = function (sent) {
      if (typeof sent === 'string' && sent.includes('open-link')) links.push(sent)
      send.call(this, sent)
    }
    Object.assign(window, { links })
  })
  await row(code).getByRole('button', { name: 'Run in Notebook' }).waitFor()
  await row(code).getByRole('button', { name: 'Run in Sandbox' }).click()
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { links: string[] }).links.join()))
    .toContain('https://sandbox.example/new?code=reading_0%20%3D%200%0A')

  // The topic's own text contains links too.
  await page.getByRole('button', { name: 'Open rich in the browser' }).first().click()
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { links: string[] }).links.at(-1)))
    .toContain('https://rules.example/ch')

  const header = row(spoiler).getByRole('button', { name: 'The winner' })
  expect(await row(spoiler).getByText('Eider').isVisible()).toBe(false)
  await header.focus()
  await page.keyboard.press('Enter')
  await row(spoiler).getByText('Eider').waitFor()

  expect(
    await row(long)
      .locator('.content')
      .evaluate((one) => one.clientHeight),
  ).toBeLessThan(700)
  await row(long).getByRole('button', { name: 'Show more' }).click()
  await expect
    .poll(() =>
      row(long)
        .locator('.content')
        .evaluate((one) => one.clientHeight),
    )
    .toBeGreaterThan(1_000)

  const local = await page.evaluate(() =>
    new Date('2026-05-12T12:36:00Z').toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' }),
  )
  await row(time).locator('.content time', { hasText: local }).waitFor()
})

test('own words are changed in place, also over a reload, and by nobody else', async () => {
  const mine = service.send(own.userId, channel, 'rich', 'mine to change')
  const theirs = service.send(other.userId, channel, 'rich', 'theirs')
  const after = service.send(other.userId, channel, 'rich', 'theirs too')
  await topic('rich', mine)
  await row(mine).waitFor()
  await row(theirs).focus()
  await page.keyboard.press('i')
  await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
  expect(await page.getByRole('menuitem', { name: /Edit|Delete/ }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await row(mine).focus()
  await page.keyboard.press('e')
  const field = page.getByLabel('Edit message')
  await field.fill('mine, changed')
  await page.reload()
  await row(mine).getByRole('button', { name: 'Continue' }).click()
  expect(await field.inputValue()).toBe('mine, changed')
  await field.press('Control+Enter')
  await row(mine).locator('.content', { hasText: 'mine, changed' }).waitFor()
  // The reader sees the edit before the server has it.
  await expect
    .poll(() => service.database.get('SELECT content FROM messages WHERE message_id = ?', mine))
    .toEqual({ content: 'mine, changed' })
  // Changes are marked in the new version, with words for screen readers.
  await row(mine).getByRole('button', { name: 'Edited' }).click()
  const versions = page.getByRole('dialog', { name: 'Versions of this message' })
  await versions.getByRole('insertion').filter({ hasText: 'added: changed' }).waitFor()
  expect(await versions.getByRole('deletion').allTextContents()).toContain('removed: to change')
  await page.keyboard.press('Escape')
  await versions.waitFor({ state: 'detached' })

  await row(theirs).focus()
  await page.keyboard.press('>')
  await expect
    .poll(() => page.getByLabel('Message', { exact: true }).inputValue())
    .toMatch(/^@_\*\*Keiko Tamura\|\d+\*\* \[said\]\(http.*\):\n```quote\ntheirs\n```\n$/)
  // The source of other people's messages is shown for copying, and cannot be changed.
  await row(theirs).focus()
  await page.keyboard.press('e')
  const source = page.getByRole('textbox', { name: 'Message source' })
  await expect.poll(() => source.inputValue()).toBe('theirs')
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe('theirs')
  await page.keyboard.type('not mine')
  expect(await source.inputValue()).toBe('theirs')
  await page.keyboard.press('Escape')
  await source.waitFor({ state: 'detached' })
  const hasFocus = () => row(theirs).evaluate((element) => element === document.activeElement)
  await expect.poll(hasFocus).toBe(true)
  await page.keyboard.press('Shift+U')
  await expect
    .poll(
      () =>
        service.database.get<{ is_read: number }>(
          'SELECT is_read FROM user_messages WHERE user_id = ? AND message_id = ?',
          own.userId,
          theirs,
        )?.is_read,
    )
    .toBe(0)
  await row(theirs).and(page.locator('.unr')).waitFor()
  // The message goes while it has the focus; the keys continue with the one beside it.
  await ask(service.baseUrl, other, 'DELETE', `/messages/${theirs}`)
  await row(theirs).waitFor({ state: 'detached' })
  await expect.poll(() => row(after).evaluate((element) => element === document.activeElement)).toBe(true)
})

test('a file is a card that gives it, a sound plays, and what was loaded once is there without the server', async () => {
  const upload = async (name: string, type: string, bytes: Uint8Array<ArrayBuffer>) => {
    const form = new FormData()
    form.append('file', new Blob([bytes], { type }), name)
    // The envelope of the service's own answer.
    return ((await ask(service.baseUrl, other, 'POST', '/user_uploads', form)) as { url: string }).url
  }
  /** One second of silence. */
  const silence = () => {
    const bytes = new Uint8Array(44 + 8_000)
    const view = new DataView(bytes.buffer)
    const text = (at: number, words: string) => bytes.set(new TextEncoder().encode(words), at)
    text(0, 'RIFF')
    view.setUint32(4, 36 + 8_000, true)
    text(8, 'WAVEfmt ')
    view.setUint32(16, 16, true)
    view.setUint16(20, 1, true)
    view.setUint16(22, 1, true)
    view.setUint32(24, 8_000, true)
    view.setUint32(28, 8_000, true)
    view.setUint16(32, 1, true)
    view.setUint16(34, 8, true)
    text(36, 'data')
    view.setUint32(40, 8_000, true)
    bytes.fill(128, 44)
    return bytes
  }
  const report = await upload('levels.csv', 'text/csv', new TextEncoder().encode('level,cm\n1,2\n'))
  const unseen = await upload('unseen.pdf', 'application/pdf', new TextEncoder().encode('%PDF-1.4'))
  const sound = await upload('call.wav', 'audio/wav', silence())
  const id = service.send(
    other.userId,
    channel,
    'files',
    `[levels.csv](${report}) and [unseen.pdf](${unseen})\n\n![call.wav](${sound})`,
  )
  await topic('files')
  const card = row(id).getByRole('link', { name: /levels\.csv/ })
  await card.waitFor()
  expect(await card.textContent()).toContain('CSV')
  const [download] = await Promise.all([page.waitForEvent('download'), card.click()])
  expect(download.suggestedFilename()).toBe('levels.csv')
  const audio = row(id).locator('audio')
  const ready = () => audio.evaluate((element) => (element as HTMLAudioElement).readyState)
  await expect.poll(ready).toBeGreaterThan(0)

  await service.stop()
  await page.reload()
  await card.waitFor()
  const [again] = await Promise.all([page.waitForEvent('download'), card.click()])
  expect(again.suggestedFilename()).toBe('levels.csv')
  await expect.poll(ready).toBeGreaterThan(0)
  await row(id)
    .getByRole('link', { name: /unseen\.pdf/ })
    .click()
  await row(id).getByText('Not on this device.').waitFor()
  await service.start()
})

test('what changed while nobody listened is seen again when it is looked at', async () => {
  const old = first + 5_000
  await service.stop()
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
  await row(old).getByText('put right').waitFor({ timeout: 60_000 })
})

test('a link that is followed without the server leads there once it is back, unless one has gone on reading', async () => {
  const far = first + 9_000
  await topic('long', first + total - 1)
  await row(first + total - 1).waitFor()
  const offline = page.getByTestId('sync-pill').getByText(/Offline|Not reachable/)
  await service.stop()
  await offline.waitFor({ timeout: 30_000 })
  await go('starred')
  await page.getByRole('heading', { name: 'Starred' }).waitFor()
  await topic('long', far)
  await expect.poll(async () => (await look()).ids.length).toBeGreaterThan(10)
  expect(await row(far).count()).toBe(0)
  await service.start()
  await row(far).waitFor({ timeout: 60_000 })
  const { height } = page.viewportSize() ?? { height: 0 }
  expect(await topOf(far)).toBeGreaterThan(100)
  expect(await topOf(far)).toBeLessThan(height - 200)

  await service.stop()
  await offline.waitFor({ timeout: 30_000 })
  await go('starred')
  await page.getByRole('heading', { name: 'Starred' }).waitFor()
  await topic('long', far - 3_000)
  await expect.poll(async () => (await look()).ids.length).toBeGreaterThan(10)
  await page.mouse.move(600, 400)
  await page.mouse.wheel(0, -300)
  await rest()
  const left = await look()
  await service.start()
  await offline.waitFor({ state: 'detached', timeout: 60_000 })
  await page.getByTestId('sync-pill').getByText('Synced').waitFor({ timeout: 60_000 })
  expect(Math.abs((await topOf(left.id)) - left.top)).toBeLessThan(2)
})

test('what begins is named at its beginning, and a topic where nothing is by its bar', async () => {
  const id = service.send(other.userId, channel, 'short', 'The first words.')
  await topic('short')
  await row(id).waitFor()
  await page
    .locator('.feed-note')
    .getByText(/^Start of the topic, /)
    .waitFor()
  await row(id).focus()
  await page.keyboard.press('Control+s')
  await go('starred')
  await row(id).waitFor()
  // Messages that are picked from everywhere have no beginning.
  expect(await page.locator('.feed-note').count()).toBe(0)

  await topic('unwritten')
  await page.getByRole('heading', { name: 'Nothing here yet' }).waitFor()
  const bar = page.locator('.feed .rb')
  await bar.getByRole('link', { name: 'unwritten' }).waitFor()
  await bar.getByRole('button', { name: 'Visibility of this topic' }).press('Enter')
  await page.getByRole('menuitemradio', { name: 'Mute', exact: true }).press('Enter')
  await expect.poll(() => bar.locator('.lucide-bell-off').count()).toBe(1)
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
  expect(await buoys.count()).toBeLessThan(120)
  // The last ones may still be on their way.
  await expect
    .poll(async () => {
      await page.locator('nav.sb .sb-scroll').evaluate((list) => (list.scrollTop = list.scrollHeight))
      return buoys.getByText('buoy 199').count()
    })
    .toBe(1)
  await expect.poll(() => buoys.getByText('buoy 000').count()).toBe(0)
})
