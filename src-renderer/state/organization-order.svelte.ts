import type { Bridge } from '../../src-shared/bridge/connect.ts'
import type { AccountId } from '../../src-shared/ids.ts'
import type { Account } from '../../src-shared/model/account.ts'
import { inChosenOrder } from '../../src-shared/model/organization-order.ts'
import { toasts } from './toast.svelte.ts'

let chosen = $state.raw<readonly AccountId[]>([])

/** The order of the organizations. The person's last change in this window holds before the engine has it. */
export const organizationOrder = {
  of: (accounts: readonly Account[]): readonly Account[] =>
    chosen.length === 0 ? accounts : inChosenOrder(accounts, chosen),
  /** Stores the order. If the engine refuses it, the previous order is shown again, and a toast says why. */
  async put(bridge: Bridge, order: readonly AccountId[]): Promise<void> {
    const before = chosen
    chosen = order
    try {
      await bridge.call('set-device-setting', { settings: { organizationOrder: order } })
    } catch (error) {
      if (chosen === order) chosen = before
      toasts.failed(error)
    }
  },
}
