const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

interface Parts {
  year?: number
  month?: number
  day?: number
  hour?: number
  minute?: number
  second?: number
  offsetMinutes?: number
  afternoon?: boolean
}

/** One rule: a pattern at the start of the text, and how to interpret it. A rule returns false to reject. */
type Rule = readonly [pattern: RegExp, take: (parts: Parts, groups: readonly string[]) => boolean]

function set<K extends keyof Parts>(parts: Parts, key: K, value: NonNullable<Parts[K]>): boolean {
  if (parts[key] !== undefined) return false
  parts[key] = value
  return true
}

function setDate(parts: Parts, year: string, month: number, day: string): boolean {
  return set(parts, 'year', Number(year)) && set(parts, 'month', month) && set(parts, 'day', Number(day))
}

function setOffset(parts: Parts, sign: string, hours: string, minutes: string): boolean {
  const offset = Number(hours) * 60 + Number(minutes || 0)
  return offset <= 24 * 60 && set(parts, 'offsetMinutes', sign === '-' ? -offset : offset)
}

function monthNumber(name: string): number {
  return months.indexOf(name.slice(0, 3)) + 1
}

const monthName =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'

const rules: readonly Rule[] = [
  [/^(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/, (parts, [, y = '', m, d = '']) => setDate(parts, y, Number(m), d)],
  [/^(\d{4})(\d{2})(\d{2})(?!\d)/, (parts, [, y = '', m, d = '']) => setDate(parts, y, Number(m), d)],
  [
    /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?!\d)/,
    (parts, [, y = '', m, d = '']) => setDate(parts, y, Number(m), d),
  ],
  [/^(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/, (parts, [, m, d = '', y = '']) => setDate(parts, y, Number(m), d)],
  [
    /^t?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?![\d:])/,
    (parts, [, h, m, s]) =>
      set(parts, 'hour', Number(h)) &&
      set(parts, 'minute', Number(m)) &&
      set(parts, 'second', Number(s ?? 0)),
  ],
  [
    /^(\d{1,2}) ?(am|pm)\b/,
    (parts, [, h, half]) => set(parts, 'hour', Number(h)) && set(parts, 'afternoon', half === 'pm'),
  ],
  [/^(am|pm)\b/, (parts, [, half]) => parts.hour !== undefined && set(parts, 'afternoon', half === 'pm')],
  [
    /^(?:(?:utc|gmt) ?)?([+-])(\d{2}):?(\d{2})?(?!\d)/,
    (parts, [, sign = '', h = '', m = '']) => parts.hour !== undefined && setOffset(parts, sign, h, m),
  ],
  [/^(?:z|utc|gmt)\b/, (parts) => set(parts, 'offsetMinutes', 0)],
  [
    new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)?[ -]${monthName}(?:[ ,-]+(\\d{4})(?!\\d))?(?![a-z])`),
    (parts, [, d, name = '', y]) =>
      set(parts, 'day', Number(d)) &&
      set(parts, 'month', monthNumber(name)) &&
      (y === undefined || set(parts, 'year', Number(y))),
  ],
  [
    new RegExp(`^${monthName} (\\d{1,2})(?:st|nd|rd|th)?(?:[ ,]+(\\d{4})(?![\\d:]))?(?![\\da-z:])`),
    (parts, [, name = '', d, y]) =>
      set(parts, 'day', Number(d)) &&
      set(parts, 'month', monthNumber(name)) &&
      (y === undefined || set(parts, 'year', Number(y))),
  ],
  [/^(\d{4})(?!\d)/, (parts, [, y]) => set(parts, 'year', Number(y))],
  [/^([a-z]{3})[a-z]*\.?/, (_, [, name = '']) => weekdays.includes(name)],
]

/**
 * Parses a moment as a person types it and returns it as `YYYY-MM-DDTHH:MM:SSZ`; undefined if it is not a moment.
 *
 * It knows ISO 8601, Unix seconds and the usual English ways to write a date with a time. Without an offset it is UTC;
 * without a time it is midnight. The result does not depend on the machine's zone, its language or the current date,
 * so a message means the same on every server. The platform's own `Date.parse` depends on all three.
 */
export function parseMoment(typed: string): string | undefined {
  const text = typed.trim().toLowerCase()
  if (/^-?\d{5,11}(?:\.\d{1,9})?$/.test(text) && !/^\d{8}$/.test(text))
    return isoFromMs(Math.floor(Number(text)) * 1000)
  if (text.length > 80) return undefined

  const parts: Parts = {}
  let rest = text
  while (rest !== '') {
    const rule = rules.find(([pattern]) => pattern.test(rest))
    const groups = rule?.[0].exec(rest)
    if (!rule || !groups || !rule[1](parts, groups)) return undefined
    rest = rest.slice(groups[0].length).replace(/^(?:[\s,]+(?:at\b\s*)?|(?=t\d))/, '')
  }
  return momentFromParts(parts)
}

function momentFromParts(parts: Parts): string | undefined {
  const { year, month, day, minute = 0, second = 0, offsetMinutes = 0, afternoon } = parts
  if (year === undefined || month === undefined || day === undefined) return undefined
  let hour = parts.hour ?? 0
  if (afternoon !== undefined) {
    if (hour < 1 || hour > 12) return undefined
    hour = (hour % 12) + (afternoon ? 12 : 0)
  }
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  // Otherwise the 31st of a short month would silently become the 1st of the next.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  return isoFromMs(date.getTime() + ((hour * 60 + minute - offsetMinutes) * 60 + second) * 1000)
}

function isoFromMs(ms: number): string | undefined {
  const date = new Date(ms)
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999 ? date.toISOString().replace(/\.\d{3}Z$/, 'Z') : undefined
}
