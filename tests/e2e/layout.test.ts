import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { t } from '../../src-shared/texts/texts.ts'
import { goTo, signIn } from './browser.ts'
import { extremes, seedExtremes, seedMultitude, seedNothing, type Extremes } from './extremes.ts'
import { layoutFaults } from './layout-faults.ts'
import { field, openTopic, stillWindow } from './screen-ways.ts'
import { calmScreens } from './screens.ts'
import { openStage, type Stage } from './stage.ts'

// No screen breaks in windows from 900 to 2560 pixels, enlarged or not, whatever its names and messages.

interface Size {
  readonly width: number
  readonly height: number
  /** The factor of the text size setting. */
  readonly text?: number
}

const usual: Size = { width: 1440, height: 900 }
// An enlarged window has fewer CSS pixels: 720 are 1440, and 450 are 900 at 200 percent.
const leastRoom: readonly Size[] = [
  { width: 900, height: 700, text: 2 },
  { width: 450, height: 350 },
]
const roomy: readonly Size[] = [
  usual,
  { width: 720, height: 450 },
  // 2560 pixels wide at 80 percent; less tall than that would be, because drawing so much takes long.
  { width: 3200, height: 1000 },
  { width: 900, height: 700 },
]
const sizes = [...roomy, ...leastRoom]
/** One of each that is wide enough, in turn, because neighbouring screens share most of their parts. */
const sizesOf = (screen: number, leastWidth = 0): readonly Size[] =>
  [roomy, leastRoom].flatMap((some) => {
    const wide = some.filter(({ width }) => width >= leastWidth)
    return wide.filter((_size, index) => index === screen % wide.length)
  })

let stage: Stage | null = null
const onStage = () => {
  if (stage === null) throw new Error('there is no stage')
  return stage
}

async function be({ width, height, text = 1 }: Size): Promise<void> {
  const { page } = onStage()
  await page.setViewportSize({ width, height })
  await page.evaluate((scale) => {
    const { style } = document.documentElement
    style.setProperty('--scale-text', String(scale))
    style.setProperty('--scale-ui', String(1 + (scale - 1) / 2))
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  }, text)
}

/**
 * The faults at each size. If there are some, it checks again, because a list may still be moving while it is redrawn.
 */
async function faultsAt(some: readonly Size[], show: () => Promise<unknown> = () => Promise.resolve()) {
  const found: string[] = []
  for (const size of some) {
    await be(size)
    await show()
    let faults = await layoutFaults(onStage().page)
    for (let tries = 0; tries < 30 && faults.length > 0; tries++) {
      await onStage().page.waitForTimeout(100)
      faults = await layoutFaults(onStage().page)
    }
    found.push(...faults.map((fault) => `${size.width}${size.text === 2 ? ' in large text' : ''}: ${fault}`))
  }
  await be(usual)
  return found
}

afterAll(() => stage?.close())

/** In German, whose words are longer than English ones. */
describe('under long names and words, and with wide messages', () => {
  let places: Extremes = { topicPlace: '', longTopicPlace: '', directPlace: '' }

  beforeAll(async () => {
    await stage?.close()
    stage = await openStage({
      window: stillWindow,
      language: 'de',
      fill: (directory) => (places = seedExtremes(directory)),
    })
  })

  /**
   * Screens whose popover is attached to an element that other sizes hide. They are opened anew at each size that shows
   * it.
   */
  const anchored = /^(card-of-|snippets|pausing-|channel-holders)/

  test.each(Object.entries(calmScreens).map(([name, show], at) => [name, show, at] as const))(
    '%s',
    async (name, show, at) => {
      await show(onStage())
      const found = anchored.test(name)
        ? await faultsAt(sizesOf(at, 900), () => show(onStage()))
        : await faultsAt(sizesOf(at))
      expect(found).toEqual([])
    },
  )

  test('what is being written, and that it was sent', async () => {
    await openTopic(onStage())
    const { page } = onStage()
    const state = page.getByTestId('draft-state')
    const widths = [640, 720, 801, 840, 900, 1120, 1200, 1280, 1400].map((width) => ({ width, height: 800 }))
    await field(page).fill('The clamp slips when it is cold.')
    await state.locator('.words').waitFor()
    expect(await faultsAt(widths)).toEqual([])
    await field(page).press('Control+Enter')
    await state.getByRole('button', { name: t.shared.undo }).waitFor()
    expect(await faultsAt(widths)).toEqual([])
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
    const { page } = onStage()
    await page.keyboard.press('Control+1')
    await goTo(page, place())
    await page.locator('.msg').first().waitFor()
    expect(await faultsAt(sizes)).toEqual([])
    await page.locator('.feed').evaluate((feed) => feed.scrollTo(0, 0))
    expect(await faultsAt(sizes)).toEqual([])
  })
})

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
    expect(await faultsAt([usual])).toEqual([])
    await goTo(page, places.longTopicPlace)
    await page.locator('.msg').first().waitFor()
    expect(await faultsAt([usual, { width: 900, height: 700 }])).toEqual([])
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
      expect(await faultsAt(sizes.filter(({ text }) => text === undefined))).toEqual([])
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
