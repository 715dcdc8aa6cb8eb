import type { quickSwitcher as en } from '../en/quick-switcher.ts'

export const quickSwitcher: typeof en = {}
