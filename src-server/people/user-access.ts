import type { Database } from '../database.ts'
import { roles } from '../../src-shared/roles.ts'
import { mayInRealm } from '../permissions/holders.ts'
import { isAdministrator, isGuest } from '../permissions/roles.ts'
import { settingOf } from './settings.ts'
import { userById, type UserRow } from '../workspace.ts'

/**
 * The ids of the people that a person may know of; null means everybody. The organization can limit only guests, with
 * its permission `can_access_all_users_group`. A limited guest knows of themselves, of bots, and of everyone who
 * shares a channel or a conversation with them.
 */
export function knownUserIds(db: Database, viewer: UserRow): ReadonlySet<number> | null {
  if (!isGuest(viewer) || mayInRealm(db, viewer, 'can_access_all_users_group')) return null
  const rows = db.column<number>(
    `SELECT other.user_id FROM subscriptions own JOIN subscriptions other USING (channel_id)
       WHERE own.user_id = :user AND own.is_active = 1 AND other.is_active = 1
     UNION SELECT e.value FROM user_messages um JOIN messages m ON m.message_id = um.message_id
       JOIN direct_groups g ON g.group_id = m.direct_group_id, json_each(g.user_ids) e WHERE um.user_id = :user
     UNION SELECT user_id FROM users WHERE bot_type IS NOT NULL`,
    { user: viewer.user_id },
  )
  return new Set([viewer.user_id, ...rows])
}

/** Whether a person may know of another. */
export function canAccessUser(db: Database, viewer: UserRow, userId: number): boolean {
  return knownUserIds(db, viewer)?.has(userId) ?? true
}

/**
 * Finds people by id. People of whom the viewer may not know are not found. Whom the viewer knows is read once, when
 * the first person is looked for.
 */
export function knownPeople(db: Database, viewer: UserRow): (userId: number) => UserRow | undefined {
  let known: ReadonlySet<number> | null | undefined
  return (userId) => {
    if (known === undefined) known = knownUserIds(db, viewer)
    return known === null || known.has(userId) ? userById(db, userId) : undefined
  }
}

/**
 * Who may see a person's real address, by the person's own choice: everybody, members, administrators, nobody,
 * moderators.
 */
const mayKnowBy: Readonly<Record<number, (viewer: UserRow) => boolean>> = {
  1: () => true,
  2: (viewer) => !isGuest(viewer),
  3: isAdministrator,
  4: () => false,
  5: (viewer) => viewer.role <= roles.moderator,
}
const forEverybody = 1

/**
 * The API email of a person whose real address is not visible to everybody. It is made up, leads to no mailbox, and is
 * accepted wherever an API email is (specification, User object).
 */
const madeUpEmail = (userId: number): string => `user${userId}@hidden.invalid`

/** The API email that follows from a person's choice of who may see the real address. */
export const apiEmailFor = (
  person: Pick<UserRow, 'user_id' | 'delivery_email'>,
  visibility: unknown,
): string => (visibility === forEverybody ? person.delivery_email : madeUpEmail(person.user_id))

/** Whether a person may see the real address of another; always for one's own and for bots. */
export function mayKnowAddress(db: Database, viewer: UserRow, person: UserRow): boolean {
  // Only people who limit it have a made-up email, so most checks need not read their settings.
  if (person.user_id === viewer.user_id || person.email !== madeUpEmail(person.user_id)) return true
  return (
    mayKnowBy[Number(settingOf(db, person.user_id, 'email_address_visibility'))]?.(viewer) ??
    isAdministrator(viewer)
  )
}

/**
 * The person with a given email: the API email, the made-up one, which everybody has, or the real address if the
 * caller may see it. A person of whom the caller may not know is not found.
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

/** The display name of a person of whom the caller may not know. */
export const unknownUserName = 'Unknown user'

/** A person of whom the caller may know only that they exist. */
export function asUnknownUser<T extends object>(user: T & { readonly user_id?: unknown }): T {
  return {
    ...user,
    email: madeUpEmail(Number(user.user_id)),
    delivery_email: null,
    full_name: unknownUserName,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    role: roles.member,
    timezone: '',
    avatar_url: '/avatar/0?version=1',
    avatar_version: 1,
    ...('profile_data' in user ? { profile_data: {} } : {}),
  }
}
