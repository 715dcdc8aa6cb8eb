import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockDataDirectory } from '../../src-main/hosts/instance-lock.ts'
import { ask, kill, startServiceProcess } from '../e2e/browser.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openStage, rehearse, type Rehearsal, type Stage } from './rehearse.ts'

const directory = temporaryFolder(afterAll)
let stage: Stage
let service: Awaited<ReturnType<typeof startServiceProcess>>
let app: Rehearsal
let page: Page
const dataDirectory = () => join(directory, 'app')

beforeAll(async () => {
  stage = await openStage()
  service = await startServiceProcess(join(directory, 'service'))
  app = rehearse(stage, dataDirectory())
  page = await app.page()
})

afterAll(async () => {
  app?.kill()
  await stage?.close()
  await kill(service.child)
})

/** Another person writes a message that mentions the person. */
const askAs = (index: number, path: string, fields: { [name: string]: string }) => {
  const { email, api_key: apiKey } = service.accounts[index] ?? { email: '', api_key: '' }
  return ask(service.baseUrl, { email, apiKey }, 'POST', path, fields)
}
/** Another person writes; returns the answer. */
const writeTo = (topic: string, content: string) =>
  askAs(1, '/messages', { type: 'stream', to: '1', topic, content })

test('the window is locked down', async () => {
  const url = async () => (await app.record()).windows[0]?.url
  await expect.poll(url).toMatch(/^app:\/\/dunlin\/index\.html/)
  const { windows, privilegedSchemes } = await app.record()
  expect(windows).toHaveLength(1)
  expect(windows[0]?.options).toMatchObject({
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false },
  })
  expect(privilegedSchemes).toEqual([
    {
      scheme: 'app',
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true, stream: true },
    },
  ])
  expect(
    await page.evaluate(() => Object.keys((window as unknown as { bridgePort: object }).bridgePort).sort()),
  ).toEqual(['onClose', 'onClosing', 'onMessage', 'send', 'zoom'])
})

test('the system draws its buttons over the title bar in the colours of the theme that is shown', async () => {
  const overlay = async () => (await app.record()).windows[0]?.options.titleBarOverlay
  await expect.poll(overlay).toEqual({ color: '#eff2f3', symbolColor: '#4a5459', height: 44 })
  await page.evaluate(() => localStorage.setItem('dunlin-theme', 'dark'))
  await page.reload()
  await expect.poll(overlay).toEqual({ color: '#101517', symbolColor: '#aab4b8', height: 44 })
  expect((await app.record()).windows[0]?.options.backgroundColor).toBe('#101517')
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await expect.poll(overlay).toMatchObject({ color: '#eff2f3' })
})

test('permissions are denied but for what the app uses itself', async () => {
  for (const permission of [
    'media',
    'geolocation',
    'notifications',
    'openExternal',
    'hid',
    'clipboard-read',
  ]) {
    expect(await app.ask({ kind: 'permission', permission, origin: 'app://dunlin' })).toEqual({
      request: false,
      check: false,
      device: false,
    })
  }
  expect(
    await app.ask({ kind: 'permission', permission: 'clipboard-sanitized-write', origin: 'app://dunlin' }),
  ).toEqual({ request: true, check: true, device: false })
  expect(
    await app.ask({
      kind: 'permission',
      permission: 'clipboard-sanitized-write',
      origin: 'https://evil.example',
    }),
  ).toEqual({ request: false, check: false, device: false })
})

test('the app protocol serves the renderer under a strict policy, and nothing else', async () => {
  interface Answer {
    status: number
    headers: { [name: string]: string }
    text: string
  }
  const get = (url: string, method = 'GET') => app.ask<Answer>({ kind: 'fetch', url, method })
  const index = await get('app://dunlin/index.html')
  expect(index.status).toBe(200)
  expect(index.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
  expect(index.headers['x-content-type-options']).toBe('nosniff')
  expect((await get('app://dunlin/..%2f..%2fpackage.json')).status).toBe(404)
  expect((await get('app://dunlin/%2e%2e/%2e%2e/package.json')).status).toBe(404)
  expect((await get('app://elsewhere/index.html')).status).toBe(403)
  expect((await get('app://dunlin/index.html', 'POST')).status).toBe(403)
  expect((await get('app://dunlin/media/none?url=/avatar/1')).status).toBe(404)
})

test('signing in works over the bridge, and the key lies sealed', async () => {
  await page.getByLabel('Address').fill(`127.0.0.1:${service.port}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Email').fill(service.accounts[0]?.email ?? '')
  await page.getByRole('textbox', { name: 'Password' }).fill(service.accounts[0]?.password ?? '')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  const secrets = readFileSync(join(dataDirectory(), 'sealed-secrets.json'), 'utf8')
  expect(secrets).toContain('api-key:')
  expect(secrets).not.toContain(service.accounts[0]?.api_key ?? 'no key')
  expect(existsSync(join(dataDirectory(), 'secrets.json'))).toBe(false)
})

test('pictures of the server come through the app protocol', async () => {
  await expect
    .poll(() =>
      page.evaluate(() =>
        [...document.images].some((image) => image.src.includes('/media/') && image.naturalWidth > 0),
      ),
    )
    .toBe(true)
})

test('pages stay inside; links open in the browser, and only harmless ones', async () => {
  await page.evaluate(() => void (location.href = 'https://evil.example/'))
  await page.waitForTimeout(300)
  expect(page.url()).toMatch(/^https:\/\/dunlin\.rehearsal/)
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await page.evaluate(() => window.open('https://example.org/tides'))
  await app.until(({ openedOutside }) => openedOutside.includes('https://example.org/tides'))
  await page.evaluate(() => window.open('file:///etc/passwd'))
  await page.evaluate(() => window.open('javascript:alert(1)'))
  await expect.poll(() => app.log()).toContain('Dunlin doesn’t open links of this kind.')
  const { openedOutside, windows } = await app.record()
  expect(openedOutside).toEqual(['https://example.org/tides'])
  expect(windows).toHaveLength(1)
})

test('tray and menus say what there is to do, and do it', async () => {
  const { tray, menu } = await app.until((record) => (record.tray?.tooltip ?? '').includes('unread'))
  expect(tray?.image).toMatch(/^tray-dark-(unread|attention)\.png$/)
  expect(tray?.items.map(({ label }) => label)).toEqual([
    'Open Dunlin',
    'Notifications',
    'Pause notifications for 1 hour',
    'Pause notifications until tomorrow',
    'Quit Dunlin',
  ])
  expect(tray?.items[1]?.isChecked).toBe(true)
  expect(menu.map(({ label }) => label)).toEqual(['File', 'Edit', 'View', 'Window'])
  await app.ask({ kind: 'click-menu', where: 'application', label: 'Starred messages' })
  await page.getByRole('heading', { name: /Starred/ }).waitFor()
  await page.locator('.msg').first().waitFor()
  await app.ask({ kind: 'click-menu', where: 'application', label: 'Find…' })
  await page.getByRole('textbox', { name: 'Find in these messages' }).waitFor()
  await page.keyboard.press('Escape')
  await app.ask({ kind: 'click-menu', where: 'tray', label: 'Notifications' })
  await app.until((record) => record.tray?.items[1]?.isChecked === false)
  await app.ask({ kind: 'click-menu', where: 'tray', label: 'Notifications' })
  await app.until((record) => record.tray?.items[1]?.isChecked === true)
})

test('keys zoom, also in front of a dialog', async () => {
  const level = () => page.evaluate(() => document.documentElement.dataset['zoomLevel'])
  await page.keyboard.press('Control+=')
  await page.keyboard.press('Control+Shift+K')
  await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor()
  await page.keyboard.press('Control+=')
  await expect.poll(level).toBe('1')
  await page.keyboard.press('Control+-')
  await expect.poll(level).toBe('0.5')
  await page.keyboard.press('Control+Alt+0')
  await expect.poll(level).toBe('0')
  await page.keyboard.press('Escape')
})

test('closing the window leaves the app in the tray', async () => {
  await app.ask({ kind: 'close-window' })
  await app.until(({ windows }) => windows[0]?.isVisible === false)
  await app.ask({ kind: 'click-menu', where: 'tray', label: 'Open Dunlin' })
  await app.until(({ windows }) => windows[0]?.isVisible === true)
})

test('the system starts the app with the session, if wanted', async () => {
  await page.evaluate(
    () => (location.hash = location.hash.replace(/^#\/([^/]+)\/.*$/, '#/$1/settings/window')),
  )
  const entry = join(directory, 'config/autostart/dunlin.desktop')
  const toggle = page.getByRole('switch', { name: 'Open at login' })
  await toggle.click()
  await expect.poll(() => existsSync(entry)).toBe(true)
  expect(readFileSync(entry, 'utf8')).toMatch(/^Exec=".+" --hidden$/m)
  await toggle.click()
  await expect.poll(() => existsSync(entry)).toBe(false)
  await page.getByRole('switch', { name: 'Use the graphics card' }).click()
  await expect.poll(() => existsSync(join(dataDirectory(), 'electron/draw-without-graphics-card'))).toBe(true)
  await page.keyboard.press('Escape')
})

test('a mention notifies; a click on it opens the conversation, and a reply is sent', async () => {
  const before = (await app.record()).badgeCount
  expect(before).toBeGreaterThan(0)
  await page.evaluate(() => window.dispatchEvent(new Event('blur')))
  await writeTo('gauge 4 offset drift', `@**${service.accounts[0]?.full_name}** please look at gauge 4`)
  const { notifications } = await app.until((record) => record.notifications.length > 0)
  const shown = notifications.at(-1)
  expect(shown).toMatchObject({ hasReply: true })
  expect(shown?.title).toContain('tide-gauges › gauge 4 offset drift')
  expect(shown?.body).toContain('please look at gauge 4')
  await app.until((record) => record.badgeCount > before)
  await app.ask({ kind: 'click-notification', index: notifications.length - 1 })
  await page.getByText('please look at gauge 4').last().waitFor()
  await app.ask({ kind: 'reply-notification', index: notifications.length - 1, text: 'looking now' })
  await page.locator('.msg .content', { hasText: 'looking now' }).last().waitFor()

  // What is read on another device need not be told of any more.
  const { id } = (await writeTo('rota', `@**${service.accounts[0]?.full_name}** your turn`)) as { id: number }
  const isShown = async () => (await app.record()).notifications.at(-1)
  await expect.poll(isShown).toMatchObject({ title: expect.stringContaining('rota'), isClosed: false })
  await askAs(0, '/messages/flags', { op: 'add', flag: 'read', messages: JSON.stringify([id]) })
  await expect.poll(isShown).toMatchObject({ title: expect.stringContaining('rota'), isClosed: true })
})

test('a deep link opens its conversation; a strange one only the window', async () => {
  await app.ask({ kind: 'click-menu', where: 'application', label: 'Combined feed' })
  await page.getByRole('heading', { name: /Combined/ }).waitFor()
  await app.ask({ kind: 'open-url', url: 'dunlin://elsewhere.example/#narrow/channel/1-x/topic/y' })
  await expect.poll(() => app.log()).toContain('it leads to no organization')
  expect(page.url()).toContain('/combined')
  await app.ask({
    kind: 'open-url',
    url: `dunlin://127.0.0.1:${service.port}/#narrow/channel/1-tide-gauges/topic/gauge.204.20offset.20drift`,
  })
  await expect.poll(() => page.url()).toContain('/channel/1/topic/gauge%204%20offset%20drift')
})

test('a second start hands its link to the first and ends', async () => {
  const second = rehearse(stage, dataDirectory(), [
    `dunlin://127.0.0.1:${service.port}/#narrow/channel/1-tide-gauges`,
  ])
  expect(await second.ended).toBe(0)
  await expect.poll(() => page.url()).toMatch(/\/channel\/1$/)
})

test('a reloaded window gets a bridge of its own', async () => {
  await page.reload()
  await page.locator('.msg[data-message-id]').first().waitFor()
})

test('a page that ended comes again where it was', async () => {
  await page.evaluate(() => Reflect.set(globalThis, 'isTheFirst', true))
  await app.ask({ kind: 'crash-page' })
  await expect.poll(() => page.evaluate(() => Reflect.has(globalThis, 'isTheFirst'))).toBe(false)
  await page.locator('.msg[data-message-id]').first().waitFor()
  expect(page.url()).toMatch(/\/channel\/1$/)
  // A second crash right after the first does not reload the page, so it cannot reload forever.
  await page.evaluate(() => Reflect.set(globalThis, 'isTheSecond', true))
  await app.ask({ kind: 'crash-page' })
  await page.waitForTimeout(500)
  expect(await page.evaluate(() => Reflect.has(globalThis, 'isTheSecond'))).toBe(true)
  // Unless the person asks for the window.
  await app.ask({ kind: 'click-menu', where: 'tray', label: 'Open Dunlin' })
  await expect.poll(() => page.evaluate(() => Reflect.has(globalThis, 'isTheSecond'))).toBe(false)
})

test('an app that did not end by itself starts where the person was', async () => {
  await page.evaluate(() => {
    location.hash = location.hash.replace(/\/channel\/.*$/, '/starred')
  })
  await expect
    .poll(() => readFileSync(join(dataDirectory(), 'window.json'), 'utf8'))
    .toMatch(/"place":"#\/[^/]+\/starred"/)
  app.kill()
  await app.ended
  // A real window closes with its app.
  await page.close()
  const statePath = join(dataDirectory(), 'window.json')
  const state = JSON.parse(readFileSync(statePath, 'utf8')) as object
  writeFileSync(statePath, JSON.stringify({ ...state, isMaximized: true }))
  app = rehearse(stage, dataDirectory(), ['--hidden'])
  page = await app.page()
  await page.getByRole('heading', { name: /Starred/ }).waitFor()
  expect(page.url()).toMatch(/\/starred$/)
  expect((await app.record()).windows[0]).toMatchObject({ isVisible: false })
  await app.ask({ kind: 'second-start', args: [] })
  expect((await app.record()).windows[0]).toMatchObject({ isVisible: true, isMaximized: true })
})

test('quitting at once keeps what was typed; the next start shows it', async () => {
  await page.evaluate(() => {
    location.hash = location.hash.replace(/\/starred$/, '/channel/1/topic/gauge%204%20offset%20drift')
  })
  const field = page.getByLabel('Message', { exact: true })
  await field.fill('')
  await field.pressSequentially('typed and quit in one breath', { delay: 0 })
  await app.ask({ kind: 'click-menu', where: 'application', label: 'Quit Dunlin' }).catch(() => {})
  expect(await app.ended).toBe(0)
  await kill(service.child)

  app = rehearse(stage, dataDirectory())
  page = await app.page()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  expect(new URL(page.url()).hash).toBe('')
  await page.locator('nav.sb').getByRole('treeitem', { name: 'tide-gauges' }).click()
  await page.locator('.topics a', { hasText: 'gauge 4 offset drift' }).click()
  await expect
    .poll(() => page.getByLabel('Message', { exact: true }).inputValue())
    .toBe('typed and quit in one breath')
  expect((await app.record()).tray?.image).toMatch(/attention|offline/)
  expect(JSON.parse(readFileSync(join(dataDirectory(), 'window.json'), 'utf8'))).toMatchObject({
    width: 1200,
  })
})

test('quitting twice keeps what was typed, too', async () => {
  const field = page.getByLabel('Message', { exact: true })
  await field.fill('')
  await field.pressSequentially('typed and quit by an impatient person', { delay: 0 })
  const link = `dunlin://127.0.0.1:${service.port}/#narrow/channel/1-tide-gauges`
  await Promise.allSettled([
    app.ask({ kind: 'quit' }),
    app.ask({ kind: 'quit' }),
    app.ask({ kind: 'second-start', args: [link] }),
  ])
  expect(await app.ended).toBe(0)
  // Who asked for the app while it was ending gets it, with their link.
  expect(app.log()).toMatch(/^relaunch: /m)
  expect(app.log()).toContain(`${JSON.stringify([`--data-dir=${dataDirectory()}`, link]).slice(1)}\n`)
  // The app released the data directory before it ended.
  expect(existsSync(join(dataDirectory(), 'lock'))).toBe(false)

  app = rehearse(stage, dataDirectory(), ['--hidden'])
  // Who asks for the app while it starts gets its window.
  await app.ask({ kind: 'second-start', args: [] })
  page = await app.page()
  await app.until(({ windows }) => windows[0]?.isVisible === true)
  await page.locator('nav.sb').getByRole('treeitem', { name: 'tide-gauges' }).click()
  await page.locator('.topics a', { hasText: 'gauge 4 offset drift' }).click()
  await expect
    .poll(() => page.getByLabel('Message', { exact: true }).inputValue())
    .toBe('typed and quit by an impatient person')
})

test('the next start draws as wished, and closing the window ends the app, if wanted', async () => {
  expect((await app.record()).drawsPlainly).toBe(true)
  await page.evaluate(
    () => (location.hash = location.hash.replace(/^#\/([^/]+)\/.*$/, '#/$1/settings/window')),
  )
  const toggle = page.getByRole('switch', { name: /tray/ })
  await toggle.click()
  await expect.poll(() => toggle.getAttribute('aria-checked')).toBe('false')
  await app.ask({ kind: 'close-window' }).catch(() => {})
  expect(await app.ended).toBe(0)
})

test('the demo starts the service in a process of its own and opens signed in', async () => {
  const demo = rehearse(stage, join(directory, 'demo'), ['--demo=quiet'], undefined, {
    REHEARSAL_UNPACKAGED: '1',
    XDG_CURRENT_DESKTOP: 'KDE',
  })
  try {
    const window = await demo.page()
    await window.getByRole('heading', { name: 'Inbox' }).waitFor()
    await window.getByText('Skerry Coast Survey').first().waitFor()
    // An app started from source does not register for links with the system.
    expect((await demo.record()).protocolClients).toEqual([])
    await demo.until(({ tray }) => tray?.image.startsWith('tray-light') === true)
    await demo.ask({ kind: 'theme', isDark: true })
    expect((await demo.record()).tray?.image).toMatch(/^tray-dark/)
    await demo.ask({ kind: 'quit' }).catch(() => {})
    expect(await demo.ended).toBe(0)
  } finally {
    demo.kill()
  }
})

test('a data folder that is in use is explained in a box, and nothing is touched', async () => {
  const held = join(directory, 'held')
  const unlock = lockDataDirectory(held)
  // A lock held by a running process that is not the app.
  writeFileSync(join(held, 'lock'), String(process.pid))
  const blocked = rehearse(stage, held)
  expect(await blocked.ended).toBe(1)
  expect(blocked.log()).toContain('Dunlin is already running')
  unlock()
})
