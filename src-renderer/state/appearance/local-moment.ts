import { minuteMs } from '../../../src-shared/durations.ts'
import { twoDigits } from '../../time.ts'

/** The day of a moment as the value of a date field: "2026-05-12", in the reader's time zone. */
export function localDay(at: number): string {
  const date = new Date(at)
  const year = String(date.getFullYear()).padStart(4, '0')
  return `${year}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}

/**
 * A moment (epoch milliseconds) as the value of a date and time field: "2026-05-12T09:00", in the reader's time zone.
 */
export function localMoment(at: number): string {
  const date = new Date(at)
  return `${localDay(at)}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}

/** A time of day, some days from now. */
export function atDay(now: number, days: number, hours: number, minutes = 0): Date {
  const date = new Date(now)
  date.setDate(date.getDate() + days)
  date.setHours(hours, minutes, 0, 0)
  return date
}

/** How many days it is to the next Monday; a week on a Monday. */
export const daysToMonday = (now: number): number => (8 - new Date(now).getDay()) % 7 || 7

/** The next full hour as such a value; the one after it if the next is less than a quarter of an hour away. */
export function nextFullHour(now: number): string {
  const next = new Date(now + 75 * minuteMs - 1)
  next.setMinutes(0)
  return localMoment(next.getTime())
}
