import { keepInEntry, keptInEntry } from './history-entry.ts'

/** Where a feed stood, kept with the entry of the window's history. */
export interface ScrollPlace {
  /** The row at the reader's eye and its distance from the top of the feed, pixels. */
  readonly key: string
  readonly top: number
}

const field = 'feedPlace'

/** Keeps the place with the present entry; null forgets it. */
export const keepPlace = (place: ScrollPlace | null): void => keepInEntry({ [field]: place })

/** The place kept with the present entry; null for an entry that is new. */
export function keptPlace(state: unknown = history.state): ScrollPlace | null {
  const place = keptInEntry(field, state)
  if (typeof place !== 'object' || place === null || !('key' in place) || !('top' in place)) return null
  return typeof place.key === 'string' && typeof place.top === 'number'
    ? { key: place.key, top: place.top }
    : null
}
