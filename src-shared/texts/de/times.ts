import type { times as en } from '../en/times.ts'

export const times: typeof en = {}
