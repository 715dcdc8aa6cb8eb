import type { Page } from 'playwright-core'
import { layoutFaults } from './layout-faults.ts'

// Windows from 900 to 2560 pixels, enlarged or not.

export interface Size {
  readonly width: number
  readonly height: number
  /** The factor of the text size setting. */
  readonly text?: number
}

export const usual: Size = { width: 1440, height: 900 }
// An enlarged window has fewer CSS pixels: 720 are 1440, and 450 are 900 at 200 percent.
export const sizes: readonly Size[] = [
  usual,
  { width: 900, height: 700, text: 2 },
  { width: 720, height: 450 },
  { width: 450, height: 350 },
  // 2560 pixels wide at 80 percent; less tall than that would be, because drawing so much takes long.
  { width: 3200, height: 1000 },
  { width: 900, height: 700 },
]

/** An unusual one that is wide enough, in turn, because neighbouring screens share most of their parts. */
export function sizeOf(screen: number, leastWidth = 0): Size {
  const wide = sizes.filter((size) => size !== usual && size.width >= leastWidth)
  return wide[screen % wide.length] ?? usual
}

async function be(page: Page, { width, height, text = 1 }: Size): Promise<void> {
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
export async function faultsAt(
  page: Page,
  some: readonly Size[],
  show: () => Promise<unknown> = () => Promise.resolve(),
): Promise<string[]> {
  const found: string[] = []
  for (const size of some) {
    await be(page, size)
    await show()
    let faults = await layoutFaults(page)
    for (let tries = 0; tries < 30 && faults.length > 0; tries++) {
      await page.waitForTimeout(100)
      faults = await layoutFaults(page)
    }
    found.push(...faults.map((fault) => `${size.width}${size.text === 2 ? ' in large text' : ''}: ${fault}`))
  }
  await be(page, usual)
  return found
}
