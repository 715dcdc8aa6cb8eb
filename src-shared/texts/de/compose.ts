import type { compose as en } from '../en/compose.ts'

export const compose: typeof en = {}
