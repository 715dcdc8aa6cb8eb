import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { goTo, signIn } from './browser.ts'
import { extremes, seedMultitude, seedNothing, type Extremes } from './extremes.ts'
import { stillWindow } from './screen-ways.ts'
import { faultsAt, sizes, usual } from './window-sizes.ts'
import { openStage, type Stage } from './stage.ts'

// No place breaks with very much in it or nothing, in any window. Every screen is looked at in every-screen.test.ts.

let stage: Stage | null = null
const onStage = () => {
  if (stage === null) throw new Error('there is no stage')
  return stage
}

afterAll(() => stage?.close())

describe('with everything in great numbers', () => {
  let places: Extremes = { topicPlace: '', longTopicPlace: '', directPlace: '' }

  beforeAll(async () => {
    await stage?.close()
    stage = await openStage({ window: stillWindow, fill: (directory) => (places = seedMultitude(directory)) })
  })

  test('2,000 channels, 10,000 people and a topic of 20,000 messages', async () => {
    const { page } = onStage()
    await onStage().signIn()
    const height = () => page.locator('nav.sb .sb-scroll').evaluate((list) => list.scrollHeight)
    await expect.poll(height, { timeout: 60_000 }).toBeGreaterThan(extremes.channels * 20)
    expect(await faultsAt(page, [usual])).toEqual([])
    await goTo(page, places.longTopicPlace)
    await page.locator('.msg').first().waitFor()
    expect(await faultsAt(page, [usual, { width: 900, height: 700 }])).toEqual([])
  })
})

describe('with nothing', () => {
  let own = { email: '', password: '' }

  beforeAll(async () => {
    await stage?.close()
    stage = await openStage({ window: stillWindow, fill: (directory) => (own = seedNothing(directory)) })
  })

  test('an empty organization', async () => {
    const { page, service } = onStage()
    await signIn(page, service.baseUrl, own)
    for (const place of ['inbox', 'recent', 'combined', 'mentions', 'starred', 'directs', 'drafts']) {
      await goTo(page, place)
      await page.locator('main h1').first().waitFor()
      expect(
        await faultsAt(
          page,
          sizes.filter(({ text }) => text === undefined),
        ),
      ).toEqual([])
    }
  })

  test('the title bar leaves room for the buttons of the system, and moves the window', async () => {
    const { page } = onStage()
    const insets = { start: 76, end: 138 }
    await page.evaluate(({ start, end }) => {
      const { style } = document.documentElement
      style.setProperty('--titlebar-inset-left', `${start}px`)
      style.setProperty('--titlebar-inset-right', `${end}px`)
    }, insets)
    for (const width of [2560, 1440, 900, 640]) {
      await page.setViewportSize({ width, height: 700 })
      const bar = await page.locator('header.tb').evaluate((element) => {
        const buttons = [...element.querySelectorAll('button')].filter((one) => one.offsetWidth > 1)
        const region = (one: Element) => getComputedStyle(one).getPropertyValue('app-region')
        return {
          left: Math.min(...buttons.map((one) => one.getBoundingClientRect().left)),
          right: Math.max(...buttons.map((one) => one.getBoundingClientRect().right)),
          moves: region(element),
          pressed: [...new Set(buttons.map(region))],
        }
      })
      expect(bar.left).toBeGreaterThanOrEqual(insets.start)
      expect(bar.right).toBeLessThanOrEqual(width - insets.end)
      expect(bar).toMatchObject({ moves: 'drag', pressed: ['no-drag'] })
    }
  })
})
