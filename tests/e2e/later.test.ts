import type { Page, WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs } from '../../src-shared/durations.ts'
import { goTo, typeMoment } from './browser.ts'
import { openStage, type Stage } from './stage.ts'

// Scheduled messages and reminders: listed, changed and ended, online and offline.

let stage: Stage
let page: Page
let window: () => Promise<void>

const place = 'channel/1/topic/gauge%204%20offset%20drift'

/** Whether the engine can store nothing, as on a full disk. */
let isDiskFull = false
/** Passes on the messages between window and engine; while there is no room, calls that store something are refused. */
function pass(socket: WebSocketRoute): void {
  const engine = socket.connectToServer()
  socket.onMessage((message) => {
    // The bridge's own format.
    const asked = JSON.parse(String(message)) as { kind: string; id: number; name?: string }
    if (!isDiskFull || asked.kind !== 'call' || asked.name !== 'act') return engine.send(message)
    const failure = { kind: 'device', code: 'disk-full', message: 'There is no room left on this disk.' }
    socket.send(JSON.stringify({ kind: 'failure', id: asked.id, failure }))
  })
}

beforeAll(async () => {
  stage = await openStage({ prepare: (context) => context.routeWebSocket(/./, pass) })
  page = stage.page
  await stage.signIn()
  await pill('Synced')
  window = async () => {
    await page.reload()
    await page.locator('main h1').first().waitFor()
  }
})

afterAll(() => stage?.close())

const pill = (words: string | RegExp) => page.getByTestId('sync-pill').getByText(words).waitFor()
const rows = () => page.locator('.later-row')
const row = (text: string) => page.locator('.later-row', { hasText: text })
const dialog = (name: string) => page.getByRole('dialog', { name })
const act = (text: string, name: string) => row(text).getByRole('button', { name, exact: true })
const focused = () =>
  page.evaluate(
    () => document.activeElement?.closest('.later-row')?.querySelector('.tx')?.textContent ?? null,
  )
/** In the form of the date and time field. */
const moment = (at: number) => {
  const date = new Date(at)
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The service's scheduled messages and reminders. */
const kept = (path: string) =>
  // The envelope of the service's own answer.
  stage.ask('GET', path) as Promise<{
    scheduled_messages?: { scheduled_message_id: number; content: string }[]
    reminders?: unknown[]
  }>
const schedule = (content: string, at: number) =>
  stage.ask('POST', '/scheduled_messages', {
    type: 'stream',
    to: 1,
    topic: 'gauge 4 offset drift',
    content,
    scheduled_delivery_timestamp: Math.round(at / 1_000),
  })

test('scheduled messages stand by days, are walked by keys, changed, deleted and brought back', async () => {
  await goTo(page, 'scheduled')
  await page.getByText('Nothing is scheduled').waitFor()
  await schedule('**Low water** tomorrow at `six`.', Date.now() + dayMs)
  await schedule('Is the boat fuelled?', Date.now() + 3 * dayMs)
  await schedule('Happy new gauge!', Date.now() + 3 * dayMs + 60_000)
  await rows().nth(2).waitFor()
  expect(await page.locator('.sech').allTextContents()).toHaveLength(2)
  expect(await page.locator('.sech').first().textContent()).toContain('Tomorrow')
  await page.locator('nav.sb .sr', { hasText: 'Scheduled' }).getByText('3').waitFor()

  await page.keyboard.press('j')
  await page.keyboard.press('j')
  expect(await focused()).toBe('Is the boat fuelled?')
  await page.keyboard.press('Enter')
  await dialog('Change the scheduled message')
    .getByLabel('Message', { exact: true })
    .fill('Is the boat ready?')
  await typeMoment(dialog('Change the scheduled message'), 'When', moment(Date.now() + 2 * dayMs))
  await page.getByRole('button', { name: 'Save' }).click()
  await dialog('Change the scheduled message').waitFor({ state: 'detached' })
  await row('Is the boat ready?').waitFor()
  expect(await page.locator('.sech').allTextContents()).toHaveLength(3)
  // It stands under another day now, and the focus went with it.
  await expect.poll(focused).toBe('Is the boat ready?')

  await row('Is the boat ready?').getByRole('button').first().focus()
  // The key that marks a conversation as read elsewhere deletes nothing.
  await page.keyboard.press('e')
  expect(await focused()).toBe('Is the boat ready?')
  await page.keyboard.press('Delete')
  await row('Is the boat ready?').waitFor({ state: 'detached' })
  await expect.poll(focused).toBe('Happy new gauge!')
  await expect.poll(async () => (await kept('/scheduled_messages')).scheduled_messages?.length).toBe(2)
  // While it is being sent, or looked for, it may be on the server.
  stage.service.child.kill('SIGSTOP')
  try {
    await page.keyboard.press('Control+z')
    await expect.poll(() => act('Is the boat ready?', 'Delete').isDisabled()).toBe(true)
    expect(await act('Is the boat ready?', 'Send now').isDisabled()).toBe(true)
  } finally {
    stage.service.child.kill('SIGCONT')
  }
  await row('Is the boat ready?').waitFor()
  await expect.poll(async () => (await kept('/scheduled_messages')).scheduled_messages?.length).toBe(3)

  // The address identifies the place, so it works after a restart.
  await window()
  await row('Low water tomorrow at six.').waitFor()
})

test('words for a scheduled message that cannot be kept stay in the field, and are kept once there is room', async () => {
  const words = 'Low water tomorrow at half past six.'
  const change = dialog('Change the scheduled message')
  await goTo(page, 'scheduled')
  await act('Low water tomorrow', 'Edit').click()
  await change.getByLabel('Message', { exact: true }).fill(words)
  isDiskFull = true
  await change.getByRole('button', { name: 'Save' }).click()
  await change.getByRole('alert').getByText('There is no room left on this disk.').waitFor()
  expect(await change.getByLabel('Message', { exact: true }).inputValue()).toBe(words)
  isDiskFull = false
  await change.getByRole('button', { name: 'Save' }).click()
  await change.waitFor({ state: 'detached' })
  await row(words).waitFor()
  await expect
    .poll(async () => (await kept('/scheduled_messages')).scheduled_messages?.map(({ content }) => content))
    .toContain(words)
})

test('words for a scheduled message stay when the dialog closes, until they are saved or given up', async () => {
  const change = dialog('Change the scheduled message')
  const field = change.getByLabel('Message', { exact: true })
  const words = 'Happy new gauge, everybody!'
  await goTo(page, 'scheduled')
  await act('Happy new gauge!', 'Edit').click()
  await field.fill(words)
  await page.keyboard.press('Escape')
  await change.waitFor({ state: 'detached' })
  await row('Happy new gauge!').getByText('Edit not saved').waitFor()
  await window()
  await act('Happy new gauge!', 'Edit').click()
  expect(await field.inputValue()).toBe(words)
  // Another device changes it before the person goes on.
  await page.keyboard.press('Escape')
  await change.waitFor({ state: 'detached' })
  const changeElsewhere = async (from: string, content: string) => {
    const one = (await kept('/scheduled_messages')).scheduled_messages?.find((it) => it.content === from)
    await stage.ask('PATCH', `/scheduled_messages/${one?.scheduled_message_id}`, { content })
    await row(content).waitFor()
  }
  await changeElsewhere('Happy new gauge!', 'Happy new tide!')
  for (const _ of ['opened', 'opened again']) {
    await act('Happy new tide!', 'Edit').click()
    await change
      .getByText('It was changed in the meantime. Saving replaces this text: Happy new tide!')
      .waitFor()
    expect(await field.inputValue()).toBe(words)
    await page.keyboard.press('Escape')
    await change.waitFor({ state: 'detached' })
  }
  await act('Happy new tide!', 'Edit').click()
  await change.getByRole('button', { name: 'Use that text' }).click()
  expect(await field.inputValue()).toBe('Happy new tide!')
  await field.fill(words)
  await changeElsewhere('Happy new tide!', 'Happy new gauge!')
  await change.getByRole('button', { name: 'Cancel' }).click()
  await row('Happy new gauge!').getByText('Edit not saved').waitFor({ state: 'detached' })
  await act('Happy new gauge!', 'Edit').click()
  expect(await field.inputValue()).toBe('Happy new gauge!')
  await page.keyboard.press('Escape')
  await change.waitFor({ state: 'detached' })
})

test('words for a scheduled message that another device deleted meanwhile come back as a draft', async () => {
  await schedule('Who takes the rope?', Date.now() + dayMs)
  await goTo(page, 'scheduled')
  await act('Who takes the rope?', 'Edit').click()
  const words = 'Who takes the long rope?'
  await dialog('Change the scheduled message').getByLabel('Message', { exact: true }).fill(words)
  const all = (await kept('/scheduled_messages')).scheduled_messages ?? []
  const gone = all.find(({ content }) => content === 'Who takes the rope?')
  await stage.ask('DELETE', `/scheduled_messages/${gone?.scheduled_message_id}`)
  await row('Who takes the rope?').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save' }).click()
  await goTo(page, 'drafts')
  const refused = page.getByRole('listitem').filter({ hasText: 'Scheduled message changed: ' })
  await refused.getByText('Not sent').waitFor()
  await refused.getByRole('button', { name: 'Edit as a draft' }).click()
  await page.getByRole('listitem').getByText(words, { exact: true }).click()
  const field = page.getByLabel('Message', { exact: true })
  await expect.poll(() => field.inputValue()).toBe(words)
  await field.fill('')
})

test('a message is sent at once instead', async () => {
  await goTo(page, 'scheduled')
  await act('Happy new gauge!', 'Send now').click()
  await row('Happy new gauge!').waitFor({ state: 'detached', timeout: 20_000 })
  await goTo(page, place)
  await page.locator('.msg', { hasText: 'Happy new gauge!' }).waitFor()
})

test('a reminder is set with a note, changed, followed to its message, and done with', async () => {
  await goTo(page, place)
  const message = page.locator('.msg', { hasText: 'Happy new gauge!' })
  await message.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Remind me' }).hover()
  await page.getByRole('menuitem', { name: /Another time/ }).click()
  await typeMoment(dialog('Remind me'), 'When', moment(Date.now() + dayMs))
  await dialog('Remind me').getByLabel(/Note/).fill('Ask who sent it.')
  // However the form is closed, it has the same words when it opens again, also in another window.
  await page.keyboard.press('Escape')
  await dialog('Remind me').waitFor({ state: 'detached' })
  await window()
  await message.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Remind me' }).hover()
  await page.getByRole('menuitem', { name: /Another time/ }).click()
  await expect.poll(() => dialog('Remind me').getByLabel(/Note/).inputValue()).toBe('Ask who sent it.')
  await dialog('Remind me').getByRole('button', { name: 'Set the reminder' }).click()
  await page.locator('nav.sb .sr', { hasText: 'Reminders' }).click()
  await row('Happy new gauge!').getByText('Ask who sent it.').waitFor()

  await act('Happy new gauge!', 'Change').click()
  await dialog('Change the reminder').getByRole('button', { name: 'In three hours' }).click()
  await dialog('Change the reminder').getByLabel(/Note/).fill('Ask Ines.')
  await dialog('Change the reminder').getByRole('button', { name: 'Cancel' }).click()
  await act('Happy new gauge!', 'Change').click()
  expect(await dialog('Change the reminder').getByLabel(/Note/).inputValue()).toBe('Ask Ines.')
  await dialog('Change the reminder').getByLabel(/Note/).press('Control+Enter')
  await row('Happy new gauge!').getByText('Ask Ines.').waitFor()
  await expect.poll(() => row('Happy new gauge!').locator('.chip').count()).toBe(0)
  await expect.poll(async () => (await kept('/reminders')).reminders?.length).toBe(1)

  // While a dialog is open, the keys of the list do nothing.
  await dialog('Change the reminder').waitFor({ state: 'detached' })
  await expect.poll(focused).toMatch(/Happy new gauge!/)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.locator('.msg.linked', { hasText: 'Happy new gauge!' }).waitFor()
  await goTo(page, 'reminders')
  await row('Happy new gauge!').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await page.getByText('No reminders').waitFor()
  // Otherwise the next one would wait behind this one's end instead of being sent.
  await expect.poll(async () => (await kept('/reminders')).reminders?.length).toBe(0)
  // A reminder that is being sent cannot be acted on until the server has answered.
  stage.service.child.kill('SIGSTOP')
  try {
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await page.keyboard.press('Control+z')
    await row('Happy new gauge!').getByText('Ask Ines.').waitFor()
    await expect.poll(() => act('Happy new gauge!', 'Done').isDisabled()).toBe(true)
  } finally {
    stage.service.child.kill('SIGCONT')
  }
  await act('Happy new gauge!', 'Done').click()
  await page.getByText('No reminders').waitFor()
  await expect.poll(async () => (await kept('/reminders')).reminders?.length).toBe(0)
})

test('offline everything is there, changes wait, and what was planned is planned once', async () => {
  await goTo(page, 'scheduled')
  await row('Low water tomorrow').waitFor()
  await stage.stopService()
  await pill(/Offline|Not reachable/)
  await act('Low water tomorrow', 'Edit').click()
  await dialog('Change the scheduled message')
    .getByLabel('Message', { exact: true })
    .fill('Low water at seven.')
  await page.getByRole('button', { name: 'Save' }).click()
  await row('Low water at seven.').getByText('Change queued').waitFor()

  await goTo(page, place)
  await page.getByLabel('Message', { exact: true }).fill('From the tunnel, for the morning.')
  await page.getByRole('button', { name: 'More ways to send' }).click()
  await page.getByRole('menuitem', { name: 'Send later' }).hover()
  await page.getByRole('menuitem', { name: /09:00/ }).first().click()
  const field = page.getByLabel('Message', { exact: true })
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.getByText(/: will be scheduled when you’re back online$/).waitFor()
  const message = page.locator('.msg', { hasText: 'Happy new gauge!' })
  await message.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Remind me' }).hover()
  await page.getByRole('menuitem', { name: 'In three hours' }).click()
  await page.getByText(/: reminder will be set when you’re back online$/).waitFor()
  // It waits only here.
  await goTo(page, 'reminders')
  await row('Happy new gauge!').getByText('Queued').waitFor()
  await act('Happy new gauge!', 'Done').click()
  await page.getByText('Reminder done').waitFor()
  await goTo(page, 'scheduled')
  await act('Is the boat ready?', 'Delete').click()
  await page.getByText('Scheduled message will be deleted when you’re back online').waitFor()
  await page.keyboard.press('Control+z')
  await row('Is the boat ready?').waitFor()
  await row('From the tunnel').getByText('Queued to be scheduled').waitFor()
  await act('From the tunnel', 'Edit').click()
  await dialog('Change the scheduled message')
    .getByLabel('Message', { exact: true })
    .fill('Out of the tunnel, for the morning.')
  await page.getByRole('button', { name: 'Save' }).click()
  await row('Out of the tunnel').waitFor()
  await window()
  await row('Out of the tunnel').waitFor()
  await act('Out of the tunnel', 'Edit').click()
  const text = dialog('Change the scheduled message').getByLabel('Message', { exact: true })
  await text.fill('Out of the tunnel at last.')

  await stage.startService()
  await pill('Synced')
  await expect.poll(() => page.locator('.later-row .chip').count(), { timeout: 20_000 }).toBe(0)
  const onServer = async () => (await kept('/scheduled_messages')).scheduled_messages ?? []
  const arrived = (await onServer()).find(({ content }) => content.startsWith('Out of the tunnel'))
  expect(arrived?.content).toBe('Out of the tunnel, for the morning.')
  // What waited when the dialog opened is saved on the server, though it is another by now.
  const form = { content: 'Changed elsewhere.' }
  await stage.ask('PATCH', `/scheduled_messages/${arrived?.scheduled_message_id}`, form)
  await row('Changed elsewhere.').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await dialog('Change the scheduled message').waitFor({ state: 'detached' })
  await expect
    .poll(async () => (await onServer()).map(({ content }) => content).sort())
    .toEqual(['Is the boat ready?', 'Low water at seven.', 'Out of the tunnel at last.'])
})

test('starred messages by when they were starred: found from their feed, opened, unstarred and starred again', async () => {
  await goTo(page, place)
  const message = page.locator('.msg[data-message-id]').last()
  await message.focus()
  const text = (await message.locator('.content').textContent())?.trim().slice(0, 20) ?? ''
  await page.keyboard.press('Control+s')
  await goTo(page, 'starred')
  await page.getByRole('link', { name: 'Last starred' }).click()
  await expect.poll(() => page.url()).toContain('/last-starred')
  await page.locator('.sb a[aria-current]', { hasText: 'Starred' }).waitFor()
  await rows().first().getByText(text).waitFor()
  const all = await rows().count()
  expect(all).toBeGreaterThan(1)
  await page.getByText('Starred earlier or on another device').waitFor()

  await page.keyboard.press('j')
  await page.keyboard.press('Delete')
  await expect.poll(() => rows().count()).toBe(all - 1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => rows().count()).toBe(all)
  await rows().first().getByRole('button').first().click()
  await page.locator('.msg[data-message-id]', { hasText: text }).waitFor()
  await page.goBack()
  await rows().first().waitFor()
  await window()
  await rows().first().getByText(text).waitFor()
})
