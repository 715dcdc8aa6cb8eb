import type { native as en } from '../en/native.ts'

export const native: typeof en = {}
