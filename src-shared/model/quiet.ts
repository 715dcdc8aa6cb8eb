/** A stretch of every day, or of some, in which nothing notifies. */
export interface QuietHours {
  readonly isOn: boolean
  /** Minutes since midnight on the clock of the place where the person is. */
  readonly from: number
  /** As `from`; not later than it: on the day after. */
  readonly to: number
  /** Days on which it begins, 1 for Monday to 7 for Sunday. */
  readonly days: readonly number[]
  /** Null: of all accounts. */
  readonly accountId: string | null
}

/** Notifications held back until a moment. */
export interface Pause {
  /** Null: of all accounts. */
  readonly accountId: string | null
  /** Epoch milliseconds. */
  readonly until: number
}

/** All that decides when nothing notifies. */
export interface QuietWish {
  readonly quietHours: QuietHours
  readonly pauses: readonly Pause[]
  /** Where the person is, as an IANA name; empty or unknown: as this process has it. */
  readonly zone: string
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** No pause is as long: the clock was set back since. */
const longestPauseMs = 3 * dayMs
/** Days in a row that are looked at where one quiet day goes over into the next. */
const daysAhead = 8

/**
 * When notifications of an account come again, epoch milliseconds; null while they come. Null for the account: what
 * holds for all accounts.
 */
export function quietUntil(wish: QuietWish, accountId: string | null, now: number): number | null {
  const paused = pausedUntil(wish.pauses, accountId, now) ?? now
  let until = paused
  // A pause may end within quiet hours, and those of one day where those of the next begin.
  for (const { start, end } of stretches(wish, accountId, now)) {
    if (start <= until && end > until) until = end
  }
  return until > now ? until : null
}

/** For how long notifications can be held back; until tomorrow is until eight in the morning. */
export const pauseLengths = ['hour', 'tomorrow'] as const
export type PauseLength = (typeof pauseLengths)[number]

const morning = 8 * 60

/** When a pause that begins now ends. */
export function endOfPause(length: PauseLength, now: number, zone: string): number {
  if (length === 'hour') return now + 60 * minuteMs
  const clock = clockIn(zone)
  const today = Math.floor(clock.read(now) / dayMs) * dayMs
  return clock.momentOf(today + dayMs + morning * minuteMs)
}

/** The pauses with one of an account, or of all, in the place of the one that it has. */
export const withPause = <P extends Pause>(pauses: readonly P[], pause: P, now: number): P[] => [
  ...pauses.filter(({ accountId, until }) => until > now && accountId !== pause.accountId),
  pause,
]

/** The pauses without those that hold for an account; null: without any. */
export const withoutPauses = <P extends Pause>(pauses: readonly P[], accountId: string | null): P[] =>
  accountId === null
    ? []
    : pauses.filter((pause) => pause.accountId !== null && pause.accountId !== accountId)

/** When a pause of an account ends; null for none. */
export function pausedUntil(pauses: readonly Pause[], accountId: string | null, now: number): number | null {
  const ends = pauses
    .filter((pause) => pause.accountId === null || pause.accountId === accountId)
    .map(({ until }) => until)
    .filter((until) => until > now && until - now <= longestPauseMs)
  return ends.length === 0 ? null : Math.max(...ends)
}

/** The next moment after `now` at which quiet may begin or end for anybody; null when nothing is planned. */
export function nextQuietChange(wish: QuietWish, now: number): number | null {
  const moments = [
    ...wish.pauses.map(({ until }) => until),
    ...stretches(wish, wish.quietHours.accountId, now).flatMap(({ start, end }) => [start, end]),
  ].filter((at) => at > now)
  return moments.length === 0 ? null : Math.min(...moments)
}

/** Quiet hours around `now` and in the days after it, in their order. */
function stretches(
  { quietHours, zone }: QuietWish,
  accountId: string | null,
  now: number,
): { start: number; end: number }[] {
  const { isOn, from, to, days } = quietHours
  if (!isOn || (quietHours.accountId !== null && quietHours.accountId !== accountId)) return []
  const clock = clockIn(zone)
  // The date where the person is, as if it were one of UTC: those can be counted.
  const today = Math.floor(clock.read(now) / dayMs) * dayMs
  return Array.from({ length: daysAhead + 1 }, (_, index) => today + (index - 1) * dayMs)
    .filter((date) => days.includes(new Date(date).getUTCDay() || 7))
    .map((date) => ({
      start: clock.momentOf(date + from * minuteMs),
      end: clock.momentOf((to > from ? date : date + dayMs) + to * minuteMs),
    }))
}

/** A clock on the wall of a zone. What it shows is given as the moment at which one of UTC would show it. */
interface WallClock {
  read(at: number): number
  /** The first moment at which it shows that; where it jumps over it, as much after the jump. */
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
  // What the process has may change while it runs.
  if (zone !== '') formats.set(zone, made)
  return made
}
