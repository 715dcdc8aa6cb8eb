import type { Database } from './database.ts'
import { badRequest } from './service-error.ts'
import { channelById, type ChannelRow, type UserRow } from './workspace.ts'

// Every question of the kind "may this person" is answered here.

export const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const

export const isAdministrator = (user: UserRow): boolean => user.role <= roles.administrator
export const isGuest = (user: UserRow): boolean => user.role === roles.guest

interface GroupRow {
  group_id: number
  name: string
  members: string
  subgroups: string
  is_system: number
}

/** Whether a person is in a group, directly, by role, or through groups within it. */
export function isInGroup(db: Database, user: UserRow, groupId: number, seen = new Set<number>()): boolean {
  if (seen.has(groupId)) return false
  seen.add(groupId)
  const group = db.get<GroupRow>('SELECT * FROM user_groups WHERE group_id = ?', groupId)
  if (group === undefined) return false
  if (group.is_system === 1) return user.role <= (systemGroups[group.name] ?? 0)
  // Written by this service: arrays of numbers.
  const members = JSON.parse(group.members) as number[]
  const subgroups = JSON.parse(group.subgroups) as number[]
  return members.includes(user.user_id) || subgroups.some((id) => isInGroup(db, user, id, seen))
}

/** System groups and the least role that is in them; nobody is in the last. */
export const systemGroups: Readonly<Record<string, number>> = {
  'role:internet': 600,
  'role:everyone': 600,
  'role:members': 400,
  'role:fullmembers': 400,
  'role:moderators': 300,
  'role:administrators': 200,
  'role:owners': 100,
  'role:nobody': 0,
}

/** Whether a group-setting value (JSON) includes a person. */
export function holds(db: Database, user: UserRow, settingJson: string): boolean {
  const setting: unknown = JSON.parse(settingJson)
  if (typeof setting === 'number') return isInGroup(db, user, setting)
  if (typeof setting !== 'object' || setting === null) return true
  // Written by this service in the form of the specification.
  const { direct_members, direct_subgroups } = setting as {
    direct_members: number[]
    direct_subgroups: number[]
  }
  return direct_members.includes(user.user_id) || direct_subgroups.some((id) => isInGroup(db, user, id))
}

export function isSubscribed(db: Database, userId: number, channelId: number): boolean {
  return (
    db.get(
      'SELECT 1 FROM subscriptions WHERE user_id = ? AND channel_id = ? AND is_active = 1',
      userId,
      channelId,
    ) !== undefined
  )
}

/** Whether a person may know that a channel is there. */
export function canSeeChannel(db: Database, user: UserRow, channel: ChannelRow): boolean {
  if (isSubscribed(db, user.user_id, channel.channel_id) || channel.is_web_public === 1) return true
  if (isGuest(user)) return false
  return channel.is_private === 0 || isAdministrator(user)
}

/** Whether a person may read a channel's messages. */
export function canReadChannel(db: Database, user: UserRow, channel: ChannelRow): boolean {
  if (isSubscribed(db, user.user_id, channel.channel_id) || channel.is_web_public === 1) return true
  return channel.is_private === 0 && !isGuest(user)
}

/** The channel, if the person may know of it; missing and hidden ones are refused alike. */
export function accessibleChannel(db: Database, user: UserRow, id: number): ChannelRow {
  const channel = channelById(db, id)
  if (channel === undefined || !canSeeChannel(db, user, channel)) throw badRequest('Invalid channel ID')
  return channel
}

/** Refuses a message to a channel with the reason, or does nothing. */
export function assertCanPost(db: Database, user: UserRow, channel: ChannelRow): void {
  if (channel.is_archived === 1) throw badRequest(`Nobody can write in #${channel.name}: it is archived.`)
  const owner = user.bot_owner_id
  const isInside =
    isSubscribed(db, user.user_id, channel.channel_id) ||
    (owner !== null && isSubscribed(db, owner, channel.channel_id))
  if (!isInside && (channel.is_private === 1 || isGuest(user))) {
    throw badRequest(`You do not have permission to write in #${channel.name}.`)
  }
  if (!holds(db, user, channel.can_send_group)) {
    throw badRequest(`Only some people can write in #${channel.name}, and you are not among them.`)
  }
}

/**
 * SQL that is true for messages a person may read; `m` is the message. Takes the person's id, then 1 for guests.
 * Own rows count, and whole histories of channels that share theirs.
 */
export const readableSql = `(
  EXISTS (SELECT 1 FROM user_messages um WHERE um.user_id = :user AND um.message_id = m.message_id AND (
    m.channel_id IS NULL OR EXISTS (SELECT 1 FROM channels c WHERE c.channel_id = m.channel_id AND (
      (c.is_private = 0 AND :guest = 0) OR c.is_web_public = 1 OR EXISTS (SELECT 1 FROM subscriptions s
        WHERE s.user_id = :user AND s.channel_id = c.channel_id AND s.is_active = 1)))))
  OR EXISTS (SELECT 1 FROM channels c WHERE c.channel_id = m.channel_id AND c.has_shared_history = 1 AND (
    (c.is_private = 0 AND :guest = 0) OR c.is_web_public = 1 OR EXISTS (SELECT 1 FROM subscriptions s
      WHERE s.user_id = :user AND s.channel_id = c.channel_id AND s.is_active = 1))))`
