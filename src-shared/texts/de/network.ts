import type { network as en } from '../en/network.ts'

export const network: typeof en = {}
