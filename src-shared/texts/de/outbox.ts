import type { outbox as en } from '../en/outbox.ts'

export const outbox: typeof en = {}
