import type { KnownAccount } from '../store/accounts-store.ts'
import type { Store } from '../store/database.ts'
import { organizationText } from '../store/organization.ts'
import { fullNameOf } from '../store/users.ts'

/** What the list of accounts shows of an account. */
type Nameplate = Pick<KnownAccount, 'fullName' | 'organizationName' | 'organizationIconUrl'>

/** The names as the server last told them, until `stop` is called; `changed` is called after each change. */
export function watchNameplate(
  store: Store,
  known: KnownAccount,
  changed: () => void,
): { readonly current: Nameplate; stop(): void } {
  const read = (): Nameplate => ({
    fullName: fullNameOf(store.db, known.userId) ?? known.fullName,
    organizationName: organizationText(store.db, 'realm_name') ?? known.organizationName,
    organizationIconUrl: organizationText(store.db, 'realm_icon_url') ?? known.organizationIconUrl,
  })
  let current = read()
  const stop = store.onChange(['organization', 'users'], () => {
    const before = JSON.stringify(current)
    current = read()
    if (JSON.stringify(current) !== before) changed()
  })
  return {
    get current() {
      return current
    },
    stop,
  }
}
