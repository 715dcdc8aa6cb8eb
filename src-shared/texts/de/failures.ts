import type { failures as en } from '../en/failures.ts'

export const failures: typeof en = {}
