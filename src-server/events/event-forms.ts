import type { NewEvent, QueueOptions } from './event-queues.ts'
import { legacySettingEvent } from './legacy-settings.ts'

/** The facts about the organization that determine the form of an event. */
export interface EventSurroundings {
  emptyTopicName(): string
  settingOf(userId: number, name: string): unknown
  isArchived(channelId: number): boolean
  /** A channel as the API shows it to a person. */
  channelFor(userId: number, channelId: number): object | undefined
  /** A user group as the API shows it. */
  userGroup(groupId: number): { readonly deactivated: boolean } | undefined
  /** Whether one person may know of another. */
  knows(viewerId: number, userId: number): boolean
  /** Whether one person may see the real address of another. */
  knowsAddress(viewerId: number, userId: number): boolean
  /** A person as somebody who may not know of them sees them. */
  asUnknownUser(person: object): Readonly<Record<string, unknown>>
}

/**
 * Converts an event to the forms that a client can handle (specification, POST /register, client_capabilities): none,
 * one, or several. Publishers give the newest form; older forms are made only here.
 */
export function eventForms(
  event: NewEvent,
  { capabilities, userId, eventTypes }: Pick<QueueOptions, 'capabilities' | 'userId' | 'eventTypes'>,
  surroundings: EventSurroundings,
): readonly NewEvent[] {
  const { emptyTopicName, settingOf } = surroundings
  switch (event.type) {
    case 'typing':
      if ('stream_id' in event && capabilities.stream_typing_notifications !== true) return []
      break
    case 'realm_linkifiers':
      if (capabilities.linkifier_url_template !== true) return []
      break
    case 'update_display_settings':
    case 'update_global_notifications':
      if (capabilities.user_settings_object === true) return []
      break
    case 'muted_topics':
      // A client that requests both gets the older one only from servers that do not know the newer.
      if (eventTypes?.includes('user_topic') === true) return []
      break
    case 'realm_user': {
      const { person } = event
      if (typeof person !== 'object' || person === null || !('user_id' in person)) break
      if (surroundings.knows(userId, Number(person.user_id))) {
        const isAddressed = 'delivery_email' in person && person.delivery_email !== null
        if (!isAddressed || surroundings.knowsAddress(userId, Number(person.user_id))) break
        return event['op'] === 'add' ? [{ ...event, person: { ...person, delivery_email: null } }] : []
      }
      // The event that a person is no longer known reveals nothing more about them.
      if (event['op'] === 'remove') break
      if (event['op'] !== 'add' || capabilities.user_list_incomplete === true) return []
      return [{ ...event, person: surroundings.asUnknownUser(person) }]
    }
    case 'reaction': {
      const { user } = event
      if (typeof user !== 'object' || user === null) break
      if (surroundings.knows(userId, Number(event['user_id']))) break
      const { user_id, email, full_name } = surroundings.asUnknownUser(user)
      return [{ ...event, user: { user_id, email, full_name } }]
    }
    case 'user_group':
      if (capabilities.include_deactivated_groups === true) break
      return withoutDeactivated(event, surroundings)
    case 'stream':
      if (capabilities.archived_channels === true) break
      return withoutArchived(event, userId, surroundings)
    case 'user_status':
      if (!surroundings.knows(userId, Number(event['user_id']))) return []
      break
    case 'subscription':
      if (capabilities.archived_channels !== true && isAboutArchived(event, surroundings)) return []
      if (capabilities.notification_settings_null === true) break
      return [subscriptionForms(event, (name) => settingOf(userId, name))]
    case 'delete_message': {
      const { message_ids: ids, ...rest } = event
      if (capabilities.bulk_message_deletion === true || !Array.isArray(ids)) break
      return ids.map((message_id: unknown) =>
        withTopics({ ...rest, message_id }, capabilities, emptyTopicName),
      )
    }
  }
  return [withTopics(event, capabilities, emptyTopicName)]
}

/** A channel's name, a topic, and since when it is muted (UNIX seconds). */
export type MutedTopic = readonly [channel: string, topic: string, since: number]

/** What older kinds of events say about the receiver. */
export interface Recipient {
  email(): string
  mutedTopics(): readonly MutedTopic[]
}

/**
 * An event together with its equivalents for older clients. These have types of their own, which a client requests by
 * name, so they are published beside the event. `eventForms` withholds them from clients that know the newer type.
 */
export function withLegacyKinds(event: NewEvent, recipient: Recipient): readonly NewEvent[] {
  if (event.type === 'user_topic')
    return [event, { type: 'muted_topics', muted_topics: recipient.mutedTopics() }]
  if (event.type !== 'user_settings') return [event]
  const { property, value, language_name } = event
  const type = legacySettingEvent(String(property))
  if (type === undefined) return [event]
  const legacy: NewEvent =
    type === 'update_display_settings'
      ? { type, user: recipient.email(), setting_name: property, setting: value }
      : { type, user: recipient.email(), notification_name: property, setting: value }
  return [event, language_name === undefined ? legacy : { ...legacy, language_name }]
}

/** Clients that do not know deactivated groups see such a group removed, and added again as a new one. */
function withoutDeactivated(event: NewEvent, { userGroup }: EventSurroundings): readonly NewEvent[] {
  const { op, group_id: id, data } = event
  if (op === 'add' || op === 'remove') return [event]
  if (typeof data === 'object' && data !== null && 'deactivated' in data) {
    return data.deactivated === true
      ? [{ type: 'user_group', op: 'remove', group_id: id }]
      : [{ type: 'user_group', op: 'add', group: userGroup(Number(id)) }]
  }
  return userGroup(Number(id))?.deactivated === true ? [] : [event]
}

/** Clients that do not know archived channels see such a channel removed, and added again as a new one. */
function withoutArchived(
  event: NewEvent,
  userId: number,
  { isArchived, channelFor }: EventSurroundings,
): readonly NewEvent[] {
  const { op, property, value, streams } = event
  if (op === 'create' && Array.isArray(streams)) {
    const shown = streams.filter((one: { is_archived?: boolean }) => one.is_archived !== true)
    return shown.length === 0 ? [] : [{ ...event, streams: shown }]
  }
  if (op !== 'update') return [event]
  const id = Number(event['stream_id'])
  if (property !== 'is_archived') return isArchived(id) ? [] : [event]
  return value === true
    ? [{ type: 'stream', op: 'delete', stream_ids: [id], streams: [{ stream_id: id }] }]
    : [{ type: 'stream', op: 'create', streams: [channelFor(userId, id)] }]
}

function isAboutArchived(event: NewEvent, { isArchived }: EventSurroundings): boolean {
  const { stream_id: id, stream_ids: ids, subscriptions } = event
  const about = [
    ...(typeof id === 'number' ? [id] : []),
    ...(Array.isArray(ids) ? ids.map(Number) : []),
    ...(Array.isArray(subscriptions) ? subscriptions.map((one: { stream_id: number }) => one.stream_id) : []),
  ]
  return about.length > 0 && about.every(isArchived)
}

const inherited: Readonly<Record<string, string>> = {
  desktop_notifications: 'enable_stream_desktop_notifications',
  audible_notifications: 'enable_stream_audible_notifications',
  push_notifications: 'enable_stream_push_notifications',
  email_notifications: 'enable_stream_email_notifications',
  wildcard_mentions_notify: 'wildcard_mentions_notify',
}

/**
 * A subscription for a client that does not know null as "use the default": the person's own settings replace it.
 */
export function withoutNulls<T extends object>(subscription: T, settingOf: (name: string) => unknown): T {
  const filled: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(inherited)) {
    if (name in subscription && Reflect.get(subscription, name) === null)
      filled[name] = settingOf(setting) === true
  }
  return { ...subscription, ...filled }
}

function subscriptionForms(event: NewEvent, settingOf: (name: string) => unknown): NewEvent {
  const { property, value, subscriptions } = event
  const setting = inherited[String(property)]
  if (setting !== undefined && value === null) return { ...event, value: settingOf(setting) === true }
  if (event['op'] !== 'add' || !Array.isArray(subscriptions)) return event
  return { ...event, subscriptions: subscriptions.map((one: object) => withoutNulls(one, settingOf)) }
}

/** Gives a muted topic without a name its display name. */
export const namingEmpty =
  (name: string) =>
  ([channel, topic, since]: MutedTopic): MutedTopic => [channel, topic === '' ? name : topic, since]

const topicFields = ['topic', 'topic_name', 'subject', 'orig_subject']

const namesTopic = (event: NewEvent) =>
  topicFields.some((name) => event[name] === '') ||
  event['message_details'] !== undefined ||
  event['muted_topics'] !== undefined ||
  event['recipient'] !== undefined

/** Clients that do not know the empty topic get its display name. */
function withTopics(
  event: NewEvent,
  capabilities: QueueOptions['capabilities'],
  nameEmptyTopic: () => string,
): NewEvent {
  if (capabilities.empty_topic_name === true || !namesTopic(event)) return event
  const emptyTopicName = nameEmptyTopic()
  const shown: Record<string, unknown> = {}
  for (const name of topicFields) if (event[name] === '') shown[name] = emptyTopicName
  const { message_details: details } = event
  if (typeof details === 'object' && details !== null) {
    shown['message_details'] = Object.fromEntries(
      Object.entries(details).map(([id, detail]: [string, { topic?: string }]) => [
        id,
        detail.topic === '' ? { ...detail, topic: emptyTopicName } : detail,
      ]),
    )
  }
  const { recipient, muted_topics: muted } = event
  if (Array.isArray(muted)) shown['muted_topics'] = muted.map(namingEmpty(emptyTopicName))
  if (typeof recipient === 'object' && recipient !== null && Reflect.get(recipient, 'topic') === '')
    shown['recipient'] = { ...recipient, topic: emptyTopicName }
  return { ...event, ...shown }
}
