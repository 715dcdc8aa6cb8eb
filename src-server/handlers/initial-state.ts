import type { ApiChannel, ApiSubscription } from '../../src-shared/api/channels.ts'
import { allFolders, apiFolder } from '../channels/channel-folders.ts'
import {
  allChannels,
  apiChannel,
  channelFacts,
  type ChannelFacts,
  defaultChannelIds,
} from '../channels/channels.ts'
import { defaultChannelGroupList } from '../channels/default-channel-groups.ts'
import { namingEmpty, withoutNulls } from '../events/event-forms.ts'
import { mutedTopicsOf } from '../channels/muted-topics.ts'
import { avatarSource, avatarUrl, largeAvatarUrl } from '../people/avatars.ts'
import { roles } from '../../src-shared/roles.ts'
import { canCreateChannel, canSeeChannel } from '../permissions/channels.ts'
import { mayInRealm } from '../permissions/holders.ts'
import { isAdministrator, isGuest, isOwner } from '../permissions/roles.ts'
import { apiSubscription, withSubscribers, type SubscriptionRow } from '../channels/subscriptions.ts'
import {
  defaultSettingsState,
  legacyChoices,
  settingOf,
  settingsOf,
  settingsState,
} from '../people/settings.ts'
import { legacySettingEvent } from '../events/legacy-settings.ts'
import { apiUser, apiUserFor } from '../people/shown-users.ts'
import { knownUserIds, asUnknownUser } from '../people/user-access.ts'
import { userGroupState } from '../people/user-groups.ts'
import { realmValue, type ChannelRow } from '../workspace.ts'
import { mutedUsersOf } from '../people/muted-users.ts'
import { smallListParts } from './small-lists-state.ts'
import { mostDraftsInState } from '../../src-shared/api/drafts.ts'
import { daySeconds } from '../../src-shared/durations.ts'
import { draftsOf } from './drafts.ts'
import { realmState } from './realm-state.ts'
import type { Registration } from './registration.ts'
import { recentDirect, starred, unread } from './unread-state.ts'
import { presenceUpdateId, presentPeople, shownPresences } from './presence.ts'
import { allUsers } from './users.ts'

/** A registration with the values that several parts of the answer share. */
interface Asked extends Registration {
  visible(): readonly ChannelRow[]
  channel(row: ChannelRow): ApiChannel
}

/** Features that this service does not have; clients that request their state are told so. */
const absentParts: Readonly<Record<string, () => object>> = {
  onboarding_steps: () => ({ onboarding_steps: [], navigation_tour_video_url: null }),
  realm_embedded_bots: () => ({ realm_embedded_bots: [] }),
  realm_incoming_webhook_bots: () => ({ realm_incoming_webhook_bots: [] }),
  // Every word is indexed.
  stop_words: () => ({ stop_words: [] }),
  video_calls: () => ({ has_zoom_token: false }),
  giphy: () => ({ giphy_api_key: '' }),
  // Encrypted notifications are not supported, so no device can be registered for them, and none ever fails.
  push_device: () => ({ push_devices: {} }),
  realm_billing: () => ({ realm_billing: { has_pending_sponsorship_request: false } }),
}

/** What each fetch type adds to the answer (specification, POST /register, fetch_event_types). */
const parts: Readonly<Record<string, (asked: Asked) => object>> = {
  realm: ({ workspace }) => realmState(workspace),
  realm_user: userState,
  subscription: subscriptionState,
  channel_folders: ({ workspace, user }) => ({
    channel_folders: allFolders(workspace).map((row) => apiFolder(workspace, user, row)),
  }),
  user_topic: (asked) => ({ user_topics: userTopics(asked) }),
  // A client that requests both gets the older one only from servers that do not know the newer.
  muted_topics: (asked) => (asked.names('user_topic') ? {} : { muted_topics: mutedTopics(asked) }),
  user_settings: ({ workspace, user }) => ({
    user_settings: settingsState(workspace.db, user.user_id, workspace.featureLevel),
  }),
  update_display_settings: (asked) => legacySettings(asked, 'update_display_settings'),
  update_global_notifications: (asked) => legacySettings(asked, 'update_global_notifications'),
  muted_users: ({ workspace, user }) => ({ muted_users: mutedUsersOf(workspace, user.user_id) }),
  drafts: ({ workspace, user }) => ({
    drafts: draftsOf(workspace, user.user_id, mostDraftsInState),
  }),
  presence: presenceState,
  message: (asked) => ({
    max_message_id: maxMessageId(asked),
    ...(asked.wants('update_message_flags') ? { unread_msgs: unread(asked) } : {}),
  }),
  starred_messages: ({ workspace, user }) => ({ starred_messages: starred(workspace, user) }),
  recent_private_conversations: ({ workspace, user }) => ({
    recent_private_conversations: recentDirect(workspace, user),
  }),
  realm_user_groups: ({ workspace, capabilities }) => ({
    realm_user_groups: userGroupState(workspace, capabilities.include_deactivated_groups === true),
  }),
  stream: (asked) => ({
    streams: asked.visible().map(asked.channel),
  }),
  default_streams: ({ workspace, user }) => ({
    realm_default_streams: isGuest(user) ? [] : defaultChannelIds(workspace),
  }),
  default_stream_groups: ({ workspace, user }) => ({
    realm_default_stream_groups: isGuest(user) ? [] : defaultChannelGroupList(workspace.db),
  }),
  realm_user_settings_defaults: ({ workspace }) => ({
    realm_user_settings_defaults: defaultSettingsState(workspace.db),
  }),
  ...smallListParts,
  ...absentParts,
}

/** The state for people without an account; everything else belongs to an account. */
const forSpectators = ['realm', 'subscription', 'realm_emoji', 'realm_linkifiers']

/** The state to which a new queue's events apply; only the requested parts. */
export function initialState(registration: Registration): Record<string, unknown> {
  const { workspace, user } = registration
  let facts: ChannelFacts | undefined
  let visible: readonly ChannelRow[] | undefined
  const shown = new Map<number, ApiChannel>()
  const asked: Asked = {
    ...registration,
    visible: () => (visible ??= visibleChannels(registration)),
    channel(row) {
      const known = shown.get(row.channel_id)
      if (known !== undefined) return known
      const channel = apiChannel(workspace, user, row, (facts ??= channelFacts(workspace, user)))
      shown.set(row.channel_id, channel)
      return channel
    },
  }
  const isSpectator = asked.user.user_id === 0
  return Object.assign(
    {},
    ...Object.entries(parts).map(([type, part]) =>
      asked.wants(type) && (!isSpectator || forSpectators.includes(type)) ? part(asked) : {},
    ),
  )
}

function userState(asked: Registration) {
  const { workspace, user, capabilities } = asked
  const known = knownUserIds(workspace.db, user)
  const all = allUsers(workspace)
    .filter((one) => known === null || known.has(one.user_id) || capabilities.user_list_incomplete !== true)
    .map((one) =>
      known === null || known.has(one.user_id)
        ? apiUserFor(workspace.db, user, one)
        : asUnknownUser(apiUser(one)),
    )
  return {
    ...ownKeys(asked),
    realm_users: all.filter((one) => one.is_active === true),
    // Being in this list says that they are deactivated, so the field is left out.
    realm_non_active_users: all
      .filter((one) => one.is_active !== true)
      .map(({ is_active: _gone, ...one }) => one),
    cross_realm_bots: [],
  }
}

function ownKeys({ workspace: { db }, user }: Registration) {
  const mayCreatePrivate = canCreateChannel(db, user, { isPrivate: true, isWebPublic: false })
  const mayCreatePublic = canCreateChannel(db, user, { isPrivate: false, isWebPublic: false })
  return {
    user_id: user.user_id,
    email: user.email,
    delivery_email: user.delivery_email,
    full_name: user.full_name,
    avatar_source: avatarSource(user),
    avatar_url: avatarUrl(user),
    avatar_url_medium: largeAvatarUrl(user),
    is_admin: isAdministrator(user),
    is_owner: isOwner(user),
    is_moderator: user.role <= roles.moderator,
    is_guest: isGuest(user),
    can_create_private_streams: mayCreatePrivate,
    can_create_public_streams: mayCreatePublic,
    can_create_web_public_streams: canCreateChannel(db, user, { isPrivate: false, isWebPublic: true }),
    can_create_streams: mayCreatePrivate || mayCreatePublic,
    can_subscribe_other_users: mayInRealm(db, user, 'can_add_subscribers_group'),
    can_invite_others_to_realm: mayInRealm(db, user, 'can_invite_users_group'),
  }
}

/** The channels that a person may know of. Archived ones only for clients that know archived channels. */
const visibleChannels = ({ workspace, user, capabilities }: Registration): ChannelRow[] =>
  allChannels(workspace).filter(
    (row) =>
      canSeeChannel(workspace.db, user, row) &&
      (row.is_archived === 0 || capabilities.archived_channels === true),
  )

function subscriptionState(asked: Asked) {
  const { workspace, user, input, capabilities } = asked
  const visible = asked.visible()
  const mode = input.include_subscribers ?? 'false'
  const notified = (own: ApiSubscription) =>
    capabilities.notification_settings_null === true
      ? own
      : withoutNulls(own, (name) => settingOf(workspace.db, user.user_id, name))
  const own = new Map(
    workspace.db
      .all<SubscriptionRow & { channel_id: number; is_active: number }>(
        'SELECT * FROM subscriptions WHERE user_id = ?',
        user.user_id,
      )
      .map((subscription) => [subscription.channel_id, subscription]),
  )
  const ownOf = ({ channel_id }: ChannelRow) => {
    const known = own.get(channel_id)
    return known === undefined ? {} : { own: known }
  }
  const row = (channel: ChannelRow) =>
    withSubscribers(
      workspace,
      mode,
      notified(
        apiSubscription(workspace, user, channel, {
          channel: asked.channel(channel),
          ...ownOf(channel),
          withoutSubscribers: mode === 'false',
        }),
      ),
    )
  return {
    subscriptions: visible.filter(({ channel_id }) => own.get(channel_id)?.is_active === 1).map(row),
    unsubscribed: visible.filter(({ channel_id }) => own.get(channel_id)?.is_active === 0).map(row),
    never_subscribed: visible
      .filter(({ channel_id }) => !own.has(channel_id))
      .map((channel) => {
        if (mode === 'false') return asked.channel(channel)
        const { subscribers, partial_subscribers } = row(channel)
        return {
          ...asked.channel(channel),
          ...(subscribers === undefined ? {} : { subscribers }),
          ...(partial_subscribers === undefined ? {} : { partial_subscribers }),
        }
      }),
  }
}

function presenceState({ workspace, user, input, capabilities }: Registration) {
  const days = input.presence_history_limit_days ?? 14
  const since = workspace.now() - days * daySeconds
  const known = knownUserIds(workspace.db, user)
  const people = presentPeople(workspace).filter(
    (one) => Math.max(one.active_at, one.idle_at) >= since && (known === null || known.has(one.user_id)),
  )
  const isModern = input.slim_presence === true || capabilities.simplified_presence_events === true
  return {
    presences: shownPresences(people, isModern),
    server_timestamp: workspace.now(),
    presence_last_update_id: presenceUpdateId(workspace),
  }
}

function maxMessageId({ workspace, user }: Registration): number {
  const row = workspace.db.get<{ id: number | null }>(
    'SELECT max(message_id) AS id FROM user_messages WHERE user_id = ?',
    user.user_id,
  )
  return row?.id ?? -1
}

function mutedTopics({ workspace: { db }, user, capabilities }: Registration) {
  const name = capabilities.empty_topic_name === true ? '' : realmValue(db, 'empty_topic_display_name')
  return mutedTopicsOf(db, user.user_id).map(namingEmpty(name))
}

function userTopics({ workspace, user, capabilities }: Registration) {
  const emptyName = realmValue(workspace.db, 'empty_topic_display_name')
  return workspace.db
    .all<{ channel_id: number; topic: string; last_updated: number; policy: number }>(
      'SELECT * FROM user_topics WHERE user_id = ?',
      user.user_id,
    )
    .map((row) => ({
      stream_id: row.channel_id,
      topic_name: row.topic === '' && capabilities.empty_topic_name !== true ? emptyName : row.topic,
      last_updated: row.last_updated,
      // Only validated policies are ever written.
      visibility_policy: row.policy as 0 | 1 | 2 | 3,
    }))
}

/** Settings for older clients: as keys of the answer itself. */
function legacySettings(
  { workspace, user, capabilities }: Registration,
  type: 'update_display_settings' | 'update_global_notifications',
): object {
  if (capabilities.user_settings_object === true) return {}
  const all = Object.entries(settingsOf(workspace.db, user.user_id, workspace.featureLevel))
  return {
    ...Object.fromEntries(all.filter(([name]) => legacySettingEvent(name) === type)),
    ...legacyChoices[type],
  }
}
