import type { Handlers } from '../../src-shared/api/index.ts'
import type { NewEvent } from '../event-queues.ts'
import { directUserIds } from '../messages.ts'
import { canSeeChannel, isSubscribed } from '../permissions.ts'
import { badRequest } from '../service-error.ts'
import { settingsOf } from '../settings.ts'
import { realmValue, type UserRow, type Workspace } from '../workspace.ts'
import { allChannels, apiChannel, apiSubscription } from './channels.ts'
import type { HandlerContext } from './context.ts'
import { draftsOf } from './drafts.ts'
import { allUsers, apiUser, legacyPresences, presences } from './users.ts'

const longpollSeconds = 90

export const queue: Pick<Handlers<HandlerContext>, 'registerQueue' | 'getEvents' | 'deleteQueue'> = {
  registerQueue: (input, { workspace, user }) => {
    const capabilities = input.client_capabilities ?? {}
    const eventTypes = input.event_types ?? null
    const { queueId, lastEventId } = workspace.queues.register({
      userId: user.user_id,
      eventTypes,
      capabilities,
      applyMarkdown: input.apply_markdown === true,
      allPublicStreams: input.all_public_streams === true,
      passes: narrowFilter(input.narrow ?? []),
      lifespanMs: (input.queue_lifespan_secs ?? 0) * 1_000,
    })
    const wanted = input.fetch_event_types ?? eventTypes
    const wants = (type: string) => wanted === null || wanted.includes(type)
    return {
      queue_id: queueId,
      last_event_id: lastEventId,
      service_feature_level: workspace.featureLevel,
      service_version: '12.0',
      service_merge_base: '12.0',
      ...(wants('realm') ? realmState(workspace) : {}),
      ...(wants('realm_user') ? userState(workspace, user) : {}),
      ...(wants('subscription')
        ? subscriptionState(workspace, user, input.include_subscribers ?? 'false')
        : {}),
      ...(wants('channel_folders') ? { channel_folders: folders(workspace) } : {}),
      ...(wants('user_topic') ? { user_topics: userTopics(workspace, user) } : {}),
      ...(wants('user_settings') ? { user_settings: settingsOf(workspace.db, user.user_id) } : {}),
      ...(wants('muted_users') ? { muted_users: mutedUsers(workspace, user) } : {}),
      ...(wants('drafts') ? { drafts: draftsOf(workspace, user.user_id) } : {}),
      ...(wants('presence')
        ? {
            presences:
              input.slim_presence === true || capabilities.simplified_presence_events === true
                ? presences(workspace)
                : legacyPresences(workspace),
            server_timestamp: workspace.now(),
            presence_last_update_id: workspace.now(),
          }
        : {}),
      ...(wants('message') && wants('update_message_flags') ? { unread_msgs: unread(workspace, user) } : {}),
      ...(wants('starred_messages') ? { starred_messages: starred(workspace, user) } : {}),
      ...(wants('recent_private_conversations')
        ? { recent_private_conversations: recentDirect(workspace, user) }
        : {}),
      ...(wants('realm_emoji') ? { realm_emoji: {} } : {}),
      ...(wants('realm_user_groups') ? { realm_user_groups: groups(workspace) } : {}),
      ...(wants('realm_linkifiers')
        ? { realm_linkifiers: capabilities.linkifier_url_template === true ? linkifierState(workspace) : [] }
        : {}),
      ...(wants('saved_snippets') ? { saved_snippets: snippets(workspace, user) } : {}),
    }
  },
  getEvents: async ({ queue_id, last_event_id, dont_block }, { workspace, user, gone }) => {
    if (queue_id === undefined) throw badRequest("Missing 'queue_id' argument")
    if (last_event_id === undefined) throw badRequest("Missing 'last_event_id' argument")
    const events = await workspace.queues.events(
      queue_id,
      user.user_id,
      last_event_id,
      dont_block === true,
      gone,
    )
    return { events, queue_id }
  },
  deleteQueue: ({ queue_id }, { workspace, user }) => {
    workspace.queues.remove(queue_id, user.user_id)
    return {}
  },
}

/** What a queue's narrow lets pass; only the operators that filter events. */
function narrowFilter(narrow: readonly (readonly [string, string])[]): (event: NewEvent) => boolean {
  for (const [operator] of narrow) {
    if (!['channel', 'stream', 'topic', 'sender', 'is'].includes(operator))
      throw badRequest(`Operator ${operator} not supported.`)
  }
  return (event) => {
    // A message event as `publishMessage` makes it.
    const { message, flags } = event as unknown as {
      message: { type: string; display_recipient: unknown; subject: string; sender_email: string }
      flags: string[]
    }
    return narrow.every(([operator, operand]) => {
      const same = (value: unknown) =>
        typeof value === 'string' && value.toLowerCase() === operand.toLowerCase()
      if (operator === 'channel' || operator === 'stream')
        return message.type === 'stream' && same(message.display_recipient)
      if (operator === 'topic') return message.type === 'stream' && same(message.subject)
      if (operator === 'sender') return same(message.sender_email)
      if (operand === 'dm' || operand === 'private') return message.type === 'private'
      if (operand === 'unread') return !flags.includes('read')
      if (operand === 'mentioned' || operand === 'starred') return flags.includes(operand)
      return true
    })
  }
}

function realmState(workspace: Workspace): Record<string, unknown> {
  return {
    realm_name: realmValue(workspace.db, 'name'),
    realm_description: realmValue(workspace.db, 'description'),
    realm_url: workspace.url,
    realm_uri: workspace.url,
    realm_icon_url: '/realm-icon',
    realm_icon_source: 'G',
    realm_empty_topic_display_name: realmValue(workspace.db, 'empty_topic_display_name'),
    realm_topics_policy: 'allow_empty_topic',
    realm_mandatory_topics: false,
    max_topic_length: 60,
    max_message_length: 10_000,
    max_stream_name_length: 60,
    max_stream_description_length: 1_024,
    max_channel_folder_name_length: 60,
    max_channel_folder_description_length: 1_024,
    event_queue_longpoll_timeout_seconds: longpollSeconds,
    server_presence_ping_interval_seconds: 60,
    server_presence_offline_threshold_seconds: 200,
    server_typing_started_expiry_period_milliseconds: 45_000,
    server_typing_stopped_wait_period_milliseconds: 12_000,
    server_typing_started_wait_period_milliseconds: 30_000,
  }
}

function userState(workspace: Workspace, user: UserRow) {
  const all = allUsers(workspace)
  return {
    user_id: user.user_id,
    email: user.email,
    delivery_email: user.delivery_email,
    full_name: user.full_name,
    is_admin: user.role <= 200,
    is_owner: user.role === 100,
    is_moderator: user.role <= 300,
    is_guest: user.role === 600,
    realm_users: all.filter((one) => one.is_active === 1).map(apiUser),
    realm_non_active_users: all.filter((one) => one.is_active === 0).map(apiUser),
    cross_realm_bots: [],
  }
}

function subscriptionState(workspace: Workspace, user: UserRow, includeSubscribers: string) {
  const visible = allChannels(workspace).filter((row) => canSeeChannel(workspace.db, user, row))
  const mine = new Set(
    visible
      .filter((row) => isSubscribed(workspace.db, user.user_id, row.channel_id))
      .map((row) => row.channel_id),
  )
  return {
    subscriptions: visible
      .filter((row) => mine.has(row.channel_id))
      .map((row) => {
        const { subscribers, ...rest } = apiSubscription(workspace, user, row)
        return includeSubscribers === 'false' || subscribers === undefined ? rest : { ...rest, subscribers }
      }),
    unsubscribed: [],
    never_subscribed: visible
      .filter((row) => !mine.has(row.channel_id))
      .map((row) => apiChannel(workspace, user, row)),
  }
}

function folders(workspace: Workspace) {
  return workspace.db
    .all<{
      folder_id: number
      name: string
      description: string
      position: number
      date_created: number
      creator_id: number | null
      is_archived: number
    }>('SELECT * FROM channel_folders ORDER BY position')
    .map((row) => ({
      id: row.folder_id,
      name: row.name,
      description: row.description,
      rendered_description: '',
      order: row.position,
      date_created: row.date_created,
      creator_id: row.creator_id,
      is_archived: row.is_archived === 1,
    }))
}

function userTopics(workspace: Workspace, user: UserRow) {
  return workspace.db
    .all<{ channel_id: number; topic: string; last_updated: number; policy: number }>(
      'SELECT * FROM user_topics WHERE user_id = ?',
      user.user_id,
    )
    .map((row) => ({
      stream_id: row.channel_id,
      topic_name: row.topic,
      last_updated: row.last_updated,
      // Only checked policies are ever written.
      visibility_policy: row.policy as 0 | 1 | 2 | 3,
    }))
}

function mutedUsers(workspace: Workspace, user: UserRow) {
  return workspace.db
    .all<{ muted_id: number; timestamp: number }>('SELECT * FROM muted_users WHERE user_id = ?', user.user_id)
    .map((row) => ({ id: row.muted_id, timestamp: row.timestamp }))
}

const mostUnread = 50_000

function unread(workspace: Workspace, user: UserRow) {
  const rows = workspace.db.all<{
    message_id: number
    channel_id: number | null
    topic: string
    topic_key: string
    direct_group_id: number | null
    mention: string
  }>(
    `SELECT * FROM (SELECT m.message_id, m.channel_id, m.topic, m.topic_key, m.direct_group_id, um.mention
       FROM user_messages um JOIN messages m ON m.message_id = um.message_id
       WHERE um.user_id = ? AND um.is_read = 0 ORDER BY um.message_id DESC LIMIT ?) ORDER BY message_id`,
    user.user_id,
    mostUnread,
  )
  const streams = new Map<string, { stream_id: number; topic: string; unread_message_ids: number[] }>()
  const pms = new Map<number, { other_user_id: number; sender_id: number; unread_message_ids: number[] }>()
  const huddles = new Map<string, { user_ids_string: string; unread_message_ids: number[] }>()
  const into = <K, V extends { unread_message_ids: number[] }>(
    map: Map<K, V>,
    key: K,
    id: number,
    make: () => V,
  ) => {
    const entry = map.get(key) ?? make()
    entry.unread_message_ids.push(id)
    map.set(key, entry)
  }
  for (const row of rows) {
    if (row.channel_id !== null) {
      const { channel_id, topic } = row
      into(streams, `${channel_id}:${row.topic_key}`, row.message_id, () => ({
        stream_id: channel_id,
        topic,
        unread_message_ids: [],
      }))
      continue
    }
    const people = directUserIds(workspace.db, row.direct_group_id ?? 0)
    const others = people.filter((id) => id !== user.user_id)
    if (others.length <= 1) {
      const other = others[0] ?? user.user_id
      into(pms, other, row.message_id, () => ({
        other_user_id: other,
        sender_id: other,
        unread_message_ids: [],
      }))
    } else {
      const key = people.join(',')
      into(huddles, key, row.message_id, () => ({ user_ids_string: key, unread_message_ids: [] }))
    }
  }
  return {
    count: rows.length,
    pms: [...pms.values()],
    streams: [...streams.values()],
    huddles: [...huddles.values()],
    mentions: rows.filter((row) => row.mention !== '').map((row) => row.message_id),
    old_unreads_missing: rows.length >= mostUnread,
  }
}

function starred(workspace: Workspace, user: UserRow): number[] {
  return workspace.db
    .all<{ message_id: number }>(
      'SELECT message_id FROM user_messages WHERE user_id = ? AND is_starred = 1 ORDER BY message_id',
      user.user_id,
    )
    .map((row) => row.message_id)
}

function recentDirect(workspace: Workspace, user: UserRow) {
  return workspace.db
    .all<{ id: number; user_ids: string }>(
      `SELECT max(m.message_id) AS id, g.user_ids FROM user_messages um
       JOIN messages m ON m.message_id = um.message_id JOIN direct_groups g ON g.group_id = m.direct_group_id
       WHERE um.user_id = ? GROUP BY g.group_id ORDER BY id DESC LIMIT 1000`,
      user.user_id,
    )
    .map((row) => ({
      max_message_id: row.id,
      // Written by `directGroupId`.
      user_ids: (JSON.parse(row.user_ids) as number[]).filter((id) => id !== user.user_id),
    }))
}

function groups(workspace: Workspace) {
  return workspace.db
    .all<{
      group_id: number
      name: string
      description: string
      members: string
      subgroups: string
      is_system: number
      is_active: number
    }>('SELECT * FROM user_groups ORDER BY group_id')
    .map((row) => ({
      id: row.group_id,
      name: row.name,
      description: row.description,
      members: JSON.parse(row.members) as number[],
      direct_subgroup_ids: JSON.parse(row.subgroups) as number[],
      is_system_group: row.is_system === 1,
      deactivated: row.is_active === 0,
    }))
}

function linkifierState(workspace: Workspace) {
  return workspace.db.all(
    'SELECT linkifier_id AS id, pattern, url_template FROM linkifiers ORDER BY position',
  )
}

function snippets(workspace: Workspace, user: UserRow) {
  return workspace.db.all(
    'SELECT snippet_id AS id, title, content, date_created FROM saved_snippets WHERE user_id = ?',
    user.user_id,
  )
}
