import { serverAnswers, type SyncState } from '../../../src-shared/model/account.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { clockTime } from '../../time.ts'

/**
 * Whether the server cannot be reached. A device that cannot store anything does not even ask the server, so that
 * counts as another problem.
 */
export const isAway = (sync: SyncState | undefined): boolean =>
  sync !== undefined &&
  sync.diskTrouble === null &&
  (sync.status === 'offline' || sync.status === 'unreachable')

/** Whether the server answers but refuses some changes. This takes precedence over the state of the rest. */
export const hasStuckChanges = (sync: SyncState | undefined): boolean =>
  sync !== undefined && serverAnswers(sync) && sync.needsYou.changes > 0

/** The state of an organization, in words. */
export function stateWords(sync: SyncState | undefined, uses24HourClock: boolean): string {
  const { states, waiting } = t.allOrganizations
  const withWaiting = (words: string, count: number) => (count === 0 ? words : waiting(words, count))
  if (sync !== undefined && sync.diskTrouble !== null) return states.cannotSave
  if (sync !== undefined && hasStuckChanges(sync)) {
    const { changes, messages } = sync.needsYou
    return changes === messages ? states.messagesNeedYou(messages) : states.changesNeedYou(changes)
  }
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
      return withWaiting(states.unreachableSince(clockTime(sync.since, uses24HourClock)), sync.waiting)
    case 'signed-out':
      return states.signedOut
    case 'incompatible':
      return states.incompatible
  }
}
