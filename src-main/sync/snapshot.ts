import type { Snapshot } from '../../src-shared/api/snapshot.ts'
import type { UserId } from '../../src-shared/ids.ts'
import { directConversation, topicConversation } from '../../src-shared/model/conversation.ts'
import {
  addSubscribers,
  putChannel,
  putFolder,
  removeAllChannels,
  removeAllFolders,
  removeAllTopicVisibility,
  setTopicVisibility,
} from '../store/channels.ts'
import { conversationId, noteNewest, recountUnread } from '../store/conversations.ts'
import { writeRegistration, type Cursor } from '../store/cursor.ts'
import type { WritableDb } from '../store/database.ts'
import { forgetUnread, putUnread, setReadByUnread } from '../store/flags.ts'
import { endLiveRanges } from '../store/ranges.ts'
import { putAccountSetting, putOrganizationValue, setRealmEmoji } from '../store/settings.ts'
import { putPresence, putUser, removeAllUsers, setMutedUsers } from '../store/users.ts'
import { realmEmojiFromApi } from './appliers/users.ts'
import { channelFromApi, userFromApi, visibilityFromApi } from './from-wire.ts'

/** Names and limits that screens use, by the snapshot's field name. */
const organizationFields = [
  'realm_name',
  'realm_url',
  'realm_icon_url',
  'realm_empty_topic_display_name',
  'realm_topics_policy',
  'max_topic_length',
  'max_message_length',
  'server_typing_started_expiry_period_milliseconds',
  'server_presence_offline_threshold_seconds',
] as const

/**
 * Writes the state that a registration returned over what the cache says. Messages and known history stay: the new
 * generation tells which of them have to be fetched again. The caller does it in one transaction.
 */
export function writeSnapshot(
  db: WritableDb,
  snapshot: Snapshot,
  before: Cursor,
  parts: { ownUserId: UserId; now: number },
): void {
  const { ownUserId, now } = parts
  const generation = before.generation + 1
  const values: Record<string, unknown> = snapshot
  for (const name of organizationFields) {
    if (values[name] !== undefined) putOrganizationValue(db, name, values[name])
  }
  for (const [name, value] of Object.entries(snapshot.user_settings ?? {})) putAccountSetting(db, name, value)

  if (snapshot.realm_users !== undefined) {
    removeAllUsers(db)
    for (const user of snapshot.realm_non_active_users ?? []) putUser(db, userFromApi(user, false))
    for (const user of snapshot.cross_realm_bots ?? []) putUser(db, userFromApi(user, true))
    for (const user of snapshot.realm_users) putUser(db, userFromApi(user, true))
  }
  if (snapshot.subscriptions !== undefined) writeChannels(db, snapshot)
  for (const [id, presence] of Object.entries(snapshot.presences ?? {})) {
    const { active_timestamp: active, idle_timestamp: idle } = presence
    if (typeof active === 'number' && typeof idle === 'number')
      putPresence(db, Number(id), active * 1000, idle * 1000)
  }
  if (snapshot.muted_users !== undefined) {
    setMutedUsers(
      db,
      snapshot.muted_users.map(({ id, timestamp }) => ({ id, since: timestamp * 1000 })),
    )
  }
  if (snapshot.realm_emoji !== undefined) {
    setRealmEmoji(db, Object.values(snapshot.realm_emoji).map(realmEmojiFromApi))
  }
  if (snapshot.user_topics !== undefined) {
    removeAllTopicVisibility(db)
    for (const { stream_id, topic_name, visibility_policy } of snapshot.user_topics) {
      setTopicVisibility(db, stream_id, topic_name, visibilityFromApi(visibility_policy))
    }
  }
  for (const { user_ids, max_message_id } of snapshot.recent_private_conversations ?? []) {
    const conversation = directConversation(user_ids, ownUserId)
    noteNewest(db, conversationId(db, conversation), max_message_id, conversation)
  }
  if (snapshot.unread_msgs !== undefined) writeUnread(db, snapshot.unread_msgs, ownUserId)
  endLiveRanges(db)
  writeRegistration(db, {
    queueId: snapshot.queue_id ?? '',
    lastEventId: snapshot.last_event_id,
    generation,
    featureLevel: snapshot.service_feature_level,
    serverVersion: snapshot.service_version ?? '',
    longpollTimeoutMs: (snapshot.event_queue_longpoll_timeout_seconds ?? 90) * 1_000,
    now,
  })
}

function writeChannels(db: WritableDb, snapshot: Snapshot): void {
  removeAllChannels(db)
  for (const channel of snapshot.never_subscribed ?? []) putChannel(db, channelFromApi(channel, false))
  for (const channel of snapshot.unsubscribed ?? []) putChannel(db, channelFromApi(channel, false))
  for (const channel of snapshot.subscriptions ?? []) {
    putChannel(db, channelFromApi(channel, true))
    addSubscribers(db, channel.stream_id, channel.subscribers ?? channel.partial_subscribers ?? [])
  }
  if (snapshot.channel_folders === undefined) return
  removeAllFolders(db)
  for (const { id, name, order, is_archived } of snapshot.channel_folders) {
    putFolder(db, { id, name, position: order ?? id, isArchived: is_archived })
  }
}

function writeUnread(db: WritableDb, unread: NonNullable<Snapshot['unread_msgs']>, ownUserId: UserId): void {
  const mentions = new Set(unread.mentions)
  const homes = new Set(forgetUnread(db))
  const put = (conversation: ReturnType<typeof topicConversation>, ids: readonly number[]) => {
    const home = conversationId(db, conversation)
    homes.add(home)
    for (const id of ids) putUnread(db, id, home, mentions.has(id))
    const newest = ids.at(-1)
    if (newest !== undefined) noteNewest(db, home, newest, conversation)
  }
  for (const { stream_id, topic, unread_message_ids } of unread.streams) {
    put(topicConversation(stream_id, topic), unread_message_ids)
  }
  for (const { other_user_id, unread_message_ids } of unread.pms) {
    put(directConversation([other_user_id], ownUserId), unread_message_ids)
  }
  for (const { user_ids_string, unread_message_ids } of unread.huddles) {
    put(directConversation(user_ids_string.split(',').map(Number), ownUserId), unread_message_ids)
  }
  if (!unread.old_unreads_missing) setReadByUnread(db)
  recountUnread(db, homes)
}
