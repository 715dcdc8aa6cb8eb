import { roles } from '../../src-shared/roles.ts'
import type { Database } from '../database.ts'
import { badRequest, ServiceError } from '../service-error.ts'
import type { UserRow } from '../workspace.ts'

/** Whether somebody is an owner. */
export const isOwner = (user: UserRow): boolean => user.role <= roles.owner
/** Whether somebody is an administrator or an owner. */
export const isAdministrator = (user: UserRow): boolean => user.role <= roles.administrator
/** Whether somebody is a guest. */
export const isGuest = (user: UserRow): boolean => user.role === roles.guest
/** Whether an account is a bot's. */
export const isBot = (user: UserRow): boolean => user.bot_type !== null

/** The ids of the people who are administrators or owners. */
export const humanAdministrators = (db: Database): number[] =>
  db.column<number>(
    'SELECT user_id FROM users WHERE role <= ? AND is_active = 1 AND bot_type IS NULL',
    roles.administrator,
  )

/** Refuses everybody except administrators and owners. */
export function assertAdministrator(user: UserRow): void {
  if (!isAdministrator(user)) {
    throw new ServiceError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator')
  }
}

/** Refuses everybody except owners. */
export function assertOwner(user: UserRow): void {
  if (!isOwner(user)) throw new ServiceError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner')
}

/** Refuses guests. */
export function assertNoGuest(user: UserRow): void {
  if (isGuest(user)) throw badRequest('Not allowed for guest users')
}

/** Refuses bots. */
export function assertPerson(user: UserRow): void {
  if (isBot(user)) throw badRequest('This endpoint does not accept bot requests.')
}

/** Refuses guests and bots: some resources are only for members. */
export function assertMemberAndPerson(user: UserRow): void {
  assertNoGuest(user)
  assertPerson(user)
}
