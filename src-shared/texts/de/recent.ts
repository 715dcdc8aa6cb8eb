import type { recent as en } from '../en/recent.ts'

export const recent: typeof en = {}
