import { keepInEntry, keptInEntry } from './history-entry.ts'

/** A person's place among rows that come and go, by row keys. */
export interface RowPlace {
  /** The row itself, followed by the rows below it. */
  readonly from: readonly string[]
  /** The rows above it, the nearest first. */
  readonly above: readonly string[]
}

/** How many rows on either side are remembered. */
const nearby = 50
const field = 'rowPlace'

/** The place of a row among all rows. */
export function rowPlace(keys: readonly string[], key: string): RowPlace {
  const at = keys.indexOf(key)
  return {
    from: keys.slice(at, at + nearby),
    above: keys.slice(Math.max(0, at - nearby), at).toReversed(),
  }
}

/** The row itself if it is still there, otherwise its replacement; null if no row near it is left. */
export function rowAt(place: RowPlace | null, keys: readonly string[]): string | null {
  if (place === null) return null
  const present = new Set(keys)
  return [...place.from, ...place.above].find((key) => present.has(key)) ?? null
}

/** Stores the place in the present entry of the window's history. */
export const keepRowPlace = (place: RowPlace | null): void => keepInEntry({ [field]: place })

/** The place stored in the present entry; null for a new entry. */
export function keptRowPlace(): RowPlace | null {
  // Only this window writes the value.
  return (keptInEntry(field) as RowPlace | null | undefined) ?? null
}
