import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'
import type { Database } from '../database.ts'
import { badRequest } from '../service-error.ts'
import { defaultSettingOf, startWithDefaults } from './settings.ts'
import { apiEmailFor } from './user-access.ts'
import { isDeactivated, userById, type UserRow, type Workspace } from '../workspace.ts'

const keyLength = 32
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** An API key: 32 letters and digits. It is random, unless a seed is given (demo, tests). */
export function newApiKey(random?: () => number): string {
  const bytes =
    random === undefined
      ? [...randomBytes(keyLength)]
      : Array.from({ length: keyLength }, () => random() * 256)
  return bytes.map((byte) => letters[Math.floor(byte) % letters.length]).join('')
}

/** A password in its stored form: salted, and hashed slowly. */
export function hashPassword(password: string, salt = randomBytes(16).toString('hex')): string {
  return `${salt}:${scryptSync(password, salt, 32, { N: 4096 }).toString('hex')}`
}

/** Whether a password matches the stored one; if that is null, no password does. */
export function isPassword(password: string, hash: string | null): boolean {
  const [salt, wanted] = (hash ?? '').split(':')
  if (salt === undefined || wanted === undefined) return false
  const given = scryptSync(password, salt, 32, { N: 4096 })
  const stored = Buffer.from(wanted, 'hex')
  return given.length === stored.length && timingSafeEqual(given, stored)
}

/** The allowed lengths of a password, in characters. */
export const shortestPassword = 6
export const longestPassword = 100

/** Validates a chosen password; refuses one that is too short to be safe or too long to hash. */
export function checkedPassword(wanted: string): string {
  if (wanted.length < shortestPassword)
    throw badRequest('The new password is too weak: it needs six characters at least.')
  if (wanted.length > longestPassword)
    throw badRequest('The new password is too long: 100 characters at most.')
  return wanted
}

export interface NewUser {
  readonly fullName: string
  readonly email: string
  readonly role: number
  readonly password: string | null
  readonly apiKey?: string
  readonly botType?: number
  readonly botOwnerId?: number
  readonly timezone?: string
  readonly joined?: number
}

/** Adds a person, with the default settings for new people, or a bot; returns the row. Publishes nothing. */
export function createUser(workspace: Workspace, user: NewUser): UserRow {
  const { db } = workspace
  if (
    db.get('SELECT 1 FROM users WHERE email = ? OR delivery_email = ?', user.email, user.email) !== undefined
  ) {
    throw badRequest(`The address ${user.email} is in use.`)
  }
  const { lastId } = db.run(
    `INSERT INTO users (email, delivery_email, full_name, role, bot_type, bot_owner_id, api_key, password_hash, timezone, date_joined)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    user.email,
    user.email,
    user.fullName,
    user.role,
    user.botType ?? null,
    user.botOwnerId ?? null,
    user.apiKey ?? newApiKey(),
    user.password === null ? null : hashPassword(user.password),
    user.timezone ?? '',
    user.joined ?? workspace.now(),
  )
  if (user.botType === undefined) {
    startWithDefaults(db, lastId)
    const shown = apiEmailFor(
      { user_id: lastId, delivery_email: user.email },
      defaultSettingOf(db, 'email_address_visibility'),
    )
    if (shown !== user.email) db.run('UPDATE users SET email = ? WHERE user_id = ?', shown, lastId)
  }
  const row = userById(db, lastId)
  if (row === undefined) throw new Error('the new user is not there')
  return row
}

/**
 * The account that the credentials belong to. Undefined if there is none, and for everybody once the organization is
 * deactivated. The name in them is the API email or the real address.
 */
export function authenticate(db: Database, header: string | undefined): UserRow | undefined {
  const match = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header ?? '')
  if (match?.[1] === undefined) return undefined
  const text = Buffer.from(match[1], 'base64').toString('utf8')
  const colon = text.lastIndexOf(':')
  const email = text.slice(0, colon)
  const key = Buffer.from(text.slice(colon + 1))
  const user = db.get<UserRow>('SELECT * FROM users WHERE email = ? OR delivery_email = ?', email, email)
  if (user === undefined || user.is_active === 0 || isDeactivated(db)) return undefined
  const wanted = Buffer.from(user.api_key)
  return key.length === wanted.length && timingSafeEqual(key, wanted) ? user : undefined
}
