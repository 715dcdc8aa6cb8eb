import type { drafts as en } from '../en/drafts.ts'

export const drafts: typeof en = {}
