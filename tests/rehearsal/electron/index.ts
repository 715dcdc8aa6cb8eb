// The `electron` module of the rehearsal, which the app's main process imports; it works on a real Chromium. Its parts
// have the types of Electron's own declarations, so a call that Electron does not have does not compile here either.
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
