import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { chromium, type Browser, type Page } from 'playwright-core'
import { app } from './app.ts'
import { record } from './record.ts'

type ProtocolHandler = (request: Request) => Response | Promise<Response>

const handlers = new Map<string, ProtocolHandler>()
const permissions: {
  request:
    | ((contents: unknown, permission: string, done: (isGranted: boolean) => void, details: unknown) => void)
    | null
  check: ((contents: unknown, permission: string, origin: string, details: unknown) => boolean) | null
  device: ((details: unknown) => boolean) | null
} = { request: null, check: null, device: null }

export const ipcMain = new EventEmitter()

export const protocol = {
  registerSchemesAsPrivileged: (schemes: Electron.CustomScheme[]) =>
    void record.privilegedSchemes.push(...schemes),
} satisfies Pick<Electron.Protocol, 'registerSchemesAsPrivileged'>

export const session = {
  defaultSession: {
    protocol: { handle: (scheme: string, handler: ProtocolHandler) => void handlers.set(scheme, handler) },
    setPermissionRequestHandler: (handler: typeof permissions.request) => (permissions.request = handler),
    setPermissionCheckHandler: (handler: typeof permissions.check) => (permissions.check = handler),
    setDevicePermissionHandler: (handler: typeof permissions.device) => (permissions.device = handler),
    addWordToSpellCheckerDictionary: () => true,
    resolveProxy: () => Promise.resolve('DIRECT'),
  },
}

/** The answer of the app's own handlers when a page asks for a permission. */
export function askPermission(
  permission: string,
  origin: string,
): { request: boolean; check: boolean; device: boolean } {
  let request = true
  permissions.request?.(null, permission, (isGranted) => (request = isGranted), {
    requestingUrl: `${origin}/`,
  })
  return {
    request,
    check: permissions.check?.(null, permission, origin, {}) ?? true,
    device: permissions.device?.({}) ?? true,
  }
}

/** The app's response to an address of its scheme. */
export async function askProtocol(url: string, method = 'GET') {
  const scheme = new URL(url).protocol.slice(0, -1)
  const handler = handlers.get(scheme)
  if (handler === undefined) throw new Error(`no handler for ${scheme}`)
  // Node's Request accepts an address of any scheme.
  return handler(new Request(url, { method }))
}

// Chromium cannot be taught a scheme from outside, so windows show the app under a host name that does not exist.
const shownOrigin = 'https://dunlin.rehearsal'
const appOrigin = 'app://dunlin'
const shown = (url: string) => url.replace(appOrigin, shownOrigin)
const meant = (url: string) => url.replace(shownOrigin, appOrigin)

let browser: Promise<Browser> | null = null
const connect = () => {
  browser ??= chromium.connectOverCDP(process.env['REHEARSAL_CHROMIUM'] ?? '')
  return browser
}

/** The world of the sandboxed preload script, which may require `electron` and nothing else. */
const preloadWorld = (code: string) => `(() => {
  if (location.origin !== ${JSON.stringify(shownOrigin)}) return
  const listeners = new Map()
  const ipcRenderer = {
    send: (channel, ...args) => void window.rehearsalSend(channel, JSON.stringify(args)),
    on: (channel, listener) => void listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
    off: (channel, listener) =>
      void listeners.set(channel, (listeners.get(channel) ?? []).filter((one) => one !== listener)),
  }
  window.rehearsalReceive = (channel, args) => {
    for (const listener of listeners.get(channel) ?? []) listener({}, ...args)
  }
  const contextBridge = {
    exposeInMainWorld: (name, value) =>
      Object.defineProperty(window, name, { value: Object.freeze(value), writable: false }),
  }
  let zoomLevel = 0
  const webFrame = {
    getZoomLevel: () => zoomLevel,
    setZoomLevel: (level) => void (document.documentElement.dataset.zoomLevel = String((zoomLevel = level))),
  }
  const require = (name) => {
    if (name !== 'electron') throw new Error('a sandboxed preload may not require ' + name)
    return { ipcRenderer, contextBridge, webFrame }
  }
  ;((require, module, exports) => {
${code}
  })(require, { exports: {} }, {})
})()`

class WebContents extends EventEmitter {
  readonly session = session.defaultSession
  page: Page | null = null
  #isCrashed = false
  #openHandler: (details: { url: string }) => { action: string } = () => ({ action: 'allow' })

  isDestroyed(): boolean {
    return this.page === null || this.page.isClosed()
  }

  send(channel: string, ...args: unknown[]): void {
    void this.page
      ?.evaluate(
        ([name, values]) =>
          (window as unknown as { rehearsalReceive(name: unknown, values: unknown): void }).rehearsalReceive(
            name,
            values,
          ),
        [channel, args] as const,
      )
      .catch(() => {})
  }

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.#openHandler = handler
  }

  replaceMisspelling(): void {}

  getURL(): string {
    return meant(this.page?.url() ?? '')
  }

  reload(): void {
    this.#isCrashed = false
    void this.page?.reload()
  }

  isCrashed(): boolean {
    return this.#isCrashed
  }

  /** As a page does that ran out of memory. */
  crash(): void {
    this.#isCrashed = true
    this.emit('render-process-gone', {}, { reason: 'oom', exitCode: 9 })
  }

  async open(preloadPath: string, url: string): Promise<void> {
    const { contexts } = await connect().then((it) => ({ contexts: it.contexts() }))
    const context = contexts[0]
    if (context === undefined) throw new Error('the browser has no context')
    const page = await context.newPage()
    this.page = page
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.exposeBinding('rehearsalSend', ({ frame }, channel: string, json: string) => {
      ipcMain.emit(
        channel,
        {
          sender: this,
          senderFrame: { parent: frame.parentFrame(), origin: meant(new URL(frame.url()).origin) },
        },
        ...(JSON.parse(json) as unknown[]),
      )
    })
    await page.addInitScript(preloadWorld(readFileSync(preloadPath, 'utf8')))
    await page.route('**/*', async (route) => {
      const request = route.request()
      const target = request.url()
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) {
        let isPrevented = false
        if (page.url() !== 'about:blank')
          this.emit('will-navigate', { url: meant(target), preventDefault: () => (isPrevented = true) })
        if (isPrevented) return route.abort('aborted')
      }
      // The font of emoji takes seconds to get through two debuggers, at every start.
      if (!target.startsWith(shownOrigin) || target.endsWith('.ttf')) return route.abort('blockedbyclient')
      const answer = await askProtocol(meant(target), request.method())
      return route.fulfill({
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: Buffer.from(await answer.arrayBuffer()),
      })
    })
    let last = ''
    page.on('framenavigated', (frame) => {
      this.#note()
      if (frame !== page.mainFrame()) return
      const before = last
      last = frame.url()
      if (before !== last && before.split('#')[0] === last.split('#')[0])
        this.emit('did-navigate-in-page', {}, meant(last), true)
    })
    await page.exposeBinding('rehearsalThemeColor', (_source, color: string) => {
      this.emit('did-change-theme-color', {}, color)
    })
    await page.addInitScript(() => {
      const tell = () => {
        const color = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')?.content
        if (color !== undefined)
          (window as unknown as { rehearsalThemeColor(color: string): void }).rehearsalThemeColor(color)
      }
      document.addEventListener('DOMContentLoaded', () => {
        tell()
        new MutationObserver(tell).observe(document.head, { subtree: true, attributeFilter: ['content'] })
      })
    })
    await page.exposeBinding('rehearsalOpen', (_source, address: string) => {
      if (this.#openHandler({ url: meant(address) }).action === 'allow')
        record.openedOutside.push('a window of its own')
    })
    await page.addInitScript(() => {
      const tell = (address: string) =>
        (window as unknown as { rehearsalOpen(address: string): void }).rehearsalOpen(address)
      window.open = (address) => {
        tell(String(address))
        return null
      }
      addEventListener('click', (event) => {
        const link = (event.target as Element | null)?.closest?.('a[target=_blank]')
        if (link === null || link === undefined || event.defaultPrevented) return
        event.preventDefault()
        tell((link as HTMLAnchorElement).href)
      })
    })
    page.on('close', () => {
      this.page = null
      this.emit('destroyed')
    })
    await page.goto(shown(url))
  }

  #note(): void {
    const entry = record.windows[0]
    if (entry !== undefined) entry.url = this.getURL()
  }
}

/** The open windows, the oldest first. */
export const openWindows: BrowserWindow[] = []

export class BrowserWindow extends EventEmitter {
  readonly webContents = new WebContents()
  readonly #options: Electron.BrowserWindowConstructorOptions
  readonly #entry: (typeof record.windows)[number]

  constructor(options: Electron.BrowserWindowConstructorOptions) {
    super()
    this.#options = options
    this.#entry = {
      url: '',
      isVisible: options.show !== false,
      isMaximized: false,
      options: { ...options },
    }
    record.windows.push(this.#entry)
    openWindows.push(this)
    app.emit('web-contents-created', {}, this.webContents)
  }

  async loadURL(url: string): Promise<void> {
    await this.webContents.open(this.#options.webPreferences?.preload ?? '', url)
    this.emit('ready-to-show')
  }

  show(): void {
    this.#entry.isVisible = true
  }

  hide(): void {
    this.#entry.isVisible = false
  }

  /** As a click on the window's close button does. */
  close(): void {
    let isPrevented = false
    this.emit('close', { preventDefault: () => (isPrevented = true) })
    if (isPrevented) return
    record.windows.splice(record.windows.indexOf(this.#entry), 1)
    openWindows.splice(openWindows.indexOf(this), 1)
    void this.webContents.page?.close()
    this.emit('closed')
  }

  focus(): void {}
  restore(): void {}
  flashFrame(): void {}
  setBackgroundColor(color: string): void {
    this.#entry.options.backgroundColor = color
  }
  setTitleBarOverlay(overlay: Electron.TitleBarOverlayOptions): void {
    this.#entry.options.titleBarOverlay = overlay
  }
  isMinimized = () => false
  isFullScreen = () => false
  isFocused = () => this.#entry.isVisible
  isMaximized = () => this.#entry.isMaximized
  /** Also shows the window, as Electron does. */
  maximize(): void {
    this.#entry.isMaximized = true
    this.show()
  }

  getNormalBounds() {
    return { x: 100, y: 60, width: 1200, height: 800 }
  }
}
