import { serverAnswers, type SyncState } from '../../../src-shared/model/account.ts'
import type { Role } from '../../../src-shared/model/permissions.ts'
import type { Profile } from '../../../src-shared/model/profile.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { clockTimeIn, listTime } from '../../time.ts'

/** The label of a role; null for ordinary members. */
export const roleWord = (role: Role): string | null => (role === 'member' ? null : t.profile.roles[role])

/** A person's local time, "11:02 local time"; null if the zone is unknown. */
export function localTime(timezone: string, now: number, uses24HourClock: boolean): string | null {
  const time = clockTimeIn(timezone, now, uses24HourClock)
  return time === null ? null : t.profile.localTime(time)
}

/** A person's presence, or when this device last synced; null if nothing is known. */
export function presenceWords(
  { person, botOwner, lastSeenAt }: Profile,
  sync: Pick<SyncState, 'status' | 'lastSyncedAt'> | undefined,
  now: number,
  uses24HourClock: boolean,
): string | null {
  if (!person.isActive) return t.profile.deactivated
  if (person.isBot) return botOwner === null ? t.profile.bot : t.profile.botOf(botOwner.fullName)
  if (!serverAnswers(sync)) {
    const at = sync?.lastSyncedAt ?? null
    return at === null ? null : t.profile.lastSynced(listTime(at, now, uses24HourClock))
  }
  if (person.presence === 'active') return t.profile.activeNow
  if (person.presence === 'idle') return t.profile.idle
  return lastSeenAt === null
    ? t.profile.offline
    : t.profile.lastSeen(listTime(lastSeenAt, now, uses24HourClock))
}

/** "March 2022". */
export const joinedWords = (at: number): string =>
  new Date(at).toLocaleDateString(t.locale, { month: 'long', year: 'numeric' })

/** A stored date, "2027-03-01", in words: "1 March 2027". */
export function dateWords(text: string): string {
  const at = Date.parse(`${text}T00:00:00Z`)
  if (Number.isNaN(at)) return text
  return new Date(at).toLocaleDateString(t.locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
}
