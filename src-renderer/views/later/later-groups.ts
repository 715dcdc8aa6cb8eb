import { comingDayName, sameDay } from '../../time.ts'

/** Something that has its moment, epoch milliseconds. */
export interface Later {
  readonly key: string
  readonly at: number
  /** Its moment came, and what was to happen did not. */
  readonly isLate: boolean
}

/** What stands under one heading. */
export interface LaterGroup<T extends Later> {
  readonly key: string
  readonly name: string
  readonly items: readonly T[]
}

/** By the reader's days, in the order that is given; what is late comes first, under a heading of its own. */
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
