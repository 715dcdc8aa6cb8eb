import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goTo, kill, launchChromium, openWindow, signIn, startApp, startServiceProcess } from './browser.ts'

// Polls and to-do lists: written, answered, added to and renamed, online and offline.

let directory: string
let browser: Browser
let service: Awaited<ReturnType<typeof startServiceProcess>>
let app: Awaited<ReturnType<typeof startApp>>
let page: Page

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'dunlin-widgets-'))
  browser = await launchChromium()
  service = await startServiceProcess(join(directory, 'service'))
  app = await startApp(join(directory, 'app'))
  page = await openWindow(browser, app.url)
  await signIn(page, service.baseUrl, service.accounts[0])
  await page.getByTestId('sync-pill').getByText('Synced').waitFor()
  await goTo(page, 'channel/1/topic/which%20boat')
})

afterAll(async () => {
  await browser?.close()
  await kill(app.child)
  await kill(service.child)
  rmSync(directory, { recursive: true, force: true })
})

const field = () => page.getByLabel('Message', { exact: true })
const poll = () => page.getByRole('region', { name: 'Poll' })
const list = () => page.getByRole('region', { name: 'To-do list' })
async function write(text: string) {
  await field().fill(text)
  await page.getByRole('button', { name: /^(Send|Queue)$/ }).click()
}

test('a poll is asked, answered, added to and asked anew', async () => {
  await write('/poll Which boat on Friday?\nTern\nSkua')
  await poll().getByRole('button', { name: 'Tern, 0 votes' }).click()
  await poll().getByRole('button', { name: 'Tern, 1 vote' }).waitFor()
  expect(await poll().getByRole('button', { name: 'Tern, 1 vote' }).getAttribute('aria-pressed')).toBe('true')
  await poll().getByLabel('Add an option').fill('Gannet')
  await page.keyboard.press('Enter')
  await poll().getByRole('button', { name: 'Gannet, 0 votes' }).click()
  await poll().getByRole('button', { name: 'Tern, 1 vote' }).click()
  await poll().getByRole('button', { name: 'Tern, 0 votes' }).waitFor()

  await poll().getByRole('button', { name: 'Change the question' }).click()
  await poll().getByLabel('Question').fill('Never asked')
  await page.keyboard.press('Escape')
  await poll().getByRole('heading', { name: 'Which boat on Friday?' }).waitFor()
  await poll().getByRole('button', { name: 'Change the question' }).click()
  await poll().getByLabel('Question').fill('Which boat on Saturday?')
  await page.keyboard.press('Enter')
  await poll().getByRole('heading', { name: 'Which boat on Saturday?' }).waitFor()
})

test('a list of tasks is shared and ticked off, also offline', async () => {
  await write('/todo Before we sail\nfuel: two cans\nlamps')
  await list().getByLabel('lamps').check()
  await list().getByText('two cans').waitFor()
  await expect.poll(() => list().getByLabel('waiting to sync').count()).toBe(0)

  await kill(service.child)
  await page
    .getByTestId('sync-pill')
    .getByText(/Offline|Not reachable/)
    .waitFor()
  await list().getByLabel('Add a task').fill('charts')
  await page.keyboard.press('Enter')
  await list().getByRole('checkbox', { name: 'charts' }).check()
  await list().getByRole('button', { name: 'Change the title' }).click()
  await list().getByLabel('Title').fill('Before noon')
  await list().getByRole('button', { name: 'Save' }).click()
  await list().getByRole('heading', { name: 'Before noon' }).waitFor()
  await poll().getByRole('button', { name: 'Skua, 0 votes' }).click()
  expect(await list().getByLabel('waiting to sync').count()).toBe(2)
  await page.reload()
  await list().getByRole('heading', { name: 'Before noon' }).waitFor()

  service = await startServiceProcess(join(directory, 'service'), service.port)
  await page.getByTestId('sync-pill').getByText('Synced').waitFor()
  await expect.poll(() => page.getByLabel('waiting to sync').count()).toBe(0)
  await list().getByRole('heading', { name: 'Before noon' }).waitFor()
  expect(await list().getByRole('checkbox', { name: 'charts' }).isChecked()).toBe(true)
  await poll().getByRole('button', { name: 'Skua, 1 vote' }).waitFor()
})
