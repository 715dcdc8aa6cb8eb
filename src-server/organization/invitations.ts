import { roles } from '../../src-shared/roles.ts'
import { newApiKey } from '../people/accounts.ts'
import { isDeactivated, type Workspace } from '../workspace.ts'

/** An invitation: a link for anybody, or one for a single address; ids are JSON arrays. */
export interface InvitationRow {
  readonly invitation_id: number
  readonly code: string
  readonly inviter_id: number
  readonly invited_at: number
  /** UNIX seconds; null: never. */
  readonly expires_at: number | null
  readonly role: number
  readonly channel_ids: string
  readonly group_ids: string
  readonly includes_default_channels: number
  /** Null: the organization's own text; empty: none. */
  readonly welcome_text: string | null
  /** Whether it was revoked or used up. */
  readonly is_revoked: number
  /** Null: everyone who has the link may join, any number of times. */
  readonly email: string | null
  /** Whether the inviter is notified when somebody joins. */
  readonly tells_inviter: number
}

/** The address of the page that accepts the invitation. */
export const linkOf = (workspace: Workspace, row: InvitationRow): string =>
  `${workspace.url}/join/${row.code}/`

/** All valid invitations. */
export const validInvitations = (workspace: Workspace): InvitationRow[] =>
  workspace.db.all<InvitationRow>(
    `SELECT i.* FROM invitations i JOIN users u ON u.user_id = i.inviter_id
     WHERE i.is_revoked = 0 AND u.is_active = 1 AND (i.expires_at IS NULL OR i.expires_at > ?)
     ORDER BY i.invitation_id`,
    workspace.now(),
  )

/** The invitation behind a link, if it is valid. */
export const invitationOf = (workspace: Workspace, code: string): InvitationRow | undefined =>
  isDeactivated(workspace.db) ? undefined : validInvitations(workspace).find((row) => row.code === code)

/** What an invitation is created with. */
export type NewInvitation = Pick<InvitationRow, 'inviter_id' | 'expires_at' | 'role' | 'welcome_text'> & {
  readonly channelIds: readonly number[]
  readonly groupIds: readonly number[]
  readonly includesDefaultChannels: boolean
  readonly email: string | null
  readonly tellsInviter: boolean
}

/** Stores an invitation under a new secret code. */
export function createInvitation(workspace: Workspace, invitation: NewInvitation): InvitationRow {
  const { lastId } = workspace.db.run(
    `INSERT INTO invitations (code, inviter_id, invited_at, expires_at, role, channel_ids, group_ids,
       includes_default_channels, welcome_text, email, tells_inviter) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    newApiKey(),
    invitation.inviter_id,
    workspace.now(),
    invitation.expires_at,
    invitation.role,
    JSON.stringify(invitation.channelIds),
    JSON.stringify(invitation.groupIds),
    invitation.includesDefaultChannels ? 1 : 0,
    invitation.welcome_text,
    invitation.email,
    invitation.tellsInviter ? 1 : 0,
  )
  const row = workspace.db.get<InvitationRow>('SELECT * FROM invitations WHERE invitation_id = ?', lastId)
  if (row === undefined) throw new Error('the new invitation is not there')
  return row
}

/**
 * Revokes an invitation: nobody can join through it any more, and people who may see it are told that the list
 * changed.
 */
export function endInvitation(workspace: Workspace, row: InvitationRow): void {
  workspace.db.run('UPDATE invitations SET is_revoked = 1 WHERE invitation_id = ?', row.invitation_id)
  publishInvitations(workspace, row.inviter_id)
}

/** Ends invitations sent to an address that now has an account. */
export function endInvitationsTo(workspace: Workspace, email: string): void {
  const isTo = (row: InvitationRow) => row.email?.toLowerCase() === email.toLowerCase()
  for (const row of validInvitations(workspace).filter(isTo)) endInvitation(workspace, row)
}

/** Tells everyone who may see an invitation that the list changed. */
export function publishInvitations(workspace: Workspace, inviterId: number): void {
  const administrators = workspace.db.column<number>(
    'SELECT user_id FROM users WHERE role <= ? AND is_active = 1',
    roles.administrator,
  )
  workspace.publish([inviterId, ...administrators], { type: 'invites_changed' })
}
