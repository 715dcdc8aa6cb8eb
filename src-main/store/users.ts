import { foldName } from '../../src-shared/model/name-match.ts'
import type { ReadableDb, SqlValue, WritableDb } from './database.ts'

/** A person as the cache has them. */
export interface UserFields {
  readonly id: number
  readonly email: string
  readonly fullName: string
  readonly role: number
  readonly isBot: boolean
  readonly isActive: boolean
  readonly avatarUrl: string | null
  readonly timezone: string
  /** Null: not a bot, or a bot without an owner. */
  readonly botOwnerId: number | null
  /** Epoch milliseconds; null when unknown. */
  readonly joinedAt: number | null
  /** Null if it is hidden from this account. */
  readonly deliveryEmail: string | null
  /** JSON: the person's own profile values, by the id of the profile field. */
  readonly profile: string
}

const columns: Record<keyof Omit<UserFields, 'id'>, string> = {
  email: 'email',
  fullName: 'full_name',
  role: 'role',
  isBot: 'is_bot',
  isActive: 'is_active',
  avatarUrl: 'avatar_url',
  timezone: 'timezone',
  botOwnerId: 'bot_owner_id',
  joinedAt: 'joined_at',
  deliveryEmail: 'delivery_email',
  profile: 'profile',
}

const sqlValue = (value: string | number | boolean | null): SqlValue =>
  typeof value === 'boolean' ? (value ? 1 : 0) : value

/** Adds a person, or replaces them. */
export function putUser(db: WritableDb, user: UserFields): void {
  // The keys of the table are the fields of the type.
  const fields = Object.keys(columns) as (keyof typeof columns)[]
  db.run(
    `INSERT OR REPLACE INTO users (user_id, folded_name, ${fields.map((field) => columns[field]).join(', ')})
     VALUES (?, ?, ${fields.map(() => '?').join(', ')})`,
    [user.id, foldName(user.fullName), ...fields.map((field) => sqlValue(user[field]))],
  )
}

/**
 * Changes the given fields; a person who is not here is ignored. The name in the rows of their messages stays: it counts
 * only for senders who are not here.
 */
export function updateUser(
  db: WritableDb,
  id: number,
  change: Partial<Omit<UserFields, 'id' | 'isBot'>>,
): void {
  // As above.
  for (const field of Object.keys(change) as (keyof typeof change)[]) {
    const value = change[field]
    if (value === undefined) continue
    db.run(`UPDATE users SET ${columns[field]} = ? WHERE user_id = ?`, [sqlValue(value), id])
  }
  if (change.fullName === undefined) return
  db.run('UPDATE users SET folded_name = ? WHERE user_id = ?', [foldName(change.fullName), id])
}

/** A person's value of one profile field, as the server has it; empty if there is none. */
export const profileValue = (db: ReadableDb, id: number, fieldId: number): string =>
  db.get<{ value: string | null }>('SELECT profile ->> ? AS value FROM users WHERE user_id = ?', [
    `$."${fieldId}".value`,
    id,
  ])?.value ?? ''

/** What is stored of a person's profile field; null if there is nothing. */
export function profileEntry(db: ReadableDb, id: number, fieldId: number): object | null {
  const row = db.get<{ entry: string | null }>('SELECT profile -> ? AS entry FROM users WHERE user_id = ?', [
    `$."${fieldId}"`,
    id,
  ])
  // Only `putUser` and `setProfileValue` write it.
  return row?.entry == null ? null : (JSON.parse(row.entry) as object | null)
}

/** Sets a person's value of one profile field; null removes it. A person who is not here is ignored. */
export function setProfileValue(db: WritableDb, id: number, fieldId: number, value: unknown): void {
  const path = `$."${fieldId}"`
  if (value === null)
    db.run('UPDATE users SET profile = json_remove(profile, ?) WHERE user_id = ?', [path, id])
  else
    db.run('UPDATE users SET profile = json_set(profile, ?, json(?)) WHERE user_id = ?', [
      path,
      JSON.stringify(value),
      id,
    ])
}

/** Removes a person; their messages stay. */
export function removeUser(db: WritableDb, id: number): void {
  db.run('DELETE FROM users WHERE user_id = ?', [id])
}

/** Removes every person who is not in the list. */
export function keepOnlyUsers(db: WritableDb, ids: readonly number[]): void {
  db.run('DELETE FROM users WHERE user_id NOT IN (SELECT value FROM json_each(?))', [JSON.stringify(ids)])
}

/** Stores when a person was last active and last connected, in epoch milliseconds. */
export function putPresence(db: WritableDb, userId: number, activeAt: number, idleAt: number): void {
  db.run(
    `INSERT INTO presence VALUES (?1, ?2, ?3)
     ON CONFLICT (user_id) DO UPDATE SET active_at = ?2, idle_at = ?3 WHERE active_at <> ?2 OR idle_at <> ?3`,
    { 1: userId, 2: activeAt, 3: idleAt },
  )
}

/** The addresses of a person; the same object until people change, undefined if the person is not here. */
export const addressesOf = (
  db: ReadableDb,
  id: number,
): { readonly email: string; readonly deliveryEmail: string | null } | undefined =>
  db.remembered(`addresses:${id}`, () =>
    db.get('SELECT email, delivery_email AS deliveryEmail FROM users WHERE user_id = ?', [id]),
  )

/** The name of a person; undefined if the person is not here. */
export const fullNameOf = (db: ReadableDb, id: number): string | undefined =>
  db.get<{ name: string }>('SELECT full_name AS name FROM users WHERE user_id = ?', [id])?.name

/** The person with this API email; undefined if none is here. */
export function userIdByEmail(db: ReadableDb, email: string): number | undefined {
  return db.get<{ user_id: number }>('SELECT user_id FROM users WHERE email = ?', [email])?.user_id
}
