import type { BrowserContextOptions, Page } from 'playwright-core'
import { t } from '../../src-shared/texts/texts.ts'
import { goTo } from './browser.ts'
import type { Stage } from './stage.ts'

// Ways to screens that several screens share.

/**
 * Screens by name. Each function brings the window there from any place, and resolves once the important part is
 * visible.
 */
export type Screens = Readonly<Record<string, (stage: Stage) => Promise<unknown>>>

/** The window for screens: no animations run in it. */
export const stillWindow: BrowserContextOptions = { reducedMotion: 'reduce' }

/** The topic that most screens show. */
const gaugePlace = 'channel/1/topic/gauge%204%20offset%20drift'

export const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name, level: 1, exact: true }).first().waitFor()
export const field = (page: Page) => page.getByLabel(t.compose.message, { exact: true })

/** The rail of organizations, if the window has several. */
export const rail = (page: Page) => page.getByRole('navigation', { name: t.mainWindow.rail.name })

/** Closes popovers and the new message, and goes to the first organization. */
export async function clear(page: Page): Promise<void> {
  const close = page.getByRole('button', { name: t.compose.closeKeepingDraft })
  for (let tries = 0; tries < 3; tries++) await page.keyboard.press('Escape')
  if ((await close.count()) > 0) await close.click()
  await page.mouse.move(0, 0)
  if ((await rail(page).count()) === 0) return
  await page.keyboard.press('Control+1')
  await page.getByTestId('sync-pill').waitFor()
}

export async function openInbox({ page }: Stage): Promise<void> {
  await clear(page)
  await goTo(page, 'inbox')
  await heading(page, t.inbox.name)
}

export async function openTopic({ page }: Stage): Promise<void> {
  await clear(page)
  await goTo(page, gaugePlace)
  await page.locator('.msg').first().waitFor()
  await page.getByRole('log').or(page.locator('.feed')).first().waitFor()
}

export const feed = (place: string) => async (stage: Stage) => {
  await clear(stage.page)
  await goTo(stage.page, place)
  await stage.page.locator('.msg').first().waitFor()
}

export const settings = (page: string) => async (stage: Stage) => {
  await clear(stage.page)
  await goTo(stage.page, `settings/${page}`)
  await stage.page.locator('main h1, main h2').first().waitFor()
  await stage.page.locator('main .pg :is(input, select, button, a)').first().waitFor()
}

export const onTopic = (then: (page: Page) => Promise<unknown>) => async (stage: Stage) => {
  await openTopic(stage)
  await then(stage.page)
}

export const onInbox = (then: (page: Page) => Promise<unknown>) => async (stage: Stage) => {
  await openInbox(stage)
  await then(stage.page)
}

/** Stops the service, and waits until the window has noticed. */
export async function goOffline(stage: Stage): Promise<void> {
  await stage.stopService()
  await stage.page.locator('.sync.off[data-testid="sync-pill"]').waitFor({ timeout: 60_000 })
}
