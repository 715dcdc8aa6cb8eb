import type { SyncState } from '../../../src-shared/model/account.ts'
import type { Role } from '../../../src-shared/model/permissions.ts'
import type { Profile } from '../../../src-shared/model/profile.ts'
import { listTime } from '../../time.ts'

/** A role as a chip; nothing for what most people are. */
export const roleWord: Readonly<Record<Role, string | null>> = {
  owner: 'Owner',
  administrator: 'Administrator',
  moderator: 'Moderator',
  member: null,
  guest: 'Guest',
}

/** The time at somebody's place, "11:02 local time"; null where nobody knows the zone. */
export function localTime(timezone: string, now: number, twentyFourHour: boolean): string | null {
  if (timezone === '') return null
  try {
    const time = new Date(now).toLocaleTimeString('en-GB', {
      ...(twentyFourHour
        ? { hour: '2-digit', minute: '2-digit' }
        : { hour: 'numeric', minute: '2-digit', hour12: true }),
      timeZone: timezone,
    })
    return `${time} local time`
  } catch {
    // A zone that this device does not know.
    return null
  }
}

/** How somebody is here: what is known now, or as of when; null where nothing is. */
export function presenceWords(
  { person, botOwner, lastSeenAt }: Profile,
  sync: Pick<SyncState, 'status' | 'lastSyncedAt'> | undefined,
  now: number,
  twentyFourHour: boolean,
): string | null {
  if (!person.isActive) return 'This account is deactivated'
  if (person.isBot) return botOwner === null ? 'Bot' : `Bot of ${botOwner.fullName}`
  if (sync?.status !== 'synced' && sync?.status !== 'syncing') {
    const at = sync?.lastSyncedAt ?? null
    return at === null ? null : `Last synced ${listTime(at, now, twentyFourHour)}`
  }
  if (person.presence === 'active') return 'Active now'
  if (person.presence === 'idle') return 'Idle'
  return lastSeenAt === null ? 'Offline' : `Last seen ${listTime(lastSeenAt, now, twentyFourHour)}`
}

/** "March 2022". */
export const joinedWords = (at: number): string =>
  new Date(at).toLocaleDateString('en-GB', { month: 'long', year: 'numeric' })

/** A day as it is kept, "2027-03-01", in words: "1 March 2027". */
export function dateWords(text: string): string {
  const at = Date.parse(`${text}T00:00:00Z`)
  if (Number.isNaN(at)) return text
  return new Date(at).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
}
