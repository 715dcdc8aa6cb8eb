import { minuteMs, hourMs, dayMs } from '../../../src-shared/durations.ts'
import type { DirectPerson } from '../../../src-shared/model/user.ts'
import { t } from '../../../src-shared/texts/texts.ts'

/** After this long an absence, presence is not shown. */
const mostDays = 30
/** For more people, only the list beside the messages shows presence. */
const mostPeople = 3

/**
 * The presence of the other people in a direct conversation: "Ines is active, Tomasz was active 12 min ago", and of a
 * single one "Active 12 min ago". Empty if nothing is known, or if there are too many people.
 */
export const presenceLine = (people: readonly DirectPerson[], now: number): string =>
  people.length > mostPeople
    ? ''
    : people.flatMap((person) => presenceOf(person, now, people.length === 1) ?? []).join(', ')

function presenceOf(person: DirectPerson, now: number, isAlone: boolean): string | null {
  const { fullName, presence, activeAt } = person
  if (person.isBot || person.isSelf || !person.isActive) return null
  const { alone, active, idle, wasActive } = t.feed.heads
  const away = activeAt === null ? Infinity : Math.max(minuteMs, now - activeAt)
  const ago = (unit: keyof typeof wasActive, span: number) => {
    const count = Math.floor(away / span)
    return isAlone ? alone[unit](count) : wasActive[unit](fullName, count)
  }
  if (presence === 'active') return isAlone ? alone.active : active(fullName)
  if (away < hourMs) return ago('minutes', minuteMs)
  if (away < dayMs) return ago('hours', hourMs)
  if (away < mostDays * dayMs) return ago('days', dayMs)
  return presence === 'idle' ? (isAlone ? alone.idle : idle(fullName)) : null
}
