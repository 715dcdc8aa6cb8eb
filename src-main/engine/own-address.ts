import type { KnownAccount } from '../store/accounts-store.ts'
import type { Store } from '../store/database.ts'
import { addressesOf } from '../store/users.ts'

/** The address with which an account's requests name its person. */
export interface OwnAddress {
  /** For the next request; follows changes of the person's own addresses. */
  readonly current: string
  /** The last one that counted as valid. */
  readonly kept: string
  /** The server refused the key under this address; returns whether `current` is now another one to try. */
  refused(address: string): boolean
  /** The server accepted the key under this address. */
  accepted(address: string): void
}

/**
 * A person has an API email and a real address, and servers accept one of them or both. Requests keep to the one of
 * the two that was accepted, also when it changes. `changed` is called with each new one.
 */
export function createOwnAddress(parts: {
  readonly known: KnownAccount
  readonly store: Store
  changed(): void
}): OwnAddress {
  const { known, store } = parts
  const own = () => addressesOf(store.db, known.userId)
  let last = own()
  let kept = known.email
  /** An address that is tried because the kept one was refused; null: none. */
  let tried: string | null = null
  const refused = new Set<string>()

  const keep = (address: string) => {
    tried = null
    if (address === kept) return
    kept = address
    parts.changed()
  }
  const isKept = (address: string | null) => address?.toLowerCase() === kept.toLowerCase()

  const follow = () => {
    const now = own()
    if (now === last) return
    const before = last
    last = now
    if (before === undefined || now === undefined || isKept(now.email) || isKept(now.deliveryEmail)) return
    if (isKept(before.deliveryEmail) && now.deliveryEmail !== null) keep(now.deliveryEmail)
    else if (isKept(before.email)) keep(now.email)
  }

  return {
    get current() {
      follow()
      return tried ?? kept
    },
    get kept() {
      return kept
    },
    refused(address) {
      refused.add(address)
      const now = own()
      const another = [kept, now?.deliveryEmail, now?.email].find(
        (one) => one !== undefined && one !== null && !refused.has(one),
      )
      tried = another ?? null
      return another !== undefined
    },
    accepted(address) {
      refused.clear()
      // An answer under an address of before, which comes late, says nothing against the one that was kept since.
      if (address === tried) keep(address)
    },
  }
}
