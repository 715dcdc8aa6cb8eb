import { minuteMs, hourMs, dayMs } from '../../../src-shared/durations.ts'
import { foldName } from '../../../src-shared/model/name-match.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { atDay, daysToMonday, localMoment } from '../../state/appearance/local-moment.ts'
import { dayTime } from '../../time.ts'
import { timeMark } from './time-mark.ts'

/** A suggested moment in words, with the mark that every reader sees in their own time zone. */
export interface OfferedTime {
  readonly words: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly mark: string
}

/**
 * The moments that the text after `<time` may mean, best first: a clock time ("15:30", "3pm"), a day with or without one
 * ("2026-05-12 15:30", "fri 9", "14:00 tomorrow"; days are named in English or the window's language), a distance
 * ("in 2 hours"), or nothing yet. Times are in the writer's time zone.
 */
export function offeredTimes(text: string, now: number, uses24HourClock: boolean): OfferedTime[] {
  const typed = text.replace(/^:/, '').trim()
  if (typed !== '') {
    return momentsOf(typed, now).map((at) => offered(at, uses24HourClock))
  }
  const hour = new Date(now + hourMs)
  hour.setMinutes(0, 0, 0)
  const monday = daysToMonday(now)
  return [hour, atDay(now, 0, 18), atDay(now, 1, 9), atDay(now, 1, 18), atDay(now, monday, 9)]
    .filter((date) => date.getTime() > now)
    .map((date) => offered(date, uses24HourClock))
    .filter((one, index, all) => all.findIndex(({ mark }) => mark === one.mark) === index)
}

const clockForm = String.raw`(\d{1,2})(?:[:.]?(\d{2}))?\s*([ap]\.?m\.?|uhr|h)?`
const clockLast = new RegExp(String.raw`^(?:(\D.*?)\s+(?:(?:at|um)\s+)?)?${clockForm}$`)
const clockFirst = new RegExp(String.raw`^${clockForm}\s+(?:(?:on|am)\s+)?(\D.*)$`)

function momentsOf(typed: string, now: number): Date[] {
  const date = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]+(\d{1,2})(?:[:.](\d{2}))?)?$/.exec(typed)
  if (date !== null) {
    const [, year = 0, month = 1, day, hours, minutes] = date.map((part) => Number(part ?? 0))
    const at = new Date(year, month - 1, day, hours, minutes)
    return at.getMonth() === month - 1 && at.getHours() === hours ? [at] : []
  }
  const text = foldName(typed)
    .replaceAll(/[\s,]+/g, ' ')
    .trim()
    .replace(/^(?:on|at|next|am|um) /, '')
  const [, count, unit] = /^in (\d{1,3}) ?(min|h|st|d|ta|w)/.exec(text) ?? []
  if (unit !== undefined) return [new Date(now + Number(count) * (unitMs[unit] ?? 0))]
  const last = clockLast.exec(text)
  const first = last === null ? clockFirst.exec(text) : null
  const [day, clock] =
    last !== null ? [last[1], last.slice(2)] : first !== null ? [first[4], first.slice(1)] : [text, null]
  const times = clock === null ? usualTimes : [clockOf(clock)]
  const days = day === undefined ? [[0, 1]] : daysNamed(day, now)
  // Of the days that are meant, the first on which the time has not passed; a named one may be over.
  return days.flatMap((distances) =>
    times.flatMap((time) => {
      const all = time === null ? [] : distances.map((distance) => atDay(now, distance, ...time))
      const named = clock !== null && distances.length === 1 ? all : []
      return all.find((at) => at.getTime() > now) ?? named
    }),
  )
}

const unitMs: Readonly<Record<string, number>> = {
  min: minuteMs,
  h: hourMs,
  st: hourMs,
  d: dayMs,
  ta: dayMs,
  w: 7 * dayMs,
}

type ClockTime = readonly [hours: number, minutes: number]
const usualTimes: readonly ClockTime[] = [
  [9, 0],
  [18, 0],
]

function clockOf([hours = '', minutes = '0', suffix = '']: readonly (
  | string
  | undefined
)[]): ClockTime | null {
  const isHalfDay = /^[ap]/.test(suffix)
  const hour = isHalfDay ? (Number(hours) % 12) + (suffix.startsWith('p') ? 12 : 0) : Number(hours)
  const isWrong = isHalfDay ? Number(hours) > 12 || Number(hours) === 0 : hour > 23
  return isWrong || Number(minutes) > 59 ? null : [hour, Number(minutes)]
}

/** The days whose names begin so, each as the distances in days from today that it can mean, the nearest first. */
function daysNamed(begun: string, now: number): readonly (readonly number[])[] {
  if (begun.length < 2) return []
  const found = new Map<string, readonly number[]>()
  for (const locale of [t.locale, 'en']) {
    const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
    const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long' })
    for (let distance = 0; distance < 7; distance++) {
      const own = foldName(relative.format(distance, 'day'))
      if (own.startsWith(begun) && !/\d/.test(own)) found.set(String(distance), [distance])
      if (foldName(weekday.format(atDay(now, distance, 12, 0))).startsWith(begun))
        found.set(`weekday ${distance}`, [distance, distance + 7])
    }
  }
  return [...found.values()]
}

function offered(date: Date, uses24HourClock: boolean): OfferedTime {
  const at = date.getTime()
  return { words: dayTime(at, uses24HourClock), at, mark: timeMark(localMoment(at)) ?? '' }
}
