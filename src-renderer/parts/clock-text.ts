import { twoDigits } from '../time.ts'

/**
 * Parses a time of day that a person typed, as "14:02"; null if it is none. Both clocks are understood, whichever the
 * reader chose: "14:02", "14.02", "1402", "9", "2:02 pm".
 */
export function clockFromText(text: string): string | null {
  const found = /^(\d{1,2})(?:[:.h ]?(\d{2}))?\s*(?:([ap])\.?\s*m\.?)?$/i.exec(text.trim())
  if (found === null) return null
  const half = found[3]?.toLowerCase()
  const [typed, minute] = [Number(found[1]), Number(found[2] ?? 0)]
  if (half !== undefined && (typed < 1 || typed > 12)) return null
  const hour = half === undefined ? typed : (typed % 12) + (half === 'p' ? 12 : 0)
  if (hour > 23 || minute > 59) return null
  return clockText(hour * 60 + minute)
}

/** The time of day at a number of minutes since midnight, as "14:02"; it wraps around at the ends of a day. */
export function clockText(minutes: number): string {
  const inDay = ((minutes % 1_440) + 1_440) % 1_440
  return `${twoDigits(Math.floor(inDay / 60))}:${twoDigits(inDay % 60)}`
}
