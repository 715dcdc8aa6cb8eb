import { afterAll, beforeAll, expect, test } from 'vitest'
import { findingsInBothThemes } from './axe.ts'
import { openStage, screens, type Stage } from './screens.ts'

// Every screen, in both themes, under every rule of axe.

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})

afterAll(() => stage.close())

const check = async () => expect(await findingsInBothThemes(stage.page)).toEqual([])

/** What is seen while the service is away: the tests of trouble look at it. */
const away = /^(offline-|back-online|draft-in-conflict)/
const looked = Object.entries(screens).filter(([name]) => !away.test(name))

test.each(looked)('nothing is found on %s', async (_name, show) => {
  await show(stage)
  await check()
})

test('nothing is found in a narrow window with people over it', async () => {
  const { page } = stage
  await page.setViewportSize({ width: 900, height: 900 })
  await screens['topic']?.(stage)
  await page.getByRole('button', { name: 'People', exact: true }).click()
  await page.locator('aside.pp').waitFor()
  await check()
})

test('nothing is found with more contrast', async () => {
  const { page } = stage
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.evaluate(() => {
    document.documentElement.dataset['contrast'] = 'more'
  })
  for (const name of ['inbox', 'topic', 'settings-appearance', 'palette']) {
    await screens[name]?.(stage)
    await check()
  }
})
