import type { DirectPerson } from '../../../src-shared/model/user.ts'
import { t } from '../../../src-shared/texts/texts.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** After this long an absence, presence is not shown. */
const mostDays = 30
/** For more people, only the list beside the messages shows presence. */
const mostPeople = 3

/**
 * The presence of the other people in a direct conversation: "Ines is active, Tomasz was active 12 min ago". Empty if
 * nothing is known, or if there are too many people.
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
