import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { t } from '../../src-shared/texts/texts.ts'
import { drawn } from './browser.ts'
import { openInbox, stillWindow } from './screen-ways.ts'
import { screens } from './screens.ts'
import { openStage, type Stage } from './stage.ts'

// Popovers stay completely in view while the window shrinks or is zoomed.

let stage: Stage
let page: Page

beforeAll(async () => {
  stage = await openStage({ window: stillWindow })
  page = stage.page
  await stage.signIn()
})
afterAll(() => stage?.close())

const usual = { width: 1440, height: 900 }
/** The smallest window, and the usual one zoomed to 200 percent. */
const sizes = [
  { width: 900, height: 600 },
  { width: 720, height: 450 },
]
const over = '.pop-card, .sync-over, [role="menu"], [role="dialog"]'

/** How far the topmost popover is out of view on each side, in pixels; all zero if it is not. */
const outOfSight = () =>
  page.evaluate((selector) => {
    const all = [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility())
    const box = all.at(-1)?.getBoundingClientRect()
    if (box === undefined) return 'nothing is open'
    const beyond = (pixels: number) => Math.max(0, Math.round(pixels))
    return {
      left: beyond(-box.left),
      top: beyond(-box.top),
      right: beyond(box.right - innerWidth),
      bottom: beyond(box.bottom - innerHeight),
    }
  }, over)

test.each([
  'message-menu',
  'emoji-picker',
  'snippets',
  'ways-to-send',
  'card-of-a-person',
  'card-of-a-group',
  'your-status',
  'keeping-a-search',
  'palette',
  'shortcuts',
  'message-formatting',
  'sync-panel',
])('%s', async (name) => {
  await page.setViewportSize(usual)
  await screens[name]?.(stage)
  for (const size of sizes) {
    await page.setViewportSize(size)
    await drawn(page)
    await expect.poll(outOfSight).toEqual({ left: 0, top: 0, right: 0, bottom: 0 })
  }
  await page.setViewportSize(usual)
})

test('a menu near the lower edge of the window opens with all its items in view', async () => {
  await openInbox(stage)
  // Below the row is room for some of the items.
  const top = await page
    .locator('nav.sb a[href$="/channel/1"]')
    .evaluate((row) => (row.scrollIntoView({ block: 'end' }), row.getBoundingClientRect().top))
  await page.setViewportSize({ ...usual, height: Math.round(top) + 220 })
  await screens['channel-menu']?.(stage)
  const menu = page.getByRole('menu')
  await menu.getByRole('menuitem', { name: t.placeMenu.leave }).waitFor()
  await drawn(page)
  expect(await menu.evaluate((all) => all.scrollHeight - all.clientHeight)).toBe(0)
})
