import type { DeviceSettings } from '../../src-shared/bridge/settings.ts'

/** A search that the person saved under a name. */
export type SavedSearch = DeviceSettings['savedSearches'][number]

/** The saved searches of an account, in the order in which they were saved. */
export const searchesOf = (settings: DeviceSettings | undefined, accountId: string): readonly SavedSearch[] =>
  (settings?.savedSearches ?? []).filter((one) => one.accountId === accountId)
