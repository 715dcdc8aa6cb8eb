import type { Handlers } from '../../src-shared/api/index.ts'
import type { ApiUser } from '../../src-shared/api/users.ts'
import type { Database } from '../database.ts'
import { normalizeTopic } from '../topics.ts'
import { assertMayWriteTo } from '../messages/sending-rules.ts'
import { accessibleChannel, assertCanPost } from '../permissions/channels.ts'
import { badRequest } from '../service-error.ts'
import { settingOf } from '../people/settings.ts'
import { apiUser, apiUserFor } from '../people/shown-users.ts'
import { canAccessUser, knownPeople, knownUserIds, personByEmail } from '../people/user-access.ts'
import { subscribersOf, userById, type UserRow, type Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

/** The same without custom profile values, which are sent only on request. */
function withoutProfile({ profile_data: _profile, ...rest }: ApiUser): ApiUser {
  return rest
}

/** Every person and bot, deactivated ones too, by id. */
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
    return { user: shownTo(db, user, knownPeople(db, user)(user_id), whole) }
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
    // A limited guest may not know of the sender: in a channel that the sender is not in, or before the first message.
    const hears = (person: UserRow | undefined) =>
      person !== undefined &&
      settingOf(db, person.user_id, 'receives_typing_notifications') === true &&
      canAccessUser(db, person, user.user_id)
    if (isChannel) {
      if (input.stream_id === undefined || input.topic === undefined)
        throw badRequest('Missing stream_id or topic')
      const channel = accessibleChannel(db, user, input.stream_id)
      assertCanPost(db, user, channel)
      const people = subscribersOf(db, channel.channel_id)
      if (people.length > 100) return {}
      const hearers = people.filter((id) => hears(userById(db, id)))
      workspace.publish(hearers, {
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
    const known = knownPeople(db, user)
    const people = [...new Set([...input.to, user.user_id])].map((id) => {
      const person = known(id)
      if (person === undefined) throw badRequest(`Invalid user ID ${id}`)
      return person
    })
    assertMayWriteTo(
      workspace,
      user,
      people.map((person) => person.user_id),
    )
    const hearers = people.filter(hears).map((person) => person.user_id)
    workspace.publish(hearers, {
      type: 'typing',
      op: input.op,
      message_type: 'direct',
      sender,
      recipients: people.map(({ user_id, email }) => ({ user_id, email })),
    })
    return {}
  },
}
