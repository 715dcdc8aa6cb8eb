import { dayTime } from '../../time.ts'
import { timeMark } from './time-mark.ts'

/** A suggested moment in words, with the mark that every reader sees in their own time zone. */
export interface OfferedTime {
  readonly words: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly mark: string
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/**
 * The moments that the text after `<time` may mean, best first: a clock time ("15:30"), a date with or without a time
 * ("2026-05-12 15:30"), or nothing yet. Times are in the writer's time zone.
 */
export function offeredTimes(text: string, now: number, twentyFourHour: boolean): OfferedTime[] {
  const typed = text.replace(/^:/, '').trim()
  if (typed !== '') {
    const at = momentOf(typed, now)
    return at === null ? [] : [offered(at, twentyFourHour)]
  }
  const hour = new Date(now + hourMs)
  hour.setMinutes(0, 0, 0)
  const at = (days: number, clock: number) => {
    const date = new Date(now)
    date.setDate(date.getDate() + days)
    date.setHours(clock, 0, 0, 0)
    return date
  }
  const toMonday = (8 - new Date(now).getDay()) % 7 || 7
  return [hour, at(0, 18), at(1, 9), at(1, 18), at(toMonday, 9)]
    .filter((date) => date.getTime() > now)
    .map((date) => offered(date, twentyFourHour))
    .filter((one, index, all) => all.findIndex(({ mark }) => mark === one.mark) === index)
}

function momentOf(typed: string, now: number): Date | null {
  const clock = /^(\d{1,2})[:.]?(\d{2})?$/.exec(typed)
  if (clock?.[1] !== undefined) {
    const [hours, minutes] = [Number(clock[1]), Number(clock[2] ?? 0)]
    if (hours > 23 || minutes > 59) return null
    const date = new Date(now)
    date.setHours(hours, minutes, 0, 0)
    // A clock time that has passed today means tomorrow.
    if (date.getTime() <= now) date.setDate(date.getDate() + 1)
    return date
  }
  const day = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]+(\d{1,2})(?:[:.](\d{2}))?)?$/.exec(typed)
  if (day === null) return null
  const [, year, month, date, hours, minutes] = day.map((part) => Number(part ?? 0))
  const at = new Date(year ?? 0, (month ?? 1) - 1, date, hours, minutes)
  return at.getMonth() === (month ?? 1) - 1 && at.getHours() === hours ? at : null
}

function offered(date: Date, twentyFourHour: boolean): OfferedTime {
  const two = (number: number) => String(number).padStart(2, '0')
  const local = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`
  return { words: dayTime(date.getTime(), twentyFourHour), at: date.getTime(), mark: timeMark(local) ?? '' }
}
