import { comingDayName, sameDay } from '../../time.ts'

/** An item with a moment, epoch milliseconds. */
export interface Later {
  readonly key: string
  readonly at: number
  /** Its moment has passed, and it did not happen. */
  readonly isLate: boolean
}

/** The items under one heading. */
export interface LaterGroup<T extends Later> {
  readonly key: string
  readonly name: string
  readonly items: readonly T[]
}

/** Groups items by the reader's days, in the given order; late ones come first, under a heading of their own. */
export function laterGroups<T extends Later>(
  items: readonly T[],
  late: string,
  now: number,
): readonly LaterGroup<T>[] {
  const lateOnes = items.filter(({ isLate }) => isLate)
  const days: { key: string; name: string; at: number; items: T[] }[] = []
  for (const item of items) {
    if (item.isLate) continue
    const last = days.at(-1)
    if (last !== undefined && sameDay(last.at, item.at)) last.items.push(item)
    else
      days.push({
        key: `day-${new Date(item.at).toDateString()}`,
        name: comingDayName(item.at, now),
        at: item.at,
        items: [item],
      })
  }
  return [...(lateOnes.length === 0 ? [] : [{ key: 'late', name: late, items: lateOnes }]), ...days]
}
