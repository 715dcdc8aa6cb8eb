import type { emoji as en } from '../en/emoji.ts'

export const emoji: typeof en = {}
