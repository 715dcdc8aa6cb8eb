import { daySeconds } from '../../src-shared/durations.ts'
import { newApiKey } from './accounts.ts'
import type { Database } from '../database.ts'
import { assertAllowedDomain } from './domains.ts'
import { badRequest } from '../service-error.ts'
import { realmValue, userById, type UserRow, type Workspace } from '../workspace.ts'

/** The longest address, in characters. */
export const longestEmail = 254
const validSeconds = daySeconds
/** The domain of addresses that this service makes up; it belongs to nobody. */
const reserved = /\.invalid$/i
const emailForm = /^[^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]+\.[^\s@<>(),;:"\\[\].]+$/

/** Refuses an invalid address, and one whose domain the organization does not allow. */
export function assertUsableEmail(db: Database, email: string): void {
  if (email.length > longestEmail || !emailForm.test(email) || reserved.test(email))
    throw badRequest('Enter a valid email address.')
  assertAllowedDomain(db, email)
}

/** Also refuses an address that another account has; null stands for a new person. */
export function assertFreeEmail(workspace: Workspace, user: UserRow | null, email: string): void {
  assertUsableEmail(workspace.db, email)
  const taken = workspace.db.get(
    'SELECT 1 FROM users WHERE (email = ?1 OR delivery_email = ?1) AND user_id <> ?2',
    { 1: email, 2: user?.user_id ?? 0 },
  )
  if (taken !== undefined) throw badRequest('Another account has this email address.')
}

/**
 * Mails the link that confirms a new address. The address changes only if somebody follows the link within a day.
 */
export function startEmailChange(workspace: Workspace, user: UserRow, email: string): void {
  const token = newApiKey()
  // A newer request invalidates older links.
  workspace.db.run('DELETE FROM email_changes WHERE user_id = ?', user.user_id)
  workspace.db.run(
    'INSERT INTO email_changes VALUES (?, ?, ?, ?)',
    token,
    user.user_id,
    email,
    workspace.now() + validSeconds,
  )
  workspace.configuration.sendMail({
    to: email,
    subject: `Confirm your new address for ${realmValue(workspace.db, 'name')}`,
    text: [
      `${user.full_name} wants to use this address with ${realmValue(workspace.db, 'name')}.`,
      `If that is you, follow this link within a day:`,
      `${workspace.url}/confirm-email/${token}`,
      `If it is not, do nothing: the address will not be used.`,
    ].join('\n\n'),
  })
}

/** The result of following a link. */
export type Confirmation = { kind: 'changed'; email: string } | { kind: 'expired' } | { kind: 'taken' }

/** Gives the account the link's address; a link works once. */
export function confirmEmail(workspace: Workspace, token: string): Confirmation {
  const { db } = workspace
  const row = db.get<{ user_id: number; email: string; expires_at: number }>(
    'SELECT * FROM email_changes WHERE token = ?',
    token,
  )
  db.run('DELETE FROM email_changes WHERE token = ?', token)
  const user = row === undefined ? undefined : userById(db, row.user_id)
  if (row === undefined || user === undefined || row.expires_at < workspace.now()) return { kind: 'expired' }
  const taken = db.get('SELECT 1 FROM users WHERE (email = ?1 OR delivery_email = ?1) AND user_id <> ?2', {
    1: row.email,
    2: user.user_id,
  })
  if (taken !== undefined) return { kind: 'taken' }
  // The API email stays, so signed-in devices continue to work.
  db.run('UPDATE users SET delivery_email = ? WHERE user_id = ?', row.email, user.user_id)
  workspace.publish(null, {
    type: 'realm_user',
    op: 'update',
    person: { user_id: user.user_id, delivery_email: row.email },
  })
  return { kind: 'changed', email: row.email }
}
