import { keepInEntry, keptInEntry } from './history-entry.ts'

/** The scroll position of a feed, stored with the entry of the window's history. */
export interface ScrollPlace {
  /** The row at the reading position, and its distance from the top of the feed in pixels. */
  readonly key: string
  readonly top: number
}

const field = 'feedPlace'

/** Stores the position with the current entry; null deletes it. */
export const keepPlace = (place: ScrollPlace | null): void => keepInEntry({ [field]: place })

/** The position stored with the current entry; null for a new entry. */
export function keptPlace(state: unknown = history.state): ScrollPlace | null {
  const place = keptInEntry(field, state)
  if (typeof place !== 'object' || place === null || !('key' in place) || !('top' in place)) return null
  return typeof place.key === 'string' && typeof place.top === 'number'
    ? { key: place.key, top: place.top }
    : null
}
