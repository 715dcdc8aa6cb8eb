import { apiChannel, apiSubscription } from '../../../src-shared/api/channels.ts'
import type { EventPayload } from '../../../src-shared/api/events.ts'
import { readTolerantly } from '../../../src-shared/api/tolerant.ts'
import { isAble } from '../../../src-shared/model/server-abilities.ts'
import {
  addSubscribers,
  channelFields,
  hasChannel,
  isSubscribed,
  putChannel,
  removeChannels,
  removeSubscribers,
  replaceSubscribers,
  setSubscribed,
  subscriptionField,
  updateChannel,
} from '../../store/channels.ts'
import { orderFolders, putFolder, updateFolder } from '../../store/channel-folders.ts'
import { replaceMutedTopics, setTopicVisibility } from '../../store/topic-visibility.ts'
import type { WritableDb } from '../../store/database.ts'
import { doubtAccess, doubtJoined } from '../../store/doubted-channels.ts'
import { setChannelPermission } from '../../store/permissions.ts'
import { noteLost } from '../../store/lost-channels.ts'
import { highestId } from '../../store/messages.ts'
import { noteJoined, receivedFrom } from '../../store/received-from.ts'
import { endLiveRangesOf } from '../../store/ranges.ts'
import {
  channelFromApi,
  folderFromApi,
  isChannelPermission,
  mutedTopicFromApi,
  visibilityFromApi,
} from '../from-wire.ts'
import { said, type ApplyContext } from './context.ts'

/** The person or others joined or left channels, or own settings for a channel changed. */
export function applySubscription(
  db: WritableDb,
  payload: EventPayload<'subscription'>,
  context: ApplyContext,
): void {
  switch (payload.op) {
    case 'add':
      for (const subscription of payload.subscriptions) {
        if (subscription.history_public_to_subscribers) noteJoined(db, subscription.stream_id)
        doubtJoined(db, subscription.stream_id)
        context.said.add(said.subscription(subscription.stream_id))
        putChannel(db, channelFromApi(subscription, { isSubscribed: true }))
        replaceSubscribers(
          db,
          subscription.stream_id,
          subscription.subscribers ?? subscription.partial_subscribers ?? [],
        )
        context.joined.add(subscription.stream_id)
        // A page under way may end before the first message whose event comes.
        context.touchedAll = true
        context.changedChannels.add(subscription.stream_id)
      }
      context.creationHeard(db)
      break
    case 'remove':
      for (const { stream_id } of payload.subscriptions) {
        setSubscribed(db, stream_id, context.ownUserId, false)
        // Its events end: the messages here stay, but are no longer kept up to date.
        endLiveRangesOf(db, stream_id)
        context.changedChannels.add(stream_id)
        context.said.add(said.subscription(stream_id))
      }
      break
    case 'update':
      applySubscriptionProperty(db, payload, context)
      break
    case 'peer_add':
      for (const id of payload.stream_ids) addSubscribers(db, id, payload.user_ids)
      break
    case 'peer_remove':
      for (const id of payload.stream_ids) removeSubscribers(db, id, payload.user_ids)
      break
  }
}

function applySubscriptionProperty(
  db: WritableDb,
  { stream_id: id, property, value }: Extract<EventPayload<'subscription'>, { op: 'update' }>,
  context: ApplyContext,
): void {
  const field = property === 'in_home_view' ? 'isMuted' : subscriptionField(property)
  if (field === undefined) {
    // Other known properties arrive in a stream event too.
    if (!Object.hasOwn(apiSubscription.shape, property))
      context.stranger(db, 'property', `subscription/update/${property}`)
  } else if (field === 'color') {
    if (typeof value === 'string') updateChannel(db, id, { color: value })
  } else if (field === 'isMuted') {
    updateChannel(db, id, { isMuted: value === (property !== 'in_home_view') })
  } else if (field === 'isPinned') {
    updateChannel(db, id, { isPinned: value === true })
  } else {
    updateChannel(db, id, { [field]: typeof value === 'boolean' ? value : null })
  }
}

/** The properties of a channel that say who can read it, with our names. */
const accessProperties: Readonly<Record<string, string>> = {
  invite_only: 'access',
  can_subscribe_group: 'subscribe',
  can_add_subscribers_group: 'addSubscribers',
}

/** Channels were created, deleted or changed. */
export function applyStream(db: WritableDb, payload: EventPayload<'stream'>, context: ApplyContext): void {
  switch (payload.op) {
    case 'create':
      // A channel that is already here keeps the person's own settings for it.
      for (const channel of payload.streams) {
        if (hasChannel(db, channel.stream_id)) continue
        putChannel(db, channelFromApi(channel, { isSubscribed: false }))
        context.changedChannels.add(channel.stream_id)
      }
      context.creationHeard(db)
      break
    case 'delete': {
      const ids = payload.stream_ids ?? (payload.streams ?? []).map(({ stream_id }) => stream_id)
      removeChannels(db, ids)
      // Otherwise it may only be archived, and its messages can still be read.
      if (isAble(context.featureLevel, 'archivedInPlace')) {
        for (const id of ids) noteLost(db, id)
        // A page under way may have messages that can no longer be read.
        context.touchedAll = true
      }
      break
    }
    case 'update': {
      if (payload.history_public_to_subscribers === true) noteShared(db, payload.stream_id, context)
      if (payload.history_public_to_subscribers === false) noteProtected(db, payload.stream_id)
      applyStreamProperty(db, payload, context)
      context.changedChannels.add(payload.stream_id)
      const property = accessProperties[payload.property]
      if (property !== undefined) context.said.add(said.channel(payload.stream_id, property))
      break
    }
  }
}

/** Everybody in the channel can read from now on what was sent before they joined. */
function noteShared(db: WritableDb, id: number, { joined }: ApplyContext): void {
  if (channelFields(db, id)?.hasSharedHistory !== false || !isSubscribed(db, id)) return
  noteJoined(db, id)
  joined.add(id)
}

/** What was sent while somebody was not in the channel can no longer be read by them. */
function noteProtected(db: WritableDb, id: number): void {
  if (hasChannel(db, id)) doubtAccess(db, id, isSubscribed(db, id) ? receivedFrom(db, id) : highestId)
}

function applyStreamProperty(
  db: WritableDb,
  payload: Extract<EventPayload<'stream'>, { op: 'update' }>,
  context: ApplyContext,
): void {
  // The value has the property's form in a channel object; the schema sets defaults for all other fields.
  const { read: checked } = readTolerantly(apiChannel.partial(), { [payload.property]: payload.value })
  if (!checked.success) throw new Error(`The value of the channel's ${payload.property} has an unknown form.`)
  const { data } = checked
  const id = payload.stream_id
  switch (payload.property) {
    case 'name':
      if (data.name !== undefined) updateChannel(db, id, { name: data.name })
      break
    case 'description':
      updateChannel(db, id, { description: data.description ?? '' })
      break
    case 'invite_only':
      updateChannel(db, id, {
        isPrivate: data.invite_only === true,
        ...(payload.is_web_public === undefined ? {} : { isWebPublic: payload.is_web_public }),
        ...(payload.history_public_to_subscribers === undefined
          ? {}
          : { hasSharedHistory: payload.history_public_to_subscribers }),
      })
      break
    case 'is_archived':
      updateChannel(db, id, { isArchived: data.is_archived === true })
      break
    case 'is_recently_active':
      updateChannel(db, id, { isRecentlyActive: data.is_recently_active ?? true })
      break
    case 'folder_id':
      updateChannel(db, id, { folderId: data.folder_id ?? null })
      break
    case 'topics_policy':
      updateChannel(db, id, { topicsPolicy: data.topics_policy ?? 'inherit' })
      break
    case 'message_retention_days':
      updateChannel(db, id, { retentionDays: data.message_retention_days ?? null })
      break
    case 'first_message_id':
      updateChannel(db, id, { firstMessageId: data.first_message_id ?? null })
      break
    default:
      // Other known properties arrive in another form too.
      if (isChannelPermission(payload.property))
        setChannelPermission(db, id, payload.property, Reflect.get(data, payload.property))
      else if (!Object.hasOwn(apiChannel.shape, payload.property))
        context.stranger(db, 'property', `stream/update/${payload.property}`)
      break
  }
}

/** A channel folder was added or changed, or the folders have another order. */
export function applyChannelFolder(
  db: WritableDb,
  payload: EventPayload<'channel_folder'>,
  context: ApplyContext,
): void {
  switch (payload.op) {
    case 'add':
      putFolder(db, folderFromApi(payload.channel_folder))
      context.creationHeard(db)
      break
    case 'update': {
      const { name, is_archived, description } = payload.data
      updateFolder(db, payload.channel_folder_id, {
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
        ...(is_archived === undefined ? {} : { isArchived: is_archived }),
      })
      break
    }
    case 'reorder':
      orderFolders(db, payload.order)
      break
  }
}

/** Newer servers also send this older form, beside `user_topic`. */
export function applyMutedTopics(
  db: WritableDb,
  { muted_topics }: EventPayload<'muted_topics'>,
  { featureLevel }: ApplyContext,
): void {
  if (isAble(featureLevel, 'topicVisibility')) return
  replaceMutedTopics(db, muted_topics.map(mutedTopicFromApi))
}

/** The person muted, unmuted or followed a topic, or took that back. */
export function applyUserTopic(db: WritableDb, payload: EventPayload<'user_topic'>): void {
  setTopicVisibility(db, payload.stream_id, payload.topic_name, visibilityFromApi(payload.visibility_policy))
}
