import { BrowserWindow, ipcMain, nativeTheme, screen, type Rectangle } from 'electron'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { background } from '../../../src-shared/background.ts'
import { leavesFullScreenFirst } from '../../shell/window-model.ts'
import { appOrigin } from './app-protocol.ts'

const backgrounds = { light: '#eff2f3', dark: '#101517' } as const
const symbols = { light: '#4a5459', dark: '#aab4b8' } as const
const titleBarHeight = 44
/** The position of the window buttons on macOS: vertically centred in the title bar. */
const trafficLights = { x: 16, y: 15 } as const
/**
 * How long to wait for the page before the window is closed anyway, in milliseconds. What was saved before is on disk.
 */
const closingMs = 1_500
/** A page that crashes again within this time after a reload is not reloaded once more, in milliseconds. */
const againMs = 30_000

const windowState = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(400),
  height: z.int().min(300),
  isMaximized: z.boolean(),
  /** The place that it showed, as URL fragment with `#`; empty if the person quit the app. */
  place: z
    .string()
    .regex(/^(?:#|$)/)
    .default(''),
})

/** The app's window. It is kept while it is hidden. */
export interface MainWindow {
  /** Shows the window and brings it to the front. */
  show(): void
  /** The window, hidden or not; null if it was closed. */
  readonly current: BrowserWindow | null
  /** Lets the page save what was typed, then closes the window for good. */
  close(): Promise<void>
}

/**
 * Creates the window. `statePath` is the file that stores its bounds and the place it shows. If the person quit the
 * app, it starts with the home view; if it ended in another way (crash, empty battery, update), at the place where it
 * was.
 */
export function mainWindow(parts: {
  readonly preloadPath: string
  readonly statePath: string
  readonly isHidden: boolean
  /** Whether the app keeps running when the window is closed; asked each time. */
  keepsInTray(): boolean
  quit(): void
  log(line: string): void
}): MainWindow {
  let window: BrowserWindow | null = null
  let isEnding = false
  // Applied when the window is first shown, because maximizing shows it.
  let isToBeMaximized = false
  const reveal = (made: BrowserWindow) => {
    if (isToBeMaximized) made.maximize()
    isToBeMaximized = false
    made.show()
  }
  // Whether somebody asked for the window since it was last hidden.
  let isWanted = false
  const hide = (made: BrowserWindow) => {
    isWanted = false
    if (!leavesFullScreenFirst(process.platform, made.isFullScreen())) return made.hide()
    made.once('leave-full-screen', () => {
      if (!isWanted) made.hide()
    })
    made.setFullScreen(false)
  }
  const keepState = (made: BrowserWindow) =>
    writeState(parts.statePath, made, { isMaximized: isToBeMaximized || made.isMaximized(), isEnding })

  const make = (): BrowserWindow => {
    const kept = readState(parts.statePath)
    const state = kept !== null && isOnScreen(kept) ? kept : null
    // Used until the page reports its theme's colour.
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
      // Also tells the page how much space the window buttons need (`--titlebar-inset-left`).
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
    isToBeMaximized = state?.isMaximized === true
    made.once('ready-to-show', () => {
      if (!parts.isHidden || isWanted) reveal(made)
    })
    // A crashed page is reloaded at the same place, but not if it crashes again right away.
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
    made.webContents.on('did-navigate-in-page', () => keepState(made))
    // Closing the window leaves the app in the tray, unless the setting says otherwise, so that notifications still
    // arrive. Only quitting asks the page to save what was typed.
    made.on('close', (event) => {
      keepState(made)
      if (isEnding) return
      event.preventDefault()
      if (parts.keepsInTray()) hide(made)
      else parts.quit()
    })
    // When Windows ends the session, it does not let the app quit first; the page saves what was typed.
    made.on('query-session-end', () => made.webContents.send('window-closing'))
    made.on('closed', () => (window = null))
    background(made.loadURL(`${appOrigin}/index.html${kept?.place ?? ''}`), parts.log)
    return made
  }

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
      // Somebody wants to see the page, even if it was not reloaded because it kept crashing.
      if (window.webContents.isCrashed()) window.webContents.reload()
      if (window.isMinimized()) window.restore()
      reveal(window)
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

/** The window buttons on a background colour, `#rrggbb`. */
const overlayOn = (background: string) => ({
  color: background,
  symbolColor: isDark(background) ? symbols.dark : symbols.light,
  height: titleBarHeight,
})

/** Whether white has more contrast on a colour than black, approximately. */
const isDark = (color: string): boolean => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => parseInt(color.slice(start, start + 2), 16))
  return 0.3 * red + 0.6 * green + 0.1 * blue < 128
}

/** Resolves once the page has saved what was typed, or after `closingMs`. */
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

function writeState(
  path: string,
  window: BrowserWindow,
  { isMaximized, isEnding }: { readonly isMaximized: boolean; readonly isEnding: boolean },
): void {
  try {
    const place = isEnding ? '' : new URL(window.webContents.getURL()).hash
    const state = { ...window.getNormalBounds(), isMaximized, place }
    // Written to another file and renamed, so that a crash leaves either the old or the new state.
    writeFileSync(`${path}.new`, JSON.stringify(state))
    renameSync(`${path}.new`, path)
  } catch {
    // Not important enough to report if the disk is full.
  }
}

/** Whether enough of a window is on a screen to grab it; the screen that it was on may be gone. */
function isOnScreen(bounds: Rectangle): boolean {
  return screen.getAllDisplays().some(({ workArea }) => {
    const width =
      Math.min(bounds.x + bounds.width, workArea.x + workArea.width) - Math.max(bounds.x, workArea.x)
    const height =
      Math.min(bounds.y + bounds.height, workArea.y + workArea.height) - Math.max(bounds.y, workArea.y)
    return width >= 100 && height >= 50
  })
}
