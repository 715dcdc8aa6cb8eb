import type { Database } from '../database.ts'
import { badRequest, ServiceError } from '../service-error.ts'
import { realmValue, type UserRow } from '../workspace.ts'
import { roles } from '../../src-shared/roles.ts'
import { assertAdministrator, assertOwner, isAdministrator, isOwner } from './roles.ts'

/**
 * Refuses a caller who may not create accounts for others. Owners may, and so may the administrators that the operator
 * has named. Before level 36 every administrator might.
 */
export function assertMayCreateUsers(user: UserRow, accountCreators: readonly string[], level: number): void {
  assertAdministrator(user)
  const isNamed = accountCreators.some((email) => email.toLowerCase() === user.delivery_email.toLowerCase())
  if (!isOwner(user) && !isNamed && level >= 36) throw badRequest('User not authorized to create users')
}

/**
 * Refuses a caller who may not change an account: administrators may, but only owners may change owners' accounts.
 */
export function assertMayAdminister(user: UserRow, person: UserRow): void {
  assertAdministrator(user)
  if (isOwner(person)) assertOwner(user)
}

/** Refuses an assignment of a role: only owners make owners, and the last owner keeps the role. */
export function assertMayGiveRole(db: Database, user: UserRow, person: UserRow, role: number): void {
  if (role === roles.owner) assertOwner(user)
  if (isLastOwner(db, person)) {
    throw badRequest('The owner permission cannot be removed from the only organization owner.')
  }
}

/** Refuses a change of one's own name, address or picture if the organization leaves that to administrators. */
export function assertMayChangeOwn(db: Database, user: UserRow, what: 'name' | 'email' | 'avatar'): void {
  if (realmValue(db, `${what}_changes_disabled`) !== 'true' || isAdministrator(user)) return
  throw badRequest(ownChangesRefused[what])
}

const ownChangesRefused = {
  name: 'Name changes are disabled in this organization.',
  email: 'Email address changes are disabled in this organization.',
  avatar: 'Avatar changes are disabled in this organization.',
} as const

/** Refuses to deactivate the account of the only owner. */
export function assertMayEnd(db: Database, person: UserRow): void {
  if (!isLastOwner(db, person)) return
  throw new ServiceError('CANNOT_DEACTIVATE_LAST_USER', 'Cannot deactivate the only organization owner.', {
    is_last_owner: true,
    entity: 'organization owner',
  })
}

const isLastOwner = (db: Database, person: UserRow): boolean =>
  isOwner(person) &&
  person.is_active === 1 &&
  db.get(
    'SELECT 1 FROM users WHERE role = ? AND is_active = 1 AND bot_type IS NULL AND user_id <> ? LIMIT 1',
    roles.owner,
    person.user_id,
  ) === undefined
