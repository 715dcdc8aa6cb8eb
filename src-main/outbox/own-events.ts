import type { Action } from '../../src-shared/bridge/actions.ts'
import type { LocalId } from '../../src-shared/ids.ts'
import type { OutboxRow } from '../store/outbox.ts'

/**
 * The accepted changes whose events certainly have not come yet. If such an event comes while the next change of its
 * lane is being sent, it does not contradict that one. Kept in memory: what is not known here counts as heard.
 */
export interface OwnEvents {
  /** Must be called before each request for a change. */
  sent(row: OutboxRow): void
  /** The server accepted the change that this request was for. */
  accepted(row: OutboxRow, action: Action): void
  /** The last accepted change of the lane, if its event certainly has not come yet. */
  pending(lane: string): Action | undefined
  /** Events were applied; they were certainly not those of the changes `except`. */
  heard(except: ReadonlySet<LocalId>): void
}

/** Creates the list for one account, which begins empty. */
export function createOwnEvents(): OwnEvents {
  const sent = new Set<LocalId>()
  const accepted = new Map<string, Action>()
  return {
    sent(row) {
      if (row.sentAt === null) sent.add(row.localId)
    },
    accepted({ localId, lane }, action) {
      if (sent.delete(localId)) accepted.set(lane, action)
    },
    pending: (lane) => accepted.get(lane),
    heard(except) {
      accepted.clear()
      for (const id of sent) if (!except.has(id)) sent.delete(id)
    },
  }
}
