// The `electron` module of the rehearsal: what the app's main process imports, over a real Chromium. Its parts carry
// the types of Electron's own declarations, so that a call which Electron does not have does not compile here either.
import './control.ts'

export { app } from './app.ts'
export { Menu, nativeImage, Tray } from './menus.ts'
export { BrowserWindow, ipcMain, protocol, session } from './window.ts'
export {
  clipboard,
  dialog,
  nativeTheme,
  Notification,
  powerMonitor,
  safeStorage,
  screen,
  shell,
  utilityProcess,
} from './system.ts'
