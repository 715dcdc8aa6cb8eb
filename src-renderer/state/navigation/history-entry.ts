import { isInPage } from '../in-page.ts'

/** What was stored last, and for which address. */
let last: { readonly address: string; readonly state: unknown } | null = null

/** Stores fields with the current entry of the window's history, for back, forward and reload. */
export function keepInEntry(fields: Readonly<Record<string, unknown>>): void {
  const before: unknown = history.state
  const state = { ...(typeof before === 'object' ? before : null), ...fields }
  last = { address: location.hash, state }
  history.replaceState(state, '')
}

/** A stored field of the current entry; undefined if there is none, as for a new entry, and outside a page. */
export const keptInEntry = (field: string, state: unknown = isInPage ? history.state : null): unknown =>
  typeof state === 'object' && state !== null ? Reflect.get(state, field) : undefined

/**
 * Everything stored with an entry of this address, unless another entry stored something since. The address begins
 * with `#`.
 */
export const lastEntryOf = (address: string): unknown => (last?.address === address ? last.state : null)
