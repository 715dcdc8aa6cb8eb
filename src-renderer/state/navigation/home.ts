import type { AccountSettings } from '../../../src-shared/bridge/queries.ts'
import type { AccountId } from '../../../src-shared/ids.ts'
import type { AccountRoute } from './route.svelte.ts'

/** The person's home view; the inbox until it is known. */
export function homeOf(accountId: AccountId, settings: AccountSettings | undefined): AccountRoute {
  const view = settings?.homeView ?? 'inbox'
  return view === 'combined'
    ? { view: 'feed', accountId, narrow: { kind: 'combined' }, near: null }
    : { view, accountId }
}
