import type { Handlers } from '../../src-shared/api/index.ts'
import type { ApiUser } from '../../src-shared/api/users.ts'
import type { Database } from '../database.ts'
import { avatarUrl, normalizeTopic } from '../messages/messages.ts'
import { accessibleChannel, assertCanPost } from '../permissions.ts'
import { profileOf } from '../people/profile-fields.ts'
import { jsonOf } from '../events/ready-json.ts'
import { badRequest } from '../service-error.ts'
import { settingOf } from '../people/settings.ts'
import { canAccessUser, knownUserIds, mayKnowAddress, personByEmail } from '../people/user-access.ts'
import { subscribersOf, userById, type UserRow, type Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

/** People in their last API form, by row: a row is the same object until somebody changes it. */
const shown = new WeakMap<UserRow, ApiUser>()

/** A person for a reader who may see the real address; all other readers get `apiUserFor`. */
export function apiUser(user: UserRow): ApiUser {
  const known = shown.get(user)
  if (known !== undefined) return known
  const person = Object.freeze(newApiUser(user))
  jsonOf(person)
  shown.set(user, person)
  return person
}

function newApiUser(user: UserRow): ApiUser {
  return {
    user_id: user.user_id,
    email: user.email,
    delivery_email: user.delivery_email,
    full_name: user.full_name,
    date_joined: new Date(user.date_joined * 1000).toISOString(),
    is_active: user.is_active === 1,
    is_owner: user.role === 100,
    is_admin: user.role <= 200,
    is_guest: user.role === 600,
    is_bot: user.bot_type !== null,
    bot_type: user.bot_type,
    bot_owner_id: user.bot_owner_id,
    // Only the five roles of the specification are ever written.
    role: user.role as ApiUser['role'],
    timezone: user.timezone,
    avatar_url: avatarUrl(user),
    avatar_version: user.avatar_version,
    ...(user.bot_type === null ? { profile_data: profileOf(user) } : {}),
  }
}

/** A person, as the API shows them to a given reader. */
export function apiUserFor(db: Database, viewer: UserRow, user: UserRow): ApiUser {
  return mayKnowAddress(db, viewer, user) ? apiUser(user) : { ...apiUser(user), delivery_email: null }
}

/** The same without custom profile values, which are sent only on request. */
function withoutProfile({ profile_data: _profile, ...rest }: ApiUser): ApiUser {
  return rest
}

export function allUsers(workspace: Workspace): UserRow[] {
  return workspace.db.all<UserRow>('SELECT * FROM users ORDER BY user_id')
}

/** A person for a given reader. A guest learns as little about a hidden person as about one that does not exist. */
function shownTo(
  db: Database,
  viewer: UserRow,
  person: UserRow | undefined,
  whole: boolean | undefined,
): ApiUser {
  if (person === undefined) throw badRequest('No such user')
  const shown = apiUserFor(db, viewer, person)
  return whole === true ? shown : withoutProfile(shown)
}

export const users: Pick<
  Handlers<HandlerContext>,
  'getOwnUser' | 'getUsers' | 'getUser' | 'getUserByEmail' | 'setTypingStatus'
> = {
  getOwnUser: (_input, { workspace, user }) => {
    // A reader always learns whether they themselves are a bot, and of which kind.
    const { bot_type: _type, bot_owner_id: _owner, ...own } = apiUser(user)
    const newest = workspace.db.get<{ id: number | null }>(
      'SELECT max(message_id) AS id FROM user_messages WHERE user_id = ?',
      user.user_id,
    )
    return { ...own, max_message_id: newest?.id ?? -1 }
  },
  getUsers: ({ user_ids, include_custom_profile_fields: whole }, { workspace, user }) => {
    const known = knownUserIds(workspace.db, user)
    return {
      members: allUsers(workspace)
        .filter(({ user_id: id }) => (user_ids?.includes(id) ?? true) && (known?.has(id) ?? true))
        .map((one) => apiUserFor(workspace.db, user, one))
        .map((one) => (whole === true ? one : withoutProfile(one))),
    }
  },
  getUser: ({ user_id, include_custom_profile_fields: whole }, { workspace: { db }, user }) => {
    const person = canAccessUser(db, user, user_id) ? userById(db, user_id) : undefined
    return { user: shownTo(db, user, person, whole) }
  },
  getUserByEmail: ({ email, include_custom_profile_fields: whole }, { workspace: { db }, user }) => ({
    user: shownTo(db, user, personByEmail(db, user, email), whole),
  }),
  setTypingStatus: (input, { workspace, user }) => {
    const { db } = workspace
    const sender = { user_id: user.user_id, email: user.email }
    const isChannel = input.type === 'stream' || input.type === 'channel'
    if (
      settingOf(
        db,
        user.user_id,
        isChannel ? 'send_stream_typing_notifications' : 'send_private_typing_notifications',
      ) !== true
    ) {
      throw badRequest('User has disabled typing notifications')
    }
    const listens = (id: number) => settingOf(db, id, 'receives_typing_notifications') === true
    if (isChannel) {
      if (input.stream_id === undefined || input.topic === undefined)
        throw badRequest('Missing stream_id or topic')
      const channel = accessibleChannel(db, user, input.stream_id)
      assertCanPost(db, user, channel)
      const people = subscribersOf(db, channel.channel_id)
      if (people.length > 100) return {}
      workspace.publish(people.filter(listens), {
        type: 'typing',
        op: input.op,
        message_type: 'stream',
        sender,
        stream_id: channel.channel_id,
        topic: normalizeTopic(db, input.topic),
      })
      return {}
    }
    if (input.to === undefined || input.to.length === 0) throw badRequest('Missing parameter: to (recipient)')
    const people = [...new Set([...input.to, user.user_id])].map((id) => {
      const person = userById(db, id)
      if (person === undefined) throw badRequest(`Invalid user ID ${id}`)
      return person
    })
    workspace.publish(people.map((person) => person.user_id).filter(listens), {
      type: 'typing',
      op: input.op,
      message_type: 'direct',
      sender,
      recipients: people.map(({ user_id, email }) => ({ user_id, email })),
    })
    return {}
  },
}
