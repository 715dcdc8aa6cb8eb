import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { organization, succeeded } from '../support/organization.ts'
import { findings } from './axe.ts'
import { launchChromium, openWindow } from './browser.ts'

// How a new person joins: the service's own pages, in a real browser.

const org = organization()
let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser?.close())

const invite = async (): Promise<string> =>
  succeeded(await org.admin.post('/invites/multiuse', { invite_as: 600 })).invite_link
const open = (url: string): Promise<Page> =>
  openWindow(browser, url, { viewport: { width: 1_440, height: 800 } })
test('somebody new joins with the keyboard alone, and signs in', async () => {
  const page = await open(await invite())
  await page.getByRole('heading', { name: 'Join Local workspace' }).waitFor()
  await page.keyboard.type('Nina New')
  await page.keyboard.press('Tab')
  await page.keyboard.type(org.member.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type('tide tables')
  await page.keyboard.press('Enter')
  const problem = page.getByRole('alert')
  await problem.waitFor()
  expect(await problem.textContent()).toContain('Another account has this email address.')
  const email = page.getByLabel('Email address')
  expect(await email.evaluate((one) => one === document.activeElement)).toBe(true)
  expect(await email.getAttribute('aria-invalid')).toBe('true')
  expect(await page.getByLabel('Your name').inputValue()).toBe('Nina New')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('nina@example.org')
  await page.keyboard.press('Tab')
  await page.keyboard.type('tide tables')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  expect(await page.getByRole('definition').allTextContents()).toEqual([
    org.service.workspace.url,
    'nina@example.org',
  ])
  const login = { username: 'nina@example.org', password: 'tide tables' }
  succeeded(await org.nobody.post('/fetch_api_key', login))
})

test.each(['light', 'dark'] as const)('its pages are accessible and fit every window (%s)', async (theme) => {
  const pages = { join: await invite(), gone: `${org.service.workspace.url}/join/nothing/` }
  for (const [name, url] of Object.entries(pages)) {
    const page = await open(url)
    await page.emulateMedia({ colorScheme: theme })
    expect(await findings(page)).toEqual([])
    for (const width of [1_440, 900, 320]) {
      await page.setViewportSize({ width, height: 800 })
      const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
      expect([name, width, await page.evaluate(overflow)]).toEqual([name, width, 0])
    }
  }
})
