import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import { startGate, type Gate } from '../support/gate.ts'
import { ask, enterAccount, goTo } from './browser.ts'
import { openAppStage, type AppStage } from './stage.ts'

// What the header above messages says about the open place, and where it leads.

let service: TestService
/** Holds back the server's first answers. */
let gate: Gate
let stage: AppStage
let page: Page
let own: ReturnType<TestService['createUser']>
let other: ReturnType<TestService['createUser']>
let channel: number
/** A channel that the person is not in. */
let foreign: number
const description = `Loggers, datums and swaps. ${'Everything about the eight gauges between Ness and Holm. '.repeat(6)}`

beforeAll(async () => {
  service = await startService()
  own = service.createUser('Maren Aske')
  other = service.createUser('Keiko Tamura')
  channel = service.createChannel('tide gauges', [own.userId, other.userId])
  service.workspace.db.run('UPDATE channels SET description = ?1 WHERE channel_id = ?2', {
    1: description,
    2: channel,
  })
  foreign = service.createChannel('gull ringing', [other.userId])
  service.send(other.userId, foreign, 'lime rings', 'Ten are left')
  service.send(other.userId, channel, 'battery swap', 'The battery is full')
  service.send(other.userId, channel, 'offset drift', 'The battery is empty')
  stage = await openAppStage()
  page = stage.page
  gate = await startGate(service.baseUrl, ({ url }) => url?.startsWith('/api/v1/register') === true)
})

afterAll(async () => {
  await stage?.close()
  gate?.close()
  await service?.close()
})

const topic = (name: string) => `channel/${channel}/topic/${encodeURIComponent(name)}`
const header = () => page.locator('main .hd')
const chips = () => page.getByRole('list', { name: 'Conditions' }).getByRole('listitem').allInnerTexts()
const searchField = () => page.getByRole('combobox', { name: 'Search messages' })

test('before the first words of the server, rows stand where the lists will be', async () => {
  const sidebar = page.getByRole('navigation', { name: 'Views and channels' })
  await enterAccount(page, gate.baseUrl, own)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(() => sidebar.locator('.waits').count()).toBe(8)
  expect(await sidebar.getAttribute('aria-busy')).toBe('true')
  expect(await sidebar.getByRole('link', { name: 'Inbox' }).count()).toBe(1)
  expect(await sidebar.getByRole('heading').count()).toBe(0)
  await page.getByRole('heading', { name: 'Your messages are on their way' }).waitFor()
  // Nothing is reported as missing yet, neither places nor channels.
  await goTo(page, 'recent')
  await expect
    .poll(() => page.getByRole('heading').allInnerTexts())
    .toEqual(['Local workspace', 'Your messages are on their way'])
  await goTo(page, 'channels/available')
  const channels = page.getByRole('dialog', { name: 'Channels' })
  await channels.getByText(/^Choose a channel /).waitFor()
  gate.open()
  await channels.getByRole('link', { name: /^gull ringing/ }).waitFor()
  expect(await channels.getByRole('radio', { name: 'Available' }).isChecked()).toBe(true)
  await page.keyboard.press('Escape')
  await sidebar.getByRole('treeitem', { name: /^tide gauges/ }).waitFor()
  expect(await sidebar.locator('.waits').count()).toBe(0)
})

test.each([
  ['channel', () => `channel/${channel}`, ['channel:tide gauges'], ['battery swap', 'offset drift']],
  ['topic', () => topic('offset drift'), ['channel:tide gauges', 'topic:offset drift'], ['offset drift']],
])('what is open is searched from its header: a %s', async (kind, place, conditions, found) => {
  await goTo(page, place())
  await page.locator('.msg').first().waitFor()
  await header()
    .getByRole('link', { name: `Search in this ${kind}` })
    .press('Enter')
  await searchField().waitFor()
  // The person can type the search words at once.
  await page.keyboard.type('battery')
  expect((await chips()).map((text) => text.replace(/\s+/g, ' ').replace(': ', ':').trim())).toEqual(
    conditions,
  )
  await expect.poll(async () => (await page.locator('.result').allInnerTexts()).length).toBe(found.length)
  const texts = (await page.locator('.result').allInnerTexts()).join(' ')
  for (const name of found) expect(texts).toContain(name)
})

test('a conversation is searched from its header too', async () => {
  await goTo(page, `direct/${other.userId}`)
  await header().getByRole('link', { name: 'Search in this conversation' }).click()
  await searchField().waitFor()
  expect((await chips()).join(' ')).toContain('Keiko Tamura')
})

test('in the list of topics, a topic that is not on this device says so until it was opened', async () => {
  await goTo(page, `channel/${foreign}/topics`)
  const row = page.getByRole('list', { name: 'Topics' }).getByRole('link', { name: /lime rings/ })
  await row.getByText('Not on this device yet').waitFor()
  await page.getByText('Messages here', { exact: true }).waitFor()
  await page.setViewportSize({ width: 900, height: 700 })
  await row.getByRole('img', { name: 'Not on this device yet' }).waitFor()
  await row.click()
  await page.getByText('Ten are left').waitFor()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goBack()
  await row.getByRole('img', { name: '1 message', exact: true }).waitFor()
  await page.getByText('Messages', { exact: true }).waitFor()
  expect(await row.getByText('Not on this device yet').count()).toBe(0)
})

test('a description is whole when it is pressed, where it does not fit', async () => {
  await goTo(page, topic('offset drift'))
  const cut = header().getByRole('button', { name: /^Loggers/ })
  await cut.waitFor()
  await cut.press('Enter')
  const whole = page.getByRole('dialog', { name: 'Read all of it' })
  await expect.poll(async () => (await whole.innerText()).trim()).toBe(description.trim())
  await page.keyboard.press('Escape')
  await whole.waitFor({ state: 'detached' })
  expect(await cut.evaluate((one) => one === document.activeElement)).toBe(true)
  // A description that fits shows in full.
  await goTo(page, 'combined')
  await header().getByText('Everything on this device').waitFor()
  expect(await header().getByRole('button').count()).toBe(0)
})

const topicOf = (id: number) =>
  service.database.get<{ topic: string }>('SELECT topic FROM messages WHERE message_id = ?', id)?.topic
const bar = (name: string) => page.locator('.rb', { has: page.getByRole('link', { name, exact: true }) })
const rename = () => page.getByRole('button', { name: 'Rename this topic' })
const newName = () => page.getByRole('textbox', { name: 'New name of the topic' })

test('a topic is renamed in the bar above its messages, all of it or from a message on', async () => {
  const ids = ['one', 'two', 'three'].map((text) => service.send(own.userId, channel, 'clamp', text))
  await goTo(page, topic('clamp'))
  await page.locator(`.msg[data-message-id="${ids[2]}"]`).waitFor()
  await rename().press('Enter')
  // The name is selected for typing over; Esc cancels.
  await page.keyboard.type('something else')
  expect(await newName().inputValue()).toBe('something else')
  await page.keyboard.press('Escape')
  await newName().waitFor({ state: 'detached' })
  expect(page.url()).toContain('topic/clamp')
  expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('clamp')

  await rename().press('Enter')
  await page.keyboard.type('loose clamp')
  await page.keyboard.press('Enter')
  await page.waitForURL(/topic\/loose%20clamp/)
  await expect.poll(() => ids.map(topicOf)).toEqual(Array(3).fill('loose clamp'))

  // A resolved topic stays resolved under another name.
  await page.getByRole('button', { name: 'Mark as resolved' }).click()
  await page.waitForURL(/%E2%9C%94/)
  await rename().press('Enter')
  expect(await newName().inputValue()).toBe('loose clamp')
  await page.keyboard.type('fixed clamp')
  await page.keyboard.press('Enter')
  await expect.poll(() => ids.map(topicOf)).toEqual(Array(3).fill('✔ fixed clamp'))

  const later = service.send(own.userId, channel, '✔ fixed clamp', 'A word after another topic')
  await goTo(page, `channel/${channel}`)
  const other = service.send(own.userId, channel, 'offset drift', 'Between them')
  const last = service.send(own.userId, channel, '✔ fixed clamp', 'From here on')
  await page.locator(`.msg[data-message-id="${last}"]`).waitFor()
  await page.getByRole('button', { name: 'Rename this topic' }).last().press('Enter')
  await page.getByRole('combobox', { name: 'Which messages' }).selectOption('later')
  await newName().fill('another clamp')
  await newName().press('Enter')
  await expect.poll(() => topicOf(last)).toBe('✔ another clamp')
  expect([later, other].map(topicOf)).toEqual(['✔ fixed clamp', 'offset drift'])
})

test('a new name waits for the server, and who may not rename topics is not offered to', async () => {
  const id = service.send(own.userId, channel, 'wires', 'They are loose')
  await goTo(page, topic('wires'))
  await page.locator(`.msg[data-message-id="${id}"]`).waitFor()
  await service.stop()
  await stage.noticeGone()
  await rename().press('Enter')
  await page.keyboard.type('cables')
  await page.keyboard.press('Enter')
  await bar('wires').getByLabel('Will be renamed to “cables” when you’re back online').waitFor()
  // Resolving and unresolving both show the state to come; the name stays.
  await bar('wires').getByRole('button', { name: 'Mark as resolved' }).click()
  await bar('wires').getByLabel('Will be renamed to “✔ cables” when you’re back online').waitFor()
  await bar('wires').getByRole('button', { name: 'Mark as unresolved' }).click()
  await bar('wires').getByLabel('Will be renamed to “cables” when you’re back online').waitFor()
  await rename().press('Enter')
  expect(await newName().inputValue()).toBe('cables')
  await newName().press('Escape')
  expect(topicOf(id)).toBe('wires')
  await service.start()
  await stage.noticeBack()
  await expect.poll(() => topicOf(id)).toBe('cables')
  await bar('cables').waitFor()

  const { email, api_key: apiKey } = service.owner
  await ask(service.baseUrl, { email, apiKey }, 'PATCH', '/realm', {
    can_move_messages_between_topics_group: JSON.stringify({
      new: { direct_members: [service.owner.user_id], direct_subgroups: [] },
    }),
  })
  await rename().waitFor({ state: 'detached' })
  expect(await bar('cables').count()).toBe(1)
})
