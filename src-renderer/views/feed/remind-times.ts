import { hourMs } from '../../../src-shared/durations.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { atDay, daysToMonday } from '../../state/appearance/local-moment.ts'

/** A suggested moment for a reminder. */
export interface RemindTime {
  readonly name: keyof typeof t.feed.remindTimes
  /** Epoch milliseconds. */
  readonly at: number
}

/** The suggested moments in the reader's time zone; mornings are at nine. */
export function remindTimes(now: number): RemindTime[] {
  const morning = (days: number) => atDay(now, days, 9).getTime()
  const [tomorrow, monday] = [morning(1), morning(daysToMonday(now))]
  return [
    { name: 'oneHour', at: now + hourMs },
    { name: 'threeHours', at: now + 3 * hourMs },
    { name: 'tomorrow', at: tomorrow },
    // On a Sunday, both are the same day.
    ...(monday === tomorrow ? [] : [{ name: 'monday', at: monday } as const]),
  ]
}
