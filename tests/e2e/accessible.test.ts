import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  enterAccount,
  goTo,
  kill,
  launchChromium,
  openWindow,
  startApp,
  startServiceProcess,
} from './browser.ts'

// Every screen, in both themes, under every rule of axe.

let directory: string
let browser: Browser
let service: Awaited<ReturnType<typeof startServiceProcess>>
let app: Awaited<ReturnType<typeof startApp>>
let page: Page

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'dunlin-accessible-'))
  browser = await launchChromium()
  service = await startServiceProcess(join(directory, 'service'))
  app = await startApp(join(directory, 'app'))
  page = await openWindow(browser, app.url, { reducedMotion: 'reduce' })
  page.setDefaultTimeout(60_000)
})

afterAll(async () => {
  await browser?.close()
  await kill(app.child)
  await kill(service.child)
  rmSync(directory, { recursive: true, force: true })
})

const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor()
const go = async (place: string) => {
  await page.keyboard.press('Escape')
  await goTo(page, place)
}

/** What axe finds, one line for each element. Only colours differ between themes, so only they are looked at twice. */
async function findings(theme: string): Promise<string[]> {
  const axe = new AxeBuilder({ page })
  if (theme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block'])
  const { violations } = await axe.analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, any, all, none }) =>
        `${id}: ${html.slice(0, 160)} ${[...any, ...all, ...none].map(({ message }) => message).join(' ')}`,
    ),
  )
}

async function check(): Promise<void> {
  const before = await page.evaluate(() => document.documentElement.dataset['theme'])
  const found: string[] = []
  for (const theme of ['light', 'dark']) {
    await page.evaluate((name) => {
      document.documentElement.dataset['theme'] = name
    }, theme)
    found.push(...(await findings(theme)).map((line) => `${theme} ${line}`))
  }
  await page.evaluate((name) => {
    document.documentElement.dataset['theme'] = name ?? 'light'
  }, before)
  expect(found).toEqual([])
}

test('sign in: address, then password', async () => {
  await page.getByLabel('Address').waitFor()
  await check()
  await enterAccount(page, service.baseUrl, service.accounts[0])
  await check()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await heading('Inbox')
})

const topic = 'channel/1/topic/gauge%204%20offset%20drift'
const openTopic = async () => {
  await go(topic)
  await page.locator('.msg').first().waitFor()
}
const screens: Readonly<Record<string, () => Promise<unknown>>> = {
  inbox: async () => {
    await go('inbox')
    await heading('Inbox')
    await page.locator('.ir').first().waitFor()
  },
  'recent conversations': async () => {
    await go('recent')
    await page.locator('.rr').first().waitFor()
  },
  'combined feed': async () => {
    await go('combined')
    await page.locator('.msg').first().waitFor()
  },
  'a channel': async () => {
    await go('channel/1')
    await page.locator('.msg').first().waitFor()
  },
  'a topic': openTopic,
  'a direct message': async () => {
    await page.locator('nav.sb a[href*="/direct/"]').first().click()
    await page.locator('.msg').first().waitFor()
  },
  'a message with its buttons and menu': async () => {
    await openTopic()
    await page.locator('.msg').last().hover()
    await page.locator('.msg').last().focus()
    await page.keyboard.press('i')
    await page.getByRole('menu').waitFor()
  },
  'writing, with completions': async () => {
    await openTopic()
    await page.getByLabel('Message', { exact: true }).fill('')
    await page.getByLabel('Message', { exact: true }).pressSequentially('@k')
    await page.getByRole('listbox', { name: 'Suggestions' }).waitFor()
  },
  'writing, with a note, beside the preview': async () => {
    await openTopic()
    await page.getByLabel('Message', { exact: true }).fill('@**all** and `code`')
    await page.getByRole('button', { name: 'Side by side' }).click()
    await page.getByRole('region', { name: 'Preview' }).locator('code').waitFor()
  },
  'a new topic': async () => {
    await go('inbox')
    await heading('Inbox')
    await page.getByRole('button', { name: 'New message' }).click()
    await page.getByRole('combobox', { name: 'Channel' }).fill('n')
    await page.getByRole('listbox', { name: 'Suggestions' }).waitFor()
  },
  'a new direct message': async () => {
    await page.getByRole('button', { name: 'Close, the draft stays' }).click()
    await page.getByRole('button', { name: 'New direct message' }).first().click()
    await page.getByRole('combobox', { name: 'Add someone' }).fill('kei')
    await page.getByRole('option', { name: /Keiko/ }).click()
    await page.getByRole('button', { name: /Remove Keiko/ }).waitFor()
  },
  'the emoji picker': async () => {
    await page.getByRole('button', { name: 'Close, the draft stays' }).click()
    await openTopic()
    await page.getByRole('toolbar').getByRole('button', { name: 'Emoji' }).click()
    await page.getByRole('gridcell').first().waitFor()
  },
  snippets: async () => {
    await openTopic()
    await page.getByRole('toolbar').getByRole('button', { name: 'Snippets' }).click()
    await page.getByRole('dialog', { name: 'Snippets' }).waitFor()
  },
  'more ways to send': async () => {
    await openTopic()
    await page.getByRole('button', { name: 'More ways to send' }).click()
    await page.getByRole('menu').waitFor()
  },
  'the card of a person': async () => {
    await openTopic()
    await page.locator('.msg .who .name', { hasText: 'Keiko' }).first().click()
    await page.getByRole('dialog', { name: 'Keiko Tamura' }).waitFor()
  },
  'the card of a group': async () => {
    await page.getByRole('button', { name: '@gauge-team' }).click()
    await page.getByRole('dialog', { name: 'gauge-team' }).waitFor()
  },
  'your status': async () => {
    await go('inbox')
    await heading('Inbox')
    await page.keyboard.press('Shift+Y')
    await page.getByRole('dialog', { name: 'Your status' }).waitFor()
  },
  'drafts and outbox': async () => {
    await go('drafts')
    await heading('Drafts and outbox')
  },
  search: async () => {
    await go('search?text=drift')
    await page.locator('mark').first().waitFor()
  },
  'the palette': async () => {
    await go('inbox')
    await heading('Inbox')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
  },
  shortcuts: async () => {
    await go('inbox')
    await heading('Inbox')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor()
  },
  'the sync panel': async () => {
    await go('starred')
    await heading('Starred')
    await page.getByTestId('sync-pill').click()
    await page.getByRole('dialog', { name: 'Sync' }).waitFor()
  },
  'a narrow window with people over it': async () => {
    await page.setViewportSize({ width: 900, height: 900 })
    await openTopic()
    await page.getByRole('button', { name: 'People', exact: true }).click()
    await page.locator('aside.pp').waitFor()
  },
  'two organizations': async () => {
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1440, height: 900 })
    await page
      .getByRole('button', { name: /Skerry/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Add an organization' }).click()
    await enterAccount(page, service.baseUrl, service.accounts[1])
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('navigation', { name: 'Organizations' }).waitFor()
  },
  'all organizations': async () => {
    await page.keyboard.press('Control+0')
    await page.locator('.ur').first().waitFor()
  },
}

describe('nothing is found on', () => {
  test.each(Object.keys(screens))('%s', async (name) => {
    await screens[name]?.()
    await check()
  })
})
