import { dayMs } from '../src-shared/durations.ts'
import { t } from '../src-shared/texts/texts.ts'

const isMoment = (at: number): boolean => !Number.isNaN(new Date(at).getTime())

/** A moment for a `datetime` attribute; undefined if no `Date` can hold it. */
export const isoTime = (at: number): string | undefined =>
  isMoment(at) ? new Date(at).toISOString() : undefined

/**
 * Returns a formatter for moments in the window's language and the reader's time zone. It is created once, because that
 * takes as long as formatting a hundred moments, and a feed has hundreds of them. What no `Date` can hold is empty.
 */
function writer(form: Intl.DateTimeFormatOptions): (at: number) => string {
  let made: { readonly key: string; readonly format: Intl.DateTimeFormat } | null = null
  return (at) => {
    // A person who travels changes the time zone while the window is open.
    const key = `${t.locale} ${new Date().getTimezoneOffset()}`
    if (made?.key !== key) made = { key, format: new Intl.DateTimeFormat(t.locale, form) }
    return isMoment(at) ? made.format.format(at) : ''
  }
}

const dayAndMonth = writer({ day: 'numeric', month: 'long' })
const weekday = writer({ weekday: 'long' })
/** A date with its year: "8 Nov 2023". */
export const dayOfYear = writer({ day: 'numeric', month: 'short', year: 'numeric' })
const shortDayAndMonth = writer({ day: 'numeric', month: 'short' })
const nearDay = writer({ weekday: 'short', day: 'numeric', month: 'short' })
const farDay = writer({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
const monthOfYear = writer({ month: 'long', year: 'numeric' })

/** The same with the time of day. Each call has to say which clock the reader chose. */
function clockWriter(form: Intl.DateTimeFormatOptions): (at: number, uses24HourClock: boolean) => string {
  const of24 = writer({ ...form, ...(form.hour === undefined ? {} : { hour: '2-digit' }), hourCycle: 'h23' })
  const of12 = writer({ ...form, hour12: true })
  return (at, uses24HourClock) => (uses24HourClock ? of24 : of12)(at)
}
const clock = { hour: 'numeric', minute: '2-digit' } as const
const clock12 = clockWriter(clock)

/** A moment in full: "Friday, 8 May 2026 at 14:02". */
export const fullMoment = clockWriter({ dateStyle: 'full', timeStyle: 'short' })
/** A moment of any year: "8 May 2026, 14:02". */
export const moment = clockWriter({ dateStyle: 'medium', timeStyle: 'short' })
/** A moment within a week: "Fri 14:02". */
export const weekdayTime = clockWriter({ weekday: 'short', ...clock })
/** A moment within a year: "Friday 8 May at 14:02". */
export const dayTime = clockWriter({ weekday: 'long', day: 'numeric', month: 'long', ...clock })
/** A moment with its time zone: "8 May 2026, 14:02 CEST". */
export const zonedMoment = clockWriter({
  ...{ day: 'numeric', month: 'short', year: 'numeric', timeZoneName: 'short' },
  ...clock,
})

/** A number below a hundred as clocks and dates show it: "07". */
export const twoDigits = (value: number) => String(value).padStart(2, '0')

// Written by hand, like the short forms below: the platform takes longer to load its rules for dates than a first
// picture may take.
function clock24(at: number): string {
  const date = new Date(at)
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}

/** "14:02", or "2:02 PM" for people who chose that. */
export const clockTime = (at: number, uses24HourClock: boolean): string =>
  uses24HourClock ? clock24(at) : clock12(at, false)

const clocksIn = new Map<string, Intl.DateTimeFormat | null>()

/** The time in another zone, in the same forms; null if this device does not know the zone. */
export function clockTimeIn(zone: string, at: number, uses24HourClock: boolean): string | null {
  const key = `${t.locale} ${uses24HourClock} ${zone}`
  let clock = clocksIn.get(key)
  if (clock === undefined) {
    clock = zone === '' ? null : clockOf(zone, uses24HourClock)
    clocksIn.set(key, clock)
  }
  return clock?.format(at) ?? null
}

/**
 * Whether the clocks of two zones differ at a moment; two names of the same time do not differ. False if one of them is
 * unknown or empty.
 */
export function clocksDiffer(one: string, other: string, at: number): boolean {
  const [first, second] = [clockTimeIn(one, at, true), clockTimeIn(other, at, true)]
  return first !== null && second !== null && first !== second
}

function clockOf(timeZone: string, uses24HourClock: boolean): Intl.DateTimeFormat | null {
  const form: Intl.DateTimeFormatOptions = uses24HourClock
    ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
    : { hour: 'numeric', minute: '2-digit', hour12: true }
  try {
    return new Intl.DateTimeFormat(t.locale, { ...form, timeZone })
  } catch {
    return null
  }
}

const startOfDay = (at: number) => new Date(at).setHours(0, 0, 0, 0)

/** How many days later the second of two moments is for the reader. */
export const daysBetween = (from: number, to: number): number =>
  Math.round((startOfDay(to) - startOfDay(from)) / dayMs)

/** Whether two moments are on the same day for the reader. */
export const sameDay = (a: number, b: number): boolean => startOfDay(a) === startOfDay(b)

const isThisYear = (at: number, now: number) => new Date(at).getFullYear() === new Date(now).getFullYear()

/** The name of a day for a divider: "Today, 12 May", "Yesterday", "Friday, 8 May", "8 March", then "8 May 2025". */
export function dayName(at: number, now: number): string {
  const days = daysBetween(at, now)
  const short = dayAndMonth(at)
  if (days === 0) return t.times.today(short)
  if (days === 1) return t.times.yesterday
  if (days < 7) return `${weekday(at)}, ${short}`
  return isThisYear(at, now) ? short : dayOfYear(at)
}

/** The name of a day, in one word if possible: "Today", "Yesterday", "Friday", "8 Mar", then "8 May 2025". */
export function shortDayName(at: number, now: number): string {
  const days = daysBetween(at, now)
  if (days === 0) return t.times.justToday
  if (days === 1) return t.times.yesterday
  if (days < 7) return weekday(at)
  return isThisYear(at, now) ? shortDayAndMonth(at) : dayOfYear(at)
}

/**
 * The name of a future day for a heading: "Today, 12 May", "Tomorrow, 13 May", "Friday, 15 May"; with the year if it is
 * not the present one.
 */
export function comingDayName(at: number, now: number): string {
  const days = daysBetween(now, at)
  const date = new Date(at)
  const day = date.toLocaleDateString(t.locale, {
    day: 'numeric',
    month: 'long',
    ...(isThisYear(at, now) ? {} : { year: 'numeric' }),
  })
  if (days === 0) return t.times.today(day)
  if (days === 1) return t.times.tomorrow(day)
  return t.times.weekday(date.toLocaleDateString(t.locale, { weekday: 'long' }), day)
}

/** A future moment: "Sat 22 Nov, 14:02"; with the year if it is not the present one: "Sun 22 Nov 2099, 14:02". */
export function futureTime(at: number, now: number, uses24HourClock: boolean): string {
  return `${(isThisYear(at, now) ? nearDay : farDay)(at)}, ${clockTime(at, uses24HourClock)}`
}

/** A time in a list: "14:02" today, then "Yesterday", "Mon" this week, "8 Nov" this year, "8 Nov 2023" before. */
export function listTime(at: number, now: number, uses24HourClock: boolean): string {
  if (at === 0) return ''
  const days = daysBetween(at, now)
  if (days <= 0) return clockTime(at, uses24HourClock)
  if (days === 1) return t.times.yesterday
  const date = new Date(at)
  if (days < 7) return t.times.shortWeekdays[date.getDay()] ?? ''
  const [day, month, year] = [date.getDate(), t.times.shortMonths[date.getMonth()] ?? '', date.getFullYear()]
  return year === new Date(now).getFullYear()
    ? t.times.shortDay(day, month)
    : t.times.shortDayOfYear(day, month, year)
}

/** From a month to now: "January 2024 to now". */
export function spanName(from: number, now: number): string {
  const month = monthOfYear(from)
  const isThisMonth =
    new Date(from).getMonth() === new Date(now).getMonth() &&
    new Date(from).getFullYear() === new Date(now).getFullYear()
  return isThisMonth ? t.times.thisMonth : t.times.monthToNow(month)
}
