import type { ApiChannel, ApiSubscription } from '../../src-shared/api/channels.ts'
import type { Handlers } from '../../src-shared/api/index.ts'
import { topicKey } from '../messages.ts'
import {
  accessibleChannel,
  canReadChannel,
  canSeeChannel,
  isAdministrator,
  isGuest,
  isSubscribed,
} from '../permissions.ts'
import { badRequest } from '../service-error.ts'
import {
  realmValue,
  subscribersOf,
  userById,
  type ChannelRow,
  type UserRow,
  type Workspace,
} from '../workspace.ts'
import { render } from '../messages.ts'
import type { HandlerContext } from './context.ts'

interface SubscriptionRow {
  color: string
  is_muted: number
  pin_to_top: number
  desktop_notifications: number | null
  audible_notifications: number | null
  push_notifications: number | null
  email_notifications: number | null
  wildcard_mentions_notify: number | null
}

const activeSeconds = 180 * 24 * 60 * 60

/** A channel as the API shows it. */
export function apiChannel(workspace: Workspace, user: UserRow, row: ChannelRow): ApiChannel {
  const { db } = workspace
  const ends = db.get<{ first: number | null; sent: number | null }>(
    `SELECT min(message_id) AS first, (SELECT sent_at FROM messages WHERE channel_id = ? ORDER BY message_id DESC LIMIT 1) AS sent
     FROM messages WHERE channel_id = ?`,
    row.channel_id,
    row.channel_id,
  )
  return {
    stream_id: row.channel_id,
    name: row.name,
    is_archived: row.is_archived === 1,
    description: row.description,
    rendered_description: render(workspace, user, row.description).html,
    date_created: row.date_created,
    creator_id: row.creator_id,
    invite_only: row.is_private === 1,
    is_web_public: row.is_web_public === 1,
    stream_post_policy: 1,
    is_announcement_only: false,
    message_retention_days: null,
    history_public_to_subscribers: row.has_shared_history === 1,
    topics_policy: row.topics_policy,
    first_message_id: ends?.first ?? null,
    folder_id: row.folder_id,
    is_recently_active: workspace.now() - (ends?.sent ?? 0) < activeSeconds,
    stream_weekly_traffic: null,
    subscriber_count: subscribersOf(db, row.channel_id).length,
    // Written by this service as a group-setting value.
    can_send_message_group: JSON.parse(row.can_send_group) as NonNullable<
      ApiChannel['can_send_message_group']
    >,
  }
}

const choice = (value: number | null) => (value === null ? null : value === 1)

/** A channel with the person's own settings for it. */
export function apiSubscription(workspace: Workspace, user: UserRow, row: ChannelRow): ApiSubscription {
  const own = workspace.db.get<SubscriptionRow>(
    'SELECT * FROM subscriptions WHERE user_id = ? AND channel_id = ?',
    user.user_id,
    row.channel_id,
  )
  const isMuted = own?.is_muted === 1
  return {
    ...apiChannel(workspace, user, row),
    color: own?.color ?? '#c2c2c2',
    is_muted: isMuted,
    in_home_view: !isMuted,
    pin_to_top: own?.pin_to_top === 1,
    desktop_notifications: choice(own?.desktop_notifications ?? null),
    audible_notifications: choice(own?.audible_notifications ?? null),
    push_notifications: choice(own?.push_notifications ?? null),
    email_notifications: choice(own?.email_notifications ?? null),
    wildcard_mentions_notify: choice(own?.wildcard_mentions_notify ?? null),
    subscribers: subscribersOf(workspace.db, row.channel_id),
  }
}

export const allChannels = (workspace: Workspace): ChannelRow[] =>
  workspace.db.all<ChannelRow>('SELECT * FROM channels ORDER BY channel_id')

export const channels: Pick<
  Handlers<HandlerContext>,
  | 'getStreams'
  | 'getSubscriptions'
  | 'subscribe'
  | 'unsubscribe'
  | 'updateSubscriptionSettings'
  | 'getStreamTopics'
  | 'updateUserTopic'
> = {
  getStreams: (input, { workspace, user }) => {
    const { db } = workspace
    if (input.include_all_active === true && !isAdministrator(user))
      throw badRequest('User not authorized for this query')
    const rows = allChannels(workspace).filter((row) => {
      if (input.exclude_archived !== false && row.is_archived === 1) return false
      const subscribed = isSubscribed(db, user.user_id, row.channel_id)
      return (
        (input.include_public !== false && row.is_private === 0 && !isGuest(user)) ||
        (input.include_web_public === true && row.is_web_public === 1) ||
        (input.include_subscribed !== false && subscribed) ||
        ((input.include_all === true || input.include_all_active === true) && canSeeChannel(db, user, row)) ||
        (input.include_default === true && row.is_default === 1) ||
        (input.include_can_access_content === true && canReadChannel(db, user, row)) ||
        (input.include_owner_subscribed === true &&
          user.bot_owner_id !== null &&
          isSubscribed(db, user.bot_owner_id, row.channel_id))
      )
    })
    return {
      streams: rows.map((row) => ({
        ...apiChannel(workspace, user, row),
        ...(input.include_default === true ? { is_default: row.is_default === 1 } : {}),
      })),
    }
  },
  getSubscriptions: (input, { workspace, user }) => ({
    subscriptions: allChannels(workspace)
      .filter((row) => isSubscribed(workspace.db, user.user_id, row.channel_id))
      .map((row) => {
        const { subscribers, ...rest } = apiSubscription(workspace, user, row)
        return input.include_subscribers === 'true' && subscribers !== undefined
          ? { ...rest, subscribers }
          : rest
      }),
  }),
  subscribe: (input, { workspace, user }) => {
    if (isGuest(user)) throw badRequest('Guests cannot subscribe to channels by themselves')
    const people = (input.principals ?? [user.user_id]).map((one) => principal(workspace, one))
    const subscribed: Record<string, string[]> = {}
    const already: Record<string, string[]> = {}
    for (const { name, description, color } of input.subscriptions) {
      const channel =
        channelByName(workspace, name) ??
        createChannel(workspace, user, {
          name,
          description: description ?? '',
          isPrivate: input.invite_only === true,
        })
      if (!canReadChannel(workspace.db, user, channel) && channel.creator_id !== user.user_id) {
        throw badRequest(`Unable to access channel (${name}).`)
      }
      for (const person of people) {
        const list = addSubscriber(workspace, person, channel, color) ? subscribed : already
        ;(list[String(person.user_id)] ??= []).push(channel.name)
      }
    }
    return { subscribed, already_subscribed: already }
  },
  unsubscribe: (input, { workspace, user }) => {
    const people = (input.principals ?? [user.user_id]).map((one) => principal(workspace, one))
    if (people.some(({ user_id }) => user_id !== user.user_id) && !isAdministrator(user)) {
      throw badRequest('Insufficient permission')
    }
    const removed: string[] = []
    const notRemoved: string[] = []
    for (const name of input.subscriptions) {
      const channel = channelByName(workspace, name)
      if (channel === undefined) throw badRequest(`Channel(s) (${name}) do not exist`)
      for (const person of people) {
        const { changes } = workspace.db.run(
          'UPDATE subscriptions SET is_active = 0 WHERE user_id = ? AND channel_id = ? AND is_active = 1',
          person.user_id,
          channel.channel_id,
        )
        ;(changes > 0 ? removed : notRemoved).push(channel.name)
        if (changes === 0) continue
        workspace.publish([person.user_id], {
          type: 'subscription',
          op: 'remove',
          subscriptions: [{ stream_id: channel.channel_id, name: channel.name }],
        })
        publishPeer(workspace, 'peer_remove', channel, person.user_id)
      }
    }
    return { removed, not_removed: notRemoved }
  },
  updateSubscriptionSettings: ({ subscription_data }, { workspace, user }) => {
    for (const { stream_id, property, value } of subscription_data) {
      accessibleChannel(workspace.db, user, stream_id)
      if (!isSubscribed(workspace.db, user.user_id, stream_id))
        throw badRequest(`Not subscribed to channel id ${stream_id}`)
      changeSubscription(workspace, user, stream_id, property, value)
    }
    return {}
  },
  getStreamTopics: ({ stream_id, allow_empty_topic_name }, { workspace, user }) => {
    const channel = accessibleChannel(workspace.db, user, stream_id)
    if (!canReadChannel(workspace.db, user, channel)) throw badRequest('Invalid channel ID')
    const since =
      channel.has_shared_history === 1
        ? ''
        : `AND EXISTS (SELECT 1 FROM user_messages um WHERE um.user_id = ${user.user_id} AND um.message_id = m.message_id)`
    const rows = workspace.db.all<{ max_id: number; topic: string }>(
      `SELECT max(message_id) AS max_id, topic FROM messages m WHERE channel_id = ? ${since} GROUP BY topic_key ORDER BY max_id DESC`,
      stream_id,
    )
    return {
      topics: rows.map(({ max_id, topic }) => ({
        max_id,
        name:
          topic === '' && allow_empty_topic_name !== true
            ? realmValue(workspace.db, 'empty_topic_display_name')
            : topic,
      })),
    }
  },
  updateUserTopic: ({ stream_id, topic, visibility_policy }, { workspace, user }) => {
    accessibleChannel(workspace.db, user, stream_id)
    if ([...topic].length > 60) throw badRequest('Topic is too long (limit: 60 characters)')
    const now = workspace.now()
    setTopicPolicy(workspace, user.user_id, stream_id, topic, visibility_policy)
    workspace.publish([user.user_id], {
      type: 'user_topic',
      stream_id,
      topic_name: topic,
      last_updated: now,
      visibility_policy,
    })
    return {}
  },
}

export function setTopicPolicy(
  workspace: Workspace,
  userId: number,
  channelId: number,
  topic: string,
  policy: number,
): void {
  if (policy === 0) {
    workspace.db.run(
      'DELETE FROM user_topics WHERE user_id = ? AND channel_id = ? AND topic_key = ?',
      userId,
      channelId,
      topicKey(topic),
    )
  } else {
    workspace.db.run(
      'INSERT OR REPLACE INTO user_topics VALUES (?, ?, ?, ?, ?, ?)',
      userId,
      channelId,
      topicKey(topic),
      topic,
      policy,
      workspace.now(),
    )
  }
}

const channelByName = (workspace: Workspace, name: string) =>
  workspace.db.get<ChannelRow>('SELECT * FROM channels WHERE name = ?', name)

function principal(workspace: Workspace, one: number | string): UserRow {
  const row =
    typeof one === 'number'
      ? userById(workspace.db, one)
      : workspace.db.get<UserRow>('SELECT * FROM users WHERE email = ? OR delivery_email = ?', one, one)
  if (row === undefined) throw badRequest(`User not authorized to execute queries on behalf of '${one}'`)
  return row
}

export interface NewChannel {
  readonly name: string
  readonly description: string
  readonly isPrivate?: boolean
  readonly isWebPublic?: boolean
  readonly isArchived?: boolean
  readonly folderId?: number
  readonly canSendGroup?: string
  readonly created?: number
}

/** Adds a channel; tells nobody, subscribing does. */
export function createChannel(workspace: Workspace, creator: UserRow, channel: NewChannel): ChannelRow {
  const name = channel.name.trim()
  if (name === '' || [...name].length > 60) throw badRequest('Invalid channel name')
  const everyone = workspace.db.get<{ group_id: number }>(
    `SELECT group_id FROM user_groups WHERE name = 'role:everyone'`,
  )
  const { lastId } = workspace.db.run(
    `INSERT INTO channels (name, description, is_private, is_web_public, is_archived, has_shared_history, folder_id,
       creator_id, date_created, can_send_group) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    name,
    channel.description,
    channel.isPrivate === true ? 1 : 0,
    channel.isWebPublic === true ? 1 : 0,
    channel.isArchived === true ? 1 : 0,
    channel.isPrivate === true ? 0 : 1,
    channel.folderId ?? null,
    creator.user_id,
    channel.created ?? workspace.now(),
    channel.canSendGroup ?? String(everyone?.group_id ?? 'null'),
  )
  const row = workspace.db.get<ChannelRow>('SELECT * FROM channels WHERE channel_id = ?', lastId)
  if (row === undefined) throw new Error('the new channel is not there')
  return row
}

/** Subscribes a person; false when they were already. */
export function addSubscriber(
  workspace: Workspace,
  person: UserRow,
  channel: ChannelRow,
  color?: string,
): boolean {
  if (isSubscribed(workspace.db, person.user_id, channel.channel_id)) return false
  workspace.db.run(
    `INSERT INTO subscriptions (user_id, channel_id, color) VALUES (?, ?, ?)
     ON CONFLICT (user_id, channel_id) DO UPDATE SET is_active = 1`,
    person.user_id,
    channel.channel_id,
    color ?? palette[channel.channel_id % palette.length] ?? '#76ce90',
  )
  workspace.publish([person.user_id], {
    type: 'subscription',
    op: 'add',
    subscriptions: [apiSubscription(workspace, person, channel)],
  })
  publishPeer(workspace, 'peer_add', channel, person.user_id)
  return true
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

function publishPeer(
  workspace: Workspace,
  op: 'peer_add' | 'peer_remove',
  channel: ChannelRow,
  userId: number,
): void {
  const others = subscribersOf(workspace.db, channel.channel_id).filter((id) => id !== userId)
  workspace.publish(others, {
    type: 'subscription',
    op,
    stream_ids: [channel.channel_id],
    user_ids: [userId],
  })
}

const booleanProperties = [
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
]

function changeSubscription(
  workspace: Workspace,
  user: UserRow,
  channelId: number,
  property: string,
  value: string | boolean,
): void {
  const put = (column: string, stored: string | number) =>
    workspace.db.run(
      `UPDATE subscriptions SET ${column} = ? WHERE user_id = ? AND channel_id = ?`,
      stored,
      user.user_id,
      channelId,
    )
  const tell = (name: string, shown: string | boolean) =>
    workspace.publish([user.user_id], {
      type: 'subscription',
      op: 'update',
      stream_id: channelId,
      property: name,
      value: shown,
    })
  if (property === 'color') {
    if (typeof value !== 'string' || !/^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value))
      throw badRequest('color is not a valid hex color code')
    put('color', value)
    tell('color', value)
    return
  }
  if (typeof value !== 'boolean') throw badRequest(`value is not a boolean`)
  if (property === 'is_muted' || property === 'in_home_view') {
    const isMuted = property === 'is_muted' ? value : !value
    put('is_muted', isMuted ? 1 : 0)
    tell('in_home_view', !isMuted)
    tell('is_muted', isMuted)
  } else if (booleanProperties.includes(property)) {
    put(property, value ? 1 : 0)
    tell(property, value)
  } else throw badRequest(`Unknown subscription property: ${property}`)
}
