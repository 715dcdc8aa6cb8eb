import { roles } from '../../src-shared/roles.ts'
import type { Database } from '../database.ts'
import { badRequest } from '../service-error.ts'
import { channelById, subscribersOf, userById, type ChannelRow, type UserRow } from '../workspace.ts'
import { isAdministrator, isGuest } from './roles.ts'
import { holdersInChannel, mayInChannel, mayInRealm } from './holders.ts'

/** Whether a person is subscribed to a channel now. */
export function isSubscribed(db: Database, userId: number, channelId: number): boolean {
  return (
    db.get(
      'SELECT 1 FROM subscriptions WHERE user_id = ? AND channel_id = ? AND is_active = 1',
      userId,
      channelId,
    ) !== undefined
  )
}

const isOpenTo = (user: UserRow, channel: ChannelRow): boolean =>
  channel.is_web_public === 1 || (channel.is_private === 0 && !isGuest(user))

/** Whether a person holds a permission to join a channel or to subscribe others. */
const isLetIn = (db: Database, user: UserRow, channel: ChannelRow): boolean =>
  mayInChannel(db, user, channel, 'can_subscribe_group') ||
  mayInChannel(db, user, channel, 'can_add_subscribers_group')

/** Whether a person may read a channel's messages. */
export function canReadChannel(db: Database, user: UserRow, channel: ChannelRow): boolean {
  return (
    isOpenTo(user, channel) ||
    isSubscribed(db, user.user_id, channel.channel_id) ||
    isLetIn(db, user, channel)
  )
}

/** Whether a person may know of a channel: that it exists, its settings and its subscribers. */
export function canSeeChannel(db: Database, user: UserRow, channel: ChannelRow): boolean {
  return (
    isAdministrator(user) ||
    canReadChannel(db, user, channel) ||
    mayInChannel(db, user, channel, 'can_administer_channel_group')
  )
}

/** All active people who may know of a channel: like `canSeeChannel`, for everybody at once. */
export function viewersOf(db: Database, channel: ChannelRow): Set<number> {
  const byRole = db.column<number>(
    'SELECT user_id FROM users WHERE is_active = 1 AND role <= ?',
    channel.is_web_public === 1 ? roles.guest : channel.is_private === 0 ? roles.member : roles.administrator,
  )
  const viewers = new Set([
    ...byRole,
    ...subscribersOf(db, channel.channel_id),
    ...holdersInChannel(db, channel, 'can_subscribe_group'),
    ...holdersInChannel(db, channel, 'can_add_subscribers_group'),
    ...holdersInChannel(db, channel, 'can_administer_channel_group'),
  ])
  return viewers
}

/** The channel, if the person may know of it; missing and hidden channels are refused in the same way. */
export function accessibleChannel(db: Database, user: UserRow, id: number): ChannelRow {
  const channel = channelById(db, id)
  if (channel === undefined || !canSeeChannel(db, user, channel)) throw badRequest('Invalid channel ID')
  return channel
}

/** The channel, if the person may read it; missing and unreadable channels are refused in the same way. */
export function readableChannel(db: Database, user: UserRow, id: number): ChannelRow {
  const channel = channelById(db, id)
  if (channel === undefined || !canReadChannel(db, user, channel)) throw badRequest('Invalid channel ID')
  return channel
}

/** Whether a person may change a channel's settings. */
export const canAdministerChannel = (db: Database, user: UserRow, channel: ChannelRow): boolean =>
  isAdministrator(user) || mayInChannel(db, user, channel, 'can_administer_channel_group')

/** The channel, if the person may change its settings. */
export function administeredChannel(db: Database, user: UserRow, id: number): ChannelRow {
  const channel = accessibleChannel(db, user, id)
  if (!canAdministerChannel(db, user, channel)) {
    throw badRequest('You do not have permission to administer this channel.')
  }
  return channel
}

/** Whether a person may subscribe others to a channel. */
export function canAddSubscribers(db: Database, user: UserRow, channel: ChannelRow): boolean {
  if (mayInChannel(db, user, channel, 'can_add_subscribers_group')) return true
  return (
    canReadChannel(db, user, channel) &&
    (canAdministerChannel(db, user, channel) || canAddSubscribersAnywhere(db, user))
  )
}

/** Whether a person may subscribe others to the channels that they can read. */
export const canAddSubscribersAnywhere = (db: Database, user: UserRow): boolean =>
  isAdministrator(user) || mayInRealm(db, user, 'can_add_subscribers_group')

/** Whether a person may end another's subscription; always for their own and their bots'. */
export function canRemoveSubscriber(
  db: Database,
  user: UserRow,
  channel: ChannelRow,
  person: UserRow,
): boolean {
  return (
    person.user_id === user.user_id ||
    person.bot_owner_id === user.user_id ||
    canAdministerChannel(db, user, channel) ||
    (canSeeChannel(db, user, channel) && mayInChannel(db, user, channel, 'can_remove_subscribers_group'))
  )
}

/** Whether a person may create a channel of this kind. */
export function canCreateChannel(
  db: Database,
  user: UserRow,
  kind: { readonly isPrivate: boolean; readonly isWebPublic: boolean },
): boolean {
  if (kind.isWebPublic) return mayInRealm(db, user, 'can_create_web_public_channel_group')
  return mayInRealm(
    db,
    user,
    kind.isPrivate ? 'can_create_private_channel_group' : 'can_create_public_channel_group',
  )
}

/** Whose permissions to write somebody has: their own, and a bot also its owner's. */
function speakersOf(db: Database, user: UserRow): UserRow[] {
  const owner = user.bot_owner_id === null ? undefined : userById(db, user.bot_owner_id)
  return owner === undefined ? [user] : [user, owner]
}

/** Whether a channel may be named as the place of a message. */
export const canAddressChannel = (db: Database, user: UserRow, channel: ChannelRow): boolean =>
  speakersOf(db, user).some((one) => canSeeChannel(db, one, channel))

/** Refuses a message to a channel with the reason; otherwise does nothing. */
export function assertCanPost(db: Database, user: UserRow, channel: ChannelRow): void {
  if (channel.is_archived === 1) throw badRequest(`Nobody can write in #${channel.name}: it is archived.`)
  const speakers = speakersOf(db, user)
  // In a private channel without shared history, only subscribers read what is written, and only they write.
  const isShared = channel.is_private === 0 || channel.has_shared_history === 1
  const isInside = speakers.some(
    (one) =>
      isSubscribed(db, one.user_id, channel.channel_id) ||
      (isShared && !isGuest(one) && canReadChannel(db, one, channel)),
  )
  if (!isInside) throw badRequest(`You do not have permission to write in #${channel.name}.`)
  if (!speakers.some((one) => mayInChannel(db, one, channel, 'can_send_message_group'))) {
    throw badRequest(`Only some people can write in #${channel.name}, and you are not among them.`)
  }
}
