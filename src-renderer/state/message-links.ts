import type { AccountId } from '../../src-shared/ids.ts'
import { placeFromLink } from '../../src-shared/model/message-link.ts'
import type { Route } from './route.svelte.ts'

/** Where a link of the service leads inside the app, or null when it leads outside. */
export function routeFromLink(href: string, accountId: AccountId): Route | null {
  const place = placeFromLink(href)
  return place === null ? null : { view: 'feed', accountId, ...place }
}
