import type { Action } from '../../src-shared/bridge/actions.ts'
import type { LocalId } from '../../src-shared/ids.ts'
import type { OutboxRow } from '../store/outbox.ts'
import { actionFor } from './actions/index.ts'

/** How many are remembered. */
const mostEnded = 200

/** A change that was to make a scheduled message, a snippet or a reminder, and does not wait any more. */
export interface EndedMaking {
  readonly action: Action
  /** The server's id of what it made; null if the person discarded it or took it back. */
  readonly id: number | null
}

/**
 * What became of the last such changes, so that a window that still shows one as waiting goes on with what the server
 * has. Kept in memory. A row that is still in the outbox has not ended, whatever is noted here: the transaction that
 * ended it failed.
 */
export function createEndedMakings() {
  const ended = new Map<LocalId, EndedMaking>()
  return {
    /** Notes the id of what it made, or null; does nothing for changes of other kinds. */
    note({ localId, action }: Pick<OutboxRow, 'localId' | 'action'>, id: number | null): void {
      if (action === null || actionFor(action).makes === undefined) return
      ended.set(localId, { action, id })
      const [oldest] = ended.keys()
      if (ended.size > mostEnded && oldest !== undefined) ended.delete(oldest)
    },
    of: (id: LocalId): EndedMaking | undefined => ended.get(id),
  }
}
