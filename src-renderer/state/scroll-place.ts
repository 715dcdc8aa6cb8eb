/** Where a feed stood, kept with the entry of the window's history: back, forward and a reload return to it. */
export interface ScrollPlace {
  /** The row at the reader's eye and its distance from the top of the feed, pixels. */
  readonly key: string
  readonly top: number
}

const field = 'feedPlace'

/** The place that was kept last, and of which address. */
let last: { readonly address: string; readonly place: ScrollPlace | null } | null = null

/** The place that was kept for an address, as long as no other was; it begins with `#`. */
export const lastKeptPlace = (address: string): ScrollPlace | null =>
  last?.address === address ? last.place : null

/** What an entry of the window's history keeps that is to return to a place. */
export const stateWithPlace = (place: ScrollPlace | null): unknown =>
  place === null ? null : { [field]: place }

/** Keeps the place with the present entry; null forgets it. */
export function keepPlace(place: ScrollPlace | null): void {
  last = { address: location.hash, place }
  const before: unknown = history.state
  const others = typeof before === 'object' && before !== null ? before : {}
  history.replaceState({ ...others, [field]: place }, '')
}

/** The place kept with the present entry; null for an entry that is new. */
export function keptPlace(state: unknown = history.state): ScrollPlace | null {
  if (typeof state !== 'object' || state === null || !(field in state)) return null
  const place = state[field]
  if (typeof place !== 'object' || place === null || !('key' in place) || !('top' in place)) return null
  return typeof place.key === 'string' && typeof place.top === 'number'
    ? { key: place.key, top: place.top }
    : null
}
