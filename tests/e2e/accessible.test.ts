import { afterAll, beforeAll, expect, test } from 'vitest'
import { t } from '../../src-shared/texts/texts.ts'
import { findingsInBothThemes, findingsWithMoreContrast } from './axe.ts'
import { stillWindow } from './screen-ways.ts'
import { calmScreens, screens } from './screens.ts'
import { drawn } from './browser.ts'
import { givenNames, overflowing, plainEnglish } from './only-english.ts'
import { openStage, type Stage } from './stage.ts'

// Every screen, in both themes, under every rule of axe, and with more contrast: from right to left and in letters that
// nobody types, so that the same look at it shows English text that was left.

let stage: Stage
let names: readonly string[]

beforeAll(async () => {
  stage = await openStage({ window: stillWindow, language: 'ar-XB' })
  names = await givenNames(stage)
})

afterAll(() => stage.close())

const check = async () => expect(await findingsInBothThemes(stage.page)).toEqual([])

/**
 * The page itself must never have the focus, because from there neither Tab nor a screen reader continues where the
 * person was.
 */
const hasFocusSomewhere = () => stage.page.evaluate(() => document.activeElement !== document.body)
/** Animations that run although the person wants reduced motion. */
const moving = () =>
  stage.page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect, playState }) => {
        const duration = Number(effect?.getComputedTiming().duration)
        return playState === 'running' && duration > 1
      })
      .map((animation) => (animation instanceof CSSAnimation ? animation.animationName : 'transition')),
  )

// The screens of trouble are checked by tests of their own.
test.each(Object.entries(calmScreens).map(([name, show], at) => [name, show, at] as const))(
  'nothing is found on %s, nothing is English or moves, and the focus is never lost',
  async (name, show, at) => {
    await show(stage)
    const { page } = stage
    expect(await moving()).toEqual([])
    expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe('rtl')
    expect({ english: await plainEnglish(page, names), wide: await overflowing(page) }).toEqual({
      english: [],
      wide: [],
    })
    await check()
    // Every third screen, in both themes in turn: with more contrast only the tokens differ, which are on many screens.
    if (at % 3 === 0)
      expect(await findingsWithMoreContrast(page, at % 2 === 0 ? 'light' : 'dark')).toEqual([])
    if (name.startsWith('sign-in')) return
    await expect.poll(hasFocusSomewhere).toBe(true)
    await page.keyboard.press('Escape')
    // What Escape closes takes its focus with it when it is gone, not before.
    await drawn(page)
    await drawn(page)
    await expect.poll(hasFocusSomewhere).toBe(true)
  },
)

test('what is chosen, unread and in focus is seen in the system’s own few colours', async () => {
  const { page } = stage
  await page.emulateMedia({ forcedColors: 'active' })
  const ground = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor)
  const paper = await ground('body')
  await screens['palette']?.(stage)
  expect(await ground('[role=option][aria-selected=true]')).not.toBe(paper)
  await screens['message-menu']?.(stage)
  await page.keyboard.press('ArrowDown')
  expect(await ground('.mi[data-highlighted]')).not.toBe(paper)
  await screens['inbox']?.(stage)
  expect(await ground('.ir .cnt')).not.toBe(paper)
  expect(await ground('nav.sb .sr.sel')).not.toBe(paper)
  await page.keyboard.press('j')
  const outline = await page
    .locator('.ir a:focus')
    .evaluate((element) => Number.parseFloat(getComputedStyle(element).outlineWidth))
  expect(outline).toBeGreaterThan(1)
  await page.emulateMedia({ forcedColors: 'none' })
})

test('nothing is found in a narrow window with people over it', async () => {
  const { page } = stage
  await page.setViewportSize({ width: 900, height: 900 })
  await screens['topic']?.(stage)
  await page.getByRole('button', { name: t.mainWindow.people.name, exact: true }).click()
  await page.locator('aside.pp').waitFor()
  await check()
})
