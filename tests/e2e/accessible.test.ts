import { AxeBuilder } from '@axe-core/playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStage, screens, type Stage } from './screens.ts'

// Every screen, in both themes, under every rule of axe.

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})

afterAll(() => stage.close())

/** What axe finds, one line for each element. Only colours differ between themes, so only they are looked at twice. */
async function findings(theme: string): Promise<string[]> {
  const axe = new AxeBuilder({ page: stage.page })
  if (theme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block'])
  // It takes a label that is scrolled out of sight for none.
  else axe.disableRules(['label-title-only'])
  const { violations } = await axe.analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, any, all, none }) =>
        `${id}: ${html.slice(0, 160)} ${[...any, ...all, ...none].map(({ message }) => message).join(' ')}`,
    ),
  )
}

async function check(): Promise<void> {
  const before = await stage.page.evaluate(() => document.documentElement.dataset['theme'])
  const found: string[] = []
  for (const theme of ['light', 'dark']) {
    await stage.page.evaluate((name) => {
      document.documentElement.dataset['theme'] = name
    }, theme)
    found.push(...(await findings(theme)).map((line) => `${theme} ${line}`))
  }
  await stage.page.evaluate((name) => {
    document.documentElement.dataset['theme'] = name ?? 'light'
  }, before)
  expect(found).toEqual([])
}

/** What is seen while the service is away: the gallery draws it, and axe looks at it in the tests of trouble. */
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
