import type { ApiDefaultChannelGroup } from '../src-shared/api/default-channel-groups.ts'
import { createUser, newApiKey } from './accounts.ts'
import { defaultChannelIds } from './channels.ts'
import { publishConsent } from './exports/exports.ts'
import { apiUser } from './handlers/users.ts'
import { welcome } from './notification-bot.ts'
import { groupById, idsIn } from './permissions.ts'
import { addSubscriber } from './subscriptions.ts'
import { addGroupMembers } from './user-groups.ts'
import { channelById, realmValue, userById, type UserRow, type Workspace } from './workspace.ts'

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

export interface Newcomer {
  readonly fullName: string
  readonly email: string
  readonly password: string
}

/**
 * Makes somebody a member as an invitation says: role, channels, groups, welcome. Channels and groups that are gone
 * since are left out. The newcomer is put into the channels of the `chosen` groups, too. Throws BAD_REQUEST when the address is in use.
 */
export function joinBy(
  workspace: Workspace,
  invitation: InvitationRow,
  newcomer: Newcomer,
  chosen: readonly ApiDefaultChannelGroup[],
): UserRow {
  const { db } = workspace
  return db.transaction(() => {
    const person = createUser(workspace, { ...newcomer, role: invitation.role })
    workspace.publish(null, { type: 'realm_user', op: 'add', person: apiUser(person) })
    publishConsent(workspace, person.user_id)
    const channelIds = new Set([
      ...(invitation.includes_default_channels === 1 ? defaultChannelIds(workspace) : []),
      ...idsIn(invitation.channel_ids),
      ...chosen.flatMap(({ streams }) => streams),
    ])
    for (const id of channelIds) {
      const channel = channelById(db, id)
      if (channel?.is_archived === 0) addSubscriber(workspace, person, channel)
    }
    for (const id of idsIn(invitation.group_ids)) {
      const group = groupById(db, id)
      if (group?.is_active === 1) addGroupMembers(workspace, group, idsIn(group.members), [person.user_id])
    }
    const text = invitation.welcome_text ?? realmValue(db, 'welcome_message_custom_text')
    if (text.trim() !== '') welcome(workspace, person, text)
    return userById(db, person.user_id) ?? person
  })
}
