import type { Bridge } from '../../src-shared/bridge/connect.ts'
import type { AccountId } from '../../src-shared/ids.ts'
import type { Account } from '../../src-shared/model/account.ts'
import { inWishedOrder } from '../../src-shared/model/organization-order.ts'
import { toasts } from './toast.svelte.ts'

let wished = $state.raw<readonly AccountId[]>([])

/** The order of the organizations: as the person put them last in this window, before the engine has it. */
export const organizationOrder = {
  of: (accounts: readonly Account[]): readonly Account[] =>
    wished.length === 0 ? accounts : inWishedOrder(accounts, wished),
  /** Puts them so for good. One that the engine refuses is shown as before, and a toast says why. */
  async put(bridge: Bridge, order: readonly AccountId[]): Promise<void> {
    const before = wished
    wished = order
    try {
      await bridge.call('set-device-setting', { settings: { organizationOrder: order } })
    } catch (error) {
      if (wished === order) wished = before
      toasts.failed(error)
    }
  },
}
