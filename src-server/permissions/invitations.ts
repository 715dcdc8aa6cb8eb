import type { Database } from '../database.ts'
import { badRequest } from '../service-error.ts'
import type { ChannelRow, UserRow } from '../workspace.ts'
import { canAddSubscribers, canAddSubscribersAnywhere } from './channels.ts'
import { isAdministrator } from './roles.ts'
import { mayInRealm } from './holders.ts'
import type { RealmPermission } from './setting-table.ts'

/** Refuses a person without the permission to invite, and a role that is wider than their own. */
export function assertMayInviteAs(
  db: Database,
  user: UserRow,
  permission: RealmPermission,
  role: number,
): void {
  if (!mayInRealm(db, user, permission) || role < user.role) throw badRequest('Insufficient permission')
}

/**
 * Refuses channels to which this inviter may not subscribe new people; default channels need the general permission.
 */
export function assertMayInviteInto(db: Database, user: UserRow, channels: readonly ChannelRow[]): void {
  const isMissing = (channel: ChannelRow) =>
    !canAddSubscribers(db, user, channel) &&
    !(channel.is_default === 1 && canAddSubscribersAnywhere(db, user))
  if (channels.some(isMissing)) {
    throw badRequest('You do not have permission to subscribe other users to channels.')
  }
}

/**
 * Whether a person may see and revoke an invitation: their own; administrators also those with roles up to their own.
 */
export const canManageInvitation = (
  user: UserRow,
  invitation: { readonly inviter_id: number; readonly role: number },
): boolean =>
  invitation.inviter_id === user.user_id || (isAdministrator(user) && invitation.role >= user.role)
