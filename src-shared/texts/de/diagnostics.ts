import type { diagnostics as en } from '../en/diagnostics.ts'

export const diagnostics: typeof en = {}
