import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goTo } from './browser.ts'
import { openStage, type Stage } from './stage.ts'

// Polls and to-do lists: creating, answering, extending and renaming them, online and offline.

let stage: Stage
let page: Page

beforeAll(async () => {
  stage = await openStage()
  page = stage.page
  await stage.signIn()
  await page.getByTestId('sync-pill').getByText('Synced').waitFor()
  await goTo(page, 'channel/1/topic/which%20boat')
})

afterAll(() => stage?.close())

const field = () => page.getByLabel('Message', { exact: true })
const poll = () => page.getByRole('region', { name: 'Poll' })
const list = () => page.getByRole('region', { name: 'To-do list' })
/** Chooses a tool from the menu, because the bar has no room for it beside the people. */
async function chooseTool(name: string) {
  await page.getByRole('toolbar').getByRole('button', { name: 'More formatting' }).click()
  await page.getByRole('menuitem', { name }).click()
}
/** The number of the service's submessages for the newest message. */
async function stepsOfNewest(): Promise<number> {
  const newest = { anchor: 'newest', num_before: 1, num_after: 0 }
  // The envelope of the service's own answer.
  const { messages } = (await stage.ask('GET', '/messages', newest)) as {
    messages: { submessages: unknown[] }[]
  }
  return messages[0]?.submessages.length ?? 0
}
async function write(text: string) {
  await field().fill(text)
  await page.getByRole('button', { name: /^(Send|Queue)$/ }).click()
}

test('a poll is asked, answered, added to and asked anew', async () => {
  await write('/poll Which boat on Friday?\nTern\nSkua')
  await poll().getByRole('button', { name: 'Tern, 0 votes' }).click()
  await poll().getByRole('button', { name: 'Tern, 1 vote' }).waitFor()
  expect(await poll().getByRole('button', { name: 'Tern, 1 vote' }).getAttribute('aria-pressed')).toBe('true')
  // Of many names, only the first are in sight.
  await poll().getByTitle('you', { exact: true }).waitFor()
  await poll().getByLabel('Add an option').fill('Gannet')
  await page.keyboard.press('Enter')
  await poll().getByRole('button', { name: 'Gannet, 0 votes' }).click()
  await poll().getByRole('button', { name: 'Tern, 1 vote' }).click()
  await poll().getByRole('button', { name: 'Tern, 0 votes' }).waitFor()

  // What is there already is not added again, and what was written is not lost.
  await poll().getByLabel('Add an option').fill('Skua ')
  await page.keyboard.press('Enter')
  const warning = poll().getByRole('alert').getByText('This option already exists.')
  await warning.waitFor()
  expect(await poll().getByLabel('Add an option').inputValue()).toBe('Skua ')
  await poll().getByLabel('Add an option').fill('Skua II')
  await warning.waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await poll().getByRole('button', { name: 'Skua II, 0 votes' }).waitFor()
  // The next one may begin like it.
  await poll().getByLabel('Add an option').fill('Skua')
  await page.waitForTimeout(300)
  expect(await warning.count()).toBe(0)
  await goTo(page, 'inbox')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await goTo(page, 'channel/1/topic/which%20boat')
  await expect.poll(() => poll().getByLabel('Add an option').inputValue()).toBe('Skua')
  await poll().getByLabel('Add an option').fill('')

  await poll().getByRole('button', { name: 'Change the question' }).click()
  await poll().getByLabel('Question').fill('Which boat on Satur')
  await page.keyboard.press('Escape')
  await poll().getByRole('heading', { name: 'Which boat on Friday?' }).waitFor()
  await poll().getByRole('button', { name: 'Change the question' }).click()
  // It goes on where it was left.
  await expect.poll(() => poll().getByLabel('Question').inputValue()).toBe('Which boat on Satur')
  await poll().getByLabel('Question').fill('Which boat on Saturday?')
  await page.keyboard.press('Enter')
  await poll().getByRole('heading', { name: 'Which boat on Saturday?' }).waitFor()
  await poll().getByRole('button', { name: 'Change the question' }).click()
  expect(await poll().getByLabel('Question').inputValue()).toBe('Which boat on Saturday?')
  await page.keyboard.press('Escape')
})

test('a list of tasks is shared and ticked off, also offline', async () => {
  await write('/todo Before we sail\nfuel: two cans\nlamps')
  await list().getByLabel('lamps').check()
  await list().getByText('two cans').waitFor()
  // One for the list itself and one for the tick.
  await expect.poll(stepsOfNewest).toBe(2)
  await expect.poll(() => list().getByLabel('waiting to sync').count()).toBe(0)

  await stage.stopService()
  await page
    .getByTestId('sync-pill')
    .getByText(/Offline|Not reachable/)
    .waitFor()
  await list().getByLabel('Add a task').fill('charts: the new ones')
  await page.keyboard.press('Enter')
  // As in the message that made the list, a colon starts a description.
  await list().getByText('the new ones', { exact: true }).waitFor()
  await list().getByRole('checkbox', { name: 'charts' }).check()
  // A tick leaves the keys for messages to the message.
  await page.keyboard.press('i')
  await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  const isPencilFocused = () =>
    list()
      .getByRole('button', { name: 'Change the title' })
      .evaluate((button) => button === document.activeElement)
  await list().getByRole('button', { name: 'Change the title' }).press('Enter')
  await list().getByLabel('Title').press('Escape')
  await expect.poll(isPencilFocused).toBe(true)
  await page.keyboard.press('Enter')
  await list().getByLabel('Title').fill('Before noon')
  await page.keyboard.press('Enter')
  await list().getByRole('heading', { name: 'Before noon' }).waitFor()
  await expect.poll(isPencilFocused).toBe(true)
  await poll().getByRole('button', { name: 'Skua, 0 votes' }).click()
  expect(await list().getByLabel('waiting to sync').count()).toBe(2)
  await page.reload()
  await list().getByRole('heading', { name: 'Before noon' }).waitFor()

  await stage.startService()
  await page.getByTestId('sync-pill').getByText('Synced').waitFor()
  await expect.poll(() => page.getByLabel('waiting to sync').count()).toBe(0)
  await list().getByRole('heading', { name: 'Before noon' }).waitFor()
  expect(await list().getByRole('checkbox', { name: 'charts' }).isChecked()).toBe(true)
  await poll().getByRole('button', { name: 'Skua, 1 vote' }).waitFor()
})

test('a poll is made in a dialog by keyboard alone, from what is written already, and nothing of it is lost', async () => {
  await goTo(page, 'channel/1/topic/which%20day')
  const dialog = page.getByRole('dialog', { name: 'Poll' })
  const option = (place: number) => dialog.getByLabel(`Option ${place}`, { exact: true })
  const options = () =>
    dialog
      .getByRole('listitem')
      .locator('input')
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
  await field().fill('/poll Which day for the boat?\n* Thursday')
  await chooseTool('Poll')
  await dialog.waitFor()
  expect(await dialog.getByLabel('Question').inputValue()).toBe('Which day for the boat?')
  expect(await options()).toEqual(['Thursday', ''])

  // Enter moves to the next line, and adds one at the end; Alt with an arrow key moves a line; Backspace removes an
  // empty one.
  await dialog.getByLabel('Question').press('Enter')
  await option(1).press('Enter')
  await page.keyboard.type('Friday')
  await page.keyboard.press('Enter')
  await option(3).waitFor()
  await page.keyboard.type('- 5 May')
  await page.keyboard.press('Alt+ArrowUp')
  await dialog.getByText('Option 2 of 3').waitFor()
  expect(await options()).toEqual(['Thursday', '- 5 May', 'Friday'])
  await option(3).press('Enter')
  await option(4).press('Backspace')
  await expect.poll(options).toEqual(['Thursday', '- 5 May', 'Friday'])

  // What was entered is the draft, also after the window was closed in the middle.
  await page.getByTestId('draft-state').getByText('Draft saved').waitFor()
  await page.reload()
  await expect
    .poll(() => field().inputValue())
    .toBe('/poll Which day for the boat?\nThursday\n* - 5 May\nFriday')
  await chooseTool('Poll')
  await expect.poll(options).toEqual(['Thursday', '- 5 May', 'Friday'])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await chooseTool('Poll')
  await expect.poll(options).toEqual(['Thursday', '- 5 May', 'Friday'])
  await option(1).press('Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  await expect
    .poll(() => field().inputValue())
    .toBe('/poll Which day for the boat?\nThursday\n* - 5 May\nFriday')
  await page.getByRole('button', { name: /^(Send|Queue)$/ }).click()
  for (const name of ['Thursday, 0 votes', '- 5 May, 0 votes', 'Friday, 0 votes'])
    await poll().getByRole('button', { name }).waitFor()
})

test('a list is made from the suggestion for /todo, and what stood there stays when it is not', async () => {
  await goTo(page, 'channel/1/topic/what%20to%20pack')
  const dialog = page.getByRole('dialog', { name: 'To-do list' })
  await field().fill('')
  await field().pressSequentially('/to')
  await page.getByRole('option', { name: /todo/ }).waitFor()
  await field().press('Enter')
  await dialog.waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await field().inputValue()).toBe('/todo ')
  await expect.poll(() => field().evaluate((one) => one === document.activeElement)).toBe(true)
  await page.keyboard.type('Packing')
  expect(await field().inputValue()).toBe('/todo Packing')
  await chooseTool('To-do list')
  expect(await dialog.getByLabel('Title').inputValue()).toBe('Packing')
  await dialog.getByLabel('Task 1', { exact: true }).fill('Oars: the long ones')
  await dialog.getByRole('button', { name: 'Add to the message' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => field().inputValue()).toBe('/todo Packing\nOars: the long ones')
  await page.getByRole('button', { name: /^(Send|Queue)$/ }).click()
  await list().getByRole('heading', { name: 'Packing' }).waitFor()
  await list().getByText('the long ones').waitFor()
})

test('beside other words, a poll is a message of its own, and the words stay as they are', async () => {
  await goTo(page, 'channel/1/topic/which%20pier')
  const dialog = page.getByRole('dialog', { name: 'Poll' })
  await field().fill('I am late by an hour.')
  await field().press('ArrowLeft')
  await chooseTool('Poll')
  expect(await dialog.getByLabel('Question').inputValue()).toBe('')
  await dialog.getByText('What is in the box stays there.').waitFor()
  await dialog.getByLabel('Question').fill('Which pier?')
  await dialog.getByLabel('Option 1', { exact: true }).fill('North')
  // What was entered is a draft until it is sent.
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await field().inputValue()).toBe('I am late by an hour.')
  expect(await field().evaluate((one: HTMLTextAreaElement) => one.selectionStart)).toBe(20)
  await page.getByRole('button', { name: '1 more draft' }).waitFor()
  await goTo(page, 'drafts')
  await page.getByText('Which pier?').waitFor()
  await page.getByText('I am late by an hour.').waitFor()
  // It does not take the place of the words, although it is newer.
  await goTo(page, 'channel/1/topic/which%20pier')
  await page.getByRole('button', { name: '1 more draft' }).waitFor()
  await expect.poll(() => field().inputValue()).toBe('I am late by an hour.')

  await goTo(page, 'channel/1/topic/which%20tide')
  await field().fill('And I need a lift.')
  await chooseTool('Poll')
  await dialog.getByLabel('Question').fill('Which tide?')
  await dialog.getByLabel('Option 1', { exact: true }).fill('Morning')
  // However often it is pressed, it is sent once.
  await dialog.getByRole('button', { name: 'Send', exact: true }).evaluate((button: HTMLButtonElement) => {
    button.click()
    button.click()
  })
  await poll().getByRole('button', { name: 'Morning, 0 votes' }).waitFor()
  await page.locator('.toasts').getByText('Sent', { exact: true }).waitFor()
  expect(await field().inputValue()).toBe('And I need a lift.')
  // It is no draft any more.
  await page.getByTestId('draft-state').getByText('Draft saved').waitFor()
  expect(await page.getByRole('button', { name: '1 more draft' }).count()).toBe(0)
  await field().fill('')
})
