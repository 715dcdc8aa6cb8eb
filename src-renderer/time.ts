import { t } from '../src-shared/texts/texts.ts'

const dayMs = 24 * 60 * 60 * 1_000

/** "14:02", or "2:02 PM" for those who chose so. */
export function clockTime(at: number, twentyFourHour: boolean): string {
  return new Date(at).toLocaleTimeString(
    t.locale,
    twentyFourHour
      ? { hour: '2-digit', minute: '2-digit' }
      : { hour: 'numeric', minute: '2-digit', hour12: true },
  )
}

const startOfDay = (at: number) => new Date(at).setHours(0, 0, 0, 0)

/** Whether two moments are on one day of the reader. */
export const sameDay = (a: number, b: number): boolean => startOfDay(a) === startOfDay(b)

/** A day divider: "Today, 12 May", "Yesterday", "Friday, 8 May", then "8 May 2025". */
export function dayName(at: number, now: number): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / dayMs)
  const date = new Date(at)
  const short = date.toLocaleDateString(t.locale, { day: 'numeric', month: 'long' })
  if (days === 0) return t.times.today(short)
  if (days === 1) return t.times.yesterday
  if (days < 7) return `${date.toLocaleDateString(t.locale, { weekday: 'long' })}, ${short}`
  return date.toLocaleDateString(t.locale, { day: 'numeric', month: 'short', year: 'numeric' })
}

/** A day by one word where there is one: "Today", "Yesterday", "Friday", then "8 May 2025". */
export function shortDayName(at: number, now: number): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / dayMs)
  const date = new Date(at)
  if (days === 0) return t.times.justToday
  if (days === 1) return t.times.yesterday
  if (days < 7) return date.toLocaleDateString(t.locale, { weekday: 'long' })
  return date.toLocaleDateString(t.locale, { day: 'numeric', month: 'short', year: 'numeric' })
}

/** A day to come as a heading: "Today, 12 May", "Tomorrow, 13 May", "Friday, 15 May", with the year if it is another. */
export function comingDayName(at: number, now: number): string {
  const days = Math.round((startOfDay(at) - startOfDay(now)) / dayMs)
  const date = new Date(at)
  const isThisYear = date.getFullYear() === new Date(now).getFullYear()
  const day = date.toLocaleDateString(t.locale, {
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
  })
  if (days === 0) return t.times.today(day)
  if (days === 1) return t.times.tomorrow(day)
  return t.times.weekday(date.toLocaleDateString(t.locale, { weekday: 'long' }), day)
}

/** A moment to come: "Sat 22 Nov, 14:02". */
export function futureTime(at: number, twentyFourHour: boolean): string {
  const day = new Date(at).toLocaleDateString(t.locale, { weekday: 'short', day: 'numeric', month: 'short' })
  return `${day}, ${clockTime(at, twentyFourHour)}`
}

/** A time in a list: today "14:02", then "Yesterday", this week "Mon", this year "8 Nov", older "8 Nov 2023". */
export function listTime(at: number, now: number, twentyFourHour: boolean): string {
  if (at === 0) return ''
  const days = Math.round((startOfDay(now) - startOfDay(at)) / dayMs)
  const date = new Date(at)
  if (days <= 0) return clockTime(at, twentyFourHour)
  if (days === 1) return t.times.yesterday
  if (days < 7) return date.toLocaleDateString(t.locale, { weekday: 'short' })
  const sameYear = date.getFullYear() === new Date(now).getFullYear()
  return date.toLocaleDateString(t.locale, {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
  })
}

/** From a month to now: "January 2024 to now". */
export function spanName(from: number, now: number): string {
  const month = new Date(from).toLocaleDateString(t.locale, { month: 'long', year: 'numeric' })
  const isThisMonth =
    new Date(from).getMonth() === new Date(now).getMonth() &&
    new Date(from).getFullYear() === new Date(now).getFullYear()
  return isThisMonth ? t.times.thisMonth : t.times.monthToNow(month)
}
