import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { DeviceSettings } from '../../../src-shared/bridge/settings.ts'
import type { AccountId } from '../../../src-shared/ids.ts'
import type { Account } from '../../../src-shared/model/account.ts'
import { pausedUntil } from '../../../src-shared/model/quiet.ts'
import { zoomOfWindow } from '../../port.ts'
import { chordOf, digitByPlace } from '../../state/keys/chord.ts'
import { goToOrganization } from '../../state/navigation/left-places.ts'
import { pauseNotifications } from '../../state/quiet.ts'
import { route } from '../../state/navigation/route.svelte.ts'
import type { WindowActs } from './keys.ts'

interface App {
  readonly bridge: Bridge
  readonly accounts: readonly Account[]
  /** The open organization; null while all of them are shown. */
  readonly openId: AccountId | null
  device(): DeviceSettings | undefined
}

/** The shortcuts that concern the app and not one organization: switching between organizations, quiet, the window. */
export function appActs({ bridge, accounts, openId, device }: App) {
  function goBeside(by: 1 | -1) {
    const at = accounts.findIndex(({ id }) => id === openId)
    // From the list of all organizations, on to the first or back to the last.
    const next = at === -1 ? (by === 1 ? 0 : -1) : (at + by) % accounts.length
    const account = accounts.at(next)
    if (account !== undefined && account.id !== openId) goToOrganization(bridge, account.id)
  }
  const zoom = zoomOfWindow()
  return {
    organization: (event) => {
      const account = accounts[Number((digitByPlace(event) ?? chordOf(event))?.at(-1)) - 1]
      if (account !== undefined) goToOrganization(bridge, account.id)
    },
    'next-organization': () => goBeside(1),
    'previous-organization': () => goBeside(-1),
    'add-organization': () => route.go({ view: 'sign-in' }),
    'pause-notifications': () => {
      const now = device()
      if (now === undefined) return
      const isPaused = pausedUntil(now.pauses, openId, Date.now()) !== null
      void pauseNotifications(bridge, now, isPaused ? openId : null, isPaused ? null : 'tomorrow')
    },
    reload: () => location.reload(),
    // Browsers have their own keys for zooming.
    ...(zoom === null
      ? {}
      : {
          'zoom-in': () => zoom(1),
          'zoom-out': () => zoom(-1),
          'zoom-reset': () => zoom(0),
        }),
  } satisfies Partial<WindowActs>
}
