import { keepInEntry, keptInEntry } from '../../state/history-entry.ts'

/** Where a person stood among rows that come and go, by their keys. */
export interface RowPlace {
  /** The row itself, then those below it. */
  readonly from: readonly string[]
  /** Those above it, the nearest first. */
  readonly above: readonly string[]
}

/** So many rows on either side are remembered. */
const nearby = 50
const field = 'rowPlace'

/** The place of a row among all. */
export function rowPlace(keys: readonly string[], key: string): RowPlace {
  const at = keys.indexOf(key)
  return {
    from: keys.slice(at, at + nearby),
    above: keys.slice(Math.max(0, at - nearby), at).toReversed(),
  }
}

/** The row itself where it is still there, else what took its place; null where nothing near it is left. */
export function rowAt(place: RowPlace | null, keys: readonly string[]): string | null {
  if (place === null) return null
  const present = new Set(keys)
  return [...place.from, ...place.above].find((key) => present.has(key)) ?? null
}

/** Keeps the place with the present entry of the window's history. */
export const keepRowPlace = (place: RowPlace | null): void => keepInEntry({ [field]: place })

/** The place that the present entry keeps; null for an entry that is new. */
export function keptRowPlace(): RowPlace | null {
  // Only this window writes it.
  return (keptInEntry(field) as RowPlace | null | undefined) ?? null
}
