import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kill, launchChromium, startApp, startServiceProcess } from './browser.ts'

let directory: string
let browser: Browser
let service: Awaited<ReturnType<typeof startServiceProcess>>
let app: Awaited<ReturnType<typeof startApp>>
let page: Page

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'dunlin-journey-'))
  browser = await launchChromium()
  service = await startServiceProcess(join(directory, 'service'))
  app = await startApp(join(directory, 'app'))
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(app.url)
})

afterAll(async () => {
  await browser?.close()
  await kill(app.child)
  await kill(service.child)
  rmSync(directory, { recursive: true, force: true })
})

const pill = () => page.getByTestId('sync-pill')
const field = () => page.getByLabel('Message', { exact: true })
const waiting = () => page.locator('[data-local-id]')
const openTopic = async () => {
  await page.getByRole('link', { name: 'tide-gauges' }).click()
  await page.locator('.topics a', { hasText: 'gauge 4 offset drift' }).click()
  await page.locator('.msg[data-message-id]').first().waitFor()
}
const api = async (path: string, form: Record<string, string>, account = 1) => {
  const { email, api_key } = service.accounts[account] ?? { email: '', api_key: '' }
  const response = await fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${email}:${api_key}`)}` },
    body: new URLSearchParams(form),
  })
  expect(response.status).toBe(200)
}

test('a wrong address and a wrong password are explained; then the person is in', async () => {
  await page.getByLabel('Address').fill('127.0.0.1:9')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('No server answers at this address.').waitFor()
  await page.getByLabel('Address').fill(`127.0.0.1:${service.port}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Skerry Coast Survey').waitFor()
  await page.getByLabel('Email').fill(service.accounts[0]?.email ?? '')
  await page.getByRole('textbox', { name: 'Password' }).fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('This email and password do not fit together.').waitFor()
  await page.getByRole('textbox', { name: 'Password' }).fill(service.accounts[0]?.password ?? '')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
})

test('a topic opens, and what somebody else writes appears without a reload', async () => {
  await openTopic()
  await api('/messages', {
    type: 'stream',
    to: '1',
    topic: 'gauge 4 offset drift',
    content: 'fresh from **Keiko**',
  })
  await page
    .getByRole('button', { name: 'Jump to latest' })
    .click({ timeout: 5_000 })
    .catch(() => {})
  await page.locator('.msg strong', { hasText: 'Keiko' }).last().waitFor()
})

test('with the service gone, everything can be written; a kill loses none of it', async () => {
  await kill(service.child)
  await pill()
    .getByText(/Offline|Not reachable/)
    .waitFor({ timeout: 30_000 })
  await field().fill('first from the tunnel')
  await page.getByRole('button', { name: 'Queue' }).click()
  await expect.poll(() => waiting().count()).toBe(1)
  await field().fill('second from the tunnel')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => waiting().count()).toBe(2)
  await waiting().nth(1).getByText('Queued, sends after the message above').waitFor()
  await field().fill('a draft that is not finished')
  await page.getByTestId('draft-state').getByText('Saved on this device').waitFor()

  await kill(app.child)
  app = await startApp(join(directory, 'app'))
  await page.goto(app.url)
  await openTopic()
  await expect.poll(() => waiting().count()).toBe(2)
  expect(await field().inputValue()).toBe('a draft that is not finished')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('tunnel')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
})

test('when the service is back, everything is delivered in order and once', async () => {
  service = await startServiceProcess(join(directory, 'service'), service.port)
  await api('/messages', {
    type: 'stream',
    to: '1',
    topic: 'gauge 4 offset drift',
    content: 'meanwhile, from somebody else',
  })
  await expect.poll(() => waiting().count(), { timeout: 60_000 }).toBe(0)
  await page.keyboard.press('End')
  await page.getByText('meanwhile, from somebody else').waitFor({ timeout: 30_000 })
  const texts = await page.locator('.msg .content').allInnerTexts()
  const mine = texts.filter((text) => text.includes('from the tunnel'))
  expect(mine).toEqual(['first from the tunnel', 'second from the tunnel'])
  await page.getByTestId('draft-state').getByText('Draft saved').waitFor({ timeout: 30_000 })
})
