import type { AccountId } from '../../src-shared/ids.ts'
import { lastEntryOf } from './history-entry.ts'
import { keepPage } from './page-place.ts'
import { route } from './route.svelte.ts'

/** Where a person was in each organization when they went to another, with what the window's history keeps of it. */
const left = new Map<string, { readonly address: string; readonly state: unknown }>()

/** Notes the place that the window goes away from; what is drawn is still that. */
function note(event: HashChangeEvent): void {
  const { current } = route
  if (current === null || !('accountId' in current) || event.oldURL === '') return
  const address = new URL(event.oldURL).hash
  const here = `#/${current.accountId}/`
  if (!address.startsWith(here) || location.hash.startsWith(here)) return
  left.set(current.accountId, { address, state: lastEntryOf(address) })
}

/** Begins to note which places are left; until the returned function is called. */
export const followLeaving = (): (() => void) => route.beforeChange(note)

/**
 * Goes to an organization: to where the person was in it, as that was, else to its inbox. Whoever is there or on the way
 * there, as when a key is pressed twice, stays.
 */
export function goToOrganization(accountId: AccountId): void {
  if (location.hash.startsWith(`#/${accountId}/`)) return
  const place = left.get(accountId)
  if (place === undefined) {
    route.go({ view: 'inbox', accountId })
    return
  }
  keepPage()
  const oldURL = location.href
  history.pushState(place.state, '', place.address)
  dispatchEvent(new HashChangeEvent('hashchange', { oldURL, newURL: location.href }))
}
