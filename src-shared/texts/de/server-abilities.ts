import type { serverAbilities as en } from '../en/server-abilities.ts'

export const serverAbilities: typeof en = {}
