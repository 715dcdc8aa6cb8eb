import { minuteSeconds } from '../../src-shared/durations.ts'
import type { Handlers } from '../../src-shared/api/index.ts'
import type { InputOf } from '../../src-shared/api/endpoint.ts'
import type { ApiInvitation, invitations as endpoints } from '../../src-shared/api/invitations.ts'
import { inviteByMail, sendInvitation } from '../organization/invitations-by-mail.ts'
import {
  createInvitation,
  endInvitation,
  linkOf,
  publishInvitations,
  validInvitations,
  type InvitationRow,
  type NewInvitation,
} from '../organization/invitations.ts'
import { roles } from '../../src-shared/roles.ts'
import { canSeeChannel } from '../permissions/channels.ts'
import { existingGroup } from '../permissions/groups.ts'
import { assertMayInviteAs, assertMayInviteInto, canManageInvitation } from '../permissions/invitations.ts'
import { assertMemberAndPerson, isAdministrator } from '../permissions/roles.ts'
import type { RealmPermission } from '../permissions/setting-table.ts'
import { canAddMembers } from '../permissions/user-groups.ts'
import { badRequest } from '../service-error.ts'
import { channelById, type ChannelRow, type UserRow, type Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

const longestWelcome = 8_000

export const invitations: Pick<
  Handlers<HandlerContext>,
  | 'getInvitations'
  | 'createInvitation'
  | 'sendInvitations'
  | 'resendInvitation'
  | 'revokeInvitation'
  | 'revokeMailInvitation'
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
    const invitation = checkedInvitation(workspace, user, 'create_multiuse_invite_group', input)
    const row = createInvitation(workspace, { ...invitation, email: null, tellsInviter: false })
    publishInvitations(workspace, user.user_id)
    return { invite_link: linkOf(workspace, row) }
  },

  sendInvitations: ({ invitee_emails, notify_referrer_on_join, ...input }, { workspace, user }) => {
    const invitation = checkedInvitation(workspace, user, 'can_invite_users_group', input)
    // Before level 267, inviters were always notified when somebody joined.
    inviteByMail(workspace, invitee_emails, {
      ...invitation,
      tellsInviter: notify_referrer_on_join !== false,
    })
    return {}
  },

  resendInvitation: ({ invite_id }, { workspace, user }) => {
    sendInvitation(workspace, managed(workspace, user, invite_id, { isByMail: true }))
    return {}
  },

  revokeInvitation: ({ invite_id }, { workspace, user }) => {
    endInvitation(workspace, managed(workspace, user, invite_id, { isByMail: false }))
    return {}
  },

  revokeMailInvitation: ({ invite_id }, { workspace, user }) => {
    endInvitation(workspace, managed(workspace, user, invite_id, { isByMail: true }))
    return {}
  },
}

type Input = InputOf<typeof endpoints.createInvitation>

/** The content of a new invitation, if this person may create it. */
function checkedInvitation(
  workspace: Workspace,
  user: UserRow,
  permission: RealmPermission,
  input: Input,
): Omit<NewInvitation, 'email' | 'tellsInviter'> {
  assertMemberAndPerson(user)
  const { db } = workspace
  const role = input.invite_as ?? roles.member
  assertMayInviteAs(db, user, permission, role)
  const channelIds = [...new Set(input.stream_ids ?? [])]
  assertMayInviteInto(
    db,
    user,
    channelIds.map((id) => invitableChannel(workspace, user, id)),
  )
  const groupIds = [...new Set(input.group_ids ?? [])]
  for (const id of groupIds) assertInvitableGroup(workspace, user, id)
  const minutes =
    input.invite_expires_in_minutes === undefined
      ? workspace.configuration.invitationValidityMinutes
      : input.invite_expires_in_minutes
  return {
    inviter_id: user.user_id,
    expires_at: minutes === null ? null : workspace.now() + minutes * minuteSeconds,
    role,
    channelIds,
    groupIds,
    includesDefaultChannels: input.include_realm_default_subscriptions === true,
    welcome_text: welcomeText(user, input.welcome_message_custom_text),
  }
}

/** The invitation, if it is valid, of this kind, and this person may manage it. */
function managed(
  workspace: Workspace,
  user: UserRow,
  id: number,
  { isByMail }: { readonly isByMail: boolean },
): InvitationRow {
  assertMemberAndPerson(user)
  const row = validInvitations(workspace).find((one) => one.invitation_id === id)
  if (row === undefined || (row.email !== null) !== isByMail) throw badRequest('No such invitation')
  if (!canManageInvitation(user, row)) throw badRequest('Insufficient permission')
  return row
}

const apiInvitation = (workspace: Workspace, row: InvitationRow): ApiInvitation => ({
  id: row.invitation_id,
  invited_by_user_id: row.inviter_id,
  invited: row.invited_at,
  expiry_date: row.expires_at,
  // Only the five roles of the specification are ever written.
  invited_as: row.role as ApiInvitation['invited_as'],
  is_multiuse: row.email === null,
  ...(row.email === null ? { link_url: linkOf(workspace, row) } : { email: row.email }),
  notify_referrer_on_join: row.tells_inviter === 1,
})

/**
 * The welcome text for new people; null means the organization's own. Only administrators can choose another text.
 */
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
