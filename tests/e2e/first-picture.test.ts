import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildIfStale } from '../../src-main/hosts/built-app.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { goTo, kill, launchChromium, openWindow, signIn, startApp, startServiceProcess } from './browser.ts'

// What a start loads before its first picture, measured on the built files.

const root = resolve(import.meta.dirname, '../..')
const assets = join(root, 'out/renderer/assets')

/** A script and everything that it imports before it runs. */
function withImports(name: string, known = new Set<string>()): Set<string> {
  if (known.has(name)) return known
  known.add(name)
  const text = readFileSync(join(assets, name), 'utf8')
  for (const [, imported] of text.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g))
    if (imported !== undefined) withImports(imported, known)
  return known
}

const compressed = (names: Iterable<string>) =>
  [...names].reduce((sum, name) => sum + gzipSync(readFileSync(join(assets, name))).length, 0)

/** The files of a view: its own file, and the one that only re-exports it if there is one. */
const filesOf = (view: string) =>
  readdirSync(assets).filter((name) => new RegExp(`^${view}-.*\\.js$`, 'i').test(name))

test('the first picture needs less than 100 KB of compressed script', () => {
  expect(buildIfStale(root)).toBe(true)
  const html = readFileSync(join(root, 'out/renderer/index.html'), 'utf8')
  const entries = [...html.matchAll(/(?:src|href)="\.\/assets\/([^"]+\.js)"/g)].map(([, name]) => name ?? '')
  expect(entries).not.toEqual([])
  const needed = new Set(entries.flatMap((name) => [...withImports(name)]))
  // The inbox is bundled with the window; a person who signs in sees another view.
  expect(compressed(needed)).toBeLessThan(100 * 1_024)
  const signIn = filesOf('SignIn')
  expect(signIn).not.toEqual([])
  const all = new Set([...needed, ...signIn.flatMap((name) => [...withImports(name)])])
  expect(compressed(all)).toBeLessThan(120_000)
})

test('the first picture’s styles are in the page, and what it is written in is under way before its script is read', () => {
  const html = readFileSync(join(root, 'out/renderer/index.html'), 'utf8')
  expect(html.indexOf('.woff2"')).toBeGreaterThan(-1)
  expect(html.indexOf('.woff2"')).toBeLessThan(html.indexOf('<script'))
  expect(html).not.toContain('rel="stylesheet"')
  expect(html).toMatch(/<style>[^]*url\(\.\/assets\/inter-latin-opsz-normal[^]*<\/style>/)
})

describe('the window of somebody who is signed in', () => {
  const directory = temporaryFolder(afterAll)
  let browser: Browser
  let service: Awaited<ReturnType<typeof startServiceProcess>>
  let app: Awaited<ReturnType<typeof startApp>>
  let page: Page

  beforeAll(async () => {
    browser = await launchChromium()
    service = await startServiceProcess(join(directory, 'service'))
    app = await startApp(join(directory, 'app'))
    page = await openWindow(browser, app.url)
    await signIn(page, service.baseUrl, service.accounts[0])
    await page.locator('.ibx .ir').first().waitFor()
    // From now on, the delivered page is recorded before any script of the app runs.
    await page.addInitScript(() => {
      // As a dark window leaves it; the page itself is delivered with the light theme.
      localStorage.setItem('dunlin-theme', 'dark')
      document.addEventListener('readystatechange', () => {
        if (document.readyState !== 'interactive') return
        const hasRow = document.querySelector('.ibx .ir') !== null
        const sidebar = document.querySelector('nav.sb')
        const { theme, elsewhere } = document.documentElement.dataset
        Reflect.set(globalThis, 'came', { hasRow, sidebar, theme, isElsewhere: elsewhere !== undefined })
      })
    })
  })
  afterAll(async () => {
    await browser?.close()
    await kill(app.child)
    await kill(service.child)
  })

  /** The address of the window, without a place. */
  const start = () => new URL('.', page.url()).href

  /** The delivered page, and whether its elements are still there once the window has started. */
  const came = async () => {
    await page.waitForFunction(() => document.title.includes('Inbox'))
    return page.evaluate(() => {
      // Defined above.
      const { sidebar, ...rest } = Reflect.get(globalThis, 'came') as { sidebar: Element | null }
      return { ...rest, isKept: sidebar?.isConnected === true }
    })
  }

  test('comes drawn, in its colours, and is taken over as it came', async () => {
    await page.goto(start())
    expect(await came()).toEqual({ theme: 'dark', isElsewhere: false, hasRow: true, isKept: true })
    // The window has started: a row responds to the pointer.
    await page.locator('.ibx .ir').first().hover()
    await page.locator('.ibx .ir .acts button').first().waitFor()
    // Going to another place draws only that place, not the window around it.
    const sidebar = await page.locator('nav.sb').elementHandle()
    await page.getByRole('link', { name: 'Starred' }).click()
    await page.getByRole('heading', { name: 'Starred' }).waitFor()
    expect(await sidebar?.evaluate((element) => element.isConnected)).toBe(true)
  })

  test('looks for no fonts but its own', async () => {
    await page.goto(start())
    await came()
    const faces = await page.evaluate(() =>
      [...document.fonts].map(({ family, style, status }) => ({
        family,
        style,
        isUsed: status !== 'unloaded',
      })),
    )
    const inter = faces.filter(({ family }) => /^"?Inter Variable"?$/.test(family))
    // Other subsets of the font would be looked up for every size and weight, and icons have no letters to slant.
    expect(inter).toEqual([
      { family: expect.any(String), style: 'normal', isUsed: true },
      { family: expect.any(String), style: 'italic', isUsed: false },
    ])
    await page.evaluate(async () => {
      const text = document.createElement('p')
      text.id = 'beyond-latin'
      text.textContent = 'Łódź Прилив παλίρροια'
      document.querySelector('main')?.prepend(text)
      await document.fonts.ready
    })
    const cdp = await page.context().newCDPSession(page)
    const { root: top } = await cdp.send('DOM.getDocument')
    await cdp.send('CSS.enable')
    const { nodeId } = await cdp.send('DOM.querySelector', { nodeId: top.nodeId, selector: '#beyond-latin' })
    const { fonts } = await cdp.send('CSS.getPlatformFontsForNode', { nodeId })
    expect(fonts.map(({ familyName, isCustomFont }) => ({ familyName, isCustomFont }))).toEqual(
      fonts.map(() => ({ familyName: expect.stringContaining('Inter'), isCustomFont: true })),
    )
    expect(fonts.length).toBeGreaterThan(0)
  })

  test('shows nothing of the inbox where it opens elsewhere', async () => {
    await page.goto(start())
    await page.waitForFunction(() => document.title.includes('Inbox'))
    await goTo(page, 'starred')
    await page.getByRole('heading', { name: 'Starred' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Starred' }).waitFor()
    const { isElsewhere } = await page.evaluate(
      () => Reflect.get(globalThis, 'came') as { isElsewhere: boolean },
    )
    expect(isElsewhere).toBe(true)
    await expect.poll(() => page.locator('#app').isVisible()).toBe(true)
  })

  test('shows what is so now, not what was so when it was last open', async () => {
    await page.goto(start())
    await page.waitForFunction(() => document.title.includes('Inbox'))
    const rows = page.locator('.ibx .ir')
    const key = await rows.first().getAttribute('data-key')
    await rows.first().hover()
    await page.getByRole('button', { name: 'Mark as read' }).first().click()
    await expect.poll(() => page.locator(`.ir[data-key="${key}"]`).count()).toBe(0)
    const html = await (await page.request.get(start())).text()
    expect(html).toContain('class="ir')
    const drawn = html.slice(0, html.indexOf('application/json'))
    expect(drawn).not.toContain(`data-key="${key}"`)
    // The page's policy blocks such scripts.
    expect(drawn).not.toMatch(/<[^>]* on[a-z]+=/)
  })

  test('does what was pressed before it lived', async () => {
    let letThrough = () => {}
    const wait = new Promise<void>((resolve) => (letThrough = resolve))
    const scripts = '**/assets/*.js'
    await page.route(scripts, async (route) => {
      await wait
      await route.continue()
    })
    await page.goto(start(), { waitUntil: 'commit' })
    await page.locator('.ibx .ir').first().waitFor()
    const hide = page.getByRole('button', { name: 'Hide sidebar' })
    await hide.click()
    // Still the first picture: nothing has handled the button.
    expect(await hide.count()).toBe(1)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('sta')
    letThrough()
    await page.getByRole('button', { name: 'Show sidebar' }).waitFor()
    await expect.poll(() => page.getByRole('combobox').inputValue()).toBe('sta')
  })
})
