import type { SyncState } from '../../../src-shared/model/account.ts'
import { clockTime } from '../../time.ts'

/** How an organization stands, in words. */
export function stateWords(sync: SyncState | undefined, twentyFourHour: boolean): string {
  const waiting = sync === undefined || sync.waiting === 0 ? '' : `, ${sync.waiting} waiting`
  switch (sync?.status) {
    case undefined:
    case 'connecting':
      return 'Connecting'
    case 'synced':
      return 'Synced'
    case 'syncing':
      return 'Syncing'
    case 'offline':
      return `Offline${waiting}`
    case 'unreachable':
      return `Not reachable since ${clockTime(sync.since, twentyFourHour)}${waiting}`
    case 'signed-out':
      return 'Sign in to sync'
    case 'incompatible':
      return 'Cannot sync'
  }
}
