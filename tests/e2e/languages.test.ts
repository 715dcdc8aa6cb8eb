import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { speak, t } from '../../src-shared/texts/texts.ts'
import { goTo } from './browser.ts'
import { layoutFaults } from './layout-faults.ts'
import { stillWindow } from './screen-ways.ts'
import { givenHere } from './screens-messages.ts'
import { calmScreens } from './screens.ts'
import { openStage, type Stage } from './stage.ts'

// The app in languages other than English: no English text is left, no text is cut, and a change of language loses
// nothing.

const gauge = 'channel/1/topic/gauge%204%20offset%20drift'

/** The names of people, channels, topics and the like, which are not translated; the longest first. */
async function givenNames(stage: Stage): Promise<string[]> {
  const names = new Set<string>([stage.service.baseUrl.replace('http://', ''), ...givenHere])
  const named = new Set([
    'full_name',
    'name',
    'status_text',
    'email',
    'delivery_email',
    'realm_name',
    'realm_empty_topic_display_name',
    'hint',
    'text',
  ])
  const collect = (value: unknown, key = ''): void => {
    // The choices of a profile field.
    if (typeof value === 'string' && key === 'field_data' && value !== '') collect(JSON.parse(value))
    else if (typeof value === 'string' && named.has(key) && value !== '')
      names
        .add(value)
        .add(value.replace(/^✔ /, ''))
        .add(key === 'full_name' ? (value.split(' ')[0] ?? value) : value)
    else if (Array.isArray(value)) for (const one of value) collect(one)
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) collect(inner, name)
  }
  const kinds = [
    'realm',
    'realm_user',
    'subscription',
    'user_status',
    'realm_user_groups',
    'channel_folders',
    'saved_snippets',
    'custom_profile_fields',
  ]
  const state = await stage.ask('POST', '/register', { fetch_event_types: JSON.stringify(kinds) })
  collect(state)
  // The envelope of the service's own answer.
  const { subscriptions } = state as { subscriptions: { stream_id: number }[] }
  for (const { stream_id } of subscriptions) collect(await stage.ask('GET', `/users/me/${stream_id}/topics`))
  return [...names].sort((a, b) => b.length - a.length)
}

/** Elements with text that people wrote, or that is the same in every language. */
const asWritten = [
  '.msg .bd',
  '.msg.changed',
  '.result .tx',
  '.result .path',
  '.sn',
  '.hd .desc',
  '.rr .tp',
  '.typed',
  'textarea',
  'input',
  // Emoji names, search words, and statuses.
  '[role="gridcell"]',
  '[role="row"] button',
  '.reactors h3',
  '.search-offers',
  '.search-operators .add',
  '.pf dl',
  '.tx',
  '.snippet',
  '.dlg-excerpt',
  '.own-list .word',
  '.kept',
  '.rb .tp',
  '.m.trunc',
  '.meta.trunc',
  '.words .note',
  '.said',
  '.about',
  '.two .n',
].join(',')

/** English text left on the screen and in accessible names. */
function plainEnglish(page: Page, names: readonly string[]): Promise<string[]> {
  return page.evaluate(
    ({ names, asWritten }) => {
      const isPlain = (text: string | null) => {
        if (text === null || !/[A-Za-z]{2}/.test(text)) return false
        let rest = ['Dunlin', ...names].reduce((left, name) => left.replaceAll(name, ''), text)
        // Values inserted into a text are enclosed in two invisible characters.
        for (let before = ''; before !== rest;) {
          before = rest
          rest = rest.replace(/\u2068[^\u2068\u2069]*\u2069/g, '')
        }
        return /[A-Za-z]{2}/.test(rest)
      }
      const where = (element: Element) => `${element.parentElement?.className ?? ''} > ${element.className}`
      const found: string[] = []
      for (const element of document.body.querySelectorAll('*')) {
        if (!element.checkVisibility({ visibilityProperty: true })) continue
        const isWritten = element.closest(asWritten) !== null
        // What a field holds is written by people, but not its name.
        const isField = element.matches('textarea, input')
        const isNamed = isField ? element.parentElement?.closest(asWritten) != null : isWritten
        for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext']) {
          if (!isNamed && isPlain(element.getAttribute(name)))
            found.push(`${name}="${element.getAttribute(name)}" ${where(element)}`)
        }
        for (const node of element.childNodes) {
          if (!isWritten && node.nodeType === Node.TEXT_NODE && isPlain(node.textContent))
            found.push(`${node.textContent?.trim()} ${where(element)}`)
        }
      }
      return found
    },
    { names, asWritten },
  )
}

/** Elements that are wider than their place. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const root = document.documentElement
    if (root.scrollWidth > root.clientWidth)
      found.push(`the page: ${root.scrollWidth} of ${root.clientWidth}`)
    for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
      // Content that people wrote may be wide: it scrolls in its own place.
      if (!element.checkVisibility() || element.closest('.bd, .unseen, textarea, input, svg') !== null)
        continue
      const { overflowX, textOverflow, display } = getComputedStyle(element)
      const over = element.clientWidth === 0 ? 0 : element.scrollWidth - element.clientWidth
      if (over <= 1) continue
      const words = `${element.className} ${element.textContent.trim().slice(0, 40)}`
      if (overflowX === 'auto' || overflowX === 'scroll') found.push(`scrolls sideways by ${over}: ${words}`)
      else if (
        element.matches('button, .btn, .seg, .chip, h1, h2, h3, label') &&
        textOverflow !== 'ellipsis' &&
        display !== 'inline' &&
        element.querySelector('.trunc') === null
      )
        found.push(`too wide by ${over}: ${words}`)
    }
    return found
  })
}

describe('from right to left, in letters that nobody types', () => {
  let stage: Stage
  let names: readonly string[]
  beforeAll(async () => {
    stage = await openStage({ window: stillWindow, language: 'ar-XB' })
    names = await givenNames(stage)
  })
  afterAll(() => stage.close())

  test.each(Object.entries(calmScreens))('%s', async (_name, show) => {
    await show(stage)
    const { page } = stage
    expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe('rtl')
    expect({ english: await plainEnglish(page, names), wide: await overflowing(page) }).toEqual({
      english: [],
      wide: [],
    })
  })
})

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
