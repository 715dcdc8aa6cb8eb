import type { Action } from '../../src-shared/bridge/actions.ts'
import { failureOf } from '../../src-shared/failure.ts'
import { messageIdsAfter } from '../store/messages.ts'
import { outboxRow, type OutboxRow } from '../store/outbox.ts'
import { actionFor } from './actions/index.ts'
import type { SendContext } from './offline-action.ts'
import type { OutboxParts } from './sender.ts'

/**
 * Asks the server about a request that got no answer and may not be repeated. Rejects if the server cannot be asked.
 *
 * - A number: the id of the message, which arrived.
 * - 'absent': it did not arrive. Only reliable once the server no longer works on the request, see `lingerMs`.
 * - 'undecided': it cannot be determined.
 * - 'settled': the row is gone, because its echo came in the meantime, or the account has ended.
 */
export async function findSent(
  { store, catchUp, queueId, signal }: Pick<OutboxParts, 'store' | 'catchUp' | 'queueId' | 'signal'>,
  row: OutboxRow,
  action: Action,
  context: SendContext,
  claimed: () => readonly number[],
): Promise<number | 'absent' | 'undecided' | 'settled'> {
  // In most cases the queue already holds the echo.
  await catchUp()
  if (signal.aborted || outboxRow(store.db, row.localId) === undefined) return 'settled'
  const others = new Set(claimed())
  // All events of the queue that carries its echo are applied. The echo has our local id, so every newer message
  // from that queue is another one, whatever its text.
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
