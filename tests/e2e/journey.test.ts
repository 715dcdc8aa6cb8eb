import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { topicConversation } from '../../src-shared/model/conversation.ts'
import { openDevice, type Device } from '../support/device.ts'
import { goTo } from './browser.ts'
import { openStage, type Stage } from './stage.ts'

// A day with Dunlin, in order: each part continues from the state that the previous one left.

let stage: Stage
let page: Page
let second: Device
/** The code of the emoji chosen offline. */
let reaction = ''

const topic = 'gauge 4 offset drift'
const gauge = topicConversation(1, topic)

beforeAll(async () => {
  // The platform's edge: a headless browser shows no notifications, so they are recorded instead.
  const writeNotifications = () => {
    class Written extends EventTarget {
      static readonly permission = 'granted'
      static readonly all: { title: string; body: string; click(): void }[] = []
      constructor(title: string, options: { body: string }) {
        super()
        Written.all.push({ title, body: options.body, click: () => this.dispatchEvent(new Event('click')) })
      }
    }
    Object.assign(globalThis, { Notification: Written })
  }
  stage = await openStage({ prepare: (context) => context.addInitScript(writeNotifications) })
  page = stage.page
})

afterAll(async () => {
  await second?.close()
  await stage?.close()
})

/** The drafts in the app's files. */
const draftsOnDisk = (): string[] =>
  readdirSync(join(stage.appDirectory, 'accounts'))
    .filter((name) => name.endsWith('.db'))
    .flatMap((name) => {
      const file = new Sqlite(join(stage.appDirectory, 'accounts', name), { readonly: true })
      try {
        return file.prepare<[], string>('SELECT content FROM drafts').pluck().all()
      } finally {
        file.close()
      }
    })
const pill = () => page.getByTestId('sync-pill')
const field = () => page.getByLabel('Message', { exact: true })
const draftState = () => page.getByTestId('draft-state')
const waiting = () => page.locator('[data-local-id]')
const messages = () => page.locator('.msg[data-message-id]')
/** Presses a button of a message's toolbar, which is present only while the pointer is over the message. */
const pressIn = async (message: Locator, name: RegExp): Promise<void> => {
  for (let tries = 1; ; tries++) {
    await message.hover()
    try {
      await message.getByRole('toolbar').getByRole('button', { name }).first().click({ timeout: 3_000 })
      return
    } catch (error) {
      if (tries === 10) throw error
    }
  }
}
const go = (place: string) => goTo(page, place)
const openTopic = async () => {
  await go('channel/1/topic/gauge%204%20offset%20drift')
  await messages().first().waitFor()
}

const say = (content: string, to = topic) =>
  stage.ask('POST', '/messages', { type: 'stream', to: '1', topic: to, content }, stage.other)

interface ServerMessage {
  id: number
  content: string
  sender_email: string
  flags: string[]
  reactions: { emoji_code: string; user_id: number }[]
}
const onServer = async (narrow: unknown, count = 40) => {
  const answer = await stage.ask('GET', '/messages', {
    anchor: 'newest',
    num_before: String(count),
    num_after: '0',
    apply_markdown: 'false',
    narrow: JSON.stringify(narrow),
  })
  return (answer as { messages: ServerMessage[] }).messages
}
const gaugeOnServer = () =>
  onServer([
    { operator: 'channel', operand: 1 },
    { operator: 'topic', operand: topic },
  ])

test('what is missing or wrong is explained; then the person is in', async () => {
  /** The form says what is missing, beside the field that has the focus. */
  const lacks = async (field: Locator, words: string) => {
    await page.getByRole('alert').getByText(words).waitFor()
    expect(await page.getByRole('alert').count()).toBe(1)
    expect(await field.evaluate((one) => one === document.activeElement)).toBe(true)
    const described = await field.getAttribute('aria-describedby')
    expect(await page.locator(`[id="${described}"]`).innerText()).toBe(words)
  }
  const [address, email] = [page.getByLabel('Address'), page.getByLabel('Email')]
  const password = page.getByRole('textbox', { name: 'Password' })
  await page.getByRole('button', { name: 'Continue' }).click()
  await lacks(address, 'Enter the organization’s address.')
  await address.fill('127.0.0.1:9')
  expect(await page.getByRole('alert').count()).toBe(0)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('No server answers at this address.').waitFor()
  await address.fill(`127.0.0.1:${stage.service.port}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Skerry Coast Survey').waitFor()
  await password.press('Enter')
  await lacks(email, 'Enter your email.')
  await email.fill(stage.own.email)
  await email.press('Enter')
  await lacks(password, 'Enter your password.')
  await password.fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Wrong email or password.').waitFor()
  await password.fill(stage.own.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
})

test('a topic opens, what others write appears without a reload, and reading reaches the server', async () => {
  await page.locator('nav.sb').getByRole('treeitem', { name: 'tide-gauges' }).click()
  await page.locator('.topics a', { hasText: topic }).click()
  await messages().first().waitFor()
  await say('fresh from **Keiko**')
  await page
    .getByRole('button', { name: /latest/ })
    .click({ timeout: 3_000 })
    .catch(() => {})
  await page.locator('.msg strong', { hasText: 'Keiko' }).last().waitFor()
  await expect
    .poll(async () => (await gaugeOnServer()).at(-1)?.flags.includes('read'), { timeout: 20_000 })
    .toBe(true)
})

test('a mention notifies, and a click on it opens the conversation', async () => {
  await go('starred')
  await page.getByRole('heading', { name: 'Starred' }).waitFor()
  await say(`@**${stage.own.full_name}** the gauge again`, 'ladder at gauge 2')
  const shown = () =>
    page.evaluate(() =>
      (Notification as unknown as { all: { title: string }[] }).all.map(({ title }) => title),
    )
  await expect.poll(async () => String((await shown()).at(-1))).toContain('ladder at gauge 2')
  await page.evaluate(() => (Notification as unknown as { all: { click(): void }[] }).all.at(-1)?.click())
  await page.locator('.msg .content', { hasText: 'the gauge again' }).waitFor()
  expect(page.url()).toContain('ladder%20at%20gauge%202')
})

test('a second device shows the same draft; changes that do not touch are joined', async () => {
  second = await openDevice(
    stage.service.baseUrl,
    { email: stage.own.email, apiKey: stage.own.api_key },
    60_000,
  )
  const { accountId } = second
  await openTopic()
  await field().fill('The gauge drifts by four millimetres a week. We should look at the clamp.')
  const there = await second.until(
    'conversation-draft',
    { accountId, conversation: gauge },
    (draft) => draft?.content.includes('the clamp') === true,
  )
  await second.bridge.call('save-draft', {
    accountId,
    draftId: there?.id ?? null,
    draft: {
      recipient: gauge,
      content: 'The gauge drifts by six millimetres a week. We should look at the clamp.',
    },
  })
  await field().pressSequentially(' Before Friday.')
  await expect
    .poll(() => field().inputValue(), { timeout: 20_000 })
    .toBe('The gauge drifts by six millimetres a week. We should look at the clamp. Before Friday.')
  await second.until(
    'conversation-draft',
    { accountId, conversation: gauge },
    (draft) =>
      draft?.content.endsWith('six millimetres a week. We should look at the clamp. Before Friday.') === true,
  )
})

test('with the service gone, everything can be read, searched, written and marked', async () => {
  await draftState().getByText('Draft saved').waitFor({ timeout: 20_000 })
  await stage.stopService()
  await pill()
    .getByText(/Offline|Not reachable/)
    .waitFor({ timeout: 30_000 })

  await field().pressSequentially(' Bring the ladder.')
  await draftState().getByText('Saved on this device').waitFor()

  // Two messages to one topic, one to a person.
  await go('channel/1/topic/ladder%20at%20gauge%202')
  await messages().first().waitFor()
  await field().fill('first from the tunnel')
  await page.getByRole('button', { name: 'Queue' }).click()
  await expect.poll(() => waiting().count()).toBe(1)
  await field().fill('second from the tunnel')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => waiting().count()).toBe(2)
  await waiting().nth(1).getByText('Queued, sends after the message above').waitFor()

  // A reaction, a star and an unread mark, on a message that is here.
  const target = page.locator('.msg[data-message-id]', { hasText: 'the gauge again' })
  await pressIn(target, /^React with/)
  // The button's name cannot be used: its emoji changes when the person's most used emoji arrive.
  const chosen = await target
    .getByRole('button', { name: /waiting to sync/ })
    .locator('.emj')
    .innerText()
  reaction = chosen.codePointAt(0)?.toString(16) ?? ''
  await pressIn(target, /^Star$/)
  await target.getByLabel('starred').waitFor()

  await go(`direct/${stage.other.user_id}`)
  await field().fill('are you at the harbour?')
  await page.getByRole('button', { name: 'Queue' }).click()
  await expect.poll(() => waiting().count()).toBe(1)

  // Cached messages are found.
  await go('search?text=drift')
  await page.locator('mark', { hasText: /drift/i }).first().waitFor()

  // A new draft in another place.
  await go('channel/1/topic/winter%20moorings')
  await field().fill('a draft that is not finished')
  await draftState().getByText('Saved on this device').waitFor()
})

test('a kill loses none of it, and the next start shows all of it without the service', async () => {
  await field().pressSequentially(', and a word more')
  // The text before these words was saved, and the window says so until it saves again.
  await expect.poll(draftsOnDisk).toContain('a draft that is not finished, and a word more')
  await stage.stopApp()
  await stage.startApp()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await go('channel/1/topic/winter%20moorings')
  await expect.poll(() => field().inputValue()).toBe('a draft that is not finished, and a word more')
  await go('channel/1/topic/ladder%20at%20gauge%202')
  await expect.poll(() => waiting().count()).toBe(2)
  await page.locator('.msg[data-message-id]', { hasText: 'the gauge again' }).getByLabel('starred').waitFor()
  await go('drafts')
  await page.getByText('are you at the harbour?').first().waitFor()
})

test('when the service is back, everything is delivered in order and once', async () => {
  // The event queue was lost with the old process; other people wrote meanwhile.
  await stage.startService()
  await say('meanwhile, from somebody else', 'ladder at gauge 2')
  await go('channel/1/topic/ladder%20at%20gauge%202')
  await expect.poll(() => waiting().count(), { timeout: 60_000 }).toBe(0)
  await page.getByText('meanwhile, from somebody else', { exact: true }).waitFor({ timeout: 30_000 })
  const sent = async () =>
    (await page.locator('.msg .content').allInnerTexts()).filter((text) => text.includes('from the tunnel'))
  await expect.poll(sent).toEqual(['first from the tunnel', 'second from the tunnel'])

  // A message that is being sent is in the feed as well.
  const ladder = async () =>
    (
      await onServer([
        { operator: 'channel', operand: 1 },
        { operator: 'topic', operand: 'ladder at gauge 2' },
      ])
    )
      .map(({ content }) => content)
      .filter((text) => text.includes('tunnel'))
  await expect.poll(ladder).toEqual(['first from the tunnel', 'second from the tunnel'])
  const target = async () =>
    (
      await onServer([
        { operator: 'channel', operand: 1 },
        { operator: 'topic', operand: 'ladder at gauge 2' },
      ])
    ).find(({ content }) => content.includes('the gauge again'))
  await expect
    .poll(async () => (await target())?.reactions.map(({ emoji_code, user_id }) => [emoji_code, user_id]))
    .toEqual([[reaction, stage.own.user_id]])
  await expect.poll(async () => (await target())?.flags.includes('starred')).toBe(true)
  await expect
    .poll(async () =>
      (await onServer([{ operator: 'dm', operand: [stage.other.user_id] }]))
        .map(({ content }) => content)
        .filter((text) => text === 'are you at the harbour?'),
    )
    .toHaveLength(1)
})

test('changes of a draft that touch are both kept, shown side by side, and the person decides', async () => {
  const { accountId } = second
  const here = { accountId, conversation: gauge }
  const draftsOnServer = async () =>
    ((await stage.ask('GET', '/drafts')) as { drafts: { content: string; topic: string }[] }).drafts
      .filter((draft) => draft.topic === topic)
      .map(({ content }) => content)
  const agreed = await second.until('conversation-draft', here, (draft) =>
    (draft?.content ?? '').endsWith('Bring the ladder.'),
  )
  await second.until('conversation-draft', here, (draft) => draft?.state === 'synced')
  await openTopic()
  await expect.poll(() => field().inputValue()).toBe(agreed?.content)
  // From here on, the text below is the first that is saved only on this device.
  await draftState().getByText('Draft saved').waitFor({ timeout: 20_000 })

  // Both devices write without hearing of each other; the second one comes back first.
  await stage.stopService()
  await pill()
    .getByText(/Offline|Not reachable/)
    .waitFor({ timeout: 30_000 })
  await field().fill((agreed?.content ?? '').replace('Friday', 'Thursday'))
  await draftState().getByText('Saved on this device').waitFor()
  await stage.stopApp()
  const mondays = (agreed?.content ?? '').replace('Friday', 'Monday')
  await second.bridge.call('save-draft', {
    accountId,
    draftId: agreed?.id ?? null,
    draft: { recipient: gauge, content: mondays },
  })
  await stage.startService()
  await second.bridge.call('try-now', { accountId })
  await expect.poll(draftsOnServer, { timeout: 60_000 }).toEqual([mondays])

  await stage.startApp()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await openTopic()
  await draftState().getByText('Edited on two devices').waitFor({ timeout: 60_000 })
  await draftState().getByRole('button', { name: 'Compare' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Thursday').first().waitFor()
  await dialog.getByText('Monday').first().waitFor()
  // Another draft that begins for the same topic leaves open what the person compares.
  const recipient = gauge
  const another = await second.bridge.call('save-draft', {
    accountId,
    draftId: null,
    draft: { recipient, content: 'Is the ladder still there?' },
    basis: null,
  })
  await expect.poll(draftsOnServer, { timeout: 60_000 }).toContain('Is the ladder still there?')
  await page.getByText('1 more draft').waitFor({ state: 'attached' })
  expect(await dialog.isVisible()).toBe(true)
  await second.bridge.call('delete-draft', { accountId, draftId: another.draftId })
  await page.keyboard.press('3')
  await expect.poll(() => dialog.getByRole('radio').last().isChecked()).toBe(true)
  await page.keyboard.press('Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => field().inputValue()).toContain('Monday')
  const joined = await field().inputValue()
  expect(joined).toContain('six millimetres')
  expect(joined).toContain('Thursday')
  await expect.poll(draftsOnServer, { timeout: 60_000 }).toEqual([joined])
  await second.until('conversation-draft', here, (draft) => draft?.content === joined)
})

test('what somebody does is told without the command that says so', async () => {
  await go('channel/4/topic/Thursday%20launch')
  const told = page.locator('.me-message .content', { hasText: 'on the second oar' })
  await told.waitFor()
  expect(await told.innerText()).toMatch(/^paints /)
})
