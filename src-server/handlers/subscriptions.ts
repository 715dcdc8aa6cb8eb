import type { Handlers } from '../../src-shared/api/index.ts'
import { publishCreated } from '../channels/channel-audience.ts'
import {
  allChannels,
  channelByName,
  checkedChannelName,
  publishDefaultChannels,
} from '../channels/channels.ts'
import { checkedNewChannel, type NewChannelInput } from '../channels/new-channel.ts'
import {
  accessibleChannel,
  canAddSubscribers,
  canReadChannel,
  canRemoveSubscriber,
  canSeeChannel,
  isSubscribed,
  readableChannel,
  viewersOf,
} from '../permissions/channels.ts'
import { readableParameters, readableSql } from '../permissions/messages.ts'
import { assertNoGuest } from '../permissions/roles.ts'
import { knownPeople, personByEmail } from '../people/user-access.ts'
import { badRequest } from '../service-error.ts'
import {
  addSubscribers,
  apiSubscription,
  removeSubscribers,
  withSubscribers,
} from '../channels/subscriptions.ts'
import { realmValue, type ChannelRow, type UserRow, type Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

export const subscriptions: Pick<
  Handlers<HandlerContext>,
  | 'getSubscriptions'
  | 'subscribe'
  | 'unsubscribe'
  | 'updateSubscriptions'
  | 'getSubscriptionStatus'
  | 'updateSubscriptionSettings'
  | 'updateSubscription'
  | 'getStreamTopics'
> = {
  getSubscriptions: (input, { workspace, user }) => ({
    subscriptions: allChannels(workspace)
      .filter((row) => row.is_archived === 0 && isSubscribed(workspace.db, user.user_id, row.channel_id))
      .map((row) =>
        withSubscribers(
          workspace,
          input.include_subscribers ?? 'false',
          apiSubscription(workspace, user, row),
        ),
      ),
  }),

  subscribe: (input, { workspace, user }) => {
    assertNoGuest(user)
    const { subscriptions: wanted, principals, authorization_errors_fatal, ...settings } = input
    const people = principalsOf(workspace, user, principals)
    const subscribe = checkedSubscribing(workspace, user, people, wanted, settings, {
      isFatal: authorization_errors_fatal !== false,
    })
    const { unauthorized, ...result } = subscribe()
    return { ...result, ...(authorization_errors_fatal === false ? { unauthorized } : {}) }
  },

  unsubscribe: ({ subscriptions: names, principals }, { workspace, user }) => {
    const people = principalsOf(workspace, user, principals)
    return checkedUnsubscribing(workspace, user, people, names)()
  },

  updateSubscriptions: (input, { workspace, user }) => {
    const { add = [], delete: names = [] } = input
    if (add.length + names.length === 0)
      throw badRequest('Nothing to do. Specify at least one of "add" or "delete".')
    if (add.length > 0) assertNoGuest(user)
    // Both are validated before either is carried out.
    const subscribe = checkedSubscribing(workspace, user, [user], add, {}, { isFatal: true })
    const unsubscribe = checkedUnsubscribing(workspace, user, [user], names)
    const { unauthorized: _none, ...added } = subscribe()
    return { ...added, ...unsubscribe() }
  },

  getSubscriptionStatus: ({ user_id, stream_id }, { workspace, user }) => {
    if (knownPeople(workspace.db, user)(user_id) === undefined) throw badRequest('No such user')
    const channel = accessibleChannel(workspace.db, user, stream_id)
    return { is_subscribed: isSubscribed(workspace.db, user_id, channel.channel_id) }
  },

  updateSubscriptionSettings: ({ subscription_data }, { workspace, user }) => {
    changeProperties(workspace, user, subscription_data)
    return {}
  },

  updateSubscription: (change, { workspace, user }) => {
    changeProperties(workspace, user, [change])
    return {}
  },

  getStreamTopics: ({ stream_id, allow_empty_topic_name }, { workspace, user }) => {
    readableChannel(workspace.db, user, stream_id)
    const rows = workspace.db.all<{ max_id: number; topic: string }>(
      `SELECT max(message_id) AS max_id, topic FROM messages m WHERE channel_id = :channel AND ${readableSql}
       GROUP BY topic_key ORDER BY max_id DESC`,
      { ...readableParameters(workspace.db, user), channel: stream_id },
    )
    const emptyName = realmValue(workspace.db, 'empty_topic_display_name')
    return {
      topics: rows.map(({ max_id, topic }) => ({
        max_id,
        name: topic === '' && allow_empty_topic_name !== true ? emptyName : topic,
      })),
    }
  },
}

/** The active people and bots that a request names by id or address; the caller if it names nobody. */
function principalsOf(
  { db }: Workspace,
  user: UserRow,
  named: readonly (number | string)[] | undefined,
): UserRow[] {
  if (named === undefined) return [user]
  const known = knownPeople(db, user)
  return named.map((one) => {
    const row = typeof one === 'number' ? known(one) : personByEmail(db, user, one)
    if (row === undefined) throw badRequest(`User not authorized to execute queries on behalf of '${one}'`)
    if (row.is_active === 0) throw badRequest(`'${row.full_name}' is deactivated`)
    return row
  })
}

interface NamedChannel {
  readonly name: string
  readonly description?: string | undefined
  readonly color?: string | undefined
}

/**
 * Validates a request to subscribe people to channels. The returned function creates missing channels and subscribes
 * the people.
 */
function checkedSubscribing(
  workspace: Workspace,
  user: UserRow,
  people: readonly UserRow[],
  wanted: readonly NamedChannel[],
  settings: Omit<NewChannelInput, 'name' | 'description'>,
  { isFatal }: { isFatal: boolean },
): () => {
  subscribed: Record<string, string[]>
  already_subscribed: Record<string, string[]>
  unauthorized: string[]
} {
  const { db } = workspace
  const isAboutOthers = people.some(({ user_id }) => user_id !== user.user_id)
  const unauthorized: string[] = []
  const steps: { color: string | undefined; channel: () => ChannelRow }[] = []
  const named = new Set<string>()
  for (const { name, description, color } of wanted) {
    const key = checkedChannelName(name).toLowerCase()
    if (named.has(key)) continue
    named.add(key)
    if (color !== undefined) assertColor(color)
    const known = channelByName(workspace, name)
    if (known === undefined) {
      const make = checkedNewChannel(
        workspace,
        user,
        { ...settings, name, description: description ?? '' },
        people,
      )
      steps.push({
        color,
        channel: () => {
          const channel = make()
          publishCreated(workspace, channel, viewersOf(db, channel))
          if (channel.is_default === 1) publishDefaultChannels(workspace)
          return channel
        },
      })
      continue
    }
    const isAllowed =
      known.is_archived === 0 &&
      (isAboutOthers ? canAddSubscribers(db, user, known) : canReadChannel(db, user, known))
    if (isAllowed) steps.push({ color, channel: () => known })
    else if (!isFatal) unauthorized.push(known.name)
    else if (known.is_archived === 0 && canReadChannel(db, user, known))
      throw badRequest('Insufficient permission')
    else throw badRequest(`Unable to access channel (${known.name}).`)
  }
  return () => {
    const subscribed: Record<string, string[]> = {}
    const already: Record<string, string[]> = {}
    for (const { color, channel: find } of steps) {
      const channel = find()
      const added = new Set(addSubscribers(workspace, people, channel, color).map((person) => person.user_id))
      for (const { user_id } of people) {
        const list = added.has(user_id) ? subscribed : already
        ;(list[String(user_id)] ??= []).push(channel.name)
      }
    }
    return { subscribed, already_subscribed: already, unauthorized }
  }
}

/** Validates a request to end subscriptions. The returned function ends them. */
function checkedUnsubscribing(
  workspace: Workspace,
  user: UserRow,
  people: readonly UserRow[],
  names: readonly string[],
): () => { removed: string[]; not_removed: string[] } {
  const { db } = workspace
  const channels = [...new Set(names)].map((name) => {
    const channel = channelByName(workspace, name)
    if (channel === undefined || !canSeeChannel(db, user, channel)) {
      throw badRequest(`Channel(s) (${name}) do not exist`)
    }
    if (!people.every((person) => canRemoveSubscriber(db, user, channel, person))) {
      throw badRequest('Insufficient permission')
    }
    return channel
  })
  return () => {
    const removed: string[] = []
    const notRemoved: string[] = []
    for (const channel of channels) {
      const gone = removeSubscribers(workspace, people, channel)
      if (gone.length > 0) removed.push(channel.name)
      if (gone.length < people.length) notRemoved.push(channel.name)
    }
    return { removed, not_removed: notRemoved }
  }
}

function assertColor(color: string): void {
  if (!/^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(color)) throw badRequest('color is not a valid hex color code')
}

/** Changes one person's settings for their channels: all of them or none. */
function changeProperties(
  workspace: Workspace,
  user: UserRow,
  wanted: readonly {
    readonly stream_id: number
    readonly property: string
    readonly value: string | boolean
  }[],
): void {
  const changes = wanted.map(({ stream_id, property, value }) => {
    accessibleChannel(workspace.db, user, stream_id)
    if (!isSubscribed(workspace.db, user.user_id, stream_id))
      throw badRequest(`Not subscribed to channel id ${stream_id}`)
    return { stream_id, ...checkedProperty(property, value) }
  })
  workspace.db.transaction(() => {
    for (const { stream_id, column, stored } of changes) {
      workspace.db.run(
        `UPDATE subscriptions SET ${column} = ? WHERE user_id = ? AND channel_id = ?`,
        stored,
        user.user_id,
        stream_id,
      )
    }
  })
  for (const { stream_id, shown } of changes) {
    for (const [property, value] of shown) {
      workspace.publish([user.user_id], { type: 'subscription', op: 'update', stream_id, property, value })
    }
  }
}

const plainProperties = [
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
]

/** One validated property of a subscription: its column, and what clients are told. */
function checkedProperty(
  property: string,
  value: string | boolean,
): { column: string; stored: string | number; shown: [property: string, value: string | boolean][] } {
  if (property === 'color') {
    if (typeof value !== 'string') throw badRequest('color is not a valid hex color code')
    assertColor(value)
    return { column: 'color', stored: value, shown: [['color', value]] }
  }
  const isMute = property === 'is_muted' || property === 'in_home_view'
  if (!isMute && !plainProperties.includes(property)) {
    throw badRequest(`Unknown subscription property: ${property}`)
  }
  if (typeof value !== 'boolean') throw badRequest(`value is not a boolean`)
  if (!isMute) return { column: property, stored: value ? 1 : 0, shown: [[property, value]] }
  // The older name has the inverse value; clients of both generations are told.
  const isMuted = property === 'is_muted' ? value : !value
  return {
    column: 'is_muted',
    stored: isMuted ? 1 : 0,
    shown: [
      ['in_home_view', !isMuted],
      ['is_muted', isMuted],
    ],
  }
}
