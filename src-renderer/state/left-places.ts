import type { AccountId } from '../../src-shared/ids.ts'
import { lastEntryOf } from './history-entry.ts'
import { keepPage } from './page-place.ts'
import { route } from './route.svelte.ts'

/** Where a person was in each organization when they went to another, with what the window's history keeps of it. */
const left = new Map<string, { readonly address: string; readonly state: unknown }>()

/** Notes the place that the window goes away from; what is drawn is still that. */
function note(event: HashChangeEvent): void {
  const { current } = route
  const address = event.oldURL === '' ? '' : new URL(event.oldURL).hash
  if (current === null || !('accountId' in current) || address === '') return
  if (location.hash.startsWith(`#/${current.accountId}/`)) return
  left.set(current.accountId, { address, state: lastEntryOf(address) })
}

/** Begins to note which places are left; until the returned function is called. */
export const followLeaving = (): (() => void) => route.beforeChange(note)

/** Goes to an organization: to where the person was in it, as that was, else to its inbox. */
export function goToOrganization(accountId: AccountId): void {
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
