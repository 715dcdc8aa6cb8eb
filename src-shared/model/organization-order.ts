/** Sorts things by the order that a person gave their ids. Things that are not in that order follow, unsorted. */
export function inChosenOrder<T extends { readonly id: string }>(
  all: readonly T[],
  order: readonly string[],
): T[] {
  const places = new Map(order.map((id, place) => [id, place]))
  const placeOf = ({ id }: T) => places.get(id) ?? order.length
  return all.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** Moves the item at one index to another index. */
export function moved<T>(all: readonly T[], from: number, to: number): T[] {
  const [one] = all.slice(from, from + 1)
  const others = all.toSpliced(from, 1)
  return one === undefined ? others : others.toSpliced(to, 0, one)
}
