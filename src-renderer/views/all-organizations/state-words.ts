import type { SyncState } from '../../../src-shared/model/account.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { clockTime } from '../../time.ts'

/** How an organization stands, in words. */
export function stateWords(sync: SyncState | undefined, twentyFourHour: boolean): string {
  const { states, waiting } = t.allOrganizations
  const withWaiting = (words: string, count: number) => (count === 0 ? words : waiting(words, count))
  switch (sync?.status) {
    case undefined:
    case 'connecting':
      return states.connecting
    case 'synced':
      return states.synced
    case 'syncing':
      return states.syncing
    case 'offline':
      return withWaiting(states.offline, sync.waiting)
    case 'unreachable':
      return withWaiting(states.unreachableSince(clockTime(sync.since, twentyFourHour)), sync.waiting)
    case 'signed-out':
      return states.signedOut
    case 'incompatible':
      return states.incompatible
  }
}
