import type { Action } from '../../src-shared/bridge/actions.ts'
import { failureOf } from '../../src-shared/failure.ts'
import { receivesSince } from '../store/channels.ts'
import { messageIdsAfter } from '../store/messages.ts'
import { outboxRow, type OutboxRow } from '../store/outbox.ts'
import { actionFor } from './actions/index.ts'
import { findMade } from './find-made.ts'
import type { Found, SendContext } from './offline-action.ts'
import type { OutboxParts } from './sender.ts'

/**
 * Asks the server about a request that got no answer and may not be repeated. Rejects if the server cannot be asked.
 * 'absent' is reliable only once the server no longer works on the request, see `lingerMs`. 'settled': the row is gone,
 * because its echo came in the meantime, or the account has ended.
 */
export async function findSent(
  { store, catchUp, queueId, signal }: Pick<OutboxParts, 'store' | 'catchUp' | 'queueId' | 'signal'>,
  row: OutboxRow,
  action: Action,
  context: SendContext,
  claimed: () => readonly number[],
): Promise<Found | 'settled'> {
  // In most cases the queue already holds the echo.
  await catchUp()
  if (signal.aborted || outboxRow(store.db, row.localId) === undefined) return 'settled'
  const others = new Set(claimed())
  const isOther = (id: number) => others.has(id)
  // All events of the queue that carries its echo are applied.
  const hasHeard = row.sentQueue !== null && row.sentQueue === queueId()
  const sentAfter = row.sentAfter ?? 0
  // The echo of a message has our local id, so every newer one from that queue is another, whatever its text. Where the
  // person receives nothing, no echo comes, and a fetched page may have our own message.
  if (hasHeard && action.name === 'send-message' && receivesSince(store.db, action.conversation, sentAfter))
    for (const id of messageIdsAfter(store.db, sentAfter)) others.add(id)
  try {
    const { makes, find } = actionFor(action)
    if (makes !== undefined) return await findMade(row, action, context, hasHeard, isOther)
    return (await find?.(action, row, context, isOther)) ?? 'undecided'
  } catch (error) {
    if (failureOf(error).kind === 'rejected') return 'undecided'
    throw error
  }
}
