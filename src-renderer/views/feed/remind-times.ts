/** A moment that people ask to be reminded at. */
export interface RemindTime {
  readonly name: string
  /** Epoch milliseconds. */
  readonly at: number
}

const hourMs = 60 * 60 * 1_000

/** The moments that stand ready, in the reader's zone; mornings are at nine. */
export function remindTimes(now: number): RemindTime[] {
  const morning = (days: number) => {
    const date = new Date(now)
    date.setDate(date.getDate() + days)
    return date.setHours(9, 0, 0, 0)
  }
  const toMonday = (8 - new Date(now).getDay()) % 7 || 7
  return [
    { name: 'In one hour', at: now + hourMs },
    { name: 'In three hours', at: now + 3 * hourMs },
    { name: 'Tomorrow morning', at: morning(1) },
    { name: 'Monday morning', at: morning(toMonday) },
  ]
}
