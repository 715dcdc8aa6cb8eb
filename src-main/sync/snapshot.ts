import type { UnreadablePart } from '../../src-shared/api/lenient.ts'
import type { Snapshot } from '../../src-shared/api/snapshot.ts'
import type { UserId } from '../../src-shared/ids.ts'
import {
  directConversation,
  topicConversation,
  type Conversation,
} from '../../src-shared/model/conversation.ts'
import type { Clock } from '../api/clock.ts'
import {
  keepOnlyChannels,
  putChannel,
  putFolder,
  removeAllFolders,
  removeAllTopicVisibility,
  replaceSubscribers,
  setTopicVisibility,
} from '../store/channels.ts'
import { conversationId, noteNewest } from '../store/conversations.ts'
import { setAside, writeRegistration, type Cursor } from '../store/cursor.ts'
import type { Store, WritableDb } from '../store/database.ts'
import { replaceStarred, replaceUnread } from '../store/flags.ts'
import { replaceObjects } from '../store/objects.ts'
import { forgetEchoes } from '../store/outbox.ts'
import { refreshOwnRights } from '../store/permissions.ts'
import { endLiveRanges } from '../store/ranges.ts'
import { putAccountSetting, putOrganizationValue, setRealmEmoji } from '../store/settings.ts'
import { forgetTyping, keepOnlyUsers, putPresence, putUser, setMutedUsers } from '../store/users.ts'
import { writeBelongings } from './appliers/belongings.ts'
import { realmEmojiFromApi } from './appliers/users.ts'
import { channelFromApi, presenceFromApi, userFromApi, visibilityFromApi } from './from-wire.ts'
import { organizationFields } from './organization-fields.ts'
import type { ServerTime } from './server-time.ts'

/** How long one transaction may take while a snapshot is written, so that windows stay quick. */
const writeBudgetMs = 8

type Step = (db: WritableDb) => void

/**
 * Writes the state that a registration returned over what the cache says, in small transactions. The last one takes
 * what belongs together, the queue and the new generation with it: until then the account counts as not registered,
 * and a crash only means registering again. Messages and known history stay; the new generation tells which of them
 * have to be compared again.
 */
export async function writeSnapshot(parts: {
  readonly store: Store
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly ownUserId: UserId
  readonly serverTime: ServerTime
  readonly snapshot: Snapshot
  /** What of the server's answer has no form that is understood: kept with its reason. */
  readonly unreadable: readonly UnreadablePart[]
  readonly before: Cursor
  /** Last in the last transaction. */
  finish(): void
}): Promise<void> {
  const { store, clock, signal, snapshot, unreadable, before } = parts
  parts.serverTime.learn(snapshot.server_timestamp)
  const steps = [
    ...userSteps(snapshot),
    ...channelSteps(snapshot),
    ...presenceSteps(snapshot, parts.serverTime),
  ]
  for (let next = 0; next < steps.length;) {
    store.write((db) => {
      const start = performance.now()
      do steps[next++]?.(db)
      while (next < steps.length && performance.now() - start < writeBudgetMs)
    })
    await clock.wait(0, signal)
    if (signal.aborted) return
  }
  store.write((db) => {
    for (const { field, reason, body } of unreadable)
      setAside(db, `snapshot:${field}`, reason, body, clock.now())
    writeRest(db, snapshot, parts.ownUserId)
    removeVanished(db, snapshot, unreadable)
    refreshOwnRights(db, parts.ownUserId)
    endLiveRanges(db)
    forgetEchoes(db)
    forgetTyping(db)
    writeRegistration(db, {
      queueId: snapshot.queue_id ?? '',
      lastEventId: snapshot.last_event_id,
      generation: before.generation + 1,
      featureLevel: snapshot.service_feature_level,
      serverVersion: snapshot.service_version ?? '',
      longpollTimeoutMs: (snapshot.event_queue_longpoll_timeout_seconds ?? 90) * 1_000,
      now: clock.now(),
    })
    // Whoever takes his share now knows what this server can do.
    parts.finish()
  })
}

function userSteps(snapshot: Snapshot): Step[] {
  return [
    ...(snapshot.realm_non_active_users ?? []).map((user) => userFromApi(user, false)),
    ...(snapshot.cross_realm_bots ?? []).map((user) => userFromApi(user, true)),
    ...(snapshot.realm_users ?? []).map((user) => userFromApi(user, user.is_active !== false)),
  ].map((user) => (db) => putUser(db, user))
}

function channelSteps(snapshot: Snapshot): Step[] {
  const others = [...(snapshot.never_subscribed ?? []), ...(snapshot.unsubscribed ?? [])]
  return [
    ...others.map(
      (channel): Step =>
        (db) =>
          putChannel(db, channelFromApi(channel, false)),
    ),
    ...(snapshot.subscriptions ?? []).map((channel): Step => (db) => {
      putChannel(db, channelFromApi(channel, true))
      replaceSubscribers(db, channel.stream_id, channel.subscribers ?? channel.partial_subscribers ?? [])
    }),
  ]
}

function presenceSteps(snapshot: Snapshot, serverTime: ServerTime): Step[] {
  return Object.entries(snapshot.presences ?? {}).flatMap(([id, entry]): Step[] => {
    const seen = presenceFromApi(entry)
    if (seen === null || !/^\d+$/.test(id)) return []
    const { activeAt, idleAt } = seen
    return [(db) => putPresence(db, Number(id), serverTime.local(activeAt), serverTime.local(idleAt))]
  })
}

function writeRest(db: WritableDb, snapshot: Snapshot, ownUserId: UserId): void {
  const values: Record<string, unknown> = snapshot
  for (const name of organizationFields) {
    if (values[name] !== undefined) putOrganizationValue(db, name, values[name])
  }
  for (const [name, value] of Object.entries(snapshot.user_settings ?? {})) putAccountSetting(db, name, value)
  writeBelongings(db, snapshot)
  if (snapshot.channel_folders !== undefined) {
    removeAllFolders(db)
    for (const { id, name, order, is_archived, description } of snapshot.channel_folders) {
      putFolder(db, { id, name, position: order ?? id, isArchived: is_archived, description })
    }
  }
  if (snapshot.realm_user_groups !== undefined) {
    replaceObjects(
      db,
      'user-group',
      snapshot.realm_user_groups.map((group) => ({ id: group.id, body: group })),
    )
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
  if (snapshot.starred_messages !== undefined) replaceStarred(db, snapshot.starred_messages)
}

const userLists = ['realm_users', 'realm_non_active_users', 'cross_realm_bots'] as const
const channelLists = ['subscriptions', 'never_subscribed', 'unsubscribed'] as const

/** People and channels that were here and that the server does not name any more, not even in words nobody understands. */
function removeVanished(db: WritableDb, snapshot: Snapshot, unreadable: readonly UnreadablePart[]): void {
  const users = unreadableRows(unreadable, userLists, 'user_id')
  if (snapshot.realm_users !== undefined && !users.isAny) {
    const named = userLists.flatMap((list) => snapshot[list] ?? []).map(({ user_id }) => user_id)
    keepOnlyUsers(db, [...named, ...users.ids])
  }
  const channels = unreadableRows(unreadable, channelLists, 'stream_id')
  if (snapshot.subscriptions !== undefined && !channels.isAny) {
    const named = channelLists.flatMap((list) => snapshot[list] ?? []).map(({ stream_id }) => stream_id)
    keepOnlyChannels(db, [...named, ...channels.ids])
  }
}

/** Whom the unreadable rows of these lists are about; `isAny` when it cannot be told. */
export function unreadableRows(
  unreadable: readonly UnreadablePart[],
  fields: readonly string[],
  idName: string,
): { readonly ids: ReadonlySet<number>; readonly isAny: boolean } {
  const ids = new Set<number>()
  let isAny = false
  for (const { field, isWhole, body } of unreadable) {
    if (!fields.includes(field)) continue
    const id: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, idName) : undefined
    if (!isWhole && typeof id === 'number' && Number.isSafeInteger(id)) ids.add(id)
    else isAny = true
  }
  return { ids, isAny }
}

function writeUnread(db: WritableDb, unread: NonNullable<Snapshot['unread_msgs']>, ownUserId: UserId): void {
  const mentions = new Set(unread.mentions)
  const rows: { messageId: number; conversation: number; isMentioned: boolean }[] = []
  const put = (conversation: Conversation, ids: readonly number[]) => {
    const home = conversationId(db, conversation)
    for (const id of ids) rows.push({ messageId: id, conversation: home, isMentioned: mentions.has(id) })
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
  // A list that the server cut short says nothing of what is older than its oldest message.
  const oldest = rows.reduce((least, { messageId }) => Math.min(least, messageId), Number.MAX_SAFE_INTEGER)
  replaceUnread(db, rows, unread.old_unreads_missing ? oldest : 0)
}
