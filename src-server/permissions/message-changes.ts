import type { Database } from '../database.ts'
import { messageLimits } from './message-limits.ts'
import { badRequest } from '../service-error.ts'
import { userById, type ChannelRow, type UserRow } from '../workspace.ts'
import { canAdministerChannel } from './channels.ts'
import { roles } from '../../src-shared/roles.ts'
import { mayInChannel, mayInRealm } from './holders.ts'

/** The facts about a message that decide who may change it. */
export interface ChangedMessage {
  readonly sender_id: number
  readonly sent_at: number
}

/** A change that was started in time may arrive slightly late. */
const graceSeconds = 20

const isLate = (message: ChangedMessage, limitSeconds: number | null, now: number, grace = 0): boolean =>
  limitSeconds !== null && now - message.sent_at > limitSeconds + grace

/** Refuses a change of a message's text with the reason; otherwise does nothing. `now` is in UNIX seconds. */
export function assertCanEdit(db: Database, user: UserRow, message: ChangedMessage, now: number): void {
  if (message.sender_id !== user.user_id) throw badRequest("You don't have permission to edit this message")
  const limits = messageLimits(db)
  if (!limits.allow_message_editing) throw badRequest('Your organization has turned off message editing')
  if (isLate(message, limits.message_content_edit_limit_seconds, now, graceSeconds))
    throw badRequest('The time limit for editing this message has passed')
}

/** Refuses a deletion with the reason; otherwise does nothing. A direct message has no channel. */
export function assertCanDelete(
  db: Database,
  user: UserRow,
  message: ChangedMessage,
  channel: ChannelRow | undefined,
  now: number,
): void {
  const may = (name: 'can_delete_any_message_group' | 'can_delete_own_message_group') =>
    mayInRealm(db, user, name) || (channel !== undefined && mayInChannel(db, user, channel, name))
  if (may('can_delete_any_message_group')) return
  const isOwn =
    message.sender_id === user.user_id || userById(db, message.sender_id)?.bot_owner_id === user.user_id
  if (!isOwn || !may('can_delete_own_message_group'))
    throw badRequest("You don't have permission to delete this message")
  if (isLate(message, messageLimits(db).message_content_delete_limit_seconds, now))
    throw badRequest('The time limit for deleting this message has passed')
}

/** Whether a person may move messages of a channel to another topic, in that channel or at their destination. */
export const canChangeTopics = (
  db: Database,
  user: UserRow,
  source: ChannelRow,
  target: ChannelRow,
): boolean =>
  mayInRealm(db, user, 'can_move_messages_between_topics_group') ||
  [source, target].some(
    (channel) =>
      mayInChannel(db, user, channel, 'can_move_messages_within_channel_group') ||
      canAdministerChannel(db, user, channel),
  )

/** Whether a person may move messages out of a channel. */
export const canMoveOut = (db: Database, user: UserRow, channel: ChannelRow): boolean =>
  mayInRealm(db, user, 'can_move_messages_between_channels_group') ||
  mayInChannel(db, user, channel, 'can_move_messages_out_of_channel_group') ||
  canAdministerChannel(db, user, channel)

/** Whether a person may mark topics of a channel as resolved or unresolved. */
export const canResolveTopics = (db: Database, user: UserRow, channel: ChannelRow): boolean =>
  mayInRealm(db, user, 'can_resolve_topics_group') ||
  mayInChannel(db, user, channel, 'can_resolve_topics_group')

/** The time, in UNIX seconds, before which a person may no longer move messages; null: no limit. */
export function movableSince(
  db: Database,
  user: UserRow,
  change: { readonly topic: boolean; readonly channel: boolean },
  now: number,
): number | null {
  if (user.role <= roles.moderator) return null
  const limits = messageLimits(db)
  const seconds = [
    change.topic ? limits.move_messages_within_stream_limit_seconds : null,
    change.channel ? limits.move_messages_between_streams_limit_seconds : null,
  ].filter((limit) => limit !== null)
  return seconds.length === 0 ? null : now - Math.min(...seconds)
}
