import type { mainWindow as en } from '../en/main-window.ts'

export const mainWindow: typeof en = {}
