import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { WaitingChange } from '../../../src-shared/bridge/actions.ts'
import type { LocalId } from '../../../src-shared/ids.ts'

/**
 * Changes what the server does not have yet where it waits or, if it has arrived meanwhile, with `changeThere`, which
 * gets its id on the server. Resolves with false if it is on its way. Rejects with the reason if it cannot be changed.
 */
export async function changeWaiting(
  bridge: Bridge,
  accountId: string,
  localId: LocalId,
  change: WaitingChange,
  changeThere: (serverId: number) => Promise<unknown>,
): Promise<boolean> {
  const { isChanged, serverId } = await bridge.call('change-waiting', { accountId, localId, change })
  if (serverId !== null) await changeThere(serverId)
  return isChanged || serverId !== null
}
