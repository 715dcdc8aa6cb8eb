import type { ApiDefaultChannelGroup } from '../../src-shared/api/default-channel-groups.ts'
import { createUser } from '../people/accounts.ts'
import { defaultChannelIds } from '../channels/channels.ts'
import { publishConsent } from '../exports/exports.ts'
import { apiUser } from '../people/shown-users.ts'
import { endInvitationsTo, type InvitationRow } from './invitations.ts'
import { notify, welcome } from '../messages/notification-bot.ts'
import { groupById, idsFromJson } from '../permissions/groups.ts'
import { addSubscriber } from '../channels/subscriptions.ts'
import { addGroupMembers } from '../people/user-groups.ts'
import { channelById, realmValue, userById, type UserRow, type Workspace } from '../workspace.ts'

/** A new person's credentials and visible properties, already validated. */
export interface Newcomer {
  readonly fullName: string
  readonly email: string
  readonly passwordHash: string
}

/** What a new person gets from the first moment on. */
export interface Admission {
  readonly role: number
  readonly channelIds: readonly number[]
  readonly groupIds: readonly number[]
  /** Null: the organization's own text; empty: none. */
  readonly welcomeText: string | null
}

/**
 * Adds a person to the organization with role, channels, groups and welcome message, and tells everybody. Channels and
 * groups that no longer exist are left out. Throws BAD_REQUEST if the address is in use.
 */
export function admit(workspace: Workspace, newcomer: Newcomer, admission: Admission): UserRow {
  const { db } = workspace
  return db.transaction(() => {
    const person = createUser(workspace, { ...newcomer, password: null, role: admission.role })
    workspace.publish(null, { type: 'realm_user', op: 'add', person: apiUser(person) })
    publishConsent(workspace, person.user_id)
    endInvitationsTo(workspace, newcomer.email)
    for (const id of new Set(admission.channelIds)) {
      const channel = channelById(db, id)
      if (channel?.is_archived === 0) addSubscriber(workspace, person, channel)
    }
    for (const id of admission.groupIds) {
      const group = groupById(db, id)
      if (group?.is_active === 1)
        addGroupMembers(workspace, group, idsFromJson(group.members), [person.user_id])
    }
    const text = admission.welcomeText ?? realmValue(db, 'welcome_message_custom_text')
    if (text.trim() !== '') welcome(workspace, person, text)
    return userById(db, person.user_id) ?? person
  })
}

/**
 * Adds a person as an invitation says, and also subscribes them to the channels of the `chosen` groups. An invitation
 * to a single address is then used up. The inviter is notified if they asked for that.
 */
export function joinBy(
  workspace: Workspace,
  invitation: InvitationRow,
  newcomer: Newcomer,
  chosen: readonly ApiDefaultChannelGroup[],
): UserRow {
  const { db } = workspace
  return db.transaction(() => {
    const person = admit(workspace, newcomer, {
      role: invitation.role,
      channelIds: [
        ...(invitation.includes_default_channels === 1 ? defaultChannelIds(workspace) : []),
        ...idsFromJson(invitation.channel_ids),
        ...chosen.flatMap(({ streams }) => streams),
      ],
      groupIds: idsFromJson(invitation.group_ids),
      welcomeText: invitation.welcome_text,
    })
    const inviter = userById(db, invitation.inviter_id)
    if (invitation.tells_inviter === 1 && inviter !== undefined) {
      const name = `@_**${person.full_name}|${person.user_id}**`
      notify(workspace, inviter, `${name} accepted your invitation to join ${realmValue(db, 'name')}.`)
    }
    return person
  })
}
