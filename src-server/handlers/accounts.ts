import type { accounts as endpoints } from '../../src-shared/api/accounts.ts'
import type { InputOf } from '../../src-shared/api/endpoint.ts'
import type { Handlers } from '../../src-shared/api/index.ts'
import { checkedName } from '../people/accounts.ts'
import { checkedPassword, hashPasswordAside } from '../people/passwords.ts'
import { watchAcquaintances } from '../people/acquaintances.ts'
import { keyForRole, publishBot, publishNewAudience } from '../people/bots.ts'
import { watchVisibility } from '../channels/channel-audience.ts'
import { allChannels, defaultChannelIds } from '../channels/channels.ts'
import { assertFreeEmail } from '../people/email-changes.ts'
import { publishConsent } from '../exports/exports.ts'
import { admit } from '../organization/newcomers.ts'
import { roles } from '../../src-shared/roles.ts'
import {
  assertMayAdminister,
  assertMayCreateUsers,
  assertMayEnd,
  assertMayGiveRole,
} from '../permissions/accounts.ts'
import { isSubscribed, viewersOf } from '../permissions/channels.ts'
import { assertAdministrator, assertMemberAndPerson, isBot } from '../permissions/roles.ts'
import { profileField, setProfileValue } from '../organization/profile-fields.ts'
import { badRequest } from '../service-error.ts'
import { publishRole } from '../people/user-groups.ts'
import { personByEmail } from '../people/user-access.ts'
import { realmValue, userById, type UserRow, type Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

const longestComment = 2_000

export const accounts: Pick<
  Handlers<HandlerContext>,
  | 'createUser'
  | 'updateUser'
  | 'updateUserByEmail'
  | 'deactivateUser'
  | 'reactivateUser'
  | 'deactivateOwnUser'
> = {
  createUser: async (input, { workspace, user }) => {
    assertMayCreateUsers(user, workspace.configuration.accountCreators, workspace.featureLevel)
    const email = input.email.trim()
    assertFreeEmail(workspace, null, email)
    const newcomer = {
      email,
      fullName: checkedName(input.full_name),
      passwordHash: await hashPasswordAside(
        checkedPassword(input.password),
        workspace.configuration.passwordCost,
      ),
    }
    const admission = {
      role: roles.member,
      channelIds: defaultChannelIds(workspace),
      groupIds: [],
      welcomeText: null,
    }
    return { user_id: admit(workspace, newcomer, admission).user_id }
  },

  updateUser,

  updateUserByEmail: ({ email, ...changes }, context) => {
    assertAdministrator(context.user)
    const person = personByEmail(context.workspace.db, context.user, email)
    if (person === undefined) throw badRequest('No such user')
    return updateUser({ ...changes, user_id: person.user_id }, context)
  },

  deactivateUser: ({ user_id, deactivation_notification_comment: comment }, { workspace, user }) => {
    const person = administered(workspace, user, user_id)
    if (person.is_active === 0) throw badRequest('User is already deactivated')
    if (comment !== undefined && [...comment].length > longestComment) {
      throw badRequest(`deactivation_notification_comment is too long (limit: ${longestComment} characters)`)
    }
    deactivate(workspace, person)
    if (comment !== undefined && comment.trim() !== '') sendFarewell(workspace, person, comment.trim())
    return {}
  },

  reactivateUser: ({ user_id }, { workspace, user }) => {
    const person = administered(workspace, user, user_id)
    if (person.is_active === 1) throw badRequest('User is already active')
    workspace.db.run('UPDATE users SET is_active = 1 WHERE user_id = ?', user_id)
    publishPerson(workspace, { user_id, is_active: true })
    publishPeer(workspace, 'peer_add', user_id)
    publishConsent(workspace, user_id)
    if (isBot(person)) publishBot(workspace, user_id, { is_active: true })
    return {}
  },

  deactivateOwnUser: (_input, { workspace, user }) => {
    if (isBot(user)) assertMemberAndPerson(user)
    deactivate(workspace, user)
    return {}
  },
}

type Changes = InputOf<typeof endpoints.updateUser>

function updateUser(
  { user_id, full_name, role, profile_data }: Changes,
  { workspace, user }: HandlerContext,
): Record<string, never> {
  const { db } = workspace
  const person = administered(workspace, user, user_id)
  const name = full_name === undefined ? person.full_name : checkedName(full_name)
  if (role !== undefined && role !== person.role) assertMayGiveRole(db, user, person, role)
  const values = (profile_data ?? []).map(({ id, value }) => ({
    field: profileField(workspace, id),
    value,
  }))
  if (values.length > 0 && isBot(person)) throw badRequest('Bots have no profile.')
  // Nobody keeps through their bots what they lose themselves.
  const highest = Math.min(role ?? person.role, roles.member)
  const lowered =
    role === undefined || role <= person.role
      ? []
      : db.all<UserRow>('SELECT * FROM users WHERE bot_owner_id = ? AND role < ?', user_id, highest)
  const watch = watchAllChannels(workspace)
  const acquaintances = watchAcquaintances(workspace, new Set([user_id]), 'access')
  db.transaction(() => {
    for (const { field, value } of values) setProfileValue(workspace, user_id, field, value)
    db.run(
      'UPDATE users SET full_name = ?, role = ?, api_key = ? WHERE user_id = ?',
      name,
      role ?? person.role,
      keyForRole(person, role ?? person.role),
      user_id,
    )
    for (const bot of lowered) db.run('UPDATE users SET role = ? WHERE user_id = ?', highest, bot.user_id)
  })
  if (name !== person.full_name) publishPerson(workspace, { user_id, full_name: name })
  if (role !== undefined && role !== person.role) publishRole(workspace, person, role)
  for (const bot of isBot(person) ? [person] : lowered) {
    const now = userById(db, bot.user_id) ?? bot
    if (now.role === bot.role) continue
    if (bot !== person) publishRole(workspace, bot, now.role)
    publishNewAudience(workspace, bot, now)
  }
  acquaintances.announceMet()
  watch.announceGained()
  watch.announceLost()
  acquaintances.announceLost()
  return {}
}

/** The person or bot, if this administrator may change the account. */
function administered(workspace: Workspace, user: UserRow, id: number): UserRow {
  assertAdministrator(user)
  const person = userById(workspace.db, id)
  if (person === undefined) throw badRequest('No such user')
  assertMayAdminister(user, person)
  return person
}

const watchAllChannels = (workspace: Workspace) =>
  watchVisibility(
    workspace,
    allChannels(workspace).map((row) => row.channel_id),
  )

const publishPerson = (workspace: Workspace, person: Readonly<Record<string, unknown>>): void =>
  workspace.publish(null, { type: 'realm_user', op: 'update', person })

/** Deactivates an account and its bots: they are shown as deactivated, and their devices are signed out. */
export function deactivate(workspace: Workspace, person: UserRow): void {
  const { db } = workspace
  assertMayEnd(db, person)
  const bots = db.column<number>(
    'SELECT user_id FROM users WHERE bot_owner_id = ? AND is_active = 1',
    person.user_id,
  )
  const ids = [person.user_id, ...bots]
  db.run(
    'UPDATE users SET is_active = 0 WHERE user_id IN (SELECT value FROM json_each(?))',
    JSON.stringify(ids),
  )
  for (const id of ids) {
    workspace.queues.removeOf(id)
    publishPerson(workspace, { user_id: id, is_active: false })
    publishPeer(workspace, 'peer_remove', id)
  }
  for (const bot of bots) publishBot(workspace, bot, { is_active: false })
  if (isBot(person)) publishBot(workspace, person.user_id, { is_active: false })
}

/** Tells everyone who sees the person's channels that the person is no longer, or is again, a subscriber. */
function publishPeer(workspace: Workspace, op: 'peer_add' | 'peer_remove', userId: number): void {
  const { db } = workspace
  for (const channel of allChannels(workspace)) {
    if (!isSubscribed(db, userId, channel.channel_id)) continue
    const others = [...viewersOf(db, channel)].filter((id) => id !== userId)
    workspace.publish(others, {
      type: 'subscription',
      op,
      stream_ids: [channel.channel_id],
      user_ids: [userId],
    })
  }
}

function sendFarewell(workspace: Workspace, person: UserRow, comment: string): void {
  const name = realmValue(workspace.db, 'name')
  workspace.configuration.sendMail({
    to: person.delivery_email,
    subject: `Your account with ${name} has been deactivated`,
    text: [`Your account with ${name} has been deactivated.`, 'An administrator writes:', comment].join(
      '\n\n',
    ),
  })
}
