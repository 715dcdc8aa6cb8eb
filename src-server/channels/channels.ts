import { roles } from '../../src-shared/roles.ts'
import type { ApiChannel } from '../../src-shared/api/channels.ts'
import { daySeconds } from '../../src-shared/durations.ts'
import { linkifiers, render } from '../markdown/render.ts'
import { systemGroupId } from '../permissions/groups.ts'
import {
  channelPermissionReader,
  channelPermissionValues,
  type GroupSettingValue,
} from '../permissions/holders.ts'
import { writePermissions, type CheckedPermission } from '../permissions/setting-changes.ts'
import { badRequest } from '../service-error.ts'
import { channelById, type ChannelRow, type UserRow, type Workspace } from '../workspace.ts'

export const longestChannelName = 60
export const longestChannelDescription = 1_024
const activeSeconds = 180 * daySeconds
/** How far back a channel's traffic is counted; a channel younger than a week has none yet. */
const trafficDays = 28
const youngDays = 7

/** Every channel, also archived ones. */
export const allChannels = (workspace: Workspace): ChannelRow[] =>
  workspace.db.all<ChannelRow>('SELECT * FROM channels ORDER BY channel_id')

/** The channel with this name, regardless of case. */
export const channelByName = (workspace: Workspace, name: string): ChannelRow | undefined =>
  workspace.db.get<ChannelRow>('SELECT * FROM channels WHERE name = ?', name.trim())

/** A channel's first message, the time of its last one, and the number of recent ones. */
interface ChannelEnds {
  readonly first: number | null
  readonly sent: number | null
  readonly late: number
}

const endsSql = `SELECT c.channel_id,
  (SELECT min(message_id) FROM messages WHERE channel_id = c.channel_id) AS first,
  (SELECT max(sent_at) FROM messages WHERE channel_id = c.channel_id) AS sent,
  (SELECT count(*) FROM messages WHERE channel_id = c.channel_id AND sent_at > :since) AS late
  FROM channels c`

// Queried separately from the messages, which change all the time.
const readersSql = `SELECT c.channel_id,
  (SELECT count(*) FROM subscriptions s WHERE s.channel_id = c.channel_id AND s.is_active = 1
    AND s.user_id NOT IN (SELECT user_id FROM users WHERE is_active = 0)) AS subscribers
  FROM channels c`

const noEnds: ChannelEnds = { first: null, sent: null, late: 0 }
const trafficSince = (workspace: Workspace) => workspace.now() - trafficDays * daySeconds

/** The facts that showing many channels needs, read once; valid as long as nothing changes. */
export interface ChannelFacts {
  endsOf(channelId: number): ChannelEnds
  subscribersOf(channelId: number): number
  permissionsOf(row: ChannelRow): ReturnType<typeof channelPermissionValues>
  description(text: string): string
  postPolicy(value: GroupSettingValue): number
}

/** The facts of one channel, queried on demand. */
const singleFacts = (workspace: Workspace, user: UserRow): ChannelFacts => ({
  endsOf: (id) =>
    workspace.db.get<ChannelEnds>(`${endsSql} WHERE c.channel_id = :id`, {
      since: trafficSince(workspace),
      id,
    }) ?? noEnds,
  subscribersOf: (id) =>
    workspace.db.get<{ subscribers: number }>(`${readersSql} WHERE c.channel_id = ?`, id)?.subscribers ?? 0,
  permissionsOf: (row) => channelPermissionValues(workspace.db, row),
  description: (text) => renderedDescription(workspace, user, text),
  postPolicy: (value) => postPolicy(workspace, value),
})

/** The facts of every channel. */
export function channelFacts(workspace: Workspace, user: UserRow): ChannelFacts {
  const ends = new Map(
    workspace.db
      .all<ChannelEnds & { channel_id: number }>(endsSql, { since: trafficSince(workspace) })
      .map((row) => [row.channel_id, row]),
  )
  const subscribers = new Map(
    workspace.db
      .all<{ channel_id: number; subscribers: number }>(readersSql)
      .map((row) => [row.channel_id, row.subscribers]),
  )
  const policies = new Map<GroupSettingValue, number>()
  const single = singleFacts(workspace, user)
  const hasLinkifiers = linkifiers(workspace.db).length > 0
  return {
    endsOf: (id) => ends.get(id) ?? noEnds,
    subscribersOf: (id) => subscribers.get(id) ?? 0,
    permissionsOf: channelPermissionReader(workspace.db),
    description: (text) => (!hasLinkifiers && isPlain(text) ? `<p>${text}</p>` : single.description(text)),
    postPolicy(value) {
      const known = policies.get(value) ?? single.postPolicy(value)
      policies.set(value, known)
      return known
    },
  }
}

/** Whether a text contains no character that Markdown could interpret; most descriptions do not. */
const isPlain = (text: string): boolean => /^[\p{L}][\p{L}\p{N} ,;'’?]*[.!]?$/u.test(text) && !/\n/.test(text)

/** A channel as the API shows it to a person. */
export function apiChannel(
  workspace: Workspace,
  user: UserRow,
  row: ChannelRow,
  facts: ChannelFacts = singleFacts(workspace, user),
): ApiChannel {
  const ends = facts.endsOf(row.channel_id)
  const permissions = facts.permissionsOf(row)
  const policy = facts.postPolicy(permissions.can_send_message_group)
  return {
    stream_id: row.channel_id,
    name: row.name,
    is_archived: row.is_archived === 1,
    description: row.description,
    rendered_description: facts.description(row.description),
    date_created: row.date_created,
    creator_id: row.creator_id,
    invite_only: row.is_private === 1,
    is_web_public: row.is_web_public === 1,
    stream_post_policy: policy,
    is_announcement_only: policy === 2,
    message_retention_days: row.message_retention_days,
    history_public_to_subscribers: row.has_shared_history === 1,
    topics_policy: row.topics_policy,
    first_message_id: ends.first,
    folder_id: row.folder_id,
    // A new channel must not be hidden because it has no messages yet.
    is_recently_active: workspace.now() - Math.max(ends.sent ?? 0, row.date_created) < activeSeconds,
    stream_weekly_traffic: weeklyTraffic(workspace, row, ends.late),
    subscriber_count: facts.subscribersOf(row.channel_id),
    ...permissions,
  }
}

/** The HTML of a channel's description. */
export const renderedDescription = (workspace: Workspace, user: UserRow, description: string): string =>
  render(workspace, user, description).html

/** The nearest of the older policies: they know four groups, and everything else counts as "anybody". */
function postPolicy(workspace: Workspace, value: GroupSettingValue): number {
  const groups = [
    ['role:administrators', 2],
    ['role:fullmembers', 3],
    ['role:moderators', 4],
  ] as const
  return groups.find(([name]) => value === systemGroupId(workspace.db, name))?.[1] ?? 1
}

/** Recent messages per week, a whole number with two significant digits; null for a channel younger than a week. */
function weeklyTraffic(workspace: Workspace, row: ChannelRow, count: number): number | null {
  const days = (workspace.now() - row.date_created) / daySeconds
  if (days < youngDays) return null
  if (count === 0) return 0
  return Number(Math.max(1, Math.floor((count * 7) / Math.min(trafficDays, days))).toPrecision(2))
}

/** A channel's name in its stored form; refuses one that is empty, too long or unprintable. */
export function checkedChannelName(wanted: string): string {
  const name = wanted.trim()
  if (name === '') throw badRequest("Channel name can't be empty.")
  if ([...name].length > longestChannelName) {
    throw badRequest(`Channel name too long (limit: ${longestChannelName} characters).`)
  }
  if (/\p{Cc}|\p{Cs}|\p{Cn}/u.test(name)) throw badRequest('Invalid character in channel name.')
  return name
}

/** A description in its stored form, on one line; refuses one that is too long. */
export function checkedChannelDescription(wanted: string): string {
  const description = wanted.replaceAll(/\r\n|[\n\r]/g, ' ').trim()
  if ([...description].length > longestChannelDescription) {
    throw badRequest(`description is too long (limit: ${longestChannelDescription} characters)`)
  }
  return description
}

/** What a channel is created with. */
export interface NewChannel {
  readonly name: string
  readonly description: string
  readonly isPrivate?: boolean
  readonly isWebPublic?: boolean
  readonly isArchived?: boolean
  readonly isDefault?: boolean
  /** Whether new subscribers can see earlier messages; private channels show them only to those who were there. */
  readonly hasSharedHistory?: boolean
  readonly topicsPolicy?: string
  readonly retentionDays?: number | null
  readonly folderId?: number | null
  readonly permissions?: readonly CheckedPermission[]
  readonly created?: number
}

/** Adds a channel; publishes no event. */
export function createChannel(workspace: Workspace, creator: UserRow, channel: NewChannel): ChannelRow {
  const { db } = workspace
  const { lastId } = db.run(
    `INSERT INTO channels (name, description, is_private, is_web_public, is_archived, has_shared_history, is_default,
       topics_policy, message_retention_days, folder_id, creator_id, date_created)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    checkedChannelName(channel.name),
    channel.description,
    channel.isPrivate === true ? 1 : 0,
    channel.isWebPublic === true ? 1 : 0,
    channel.isArchived === true ? 1 : 0,
    (channel.hasSharedHistory ?? channel.isPrivate !== true) ? 1 : 0,
    channel.isDefault === true ? 1 : 0,
    channel.topicsPolicy ?? 'inherit',
    channel.retentionDays ?? null,
    channel.folderId ?? null,
    creator.user_id,
    channel.created ?? workspace.now(),
  )
  writePermissions(db, 'channel', lastId, channel.permissions ?? [])
  const row = channelById(db, lastId)
  if (row === undefined) throw new Error('the new channel is not there')
  return row
}

/** The ids of the default channels. */
export const defaultChannelIds = (workspace: Workspace): number[] =>
  workspace.db.column<number>(
    'SELECT channel_id FROM channels WHERE is_default = 1 AND is_archived = 0 ORDER BY channel_id',
  )

/** Tells everybody except guests which channels are the default ones. */
export function publishDefaultChannels(workspace: Workspace): void {
  const people = workspace.db.column<number>(
    'SELECT user_id FROM users WHERE is_active = 1 AND role < ?',
    roles.guest,
  )
  workspace.publish(people, { type: 'default_streams', default_streams: defaultChannelIds(workspace) })
}

/** Refuses a channel to which new people could not simply be subscribed. */
export function assertCanBeDefault(channel: Pick<ChannelRow, 'is_private' | 'is_archived'>): void {
  if (channel.is_private === 1) throw badRequest('Private channels cannot be made default.')
  if (channel.is_archived === 1) throw badRequest('Channel is archived.')
}
