import type { shortcuts as en } from '../en/shortcuts.ts'

export const shortcuts: typeof en = {}
