import type { ApiChannel, ApiSubscription } from '../../src-shared/api/channels.ts'
import { daySeconds } from '../../src-shared/durations.ts'
import { apiChannel } from './channels.ts'
import { watchAcquaintances } from '../people/acquaintances.ts'
import { watchVisibility } from './channel-audience.ts'
import { canReadChannel, isSubscribed, viewersOf } from '../permissions/channels.ts'
import { subscribersOf, type ChannelRow, type UserRow, type Workspace } from '../workspace.ts'

/** A person's own settings for a channel. */
export interface SubscriptionRow {
  readonly color: string
  readonly is_muted: number
  readonly pin_to_top: number
  readonly desktop_notifications: number | null
  readonly audible_notifications: number | null
  readonly push_notifications: number | null
  readonly email_notifications: number | null
  readonly wildcard_mentions_notify: number | null
}

const rowOf = (workspace: Workspace, userId: number, channelId: number) =>
  workspace.db.get<SubscriptionRow>(
    'SELECT * FROM subscriptions WHERE user_id = ? AND channel_id = ?',
    userId,
    channelId,
  )

const choice = (value: number | null) => (value === null ? null : value === 1)

/** A channel with the person's own settings for it and all its subscribers. */
export function apiSubscription(
  workspace: Workspace,
  user: UserRow,
  row: ChannelRow,
  known: { channel?: ApiChannel; own?: SubscriptionRow; withoutSubscribers?: boolean } = {},
): ApiSubscription {
  const own = known.own ?? rowOf(workspace, user.user_id, row.channel_id)
  const isMuted = own?.is_muted === 1
  return {
    ...(known.channel ?? apiChannel(workspace, user, row)),
    color: own?.color ?? '#c2c2c2',
    is_muted: isMuted,
    in_home_view: !isMuted,
    pin_to_top: own?.pin_to_top === 1,
    desktop_notifications: choice(own?.desktop_notifications ?? null),
    audible_notifications: choice(own?.audible_notifications ?? null),
    push_notifications: choice(own?.push_notifications ?? null),
    email_notifications: choice(own?.email_notifications ?? null),
    wildcard_mentions_notify: choice(own?.wildcard_mentions_notify ?? null),
    ...(known.withoutSubscribers === true
      ? {}
      : { subscribers: subscribersOf(workspace.db, row.channel_id) }),
  }
}

const wholeListBelow = 250
const activeSeconds = 14 * daySeconds

/**
 * A channel's subscribers as `include_subscribers` requests them: all, none, or, for a large channel, only the active
 * ones.
 */
export function withSubscribers(
  workspace: Workspace,
  mode: 'true' | 'false' | 'partial',
  channel: ApiSubscription,
): ApiSubscription {
  const { subscribers = [] } = channel
  if (mode === 'true' || (mode === 'partial' && subscribers.length < wholeListBelow)) return channel
  const without = { ...channel }
  delete without.subscribers
  if (mode === 'false') return without
  const lively = workspace.db.column<number>(
    `SELECT user_id FROM users LEFT JOIN presence USING (user_id) WHERE user_id IN (SELECT value FROM json_each(?))
     AND (bot_type IS NOT NULL OR max(active_at, idle_at) >= ?) ORDER BY user_id`,
    JSON.stringify(subscribers),
    workspace.now() - activeSeconds,
  )
  return { ...without, partial_subscribers: lively }
}

const palette = [
  '#1f8a9e',
  '#4b7631',
  '#a04d50',
  '#5d60a8',
  '#9c5330',
  '#2a6fa5',
  '#8a5d08',
  '#825594',
  '#20784c',
  '#964c78',
]

/**
 * Subscribes people to a channel and tells everybody concerned; returns those who were not subscribed before. The
 * colour is only for people who had none for the channel.
 */
export function addSubscribers(
  workspace: Workspace,
  people: readonly UserRow[],
  channel: ChannelRow,
  color?: string,
): UserRow[] {
  const { db } = workspace
  const added = people.filter((person) => !isSubscribed(db, person.user_id, channel.channel_id))
  if (added.length === 0) return []
  const watch = watchVisibility(workspace, [channel.channel_id])
  const acquaintances = watchAcquaintances(workspace, null)
  db.transaction(() => {
    for (const person of added) {
      db.run(
        `INSERT INTO subscriptions (user_id, channel_id, color) VALUES (?, ?, ?)
         ON CONFLICT (user_id, channel_id) DO UPDATE SET is_active = 1`,
        person.user_id,
        channel.channel_id,
        color ?? palette[channel.channel_id % palette.length] ?? '#76ce90',
      )
    }
  })
  watch.announceGained()
  acquaintances.announceMet()
  for (const person of added) {
    workspace.publish([person.user_id], {
      type: 'subscription',
      op: 'add',
      subscriptions: [apiSubscription(workspace, person, channel)],
    })
  }
  publishPeers(workspace, 'peer_add', channel, added)
  return added
}

/** Subscribes one person; false if they were subscribed already. */
export const addSubscriber = (
  workspace: Workspace,
  person: UserRow,
  channel: ChannelRow,
  color?: string,
): boolean => addSubscribers(workspace, [person], channel, color).length > 0

/**
 * Ends subscriptions, marks as read what the people had not read of the channel, and tells everybody concerned; returns
 * those who were subscribed.
 */
export function removeSubscribers(
  workspace: Workspace,
  people: readonly UserRow[],
  channel: ChannelRow,
): UserRow[] {
  const { db } = workspace
  const removed = people.filter((person) => isSubscribed(db, person.user_id, channel.channel_id))
  if (removed.length === 0) return []
  const watch = watchVisibility(workspace, [channel.channel_id])
  const acquaintances = watchAcquaintances(workspace, null)
  const read = db.transaction(() =>
    removed.map((person) => {
      db.run(
        'UPDATE subscriptions SET is_active = 0 WHERE user_id = ? AND channel_id = ?',
        person.user_id,
        channel.channel_id,
      )
      return [person, readAll(workspace, person, channel)] as const
    }),
  )
  workspace.publish(
    removed.map((person) => person.user_id),
    {
      type: 'subscription',
      op: 'remove',
      subscriptions: [{ stream_id: channel.channel_id, name: channel.name }],
    },
  )
  for (const [person, messages] of read) {
    if (messages.length > 0 && canReadChannel(db, person, channel))
      workspace.publish([person.user_id], {
        type: 'update_message_flags',
        op: 'add',
        operation: 'add',
        flag: 'read',
        messages,
        all: false,
      })
  }
  publishPeers(workspace, 'peer_remove', channel, removed)
  acquaintances.announceLost()
  watch.announceLost()
  return removed
}

/** Marks what a person has not read of a channel as read; returns those messages, ascending. */
const readAll = ({ db }: Workspace, person: UserRow, channel: ChannelRow): number[] =>
  db
    .column<number>(
      `UPDATE user_messages SET is_read = 1 WHERE user_id = ? AND is_read = 0 AND EXISTS (SELECT 1 FROM messages m
         WHERE m.message_id = user_messages.message_id AND m.channel_id = ?) RETURNING message_id`,
      person.user_id,
      channel.channel_id,
    )
    .sort((a, b) => a - b)

/** Tells everybody else who can see the channel. The people themselves hear that they gained or lost the channel. */
function publishPeers(
  workspace: Workspace,
  op: 'peer_add' | 'peer_remove',
  channel: ChannelRow,
  people: readonly UserRow[],
): void {
  const ids = people.map((person) => person.user_id)
  const others = [...viewersOf(workspace.db, channel)].filter((id) => !ids.includes(id))
  workspace.publish(others, {
    type: 'subscription',
    op,
    stream_ids: [channel.channel_id],
    user_ids: ids,
  })
}
