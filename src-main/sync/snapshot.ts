import { chunk } from '../../src-shared/basics.ts'
import type { UnreadablePart } from '../../src-shared/api/lenient.ts'
import { snapshot as snapshotForm, type Snapshot } from '../../src-shared/api/snapshot.ts'
import type { ApiUser } from '../../src-shared/api/users.ts'
import type { UserId } from '../../src-shared/ids.ts'
import {
  directConversation,
  topicConversation,
  type Conversation,
} from '../../src-shared/model/conversation.ts'
import type { Clock } from '../../src-shared/clock/clock.ts'
import {
  hasChannel,
  isSubscribed,
  keepOnlyChannels,
  putChannel,
  replaceSubscribers,
  unlistSubscriber,
} from '../store/channels.ts'
import { putFolder, removeAllFolders } from '../store/channel-folders.ts'
import {
  removeAllTopicVisibility,
  replaceMutedTopics,
  setTopicVisibility,
} from '../store/topic-visibility.ts'
import { conversationId, findMiscounted, noteNewest, recountUnread } from '../store/conversations.ts'
import { countUnknown, setAside, writeRegistration, type Cursor } from '../store/cursor.ts'
import { forgetProgress } from '../store/event-progress.ts'
import type { Store, WritableDb } from '../store/database.ts'
import { keepSomeUnread, putUnreadIn, setStarred, starredIds } from '../store/flags.ts'
import { notHere } from '../store/messages.ts'
import { leaveHoles } from '../store/missing.ts'
import { replaceObjects } from '../store/objects.ts'
import { noteJoined } from '../store/received-from.ts'
import { forgetEchoes } from '../store/outbox.ts'
import { ownHolder, refreshOwnGroups, refreshOwnRights, refreshPosting } from '../store/permissions.ts'
import { endLiveRanges, forgetChecked } from '../store/ranges.ts'
import { forgetHistoryLimits } from '../store/history-limits.ts'
import { obeyingHistoryPolicy } from '../store/message-changes.ts'
import { putOrganizationValue } from '../store/organization.ts'
import { setRealmEmoji } from '../store/custom-emoji.ts'
import { putAccountSetting } from '../store/account-settings.ts'
import { keepOnlyUsers, putPresence, putUser } from '../store/users.ts'
import { forgetTyping } from '../store/typing.ts'
import { setMutedUsers } from '../store/muted-users.ts'
import { writeSmallLists } from './appliers/small-lists.ts'
import { realmEmojiFromApi } from './appliers/users.ts'
import {
  channelFromApi,
  folderFromApi,
  mutedTopicFromApi,
  presenceFromApi,
  settingFromApi,
  userFromApi,
  visibilityFromApi,
} from './from-wire.ts'
import { isOrganizationField, organizationFields } from './organization-fields.ts'
import type { ServerTime } from './server-time.ts'
import { unusedState } from './unused-state.ts'

/** How long one transaction may take while a snapshot is written, so that windows stay responsive. */
const writeBudgetMs = 4

/** A small part of the snapshot: writes a few rows. */
export type Step = (db: WritableDb) => void

/**
 * Writes a registration's snapshot over the cache, in small transactions. The last one writes what belongs together,
 * including the queue and the new generation. Until then the account counts as not registered, so after a crash it just
 * registers again. Messages and known history stay; the new generation tells which of them must be compared again.
 */
export async function writeSnapshot(parts: {
  readonly store: Store
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly ownUserId: UserId
  readonly serverTime: ServerTime
  readonly snapshot: Snapshot
  /** The unreadable parts of the server's answer; they are set aside with their reasons. */
  readonly unreadable: readonly UnreadablePart[]
  readonly before: Cursor
  /** Last in each transaction: reapplies the local effects of waiting changes. */
  reapply(): void
  /** Runs last in the last transaction. */
  finish(): void
}): Promise<void> {
  const { store, clock, signal, snapshot, unreadable, before } = parts
  parts.serverTime.learn(snapshot.server_timestamp)
  await writeInSteps(parts, stepsOf(snapshot, unreadable, parts))
  if (signal.aborted) return
  store.write((db) => {
    for (const { field, reason, body } of unreadable)
      setAside(db, `snapshot:${field}`, reason, body, clock.now())
    for (const field of Object.keys(snapshot))
      if (!isKnownField(field)) countUnknown(db, 'field', field, clock.now())
    // Those that were starred elsewhere meanwhile.
    leaveHoles(db, notHere(db, snapshot.starred_messages ?? []), ['starred'])
    endLiveRanges(db)
    forgetChecked(db)
    forgetHistoryLimits(db)
    forgetEchoes(db)
    forgetTyping(db)
    forgetProgress(db)
    writeRegistration(db, {
      queueId: snapshot.queue_id ?? '',
      lastEventId: snapshot.last_event_id,
      generation: before.generation + 1,
      featureLevel: snapshot.service_feature_level,
      speaksDialect: snapshot.speaks_dialect === true,
      serverVersion: snapshot.service_version ?? '',
      longpollTimeoutMs: (snapshot.event_queue_longpoll_timeout_seconds ?? 90) * 1_000,
      now: clock.now(),
      serverNow: parts.serverTime.heardNow(),
    })
    // After the registration is written, so that `finish` knows what this server can do.
    parts.finish()
  })
}

const isKnownField = (field: string): boolean =>
  Object.hasOwn(snapshotForm.out.shape, field) ||
  Object.hasOwn(unusedState, field) ||
  isOrganizationField(field)

function* stepsOf(
  snapshot: Snapshot,
  unreadable: readonly UnreadablePart[],
  { serverTime, ownUserId }: { readonly serverTime: ServerTime; readonly ownUserId: UserId },
): Generator<Step> {
  yield* userSteps(snapshot)
  yield* channelSteps(snapshot, ownUserId)
  yield* presenceSteps(snapshot.presences ?? {}, serverTime)
  yield* listSteps(snapshot, ownUserId)
  yield* vanishedSteps(snapshot, unreadable)
  yield* rightsSteps(snapshot, unreadable, ownUserId)
  yield* unreadSteps(snapshot, ownUserId)
  yield* starSteps(snapshot)
}

/** The stars of how many messages one step writes: each may be anywhere in the file. */
const starsAtOnce = 50

/** Stars exactly the messages that the server names, as far as they are here. */
function* starSteps({ starred_messages: starred }: Snapshot): Generator<Step> {
  if (starred === undefined) return
  const named = new Set(starred)
  let others: readonly number[] = []
  yield (db) => {
    others = starredIds(db).filter((id) => !named.has(id))
  }
  for (const isStarred of [false, true])
    for (const some of chunk(isStarred ? starred : others, starsAtOnce))
      yield (db) => setStarred(db, some, isStarred, null)
}

/** The parameters of `writeInSteps`. */
interface StepsParts {
  readonly store: Store
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Runs last in each transaction. */
  reapply?(): void
}

/**
 * Writes in transactions so small that windows stay responsive, and stops early if the account ends. A large
 * organization has many steps, so each is created only when its turn comes.
 */
export async function writeInSteps(
  { store, clock, signal, reapply }: StepsParts,
  steps: Iterator<Step, void>,
): Promise<void> {
  for (let isMore = true; isMore && !signal.aborted;) {
    isMore = store.write((db) => {
      const start = performance.now()
      let next = steps.next()
      for (; next.done !== true; next = steps.next()) {
        next.value(db)
        if (performance.now() - start >= writeBudgetMs) break
      }
      reapply?.()
      return next.done !== true
    })
    await clock.wait(0, signal)
  }
}

function* userSteps(snapshot: Snapshot): Generator<Step> {
  const put =
    (user: ApiUser, isActive: boolean): Step =>
    (db) =>
      putUser(db, userFromApi(user, isActive))
  for (const user of snapshot.realm_non_active_users ?? []) yield put(user, false)
  for (const user of snapshot.cross_realm_bots ?? []) yield put(user, true)
  for (const user of snapshot.realm_users ?? []) yield put(user, user.is_active !== false)
}

function* channelSteps(snapshot: Snapshot, ownUserId: UserId): Generator<Step> {
  for (const list of [snapshot.never_subscribed, snapshot.unsubscribed])
    for (const channel of list ?? [])
      yield (db) => {
        putChannel(db, channelFromApi(channel, { isSubscribed: false }))
        unlistSubscriber(db, channel.stream_id, ownUserId)
      }
  for (const channel of snapshot.subscriptions ?? []) {
    yield (db) => {
      const { stream_id: id, history_public_to_subscribers: isShared } = channel
      // Joined while no event could tell.
      if (isShared && hasChannel(db, id) && !isSubscribed(db, id)) noteJoined(db, id)
      putChannel(db, channelFromApi(channel, { isSubscribed: true }))
      replaceSubscribers(db, channel.stream_id, channel.subscribers ?? channel.partial_subscribers ?? [])
    }
  }
}

/** One step per person: writes their presence. */
export function* presenceSteps(
  presences: Readonly<Record<string, unknown>>,
  serverTime: ServerTime,
): Generator<Step> {
  for (const [id, entry] of Object.entries(presences)) {
    yield (db) => {
      const seen = presenceFromApi(entry)
      if (seen === null || !/^\d+$/.test(id)) return
      putPresence(db, Number(id), serverTime.local(seen.activeAt), serverTime.local(seen.idleAt))
    }
  }
}

/** Replaces whole lists, one step per list. */
function listSteps(snapshot: Snapshot, ownUserId: UserId): Step[] {
  const values: Record<string, unknown> = snapshot
  return [
    (db) => {
      obeyingHistoryPolicy(db, () => {
        for (const name of organizationFields) {
          if (values[name] !== undefined) putOrganizationValue(db, name, values[name])
        }
      })
    },
    (db) => {
      for (const [name, value] of Object.entries(snapshot.user_settings ?? {}))
        putAccountSetting(db, name, settingFromApi(name, value))
    },
    (db) => writeSmallLists(db, snapshot),
    (db) => {
      if (snapshot.channel_folders === undefined) return
      removeAllFolders(db)
      for (const folder of snapshot.channel_folders) putFolder(db, folderFromApi(folder))
    },
    (db) => {
      if (snapshot.realm_user_groups === undefined) return
      replaceObjects(
        db,
        'user-group',
        snapshot.realm_user_groups.map((group) => ({ id: group.id, body: group })),
      )
    },
    (db) => {
      if (snapshot.muted_users === undefined) return
      setMutedUsers(
        db,
        snapshot.muted_users.map(({ id, timestamp }) => ({ id, since: timestamp * 1000 })),
      )
    },
    (db) => {
      if (snapshot.realm_emoji === undefined) return
      setRealmEmoji(db, Object.values(snapshot.realm_emoji).map(realmEmojiFromApi))
    },
    (db) => {
      if (snapshot.user_topics !== undefined || snapshot.muted_topics === undefined) return
      replaceMutedTopics(db, snapshot.muted_topics.map(mutedTopicFromApi))
    },
    (db) => {
      if (snapshot.user_topics === undefined) return
      removeAllTopicVisibility(db)
      for (const { stream_id, topic_name, visibility_policy } of snapshot.user_topics) {
        setTopicVisibility(db, stream_id, topic_name, visibilityFromApi(visibility_policy))
      }
    },
    ...(snapshot.recent_private_conversations ?? []).map(({ user_ids, max_message_id }): Step => (db) => {
      const conversation = directConversation(user_ids, ownUserId)
      noteNewest(db, conversationId(db, conversation), max_message_id, conversation)
    }),
  ]
}

const userLists = ['realm_users', 'realm_non_active_users', 'cross_realm_bots'] as const
const channelLists = ['subscriptions', 'never_subscribed', 'unsubscribed'] as const

/** Removes people and channels that the server no longer names, not even in unreadable rows. */
function vanishedSteps(snapshot: Snapshot, unreadable: readonly UnreadablePart[]): Step[] {
  return [
    (db) => {
      const users = unreadableRows(unreadable, userLists, 'user_id')
      if (snapshot.realm_users === undefined || users.isAny) return
      const named = userLists.flatMap((list) => snapshot[list] ?? []).map(({ user_id }) => user_id)
      keepOnlyUsers(db, [...named, ...users.ids])
    },
    (db) => {
      const channels = unreadableRows(unreadable, channelLists, 'stream_id')
      if (snapshot.subscriptions === undefined || channels.isAny) return
      const named = channelLists.flatMap((list) => snapshot[list] ?? []).map(({ stream_id }) => stream_id)
      keepOnlyChannels(db, [...named, ...channels.ids])
    },
  ]
}

/** For how many channels one step computes the own user's rights. */
const rightsAtOnce = 100

/** Computes the own user's rights; must come after people, groups and channels are written or removed. */
function rightsSteps(snapshot: Snapshot, unreadable: readonly UnreadablePart[], ownUserId: UserId): Step[] {
  const channels = unreadableRows(unreadable, channelLists, 'stream_id')
  // The snapshot may not name all channels that are here.
  if (snapshot.subscriptions === undefined || channels.isAny)
    return [(db) => void refreshOwnRights(db, ownUserId)]
  const named = channelLists.flatMap((list) => snapshot[list] ?? []).map(({ stream_id }) => stream_id)
  const ids = [...named, ...channels.ids]
  return [
    (db) => void refreshOwnGroups(db, ownUserId),
    ...Array.from({ length: Math.ceil(ids.length / rightsAtOnce) }, (_, index): Step => {
      const some = ids.slice(index * rightsAtOnce, (index + 1) * rightsAtOnce)
      return (db) => void refreshPosting(db, ownHolder(db, ownUserId), some)
    }),
  ]
}

/** The ids in the unreadable rows of these lists; `isAny` if some row has no readable id. */
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

/**
 * Replaces the unread messages, conversation by conversation. The counters on screen are computed in a step of their
 * own at the end, so that none changes before all are right.
 */
function* unreadSteps(snapshot: Snapshot, ownUserId: UserId): Generator<Step> {
  const unread = snapshot.unread_msgs
  if (unread === undefined) return
  const mentions = new Set(unread.mentions)
  const lists = [...unread.streams, ...unread.pms, ...unread.huddles].map((one) => one.unread_message_ids)
  const all = lists.flat()
  // A list that the server truncated says nothing about messages older than its oldest.
  const oldest = all.reduce((least, id) => Math.min(least, id), Number.MAX_SAFE_INTEGER)
  const named = new Set(all)
  for (let from: number | null = unread.old_unreads_missing ? oldest : 0; from !== null;)
    yield (db) => {
      from = keepSomeUnread(db, named, from ?? 0)
    }
  const put =
    (conversation: Conversation, ids: readonly number[]): Step =>
    (db) => {
      const home = conversationId(db, conversation)
      putUnreadIn(
        db,
        home,
        ids.map((id) => ({ id, isMentioned: mentions.has(id) })),
      )
      const newest = ids.at(-1)
      if (newest !== undefined) noteNewest(db, home, newest, conversation)
    }
  for (const { stream_id, topic, unread_message_ids } of unread.streams)
    yield put(topicConversation(stream_id, topic), unread_message_ids)
  for (const { other_user_id, unread_message_ids } of unread.pms)
    yield put(directConversation([other_user_id], ownUserId), unread_message_ids)
  for (const { user_ids_string, unread_message_ids } of unread.huddles)
    yield put(directConversation(user_ids_string.split(',').map(Number), ownUserId), unread_message_ids)
  const miscounted = new Set<number>()
  for (let after: number | null = 0; after !== null;)
    yield (db) => {
      after = findMiscounted(db, after ?? 0, miscounted)
    }
  // Whatever was counted anew since, for a mark of the person's, is right again.
  yield (db) => recountUnread(db, miscounted)
}
