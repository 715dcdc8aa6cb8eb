import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { speak, t } from '../../src-shared/texts/texts.ts'
import { goTo } from './browser.ts'
import { layoutFaults } from './layout-faults.ts'
import { stillWindow } from './screen-ways.ts'
import { openStage, type Stage } from './stage.ts'

// The app in German, and while its language changes: no text is cut, and nothing is lost. That no English text is left is
// asked of every screen (every-screen.test.ts).

const gauge = 'channel/1/topic/gauge%204%20offset%20drift'

describe('in German', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage({ window: stillWindow, language: 'de' })
  })
  afterAll(() => stage.close())

  const field = () => stage.page.getByLabel(t.compose.message, { exact: true })
  const title = (name: string) => stage.page.getByRole('heading', { name, level: 1 }).waitFor()
  const settings = async (page: string) => goTo(stage.page, `settings/${page}`)
  const list = (name: string) => stage.page.getByRole('combobox', { name, exact: true })
  /** Waits until the window has changed its language, and changes this file's as well. */
  async function speaks(language: 'de' | 'en') {
    await speak(language)
    await expect.poll(() => stage.page.evaluate(() => document.documentElement.lang)).toBe(t.locale)
  }

  test('somebody signs in, reads and writes', async () => {
    const { page } = stage
    await page.getByRole('heading', { name: 'Organisation hinzufügen' }).waitFor()
    await stage.signIn()
    await title('Eingang')
    await goTo(page, gauge)
    await page.locator('.msg').first().waitFor()
    await field().fill('Moin zusammen')
    const state = page.getByTestId('draft-state')
    await state.locator('.words').waitFor()
    const wide = page.viewportSize() ?? { width: 1440, height: 900 }
    const look = async () => {
      for (const width of [801, 900, 1400]) {
        await page.setViewportSize({ ...wide, width })
        // Meanwhile the row of a sent message is redrawn.
        await expect.poll(() => layoutFaults(page), { timeout: 3_000 }).toEqual([])
      }
      await page.setViewportSize(wide)
    }
    await look()
    await page.getByRole('button', { name: 'Senden', exact: true }).click()
    await state.getByRole('button', { name: 'Rückgängig' }).waitFor()
    await look()
    await page.locator('.msg', { hasText: 'Moin zusammen' }).waitFor()
    await expect.poll(() => page.locator('.feed').textContent()).toMatch(/Heute/)
  })

  test('days, numbers and sizes are written as in German', async () => {
    const { page } = stage
    await settings('drafts')
    await title('Entwürfe und Verlauf')
    const kept = page.getByText(/die älteste vom/)
    expect((await kept.textContent())?.trim()).toMatch(
      /^\d{1,3}(\.\d{3})* Nachrichten, die älteste vom \d+\. \p{L}+ \d{4}, \d+(,\d)? [KM]B$/u,
    )
  })

  test('a window that follows the account speaks what the server says, and a text being typed stays', async () => {
    const { page } = stage
    await settings('appearance')
    await list('Sprache auf diesem Computer').selectOption({ label: 'Wie in deinem Konto' })
    await speaks('en')
    await title('Appearance')
    await goTo(page, gauge)
    await field().pressSequentially('Half a sentence, and the language chang')
    await stage.ask('PATCH', '/settings', { default_language: 'de' })
    await speaks('de')
    await expect.poll(() => field().inputValue()).toBe('Half a sentence, and the language chang')
    await settings('appearance')
    await list('Sprache').selectOption({ label: 'English' })
    await speaks('en')
    await title('Appearance')
  })

  test('what is chosen on this device is spoken at once, and after a restart', async () => {
    await list('Language on this device').selectOption({ label: 'Deutsch' })
    await speaks('de')
    await title('Aussehen')
    await stage.stopApp()
    await stage.startApp()
    await speaks('de')
    await title('Eingang')
    await goTo(stage.page, gauge)
    await expect.poll(() => field().inputValue()).toBe('Half a sentence, and the language chang')
    // Dates and times too, in the format that was chosen before.
    const feed = stage.page.locator('.feed')
    await expect.poll(() => feed.textContent()).toMatch(/Heute, \d+\. \p{L}+/u)
    const clock = feed.locator('.msg time').last()
    await expect.poll(() => clock.textContent()).toMatch(/^\s*\d{2}:\d{2}\s*$/)
    await stage.ask('PATCH', '/settings', { twenty_four_hour_time: 'false' })
    await expect.poll(() => clock.textContent()).toMatch(/\d{1,2}:\d{2}\s[AP]M/)
    await stage.stopApp()
    await stage.startApp()
    await goTo(stage.page, gauge)
    await expect.poll(() => clock.textContent()).toMatch(/\d{1,2}:\d{2}\s[AP]M/)
  })
})
