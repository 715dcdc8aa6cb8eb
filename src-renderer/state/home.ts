import type { AccountSettings } from '../../src-shared/bridge/queries.ts'
import type { AccountId } from '../../src-shared/ids.ts'
import type { AccountRoute } from './route.svelte.ts'

/** The place that a person wants to see first; the inbox until that is known. */
export function homeOf(accountId: AccountId, settings: AccountSettings | undefined): AccountRoute {
  const view = settings?.homeView ?? 'inbox'
  return view === 'combined'
    ? { view: 'feed', accountId, narrow: { kind: 'combined' }, near: null }
    : { view, accountId }
}
