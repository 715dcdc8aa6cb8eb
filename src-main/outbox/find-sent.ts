import type { Action } from '../../src-shared/bridge/actions.ts'
import { failureOf } from '../../src-shared/failure.ts'
import { messageIdsAfter } from '../store/messages.ts'
import { outboxRow, type OutboxRow } from '../store/outbox.ts'
import { actionFor } from './actions/index.ts'
import type { SendContext } from './offline-action.ts'
import type { OutboxParts } from './sender.ts'

/**
 * Asks the server what became of a request without an answer that may not be repeated: the id of its message,
 * 'absent' when it never arrived, 'undecided' when nobody can tell, 'settled' when its echo came meanwhile. Fails
 * when the server cannot be asked.
 *
 * 'absent' is only true of a request that is not under way any more: see `lingerMs`.
 */
export async function findSent(
  { store, hearOut, queueId, signal }: Pick<OutboxParts, 'store' | 'hearOut' | 'queueId' | 'signal'>,
  row: OutboxRow,
  action: Action,
  context: SendContext,
  claimed: () => readonly number[],
): Promise<number | 'absent' | 'undecided' | 'settled'> {
  // Most often the echo is there already.
  await hearOut()
  if (signal.aborted || outboxRow(store.db, row.localId) === undefined) return 'settled'
  const others = new Set(claimed())
  // The queue of its echo was heard out: what it brought without our local id is not ours, whatever it says.
  if (row.sentQueue !== null && row.sentQueue === queueId()) {
    for (const id of messageIdsAfter(store.db, row.sentAfter ?? 0)) others.add(id)
  }
  try {
    const found = await actionFor(action).find?.(action, row, context, (id) => others.has(id))
    return found === undefined ? 'undecided' : (found ?? 'absent')
  } catch (error) {
    if (failureOf(error).kind === 'rejected') return 'undecided'
    throw error
  }
}
