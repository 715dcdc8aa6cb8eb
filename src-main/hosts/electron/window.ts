import { BrowserWindow, ipcMain, nativeTheme, screen, type Rectangle } from 'electron'
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { appOrigin } from './app-protocol.ts'

const backgrounds = { light: '#eff2f3', dark: '#101517' } as const
const symbols = { light: '#4a5459', dark: '#aab4b8' } as const
const titleBarHeight = 44
/** A page that hangs must not keep the app from ending; what it typed until then is on disk. */
const closingMs = 1_500

const windowState = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(400),
  height: z.int().min(300),
  isMaximized: z.boolean(),
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

/** `statePath` is the file in which place and size are kept. */
export function mainWindow(parts: {
  readonly preloadPath: string
  readonly statePath: string
  readonly isHidden: boolean
  /** Whether closing leaves the app running; asked each time. */
  keepsInTray(): boolean
  quit(): void
}): MainWindow {
  let window: BrowserWindow | null = null
  let isEnding = false

  const make = (): BrowserWindow => {
    const state = readState(parts.statePath)
    const theme = nativeTheme.shouldUseDarkColors ? 'dark' : 'light'
    const made = new BrowserWindow({
      width: state?.width ?? 1440,
      height: state?.height ?? 900,
      ...(state === null ? {} : { x: state.x, y: state.y }),
      minWidth: 640,
      minHeight: 480,
      show: false,
      title: 'Dunlin',
      backgroundColor: backgrounds[theme],
      titleBarStyle: process.platform === 'darwin' ? 'hiddenInset' : 'hidden',
      ...(process.platform === 'darwin' ? {} : { titleBarOverlay: overlayOf(theme), autoHideMenuBar: true }),
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
    // Closing the window leaves the app in the tray, unless the person wants otherwise: notifications are what it is
    // there for. Ending asks the page to write what was typed, as this does not.
    made.on('close', (event) => {
      writeState(parts.statePath, made)
      if (isEnding) return
      event.preventDefault()
      if (parts.keepsInTray()) made.hide()
      else parts.quit()
    })
    made.on('closed', () => (window = null))
    void made.loadURL(`${appOrigin}/index.html`)
    return made
  }

  let isWanted = false
  nativeTheme.on('updated', () => {
    const theme = nativeTheme.shouldUseDarkColors ? 'dark' : 'light'
    window?.setBackgroundColor(backgrounds[theme])
    if (process.platform !== 'darwin') window?.setTitleBarOverlay(overlayOf(theme))
  })
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

const overlayOf = (theme: 'light' | 'dark') => ({
  color: backgrounds[theme],
  symbolColor: symbols[theme],
  height: titleBarHeight,
})

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
    const state = windowState.parse(JSON.parse(readFileSync(path, 'utf8')))
    return isOnScreen(state) ? state : null
  } catch {
    return null
  }
}

function writeState(path: string, window: BrowserWindow): void {
  try {
    const state = { ...window.getNormalBounds(), isMaximized: window.isMaximized() }
    writeFileSync(path, JSON.stringify(state))
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
