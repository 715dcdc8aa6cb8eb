import type { Database } from '../database.ts'
import { isAdministrator, isGuest, mayInRealm, roles } from '../permissions.ts'
import { settingOf } from './settings.ts'
import { userById, type UserRow } from '../workspace.ts'

/**
 * The people that a person may know of, by id; null means everybody. Only guests can be limited, by the organization's
 * `can_access_all_users_group`: then they know themselves, bots, and whoever shares a channel or a conversation.
 */
export function knownUserIds(db: Database, viewer: UserRow): ReadonlySet<number> | null {
  if (!isGuest(viewer) || mayInRealm(db, viewer, 'can_access_all_users_group')) return null
  const rows = db.all<{ user_id: number }>(
    `SELECT other.user_id FROM subscriptions own JOIN subscriptions other USING (channel_id)
       WHERE own.user_id = :user AND own.is_active = 1 AND other.is_active = 1
     UNION SELECT e.value FROM user_messages um JOIN messages m ON m.message_id = um.message_id
       JOIN direct_groups g ON g.group_id = m.direct_group_id, json_each(g.user_ids) e WHERE um.user_id = :user
     UNION SELECT user_id FROM users WHERE bot_type IS NOT NULL`,
    { user: viewer.user_id },
  )
  return new Set([viewer.user_id, ...rows.map((row) => row.user_id)])
}

/** Whether a person may know of another. */
export function canAccessUser(db: Database, viewer: UserRow, userId: number): boolean {
  return knownUserIds(db, viewer)?.has(userId) ?? true
}

/** Who may see a person's real address, as the person says: everybody, members, administrators, nobody, moderators. */
const mayKnowBy: Readonly<Record<number, (viewer: UserRow) => boolean>> = {
  1: () => true,
  2: (viewer) => !isGuest(viewer),
  3: isAdministrator,
  4: () => false,
  5: (viewer) => viewer.role <= roles.moderator,
}
const forEverybody = 1

/**
 * The API email of somebody whose real address not everybody may see: it is made up, leads to no mailbox, and is taken
 * wherever an API email is (specification, User object).
 */
const madeUpEmail = (userId: number): string => `user${userId}@hidden.invalid`

/** The API email that goes with a person's wish about who may see the real address. */
export const apiEmailFor = (
  person: Pick<UserRow, 'user_id' | 'delivery_email'>,
  visibility: unknown,
): string => (visibility === forEverybody ? person.delivery_email : madeUpEmail(person.user_id))

/** Whether a person may see the real address of another; one's own and those of bots always. */
export function mayKnowAddress(db: Database, viewer: UserRow, person: UserRow): boolean {
  // Only who limits it has a made-up email: most people need no look at their settings.
  if (person.user_id === viewer.user_id || person.email !== madeUpEmail(person.user_id)) return true
  return (
    mayKnowBy[Number(settingOf(db, person.user_id, 'email_address_visibility'))]?.(viewer) ??
    isAdministrator(viewer)
  )
}

/**
 * The person whom somebody names by an email: by the API email, by the made-up one, which everybody has, or by the real
 * address where that may be seen. Whom they may not know of is nobody to them.
 */
export function personByEmail(db: Database, viewer: UserRow, email: string): UserRow | undefined {
  const madeUp = /^user(\d{1,15})@hidden\.invalid$/i.exec(email)?.[1]
  const person =
    madeUp === undefined
      ? db.get<UserRow>('SELECT * FROM users WHERE email = ?1 OR delivery_email = ?1', { 1: email })
      : userById(db, Number(madeUp))
  if (person === undefined || !canAccessUser(db, viewer, person.user_id)) return undefined
  return madeUp === undefined && !mayKnowAddress(db, viewer, person) ? undefined : person
}

/** How somebody is called of whom a person may not know. */
export const strangerName = 'Unknown user'

/** Somebody of whom a person may know no more than that they are there. */
export function strangerAs<T extends object>(user: T & { readonly user_id?: unknown }): T {
  return {
    ...user,
    email: madeUpEmail(Number(user.user_id)),
    delivery_email: null,
    full_name: strangerName,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    role: 400,
    timezone: '',
    avatar_url: '/avatar/0?version=1',
    avatar_version: 1,
    ...('profile_data' in user ? { profile_data: {} } : {}),
  }
}
