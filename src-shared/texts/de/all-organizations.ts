import type { allOrganizations as en } from '../en/all-organizations.ts'

export const allOrganizations: typeof en = {}
