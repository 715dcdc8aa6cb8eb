import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Database } from '../database.ts'
import { badRequest } from '../service-error.ts'
import { defaultSettingOf, startWithDefaults } from './settings.ts'
import { hashPassword } from './passwords.ts'
import type { PasswordCost } from '../configuration.ts'
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

/** A person's name in its stored form. Refuses names that would break mentions. */
export function checkedName(text: string): string {
  const name = text.trim()
  if (name === '') throw badRequest('A name must not be empty.')
  if ([...name].length > 100) throw badRequest('A name may have 100 characters at most.')
  if (/[*`\\>"@]|\p{C}/u.test(name) || /\|\d+$/.test(name)) throw badRequest('Invalid characters in name!')
  return name
}

/** What a person or bot is created with; `joined` is epoch seconds, now if absent. */
export interface NewUser {
  readonly fullName: string
  readonly email: string
  readonly role: number
  readonly password: string | null
  /** In place of a password: its stored form, if it was hashed before. */
  readonly passwordHash?: string
  /** How the password is hashed; as configured, unless said. */
  readonly passwordCost?: PasswordCost
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
    user.password === null
      ? (user.passwordHash ?? null)
      : hashPassword(user.password, user.passwordCost ?? workspace.configuration.passwordCost),
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
