import type { Handlers } from '../../src-shared/api/index.ts'
import type { ApiInvitation } from '../../src-shared/api/invitations.ts'
import {
  createInvitation,
  linkOf,
  publishInvitations,
  validInvitations,
  type InvitationRow,
} from '../invitations.ts'
import {
  assertMayInviteAs,
  assertMayInviteInto,
  assertMemberAndPerson,
  canAddMembers,
  canManageInvitation,
  canSeeChannel,
  existingGroup,
  isAdministrator,
  roles,
} from '../permissions.ts'
import { badRequest } from '../service-error.ts'
import { channelById, type ChannelRow, type UserRow, type Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

const longestWelcome = 8_000

export const invitations: Pick<
  Handlers<HandlerContext>,
  'getInvitations' | 'createInvitation' | 'revokeInvitation'
> = {
  getInvitations: (_input, { workspace, user }) => {
    assertMemberAndPerson(user)
    return {
      invites: validInvitations(workspace)
        .filter((row) => canManageInvitation(user, row))
        .map((row) => apiInvitation(workspace, row)),
    }
  },

  createInvitation: (input, { workspace, user }) => {
    assertMemberAndPerson(user)
    const { db } = workspace
    const role = input.invite_as ?? roles.member
    assertMayInviteAs(db, user, role)
    const channelIds = [...new Set(input.stream_ids ?? [])]
    assertMayInviteInto(
      db,
      user,
      channelIds.map((id) => invitableChannel(workspace, user, id)),
    )
    const groupIds = [...new Set(input.group_ids ?? [])]
    for (const id of groupIds) assertInvitableGroup(workspace, user, id)
    const welcome = welcomeText(user, input.welcome_message_custom_text)
    const minutes =
      input.invite_expires_in_minutes === undefined
        ? workspace.configuration.invitationValidityMinutes
        : input.invite_expires_in_minutes
    const invite_link = createInvitation(workspace, {
      inviter_id: user.user_id,
      expires_at: minutes === null ? null : workspace.now() + minutes * 60,
      role,
      channelIds,
      groupIds,
      includesDefaultChannels: input.include_realm_default_subscriptions === true,
      welcome_text: welcome,
    })
    publishInvitations(workspace, user.user_id)
    return { invite_link }
  },

  revokeInvitation: ({ invite_id }, { workspace, user }) => {
    assertMemberAndPerson(user)
    const row = validInvitations(workspace).find((one) => one.invitation_id === invite_id)
    if (row === undefined) throw badRequest('No such invitation')
    if (!canManageInvitation(user, row)) throw badRequest('Insufficient permission')
    workspace.db.run('UPDATE invitations SET is_revoked = 1 WHERE invitation_id = ?', invite_id)
    publishInvitations(workspace, row.inviter_id)
    return {}
  },
}

const apiInvitation = (workspace: Workspace, row: InvitationRow): ApiInvitation => ({
  id: row.invitation_id,
  invited_by_user_id: row.inviter_id,
  invited: row.invited_at,
  expiry_date: row.expires_at,
  // Only the five roles of the specification are ever written.
  invited_as: row.role as ApiInvitation['invited_as'],
  is_multiuse: true,
  link_url: linkOf(workspace, row),
  notify_referrer_on_join: false,
})

/** The words for new people; null are the organization's own. Only administrators say something else. */
function welcomeText(user: UserRow, wanted: string | undefined): string | null {
  if (wanted === undefined || wanted === 'null' || !isAdministrator(user)) return null
  if ([...wanted].length > longestWelcome) {
    throw badRequest(`welcome_message_custom_text is too long (limit: ${longestWelcome} characters)`)
  }
  return wanted
}

function invitableChannel(workspace: Workspace, user: UserRow, id: number): ChannelRow {
  const channel = channelById(workspace.db, id)
  if (channel === undefined || channel.is_archived === 1 || !canSeeChannel(workspace.db, user, channel)) {
    throw badRequest(`Invalid channel ID ${id}. No invites were sent.`)
  }
  return channel
}

function assertInvitableGroup(workspace: Workspace, user: UserRow, id: number): void {
  const group = existingGroup(workspace.db, id)
  if (group.is_active === 0) throw badRequest('User group is deactivated.')
  if (!canAddMembers(workspace.db, user, group)) throw badRequest('Insufficient permission')
}
