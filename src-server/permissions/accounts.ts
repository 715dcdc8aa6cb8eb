import type { Database } from '../database.ts'
import { badRequest, ServiceError } from '../service-error.ts'
import type { UserRow } from '../workspace.ts'
import { assertAdministrator, assertOwner, isOwner, roles } from './roles.ts'

/**
 * Refuses who may not make accounts for others: owners may, and of the other administrators those whom the service is
 * told of. Before level 36 every administrator might.
 */
export function assertMayCreateUsers(user: UserRow, accountCreators: readonly string[], level: number): void {
  assertAdministrator(user)
  const isNamed = accountCreators.some((email) => email.toLowerCase() === user.delivery_email.toLowerCase())
  if (!isOwner(user) && !isNamed && level >= 36) throw badRequest('User not authorized to create users')
}

/** Refuses who may not change an account: administrators may, and only owners the accounts of owners. */
export function assertMayAdminister(user: UserRow, person: UserRow): void {
  assertAdministrator(user)
  if (isOwner(person)) assertOwner(user)
}

/** Refuses to give a role: that of owners is the owners' to give, and the last of them keeps it. */
export function assertMayGiveRole(db: Database, user: UserRow, person: UserRow, role: number): void {
  if (role === roles.owner) assertOwner(user)
  if (isLastOwner(db, person)) {
    throw badRequest('The owner permission cannot be removed from the only organization owner.')
  }
}

/** Refuses to end the account of the only owner. */
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
