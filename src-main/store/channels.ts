import { recountMentions } from './conversations.ts'
import type { ReadableDb, SqlValue, WritableDb } from './database.ts'
import type { Conversation } from '../../src-shared/model/conversation.ts'
import { noteJoined, receivedFrom } from './received-from.ts'
import { foldName } from '../../src-shared/model/name-match.ts'

/** A channel as the cache has it. For notifications, null means: as the account's settings say. */
export interface ChannelFields {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly color: string
  readonly isPrivate: boolean
  readonly isWebPublic: boolean
  readonly isArchived: boolean
  readonly hasSharedHistory: boolean
  readonly folderId: number | null
  readonly topicsPolicy: string
  /** JSON of the channel's permissions, by the wire's names; a missing one is unknown. */
  readonly permissions: string
  readonly subscriberCount: number | null
  readonly firstMessageId: number | null
  readonly isSubscribed: boolean
  readonly isMuted: boolean
  readonly isPinned: boolean
  readonly desktopNotifications: boolean | null
  readonly audibleNotifications: boolean | null
  readonly wildcardMentionsNotify: boolean | null
  readonly pushNotifications: boolean | null
  readonly emailNotifications: boolean | null
  readonly isRecentlyActive: boolean
  readonly creatorId: number | null
  /** Epoch milliseconds. */
  readonly createdAt: number | null
  /** Null: the organization's value; -1: for ever. */
  readonly retentionDays: number | null
  /** Messages per week; null if unknown. */
  readonly weeklyTraffic: number | null
}

type Field = keyof Omit<ChannelFields, 'id'>

const columns: Record<Field, string> = {
  name: 'name',
  description: 'description',
  color: 'color',
  isPrivate: 'is_private',
  isWebPublic: 'is_web_public',
  isArchived: 'is_archived',
  hasSharedHistory: 'has_shared_history',
  folderId: 'folder_id',
  topicsPolicy: 'topics_policy',
  permissions: 'permissions',
  subscriberCount: 'subscriber_count',
  firstMessageId: 'first_message_id',
  isSubscribed: 'is_subscribed',
  isMuted: 'is_muted',
  isPinned: 'is_pinned',
  desktopNotifications: 'desktop_notifications',
  audibleNotifications: 'audible_notifications',
  wildcardMentionsNotify: 'wildcard_mentions_notify',
  pushNotifications: 'push_notifications',
  emailNotifications: 'email_notifications',
  isRecentlyActive: 'is_recently_active',
  creatorId: 'creator_id',
  createdAt: 'created_at',
  retentionDays: 'retention_days',
  weeklyTraffic: 'weekly_traffic',
}

const sqlValue = (value: string | number | boolean | null): SqlValue =>
  typeof value === 'boolean' ? (value ? 1 : 0) : value

/** Adds a channel, or replaces it. */
export function putChannel(db: WritableDb, channel: ChannelFields): void {
  // The keys of the table are the fields of the type.
  const fields = Object.keys(columns) as Field[]
  const names = fields.map((field) => columns[field])
  const wasMuted = subscriptionValue(db, channel.id, 'isMuted') ?? false
  db.run(
    `INSERT OR REPLACE INTO channels (channel_id, folded_name, ${names.join(', ')})
     VALUES (?, ?, ${names.map(() => '?').join(', ')})`,
    [channel.id, foldName(channel.name), ...fields.map((field) => sqlValue(channel[field]))],
  )
  if (wasMuted !== channel.isMuted) recountMentions(db, channel.id, null)
}

/** Changes the fields that are given; a channel that is not here is ignored. */
export function updateChannel(db: WritableDb, id: number, change: Partial<Omit<ChannelFields, 'id'>>): void {
  // As above.
  for (const field of Object.keys(change) as Field[]) {
    const value = change[field]
    if (value === undefined) continue
    db.run(`UPDATE channels SET ${columns[field]} = ? WHERE channel_id = ?`, [sqlValue(value), id])
    if (field === 'name') {
      db.run('UPDATE channels SET folded_name = ? WHERE channel_id = ?', [foldName(String(value)), id])
    }
    if (field === 'isMuted') recountMentions(db, id, null)
  }
}

/**
 * Notes a message as the first of a channel that had none: the server leaves that to its clients. Does nothing if the
 * channel's first message is known, or if there are older ones.
 */
export function noteFirstMessage(db: WritableDb, channelId: number, messageId: number): void {
  db.run(
    `UPDATE channels SET first_message_id = ?2 WHERE channel_id = ?1 AND first_message_id IS NULL
       AND NOT EXISTS (SELECT 1 FROM messages WHERE channel_id = ?1 AND message_id < ?2)
       AND NOT EXISTS (SELECT 1 FROM conversations WHERE kind = 'topic' AND channel_id = ?1
         AND newest_message_id > 0 AND newest_message_id < ?2)`,
    { 1: channelId, 2: messageId },
  )
}

/** The fields that a person may choose for their own subscription, with the specification's names for them. */
export const subscriptionNames = {
  color: 'color',
  isMuted: 'is_muted',
  isPinned: 'pin_to_top',
  desktopNotifications: 'desktop_notifications',
  audibleNotifications: 'audible_notifications',
  pushNotifications: 'push_notifications',
  emailNotifications: 'email_notifications',
  wildcardMentionsNotify: 'wildcard_mentions_notify',
} as const satisfies Partial<Record<Field, string>>
export type SubscriptionField = keyof typeof subscriptionNames

/** The field of the own subscription with one of the specification's names; undefined if there is none. */
export const subscriptionField = (name: string): SubscriptionField | undefined =>
  // The keys of the table are the fields of the type.
  (Object.keys(subscriptionNames) as SubscriptionField[]).find((field) => subscriptionNames[field] === name)

/** The person's choice; null: the account's setting applies; undefined: the channel is not here. */
export function subscriptionValue(
  db: ReadableDb,
  id: number,
  field: SubscriptionField,
): string | boolean | null | undefined {
  const row = db.get<{ value: string | number | null }>(
    `SELECT ${columns[field]} AS value FROM channels WHERE channel_id = ?`,
    [id],
  )
  return typeof row?.value === 'number' ? row.value === 1 : row?.value
}

/** The fields of a channel that are the same for everybody; undefined: the channel is not here. */
export function channelFields(
  db: ReadableDb,
  id: number,
):
  | Pick<
      ChannelFields,
      | 'name'
      | 'description'
      | 'isPrivate'
      | 'isWebPublic'
      | 'hasSharedHistory'
      | 'folderId'
      | 'topicsPolicy'
      | 'retentionDays'
      | 'isArchived'
    >
  | undefined {
  const row = db.get<{
    name: string
    description: string
    isPrivate: number
    isWebPublic: number
    hasSharedHistory: number
    folderId: number | null
    topicsPolicy: string
    retentionDays: number | null
    isArchived: number
  }>(
    `SELECT name, description, is_private AS isPrivate, is_web_public AS isWebPublic,
       has_shared_history AS hasSharedHistory, folder_id AS folderId, topics_policy AS topicsPolicy,
       retention_days AS retentionDays, is_archived AS isArchived
     FROM channels WHERE channel_id = ?`,
    [id],
  )
  return (
    row && {
      ...row,
      isPrivate: row.isPrivate === 1,
      isWebPublic: row.isWebPublic === 1,
      hasSharedHistory: row.hasSharedHistory === 1,
      isArchived: row.isArchived === 1,
    }
  )
}

/** Whether the channel is here. */
export function hasChannel(db: ReadableDb, id: number): boolean {
  return db.get('SELECT 1 FROM channels WHERE channel_id = ?', [id]) !== undefined
}

/** The name of a channel; undefined if the channel is not here. */
export const nameOfChannel = (db: ReadableDb, id: number): string | undefined =>
  db.get<{ name: string }>('SELECT name FROM channels WHERE channel_id = ?', [id])?.name

/** Whether the own user is in the channel. */
export function isSubscribed(db: ReadableDb, id: number): boolean {
  return db.get('SELECT 1 FROM channels WHERE channel_id = ? AND is_subscribed = 1', [id]) !== undefined
}

/** Whether events bring the person every message of a conversation after this one, as far as this device can tell. */
export const receivesSince = (db: ReadableDb, conversation: Conversation, messageId: number): boolean =>
  conversation.kind === 'direct' ||
  (isSubscribed(db, conversation.channelId) && receivedFrom(db, conversation.channelId) <= messageId + 1)

/** Whether a person is in a channel; null if that is unknown because only some subscribers are listed. */
export function isMember(db: ReadableDb, channelId: number, userId: number): boolean | null {
  const isListed = db.get('SELECT 1 FROM subscribers WHERE channel_id = ? AND user_id = ?', [
    channelId,
    userId,
  ])
  if (isListed !== undefined) return true
  return listsAllSubscribers(db, channelId) ? false : null
}

/**
 * Whether every subscriber of a channel is listed. A registration lists only some subscribers of large channels, and
 * none of channels that the person is not in.
 */
export function listsAllSubscribers(db: ReadableDb, channelId: number): boolean {
  const row = db.get<{ isWhole: number | null }>(
    `SELECT (SELECT count(*) FROM subscribers WHERE channel_id = ?1) >= subscriber_count AS isWhole
     FROM channels WHERE channel_id = ?1`,
    { 1: channelId },
  )
  return row?.isWhole === 1
}

/** Subscribes or unsubscribes the own user; a channel that is not here is ignored. */
export function setSubscribed(db: WritableDb, id: number, ownUserId: number, on: boolean): void {
  if (!hasChannel(db, id)) return
  // The local change and its echo both arrive here: a person who has already left is not counted a second time.
  if (on && !isSubscribed(db, id) && channelFields(db, id)?.hasSharedHistory === true) noteJoined(db, id)
  if (on) addSubscribers(db, id, [ownUserId])
  else if (isSubscribed(db, id)) removeSubscribers(db, id, [ownUserId])
  updateChannel(db, id, { isSubscribed: on })
}

/** Removes channels and the lists of their subscribers; messages stay. */
export function removeChannels(db: WritableDb, ids: readonly number[]): void {
  for (const id of ids) {
    db.run('DELETE FROM channels WHERE channel_id = ?', [id])
    db.run('DELETE FROM subscribers WHERE channel_id = ?', [id])
  }
}

/** Gives a channel and the person's settings for it another id; a row that already has that id stays unchanged. */
export function renumberChannel(db: WritableDb, from: number, to: number): void {
  for (const table of ['channels', 'subscribers', 'topic_visibility'])
    db.run(`UPDATE OR IGNORE ${table} SET channel_id = ? WHERE channel_id = ?`, [to, from])
  removeChannels(db, [from])
  db.run('DELETE FROM topic_visibility WHERE channel_id = ?', [from])
}

/** The highest id of a channel that this device knows; 0 if it knows none. */
export const newestChannel = (db: ReadableDb): number =>
  db.get<{ id: number }>('SELECT max(0, max(channel_id)) AS id FROM channels')?.id ?? 0

/**
 * The id of the newest channel with these fields, to recognize one that this device created; null if there is none.
 * Where the server does not say who created it (`creatorId` null), the person must be in it, and its id must be higher
 * than `newestKnown`.
 */
export function newestOwnChannel(
  db: ReadableDb,
  {
    name,
    description,
    isPrivate,
    creatorId,
    newestKnown,
  }: Pick<ChannelFields, 'name' | 'description' | 'isPrivate' | 'creatorId'> & {
    readonly newestKnown: number
  },
): number | null {
  const row = db.get<{ channel_id: number }>(
    `SELECT channel_id FROM channels WHERE channel_id > 0 AND folded_name = ? AND description = ? AND is_private = ?
       AND creator_id IS ? AND (creator_id IS NOT NULL OR (is_subscribed AND channel_id > ?)) AND is_archived = 0
       ORDER BY channel_id DESC LIMIT 1`,
    [foldName(name), description, isPrivate ? 1 : 0, creatorId, newestKnown],
  )
  return row?.channel_id ?? null
}

/** Removes every channel that is not in the list. */
export function keepOnlyChannels(db: WritableDb, ids: readonly number[]): void {
  const list = JSON.stringify(ids)
  db.run('DELETE FROM channels WHERE channel_id NOT IN (SELECT value FROM json_each(?))', [list])
  // Steps from channel to channel: scanning all subscribers takes longer than a window may wait.
  db.run(
    `WITH RECURSIVE listed (id) AS (
       SELECT min(channel_id) FROM subscribers
       UNION ALL
       SELECT (SELECT min(channel_id) FROM subscribers WHERE channel_id > id) FROM listed WHERE id IS NOT NULL)
     DELETE FROM subscribers WHERE channel_id IN
       (SELECT id FROM listed WHERE id IS NOT NULL AND id NOT IN (SELECT value FROM json_each(?)))`,
    [list],
  )
}

/** Replaces the list of the channel's known subscribers. */
export function replaceSubscribers(db: WritableDb, channelId: number, userIds: readonly number[]): void {
  db.run('DELETE FROM subscribers WHERE channel_id = ?', [channelId])
  db.run('INSERT OR IGNORE INTO subscribers SELECT ?, value FROM json_each(?)', [
    channelId,
    JSON.stringify(userIds),
  ])
}

/** Adds people who joined a channel; those already listed are not counted again. */
export function addSubscribers(db: WritableDb, channelId: number, userIds: readonly number[]): void {
  let added = 0
  for (const id of userIds)
    added += db.run('INSERT OR IGNORE INTO subscribers VALUES (?, ?)', [channelId, id])
  changeSubscriberCount(db, channelId, added)
}

/** Removes people who left a channel; unlisted ones count too, up to the number of unlisted subscribers. */
export function removeSubscribers(db: WritableDb, channelId: number, userIds: readonly number[]): void {
  const unlisted =
    db.get<{ n: number | null }>(
      `SELECT subscriber_count - (SELECT count(*) FROM subscribers WHERE channel_id = ?1) AS n
       FROM channels WHERE channel_id = ?1`,
      { 1: channelId },
    )?.n ?? 0
  let removed = 0
  for (const id of userIds) {
    removed += db.run('DELETE FROM subscribers WHERE channel_id = ? AND user_id = ?', [channelId, id])
  }
  changeSubscriberCount(db, channelId, -removed - Math.min(Math.max(0, unlisted), userIds.length - removed))
}

/** Removes somebody from the listed subscribers of a channel, whose stored count does not include them. */
export function unlistSubscriber(db: WritableDb, channelId: number, userId: number): void {
  db.run('DELETE FROM subscribers WHERE channel_id = ? AND user_id = ?', [channelId, userId])
}

function changeSubscriberCount(db: WritableDb, channelId: number, by: number): void {
  db.run('UPDATE channels SET subscriber_count = max(0, subscriber_count + ?) WHERE channel_id = ?', [
    by,
    channelId,
  ])
}
