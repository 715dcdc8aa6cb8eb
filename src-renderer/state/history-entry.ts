import { isInPage } from './in-page.ts'

/** What was kept last, and for which address. */
let last: { readonly address: string; readonly state: unknown } | null = null

/** Keeps fields with the present entry of the window's history: back, forward and a reload find them. */
export function keepInEntry(fields: Readonly<Record<string, unknown>>): void {
  const before: unknown = history.state
  const state = { ...(typeof before === 'object' ? before : null), ...fields }
  last = { address: location.hash, state }
  history.replaceState(state, '')
}

/** What the present entry keeps in a field; undefined for nothing, as in one that is new, and where no page is. */
export const keptInEntry = (field: string, state: unknown = isInPage ? history.state : null): unknown =>
  typeof state === 'object' && state !== null ? Reflect.get(state, field) : undefined

/** All that an entry of this address kept, as long as no other kept anything since; it begins with `#`. */
export const lastEntryOf = (address: string): unknown => (last?.address === address ? last.state : null)
