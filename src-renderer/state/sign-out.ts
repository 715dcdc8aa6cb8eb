import type { Bridge } from '../../src-shared/bridge/connect.ts'
import { isInAccount } from './navigation/route.svelte.ts'

/**
 * Signs an account out; a person who is in it goes to the first of the others. Rejects with the reason, also if things
 * that are only here would be lost and `discard` does not allow that.
 */
export async function signOut(bridge: Bridge, accountId: string, discard: boolean): Promise<void> {
  await bridge.call('sign-out', { accountId, discard })
  if (isInAccount(accountId)) location.hash = ''
}
