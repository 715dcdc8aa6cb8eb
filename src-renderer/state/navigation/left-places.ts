import type { Bridge } from '../../../src-shared/bridge/connect.ts'
import type { AccountId } from '../../../src-shared/ids.ts'
import { lastEntryOf } from './history-entry.ts'
import { homeOf } from './home.ts'
import { once } from '../data/once.ts'
import { keepPage } from './page-place.ts'
import { route } from './route.svelte.ts'

/**
 * Where a person was in each organization when they left it, with what the window's history stored for that place.
 */
const left = new Map<string, { readonly address: string; readonly state: unknown }>()

/** Records the place that the window is leaving; it is still drawn at this time. */
function note(event: HashChangeEvent): void {
  const { current } = route
  if (current === null || !('accountId' in current) || event.oldURL === '') return
  const address = new URL(event.oldURL).hash
  const here = `#/${current.accountId}/`
  if (!address.startsWith(here) || location.hash.startsWith(here)) return
  left.set(current.accountId, { address, state: lastEntryOf(address) })
}

/** Starts to record the places that are left, until the returned function is called. */
export const recordLeftPlaces = (): (() => void) => route.beforeChange(note)

/** How often an organization was asked for; only the last time counts. */
let asked = 0

/**
 * Goes to an organization: to the person's last place in it, in its last state, else to their home view there. If the
 * person is already there, or on the way there (a key pressed twice), nothing happens.
 */
export function goToOrganization(bridge: Bridge, accountId: AccountId): void {
  const own = ++asked
  if (location.hash.startsWith(`#/${accountId}/`)) return
  const place = left.get(accountId)
  if (place === undefined) {
    const home = once(bridge, 'account-settings', { accountId })
      .catch(() => undefined)
      .then((settings) => (own === asked ? homeOf(accountId, settings) : null))
    void route.goOnceFound(home)
    return
  }
  keepPage()
  const oldURL = location.href
  history.pushState(place.state, '', place.address)
  dispatchEvent(new HashChangeEvent('hashchange', { oldURL, newURL: location.href }))
}
