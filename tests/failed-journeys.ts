import { join } from 'node:path'

/** Where a run notes which files of journeys failed, one per line; missing if none did, or if others failed too. */
export const failedJourneys = join(import.meta.dirname, '../node_modules/.cache/failed-journeys')
