import { BrowserWindow, ipcMain, nativeTheme, screen, type Rectangle } from 'electron'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { background } from '../../../src-shared/background.ts'
import { appOrigin } from './app-protocol.ts'

const backgrounds = { light: '#eff2f3', dark: '#101517' } as const
const symbols = { light: '#4a5459', dark: '#aab4b8' } as const
const titleBarHeight = 44
/** Where macOS draws the window's buttons: in the middle of the title bar. */
const trafficLights = { x: 16, y: 15 } as const
/** A page that hangs must not keep the app from ending; what it typed until then is on disk. */
const closingMs = 1_500
/** How long a page has to live to be brought again when it ends by itself. */
const againMs = 30_000

const windowState = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(400),
  height: z.int().min(300),
  isMaximized: z.boolean(),
  /** The place that it showed, below `#`; empty when the person ended the app. */
  place: z
    .string()
    .regex(/^(?:#|$)/)
    .default(''),
})

/** The app's window: made when it is first shown, kept while hidden. */
export interface MainWindow {
  /** Shows it, in front. */
  show(): void
  /** The window that exists, hidden or not. */
  readonly current: BrowserWindow | null
  /** From now on closing means closing: the page is asked to write what was typed, then the window goes. */
  close(): Promise<void>
}

/**
 * `statePath` is the file in which its place, its size and what it shows are kept. An app that the person ended starts
 * with the home view; one that ended in another way (a crash, an empty battery, an installer) where the person was.
 */
export function mainWindow(parts: {
  readonly preloadPath: string
  readonly statePath: string
  readonly isHidden: boolean
  /** Whether closing leaves the app running; asked each time. */
  keepsInTray(): boolean
  quit(): void
  log(line: string): void
}): MainWindow {
  let window: BrowserWindow | null = null
  let isEnding = false

  const make = (): BrowserWindow => {
    const kept = readState(parts.statePath)
    const state = kept !== null && isOnScreen(kept) ? kept : null
    // Until the page says which theme it shows.
    const firstColor = backgrounds[nativeTheme.shouldUseDarkColors ? 'dark' : 'light']
    const made = new BrowserWindow({
      width: state?.width ?? 1440,
      height: state?.height ?? 900,
      ...(state === null ? {} : { x: state.x, y: state.y }),
      minWidth: 640,
      minHeight: 480,
      show: false,
      title: 'Dunlin',
      backgroundColor: firstColor,
      titleBarStyle: 'hidden',
      // Tells the page how much of its title bar the system's buttons take (`--titlebar-inset-left`).
      titleBarOverlay: overlayOn(firstColor),
      ...(process.platform === 'darwin'
        ? { trafficLightPosition: trafficLights }
        : { autoHideMenuBar: true }),
      webPreferences: {
        preload: parts.preloadPath,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webviewTag: false,
        spellcheck: true,
      },
    })
    if (state?.isMaximized === true) made.maximize()
    made.once('ready-to-show', () => {
      if (!parts.isHidden || isWanted) made.show()
    })
    // A page that ended comes again where it was; one that ends at once again would do so for ever.
    let cameAgainAt = -Infinity
    made.webContents.on('render-process-gone', () => {
      const now = performance.now()
      if (isEnding || now - cameAgainAt < againMs) return
      cameAgainAt = now
      made.webContents.reload()
    })
    made.webContents.on('did-change-theme-color', (_event, color) => {
      if (color === null) return
      made.setBackgroundColor(color)
      if (process.platform !== 'darwin') made.setTitleBarOverlay(overlayOn(color))
    })
    made.webContents.on('did-navigate-in-page', () => writeState(parts.statePath, made, isEnding))
    // Closing the window leaves the app in the tray, unless the person wants otherwise: notifications are what it is
    // there for. Ending asks the page to write what was typed, as this does not.
    made.on('close', (event) => {
      writeState(parts.statePath, made, isEnding)
      if (isEnding) return
      event.preventDefault()
      if (parts.keepsInTray()) made.hide()
      else parts.quit()
    })
    made.on('closed', () => (window = null))
    background(made.loadURL(`${appOrigin}/index.html${kept?.place ?? ''}`), parts.log)
    return made
  }

  let isWanted = false
  window = make()

  return {
    get current() {
      return window
    },
    show() {
      isWanted = true
      if (window === null) {
        window = make()
        return
      }
      if (window.isMinimized()) window.restore()
      window.show()
      window.focus()
    },
    async close() {
      isEnding = true
      const closing = window
      if (closing === null || closing.webContents.isDestroyed()) return
      await pageIsDone(closing)
      closing.close()
    },
  }
}

/** The system's buttons over a background, `#rrggbb`. */
const overlayOn = (background: string) => ({
  color: background,
  symbolColor: isDark(background) ? symbols.dark : symbols.light,
  height: titleBarHeight,
})

/** Whether white is easier to see on it than black, roughly. */
const isDark = (color: string): boolean => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => parseInt(color.slice(start, start + 2), 16))
  return 0.3 * red + 0.6 * green + 0.1 * blue < 128
}

/** Resolves when the page has written what was typed, or after a while. */
function pageIsDone(window: BrowserWindow): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      ipcMain.off('window-may-close', onAnswer)
      resolve()
    }
    const onAnswer = (event: Electron.IpcMainEvent) => {
      if (event.sender === window.webContents) done()
    }
    const timer = setTimeout(done, closingMs)
    ipcMain.on('window-may-close', onAnswer)
    window.webContents.send('window-closing')
  })
}

function readState(path: string): z.output<typeof windowState> | null {
  try {
    return windowState.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}

function writeState(path: string, window: BrowserWindow, isEnding: boolean): void {
  try {
    const place = isEnding ? '' : new URL(window.webContents.getURL()).hash
    const state = { ...window.getNormalBounds(), isMaximized: window.isMaximized(), place }
    // The last one is whole until the new one is.
    writeFileSync(`${path}.new`, JSON.stringify(state))
    renameSync(`${path}.new`, path)
  } catch {
    // Where a window stood is not worth a word when the disk is full.
  }
}

/** Whether enough of a window is on some screen to take hold of it; screens come and go. */
function isOnScreen(bounds: Rectangle): boolean {
  return screen.getAllDisplays().some(({ workArea }) => {
    const width =
      Math.min(bounds.x + bounds.width, workArea.x + workArea.width) - Math.max(bounds.x, workArea.x)
    const height =
      Math.min(bounds.y + bounds.height, workArea.y + workArea.height) - Math.max(bounds.y, workArea.y)
    return width >= 100 && height >= 50
  })
}
