import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { WaitingChange } from '../../../src-shared/bridge/actions.ts'
import type { LocalId } from '../../../src-shared/ids.ts'
import { failureOf } from '../../../src-shared/failure.ts'

/**
 * Changes what the server does not have yet where it waits. Resolves with false if it is on its way or has arrived: then
 * what the server has must be changed. Rejects with the reason if it cannot be stored.
 */
export async function changeWaiting(
  bridge: Bridge,
  accountId: string,
  localId: LocalId,
  change: WaitingChange,
): Promise<boolean> {
  try {
    return (await bridge.call('change-waiting', { accountId, localId, change })).isChanged
  } catch (error) {
    const failure = failureOf(error)
    // The server has it by now.
    if (failure.kind === 'rejected' && failure.code === 'NOT_WAITING') return false
    throw error
  }
}
