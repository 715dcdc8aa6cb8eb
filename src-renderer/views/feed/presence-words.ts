import type { DirectPerson } from '../../../src-shared/model/user.ts'
import { t } from '../../../src-shared/texts/texts.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** After that long away nothing is said. */
const mostDays = 30
/** Of more people, the list beside the messages tells. */
const mostPeople = 3

/**
 * Who of the others in a direct conversation is here, and when the rest were: "Ines is active, Tomasz was active 12 min
 * ago". Empty where nothing is known, or too much.
 */
export const presenceLine = (people: readonly DirectPerson[], now: number): string =>
  people.length > mostPeople ? '' : people.flatMap((person) => presenceOf(person, now) ?? []).join(', ')

function presenceOf(person: DirectPerson, now: number): string | null {
  const { fullName, presence, activeAt } = person
  if (person.isBot || person.isSelf || !person.isActive) return null
  const words = t.feed.heads
  if (presence === 'active') return words.active(fullName)
  const away = activeAt === null ? Infinity : now - activeAt
  if (away < hourMs) return words.wasActive.minutes(fullName, Math.max(1, Math.floor(away / minuteMs)))
  if (away < dayMs) return words.wasActive.hours(fullName, Math.floor(away / hourMs))
  if (away < mostDays * dayMs) return words.wasActive.days(fullName, Math.floor(away / dayMs))
  return presence === 'idle' ? words.idle(fullName) : null
}
