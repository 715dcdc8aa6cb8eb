import { minuteMs, hourMs, dayMs } from '../durations.ts'

/** A period of every day, or of some days, in which nothing notifies. */
export interface QuietHours {
  readonly isOn: boolean
  /** Minutes since midnight, in the person's time zone. */
  readonly from: number
  /** Like `from`. If it is not later than `from`, it is on the following day. */
  readonly to: number
  /** The days on which it begins, 1 for Monday to 7 for Sunday. */
  readonly days: readonly number[]
  /** Null: all accounts. */
  readonly accountId: string | null
}

/** Notifications are held back until a moment. */
export interface Pause {
  /** Null: all accounts. */
  readonly accountId: string | null
  /** Epoch milliseconds. */
  readonly until: number
}

/** The settings that decide when nothing notifies. */
export interface QuietSettings {
  readonly quietHours: QuietHours
  readonly pauses: readonly Pause[]
  /** The person's time zone as an IANA name; if empty or unknown, the zone of this process. */
  readonly zone: string
}

/** A pause is never longer than this. If one seems to be, the clock was set back since. */
const longestPauseMs = 3 * dayMs
/** How many consecutive days are examined if one quiet day continues into the next. */
const daysAhead = 8

/**
 * When notifications of an account resume, epoch milliseconds; null while they are not held back. If the account is
 * null, only what applies to all accounts counts.
 */
export function quietUntil(settings: QuietSettings, accountId: string | null, now: number): number | null {
  const paused = pausedUntil(settings.pauses, accountId, now) ?? now
  let until = paused
  // A pause may end within quiet hours, and the quiet hours of one day may end within those of the next.
  for (const { start, end } of stretches(settings, accountId, now)) {
    if (start <= until && end > until) until = end
  }
  return until > now ? until : null
}

/** For how long notifications can be paused; "until tomorrow" means until eight in the morning. */
export const pauseLengths = ['hour', 'tomorrow'] as const
export type PauseLength = (typeof pauseLengths)[number]

const morning = 8 * 60

/** When a pause that begins now will end. */
export function endOfPause(length: PauseLength, now: number, zone: string): number {
  if (length === 'hour') return now + hourMs
  const clock = clockIn(zone)
  const today = Math.floor(clock.read(now) / dayMs) * dayMs
  return clock.momentOf(today + dayMs + morning * minuteMs)
}

/** The pauses, with the pause of one account (or of all accounts) replaced. */
export const withPause = <P extends Pause>(pauses: readonly P[], pause: P, now: number): P[] => [
  ...pauses.filter(({ accountId, until }) => until > now && accountId !== pause.accountId),
  pause,
]

/** The pauses without those that apply to an account; null: no pauses at all. */
export const withoutPauses = <P extends Pause>(pauses: readonly P[], accountId: string | null): P[] =>
  accountId === null
    ? []
    : pauses.filter((pause) => pause.accountId !== null && pause.accountId !== accountId)

/** When the pause of an account ends; null if there is none. */
export function pausedUntil(pauses: readonly Pause[], accountId: string | null, now: number): number | null {
  const ends = pauses
    .filter((pause) => pause.accountId === null || pause.accountId === accountId)
    .map(({ until }) => until)
    .filter((until) => until > now && until - now <= longestPauseMs)
  return ends.length === 0 ? null : Math.max(...ends)
}

/** The next moment after `now` at which quiet may begin or end for any account; null if nothing is planned. */
export function nextQuietChange(settings: QuietSettings, now: number): number | null {
  const moments = [
    ...settings.pauses.map(({ until }) => until),
    ...stretches(settings, settings.quietHours.accountId, now).flatMap(({ start, end }) => [start, end]),
  ].filter((at) => at > now)
  return moments.length === 0 ? null : Math.min(...moments)
}

/** The quiet hours around `now` and in the following days, in order. */
function stretches(
  { quietHours, zone }: QuietSettings,
  accountId: string | null,
  now: number,
): { start: number; end: number }[] {
  const { isOn, from, to, days } = quietHours
  if (!isOn || (quietHours.accountId !== null && quietHours.accountId !== accountId)) return []
  const clock = clockIn(zone)
  // The person's local date, represented as a UTC date, because UTC dates can be counted.
  const today = Math.floor(clock.read(now) / dayMs) * dayMs
  return Array.from({ length: daysAhead + 1 }, (_, index) => today + (index - 1) * dayMs)
    .filter((date) => days.includes(new Date(date).getUTCDay() || 7))
    .map((date) => ({
      start: clock.momentOf(date + from * minuteMs),
      end: clock.momentOf((to > from ? date : date + dayMs) + to * minuteMs),
    }))
}

/** Wall-clock time in a zone. It is represented by the moment at which a UTC clock would show the same. */
interface WallClock {
  read(at: number): number
  /**
   * The first moment at which the zone's clock shows that time; if the clock skips it, the same distance after the
   * jump.
   */
  momentOf(shown: number): number
}

function clockIn(zone: string): WallClock {
  const format = formatOf(zone)
  const read = (at: number): number => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second)
  }
  const offset = (at: number) => read(at) - Math.floor(at / 1_000) * 1_000
  return {
    read,
    momentOf(shown) {
      const before = offset(shown - dayMs)
      const moments = [before, offset(shown + dayMs)].map((one) => shown - one)
      const fitting = moments.filter((at) => read(at) === shown)
      return fitting.length > 0 ? Math.min(...fitting) : shown - before
    },
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const form = (timeZone: string | undefined) =>
    new Intl.DateTimeFormat('en-US', {
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      timeZone,
    })
  let made: Intl.DateTimeFormat
  try {
    made = form(zone === '' ? undefined : zone)
  } catch {
    made = form(undefined)
  }
  // The zone of the process may change while it runs.
  if (zone !== '') formats.set(zone, made)
  return made
}
