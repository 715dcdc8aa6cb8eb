import { t } from '../../../src-shared/texts/texts.ts'

/** A suggested moment for a reminder. */
export interface RemindTime {
  readonly name: keyof typeof t.feed.remindTimes
  /** Epoch milliseconds. */
  readonly at: number
}

const hourMs = 60 * 60 * 1_000

/** The suggested moments in the reader's time zone; mornings are at nine. */
export function remindTimes(now: number): RemindTime[] {
  const morning = (days: number) => {
    const date = new Date(now)
    date.setDate(date.getDate() + days)
    return date.setHours(9, 0, 0, 0)
  }
  const toMonday = (8 - new Date(now).getDay()) % 7 || 7
  const [tomorrow, monday] = [morning(1), morning(toMonday)]
  return [
    { name: 'oneHour', at: now + hourMs },
    { name: 'threeHours', at: now + 3 * hourMs },
    { name: 'tomorrow', at: tomorrow },
    // On a Sunday, both are the same day.
    ...(monday === tomorrow ? [] : [{ name: 'monday', at: monday } as const]),
  ]
}
