import type { ApiDefaultChannelGroup } from '../src-shared/api/default-channel-groups.ts'
import { newApiKey } from './accounts.ts'
import { defaultChannelIds } from './channels.ts'
import { admit, type Newcomer } from './newcomers.ts'
import { idsIn } from './permissions.ts'
import type { UserRow, Workspace } from './workspace.ts'

/** A reusable invitation; ids are JSON arrays. */
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
  /** Null: the organization's own words; empty: none. */
  readonly welcome_text: string | null
  readonly is_revoked: number
}

/** The address with which people follow an invitation. */
export const linkOf = (workspace: Workspace, row: InvitationRow): string =>
  `${workspace.url}/join/${row.code}/`

/** The invitations that still let people in. */
export const validInvitations = (workspace: Workspace): InvitationRow[] =>
  workspace.db.all<InvitationRow>(
    `SELECT i.* FROM invitations i JOIN users u ON u.user_id = i.inviter_id
     WHERE i.is_revoked = 0 AND u.is_active = 1 AND (i.expires_at IS NULL OR i.expires_at > ?)
     ORDER BY i.invitation_id`,
    workspace.now(),
  )

/** The invitation behind a link, if it still lets people in. */
export const invitationOf = (workspace: Workspace, code: string): InvitationRow | undefined =>
  validInvitations(workspace).find((row) => row.code === code)

export type NewInvitation = Pick<InvitationRow, 'inviter_id' | 'expires_at' | 'role' | 'welcome_text'> & {
  readonly channelIds: readonly number[]
  readonly groupIds: readonly number[]
  readonly includesDefaultChannels: boolean
}

/** Keeps an invitation under a new secret code; answers its link. */
export function createInvitation(workspace: Workspace, invitation: NewInvitation): string {
  const { lastId } = workspace.db.run(
    `INSERT INTO invitations (code, inviter_id, invited_at, expires_at, role, channel_ids, group_ids,
       includes_default_channels, welcome_text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    newApiKey(),
    invitation.inviter_id,
    workspace.now(),
    invitation.expires_at,
    invitation.role,
    JSON.stringify(invitation.channelIds),
    JSON.stringify(invitation.groupIds),
    invitation.includesDefaultChannels ? 1 : 0,
    invitation.welcome_text,
  )
  const row = workspace.db.get<InvitationRow>('SELECT * FROM invitations WHERE invitation_id = ?', lastId)
  if (row === undefined) throw new Error('the new invitation is not there')
  return linkOf(workspace, row)
}

/** Tells who may see an invitation that the list of them has changed. */
export function publishInvitations(workspace: Workspace, inviterId: number): void {
  const administrators = workspace.db.all<{ user_id: number }>(
    'SELECT user_id FROM users WHERE role <= 200 AND is_active = 1',
  )
  workspace.publish([inviterId, ...administrators.map((row) => row.user_id)], { type: 'invites_changed' })
}

/** Makes somebody a member as an invitation says, and puts them into the channels of the `chosen` groups, too. */
export const joinBy = (
  workspace: Workspace,
  invitation: InvitationRow,
  newcomer: Newcomer,
  chosen: readonly ApiDefaultChannelGroup[],
): UserRow =>
  admit(workspace, newcomer, {
    role: invitation.role,
    channelIds: [
      ...(invitation.includes_default_channels === 1 ? defaultChannelIds(workspace) : []),
      ...idsIn(invitation.channel_ids),
      ...chosen.flatMap(({ streams }) => streams),
    ],
    groupIds: idsIn(invitation.group_ids),
    welcomeText: invitation.welcome_text,
  })
