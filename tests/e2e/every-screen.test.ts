import { afterAll, beforeAll, expect, test } from 'vitest'
import { t } from '../../src-shared/texts/texts.ts'
import { findingsInBothThemes, findingsWithMoreContrast } from './axe.ts'
import { drawn, goTo } from './browser.ts'
import { seedExtremes, type Extremes } from './extremes.ts'
import { givenNames, overflowing, plainEnglish } from './only-english.ts'
import { field, openTopic, stillWindow } from './screen-ways.ts'
import { calmScreens, screens } from './screens.ts'
import { faultsAt, sizeOf, sizes, usual } from './window-sizes.ts'
import { openStage, type Stage } from './stage.ts'

// Every screen: in both themes under every rule of axe, with more contrast, and in a window of an unusual size; under
// long names and with wide messages; from right to left and in letters that nobody types, so that the same look at it
// shows English text that was left; these texts are longer than English ones.

let stage: Stage
let names: readonly string[]
let places: Extremes = { topicPlace: '', longTopicPlace: '', directPlace: '' }

beforeAll(async () => {
  stage = await openStage({
    window: stillWindow,
    language: 'ar-XB',
    fill: (directory) => (places = seedExtremes(directory)),
  })
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

/** Screens whose popover is attached to what other sizes hide or put elsewhere: opened anew at each that shows it. */
const anchored = /^(card-of-|snippets|pausing-|channel-holders|channel-menu)/

// The screens of trouble are checked by tests of their own.
test.each(Object.entries(calmScreens).map(([name, show], at) => [name, show, at] as const))(
  'nothing is found on %s, it fits every window, nothing is English or moves, and the focus is never lost',
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
    const found = anchored.test(name)
      ? await faultsAt(page, [sizeOf(at, 900)], () => show(stage))
      : await faultsAt(page, [sizeOf(at)])
    expect(found).toEqual([])
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

test('what is being written, and that it was sent', async () => {
  await openTopic(stage)
  const { page } = stage
  const state = page.getByTestId('draft-state')
  const widths = [640, 720, 801, 840, 900, 1120, 1200, 1280, 1400].map((width) => ({ width, height: 800 }))
  await field(page).fill('The clamp slips when it is cold.')
  await state.locator('.words').waitFor()
  expect(await faultsAt(page, widths)).toEqual([])
  await field(page).press('Control+Enter')
  await state.getByRole('button', { name: t.shared.undo }).waitFor()
  expect(await faultsAt(page, widths)).toEqual([])
  // Beside a button, the tools give way, so that the send button stays in their row.
  await page.setViewportSize({ width: 900, height: 800 })
  const bar = page.locator('.cmp-bar')
  await expect.poll(() => bar.evaluate((row) => row.getBoundingClientRect().height)).toBeLessThan(50)
  await page.setViewportSize(usual)
})

test.each([
  ['a topic of wide messages', () => places.topicPlace],
  ['a direct message with thirty people', () => places.directPlace],
])('%s', async (_name, place) => {
  const { page } = stage
  await page.keyboard.press('Control+1')
  await goTo(page, place())
  await page.locator('.msg').first().waitFor()
  expect(await faultsAt(page, sizes)).toEqual([])
  await page.locator('.feed').evaluate((feed) => feed.scrollTo(0, 0))
  expect(await faultsAt(page, sizes)).toEqual([])
})
