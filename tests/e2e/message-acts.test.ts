import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import { ask, drawn, goTo, signIn } from './browser.ts'
import { openAppStage, type AppStage } from './stage.ts'

// Actions on messages and lists, by their keys and menus.

let stage: AppStage
let page: Page
let service: TestService
let own: ReturnType<TestService['createUser']>
let other: ReturnType<TestService['createUser']>
let outsider: ReturnType<TestService['createUser']>
let channel: number

beforeAll(async () => {
  service = await startService()
  own = service.createUser('Maren Aske')
  other = service.createUser('Keiko Tamura')
  outsider = service.createUser('Nils Haugen')
  channel = service.createChannel('gauges', [own.userId, other.userId])
  const moderators = service.createChannel('moderators', [own.userId])
  service.database.run(
    "INSERT OR REPLACE INTO realm VALUES ('moderation_request_channel_id', ?)",
    JSON.stringify(moderators),
  )
  const permissions = ['clipboard-read', 'clipboard-write']
  stage = await openAppStage({ window: { viewport: { width: 1200, height: 800 }, permissions } })
  page = stage.page
  await signIn(page, service.baseUrl, own)
})

afterAll(async () => {
  await stage?.close()
  await service?.close()
})

const send = (topic: string, content: string, from = other) =>
  service.send(from.userId, channel, topic, content)
const row = (id: number) => page.locator(`.msg[data-message-id="${id}"]`)
const press = (key: string) => page.keyboard.press(key)
const field = () => page.getByLabel('Message', { exact: true })
const copied = () => page.evaluate(() => navigator.clipboard.readText())
const place = (topic: string) => `channel/${channel}/topic/${encodeURIComponent(topic)}`
const writesIn = async (text: string) => {
  await expect.poll(() => field().inputValue()).toBe(text)
  await expect.poll(() => field().evaluate((element) => element === document.activeElement)).toBe(true)
}
/** Opens a place, and focuses a message there. */
async function select(where: string, id: number) {
  await goTo(page, where)
  await row(id).focus()
}
/** Closes the new message and discards its text. */
async function dropNew() {
  await field().fill('')
  await press('Escape')
  await page.locator('.cmp-wrap.new').waitFor({ state: 'detached' })
}

test('in a feed of many conversations one answers the selected message, in its conversation', async () => {
  const winch = send('winch', 'The winch is stuck.')
  const rota = send('rota', 'Who is on Sunday?')
  // If no message is selected yet, the key replies to the one where reading begins.
  await goTo(page, 'combined')
  await row(rota).waitFor()
  await press('r')
  await writesIn('')
  expect(await page.getByRole('combobox', { name: 'Topic' }).inputValue()).toMatch(/^(winch|rota)$/)
  await dropNew()
  await select('combined', winch)
  await press('r')
  await writesIn('')
  expect(await page.getByRole('combobox', { name: 'Topic' }).inputValue()).toBe('winch')
  // Messages outside the conversation fade, and stay readable.
  const textColor = (id: number) =>
    row(id)
      .locator('.content')
      .evaluate((node) => getComputedStyle(node).color)
  const [near, far] = [await textColor(winch), await textColor(rota)]
  expect(far).not.toBe(near)
  await field().fill('Grease it first')
  await row(rota).focus()
  await press('Enter')
  await writesIn('')
  expect(await page.getByRole('combobox', { name: 'Topic' }).inputValue()).toBe('rota')
  await expect.poll(async () => [await textColor(winch), await textColor(rota)]).toEqual([far, near])
  // The draft that was begun elsewhere is there again.
  await row(winch).hover()
  await row(winch).getByRole('button', { name: 'Reply', exact: true }).click()
  await writesIn('Grease it first')
  await press('Control+Enter')
  await page.locator('.msg[data-message-id]', { hasText: 'Grease it first' }).waitFor()
  await expect.poll(() => page.url()).toContain('topic/winch')
  // In an open conversation, the reply goes into its own field.
  await row(winch).focus()
  await press('Enter')
  await writesIn('')
  await press('Escape')
  await row(winch).focus()
  await press('s')
  await expect.poll(() => page.url()).toMatch(/channel\/\d+$/)
  await row(rota).focus()
  await press('s')
  await expect.poll(() => page.url()).toContain('topic/rota')
})

test('whoever is mentioned without being in the channel is put into it where one is told so', async () => {
  await select(place('winch'), send('winch', 'It runs again.'))
  await field().fill('@**Nils Haugen** have a look')
  await page.getByText('Nils Haugen is not in #gauges and may not see this.').waitFor()
  await page.getByRole('button', { name: 'Add to the channel' }).click()
  await page.getByText('Nils Haugen is not in #gauges').waitFor({ state: 'detached' })
  const members = async () => {
    const answer = await ask(service.baseUrl, other, 'GET', `/streams/${channel}/members`)
    // The envelope of the service's own answer.
    return (answer as { subscribers: number[] }).subscribers
  }
  await expect.poll(members).toContain(outsider.userId)
  await field().fill('')
})

test('keys quote, forward, mention, write to the sender, react and copy', async () => {
  const id = send('keys', `Ask **Keiko** in #**gauges>rota**`)
  await select(place('keys'), id)
  await press('<')
  await expect.poll(() => field().inputValue()).toContain('```quote\nAsk **Keiko** in #**gauges>rota**\n```')
  await dropNew()
  await row(id).focus()
  await press('@')
  await writesIn(`@**Keiko Tamura|${other.userId}** `)
  await field().fill('')
  await row(id).focus()
  await press('+')
  const reaction = row(id).getByRole('button', { name: /\+1|thumb/i, pressed: true })
  await reaction.first().waitFor()
  await row(id).focus()
  await press('=')
  await expect.poll(() => row(id).locator('.rp[aria-pressed="true"]').count()).toBe(0)
  await row(id).focus()
  await press('Control+c')
  await page.getByText('Text copied').waitFor()
  expect(await copied()).toBe('Ask Keiko in #gauges > rota')
  await press('l')
  await page.getByText('Link copied').waitFor()
  expect(await copied()).toContain(`/near/${id}`)
  await row(id).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Copy Markdown' }).click()
  await page.getByText('Markdown copied').waitFor()
  expect(await copied()).toBe('Ask **Keiko** in #**gauges>rota**')
  await row(id).focus()
  // The card of the sender gives the focus back to the message, which the next key acts on.
  await press('u')
  const card = page.getByRole('dialog', { name: 'Keiko Tamura' })
  await card.waitFor()
  await expect.poll(() => card.evaluate((node) => node.contains(document.activeElement))).toBe(true)
  await press('Escape')
  await card.waitFor({ state: 'detached' })
  await expect.poll(() => row(id).evaluate((node) => node === document.activeElement)).toBe(true)
  await press('Shift+R')
  await expect.poll(() => page.url()).toContain(`/direct/${other.userId}`)
  await page.getByText('Keiko Tamura').first().waitFor()
})

test('the keys to the first and to the last message take the focus along', async () => {
  const ids = Array.from({ length: 30 }, (_, index) => send('ends', `${index} knots`))
  const focused = () =>
    page.evaluate(() => Number((document.activeElement as HTMLElement).dataset['messageId']))
  await select(place('ends'), ids.at(-1) ?? 0)
  await press('Home')
  await expect.poll(focused).toBe(ids[0])
  await press('j')
  expect(await focused()).toBe(ids[1])
  await press('End')
  await expect.poll(focused).toBe(ids.at(-1))
  // The bar stays at the top of what is read, and so does what is read when the focus goes into the bar.
  const scrolled = () => page.locator('.feed').evaluate((feed) => feed.scrollTop)
  const before = await scrolled()
  expect(before).toBeGreaterThan(60)
  await page.locator('.rb .cn').focus()
  expect(await scrolled()).toBe(before)
})

test('a long message is unfolded and folded by its key', async () => {
  const long = send('long one', Array.from({ length: 60 }, (_, index) => `line ${index}`).join('\n\n'))
  await select(place('long one'), long)
  await press('-')
  await row(long).getByRole('button', { name: 'Show less' }).waitFor()
  await row(long).focus()
  await press('-')
  await row(long).getByRole('button', { name: 'Show more' }).waitFor()
  // Also within one frame, during which the height seems unchanged.
  await row(long).evaluate(async (message) => {
    const click = () => message.querySelector<HTMLElement>('.more-text')?.click()
    click()
    await Promise.resolve()
    click()
  })
  await drawn(page)
  await row(long).getByRole('button', { name: 'Show more' }).waitFor()
})

test('a message is collapsed and expanded by key and menu, everywhere', async () => {
  const id = send('short one', 'Spring tide at noon :ocean:')
  const isKept = () =>
    service.database.get<{ is_collapsed: number }>(
      'SELECT is_collapsed FROM user_messages WHERE message_id = ? AND user_id = ?',
      id,
      own.userId,
    )?.is_collapsed
  await select(place('short one'), id)
  await press('-')
  await row(id).getByText('Collapsed.').waitFor()
  expect(await row(id).getByText('Spring tide').count()).toBe(0)
  await expect.poll(isKept).toBe(1)
  await press('-')
  await row(id).getByText('Spring tide').waitFor()
  await expect.poll(isKept).toBe(0)
  await row(id).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Collapse' }).click()
  await row(id).getByRole('button', { name: 'Show', exact: true }).click()
  await row(id).getByText('Spring tide').waitFor()
})

test('emoji alone are drawn large, among words they are not', async () => {
  const alone = send('waves', ':ocean: :tada:')
  const among = send('waves', 'Look :ocean:')
  await goTo(page, place('waves'))
  const height = (id: number) =>
    row(id)
      .locator('span.emoji')
      .first()
      .evaluate((emoji) => Number.parseFloat(getComputedStyle(emoji).fontSize))
  await row(among).waitFor()
  expect(await height(alone)).toBeGreaterThan(1.8 * (await height(among)))
})

test('a message of one’s own is deleted, and somebody else’s stays', async () => {
  const mine = send('to go', 'A mistake', own)
  const theirs = send('to go', 'Buy cheap gauges')
  await goTo(page, place('to go'))
  const has = (id: number) => row(id).evaluate((node) => node === document.activeElement)
  await row(mine).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('alertdialog').waitFor()
  // Nothing leads away from the question.
  await press('Shift+I')
  // A person who cancels continues from there; a person who deletes continues with the next message.
  await press('Escape')
  // The question fades for a moment, and must not be taken for the next one.
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await expect.poll(() => has(mine)).toBe(true)
  await press('i')
  await page.getByRole('menuitem', { name: 'Delete…' }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter')
  await row(mine).waitFor({ state: 'detached' })
  await expect.poll(() => has(theirs)).toBe(true)
})

test('a message is reported to the moderators', async () => {
  const theirs = send('report', 'Buy cheap gauges')
  await select(place('report'), theirs)
  await press('i')
  await page.getByRole('menuitem', { name: 'Report…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report this message' })
  await dialog.getByText('Spam').click()
  // The radio buttons are one tab stop; the text field follows.
  await dialog.getByLabel('Spam').press('Tab')
  const words = dialog.getByLabel('Anything to add')
  await expect.poll(() => words.evaluate((node) => node === document.activeElement)).toBe(true)
  await words.fill('The third one today')
  await press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await row(theirs).focus()
  await press('i')
  await page.getByRole('menuitem', { name: 'Report…' }).click()
  expect(await words.inputValue()).toBe('The third one today')
  await dialog.getByRole('button', { name: 'Report' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect
    .poll(
      () =>
        service.database.get<{ content: string }>(
          "SELECT content FROM messages WHERE topic = 'Keiko Tamura moderation requests'",
        )?.content,
    )
    .toContain('The third one today')
})

test('who types is said, and what others reacted to is listed', async () => {
  const mine = send('typing', 'The gauge is dry', own)
  await goTo(page, place('typing'))
  await row(mine).waitFor()
  const to = { type: 'stream', stream_id: String(channel), topic: 'typing' }
  await ask(service.baseUrl, other, 'POST', '/typing', { op: 'start', ...to })
  await page.getByText('Keiko Tamura is typing').waitFor()
  await ask(service.baseUrl, other, 'POST', '/typing', { op: 'stop', ...to })
  await page.getByText('Keiko Tamura is typing').waitFor({ state: 'detached' })
  const theirs = send('typing', 'It is not', other)
  await row(theirs).waitFor()
  await ask(service.baseUrl, other, 'POST', `/messages/${theirs}/typing`, { op: 'start' })
  await row(theirs).getByText('Keiko Tamura is editing this message').waitFor()
  await ask(service.baseUrl, other, 'POST', `/messages/${theirs}/typing`, { op: 'stop' })
  await row(theirs).getByText('is editing').waitFor({ state: 'detached' })
  await ask(service.baseUrl, other, 'POST', `/messages/${mine}/reactions`, { emoji_name: 'tada' })
  await goTo(page, `reactions/${own.userId}`)
  await row(mine).locator('.rp .emj').waitFor()
})

test('others hear that one writes a message, or changes one', async () => {
  const { queue_id } = (await ask(service.baseUrl, other, 'POST', '/register', {
    event_types: '["typing", "typing_edit_message"]',
    client_capabilities: '{"notification_settings_null": true, "stream_typing_notifications": true}',
  })) as { queue_id: string }
  /** The events that the other person has received so far. */
  const told = async () => {
    const { events } = (await ask(service.baseUrl, other, 'GET', '/events', {
      queue_id,
      last_event_id: -1,
      dont_block: 'true',
    })) as { events: { type: string; op: string }[] }
    return events.map(({ type, op }) => `${type} ${op}`)
  }
  const mine = send('heard', 'The gauge is wet', own)
  await goTo(page, place('heard'))
  await row(mine).waitFor()
  await field().pressSequentially('So')
  await expect.poll(told).toContain('typing start')
  await field().fill('')
  await select(place('heard'), mine)
  await press('e')
  await page.getByLabel('Edit message').pressSequentially(' again')
  await expect.poll(told).toContain('typing_edit_message start')
  await press('Escape')
  await expect.poll(told).toContain('typing_edit_message stop')
})

test('every link in a message leads where it says, and only what is elsewhere leaves the window', async () => {
  const tables = service.createChannel('tables', [own.userId, other.userId])
  service.send(other.userId, tables, 'spring', 'They are out')
  const target = send('low water', 'Low water at six')
  for (let n = 0; n < 40; n++) send('low water', `Reading ${n}`)
  const names = {
    channel: '#tables',
    topic: '#gauges › low water',
    message: /^#gauges › low water @/,
    direct: 'what we said',
    view: 'what is starred',
    help: 'how to write that',
    website: 'the tide tables',
  }
  const links = send(
    'links',
    [
      '#**tables**',
      '#**gauges>low water**',
      `#**gauges>low water@${target}**`,
      `[${names.direct}](#narrow/dm/${own.userId},${other.userId}-dm)`,
      `[${names.view}](#narrow/is/starred)`,
      `[${names.help}](#message-formatting)`,
      `[${names.website}](https://tides.example/tables)`,
    ].join('\n\n'),
  )
  // Links that leave the app for a browser.
  await page.evaluate(() => {
    const outside: string[] = []
    const give = WebSocket.prototype.send
    WebSocket.prototype.send = function (sent) {
      if (typeof sent === 'string' && sent.includes('open-link')) outside.push(sent)
      give.call(this, sent)
    }
    Object.assign(window, { outside })
  })
  const left = () => page.evaluate(() => (window as unknown as { outside: string[] }).outside)
  const follow = async (name: keyof typeof names) => {
    await goTo(page, place('links'))
    await row(links).getByRole('link', { name: names[name], exact: true }).click()
  }
  for (const [name, address] of [
    // Channels open at their newest topic, unless the person chose otherwise.
    ['channel', `channel/${tables}/topic/spring`],
    // The link names one of its messages, but opens it as any topic.
    ['topic', `channel/${channel}/topic/low%20water`],
    ['message', `channel/${channel}/topic/low%20water\\?near=${target}`],
    ['direct', `direct/(${own.userId},)?${other.userId}`],
    ['view', 'starred'],
  ] as const) {
    await follow(name)
    await expect.poll(() => page.url()).toMatch(new RegExp(`/${address}$`))
    // The message itself, far above the end.
    if (name === 'message') await page.locator(`.msg.linked[data-message-id="${target}"]`).waitFor()
  }
  await follow('help')
  await page.getByRole('dialog', { name: 'Message formatting' }).waitFor()
  await page.keyboard.press('Escape')
  const helpLink = row(links).getByRole('link', { name: names.help })
  await expect.poll(() => helpLink.evaluate((link) => link === document.activeElement)).toBe(true)
  expect(await left()).toEqual([])
  await follow('website')
  await expect.poll(async () => (await left()).join()).toContain('https://tides.example/tables')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await row(links).waitFor()
  expect(page.context().pages()).toHaveLength(1)
})

test('going to the end marks all of it as read, which can be taken back', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => send('much', `Reading ${index}\n\nand more`))
  const unread = () =>
    service.database.get<{ count: number }>(
      `SELECT count(*) AS count FROM user_messages WHERE user_id = ?1 AND is_read = 0 AND message_id >= ?2`,
      { 1: own.userId, 2: ids[0] ?? 0 },
    )?.count ?? 0
  await select(place('much'), ids[0] ?? 0)
  expect(unread()).toBeGreaterThan(20)
  await press('End')
  await page.getByText(/^\d+ messages? marked read$/).waitFor()
  await expect.poll(unread).toBe(0)
  await row(ids.at(-1) ?? 0).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(unread).toBeGreaterThan(20)
})

test('lists have their keys: drafts are walked and deleted, topics muted, conversations searched', async () => {
  const id = send('rota', 'Nobody else?')
  await goTo(page, place('rota'))
  await row(id).waitFor()
  // In its feed, too, a topic is not muted without a word.
  await press('Shift+M')
  await page.getByText('Muted: rota').waitFor()
  await press('Control+z')
  await page.getByText('Muted: rota').waitFor({ state: 'detached' })
  await page.getByLabel('Compose to gauges, rota').locator('textarea').fill('I could go on Sunday')
  await goTo(page, 'inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await press('d')
  const draft = page.locator('.dr', { hasText: 'I could go on Sunday' })
  await draft.waitFor()
  await press('d')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await press('d')
  await draft.waitFor()
  await press('j')
  await press('ArrowRight')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Send')
  await press('h')
  await press('Delete')
  await draft.waitFor({ state: 'detached' })
  await press('Control+z')
  await draft.waitFor()
  // The draft continues in the place where it is opened.
  await draft.getByRole('button').first().press('Enter')
  const writing = page.getByLabel('Compose to gauges, rota').locator('textarea')
  await expect.poll(() => writing.evaluate((node) => node === document.activeElement)).toBe(true)
  await press('Escape')
  await press('t')
  const rows = page.locator('.rr')
  await rows.first().waitFor()
  await press('t')
  await page.keyboard.type('rota')
  await expect.poll(() => rows.count()).toBe(1)
  await press('ArrowDown')
  await press('Shift+M')
  await page.getByText('Muted: rota').waitFor()
  await press('Control+z')
  await rows.first().waitFor()
})

test('a message that was refused goes elsewhere, or back to the drafts', async () => {
  const id = send('closed', 'Nobody writes here.')
  const { email, api_key: apiKey } = service.owner
  const owner = { email, apiKey }
  // So far, only the server knows that the person may not write here.
  const refuse = async (text: string) => {
    await select(place('closed'), id)
    service.database.run('UPDATE channels SET is_archived = 1 WHERE channel_id = ?', channel)
    try {
      await field().fill(text)
      await field().press('Control+Enter')
      await page.locator('.msg.q .refusal').waitFor()
    } finally {
      // With its event, for a client that registered meanwhile and knows the channel as archived.
      await ask(service.baseUrl, owner, 'PATCH', `/streams/${channel}`, { is_archived: 'false' })
    }
    await goTo(page, 'drafts')
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Your message wasn’t sent' })
    await dialog.getByText(text).waitFor()
    await dialog.getByText('Nobody can write in #gauges: it is archived.').waitFor()
    return dialog
  }
  const review = await refuse('The mast is up')
  await review.getByRole('button', { name: 'Send it somewhere else' }).click()
  await review.waitFor({ state: 'detached' })
  // The draft has no recipients, and is in no other place any more.
  await page.getByRole('combobox', { name: 'Channel' }).waitFor()
  expect(await field().inputValue()).toBe('The mast is up')
  await expect.poll(() => page.getByRole('button', { name: 'Review', exact: true }).count()).toBe(0)
  await page.getByText('No recipient yet').waitFor()
  await dropNew()
  // The edited text is in that same draft, and not in a copy.
  await expect.poll(() => page.getByText('No recipient yet').count()).toBe(0)

  const again = await refuse('The mast is down')
  await again.getByRole('button', { name: 'Move back to drafts' }).click()
  await again.waitFor({ state: 'detached' })
  await goTo(page, place('closed'))
  await expect.poll(() => field().inputValue()).toBe('The mast is down')

  // Or the message is sent again as it is; or deleted, which can be undone.
  const third = await refuse('The mast is gone')
  await third.getByRole('button', { name: 'Delete message' }).click()
  await third.waitFor({ state: 'detached' })
  await page.getByText('Message deleted.').waitFor()
  await press('Control+z')
  await goTo(page, place('closed'))
  await expect.poll(() => field().inputValue()).toBe('The mast is gone')
  const last = await refuse('The mast stands')
  await last.getByRole('button', { name: 'Try again' }).click()
  await last.waitFor({ state: 'detached' })
  await goTo(page, place('closed'))
  await page.locator('.msg:not(.q)').getByText('The mast stands').waitFor()
})

test('a change that waits for the server can be given up, where it stands', async () => {
  const mine = send('offline', 'High water at nine', own)
  await select(place('offline'), mine)
  await row(mine).getByText('High water at nine').waitFor()
  await service.stop()
  await stage.noticeGone()
  try {
    await press('e')
    const text = page.getByLabel('Edit message')
    await text.fill('High water at ten')
    await text.press('Control+Enter')
    await row(mine).getByText('High water at ten').waitFor()
    await row(mine).getByText('Queued, sends when you’re back online').waitFor()
    await row(mine).getByRole('button', { name: 'Discard' }).press('Enter')
    const asked = page.getByRole('alertdialog', { name: 'Discard this?' })
    await asked.getByText('High water at ten').waitFor()
    await press('Escape')
    await asked.waitFor({ state: 'detached' })
    await row(mine).getByText('High water at ten').waitFor()
    await row(mine).getByRole('button', { name: 'Discard' }).press('Enter')
    // The question opens with the focus on the harmless button.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel')
    await asked.getByRole('button', { name: 'Discard' }).press('Enter')
    await row(mine).getByText('High water at nine').waitFor()
    await expect.poll(() => row(mine).evaluate((element) => element === document.activeElement)).toBe(true)
  } finally {
    await service.start()
    await stage.noticeBack()
  }
  await page.getByTestId('sync-pill').getByText('Synced').waitFor()
  expect(
    service.database.get<{ content: string }>('SELECT content FROM messages WHERE message_id = ?', mine),
  ).toEqual({ content: 'High water at nine' })
})
