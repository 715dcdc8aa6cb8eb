import { roles } from '../../src-shared/roles.ts'
import { userId } from '../../src-shared/ids.ts'
import type { Narrow } from '../../src-shared/model/narrow.ts'
import type {
  ChannelPermissions,
  MessagePermissions,
  OrganizationPermissions,
  Permissions,
  TimedPermission,
} from '../../src-shared/model/permissions.ts'
import { topicPolicies } from '../../src-shared/model/organization-edits.ts'
import { isAble } from '../../src-shared/model/server-abilities.ts'
import { knownLevel } from '../store/cursor.ts'
import type { ReadableDb } from '../store/database.ts'
import {
  channelRights,
  holdsInOrganization,
  ownHolder,
  policyRoles,
  roleName,
  type ChannelRights,
  type Holder,
  type PermittingChannel,
  type Preset,
} from '../store/permissions.ts'
import { historyPolicy } from '../store/message-changes.ts'
import { organizationNumber, organizationValue } from '../store/organization.ts'
import type { QueryContext } from './context.ts'

const members: Preset = { role: roles.member, isNotForGuests: true }
const administrators: Preset = { role: roles.administrator, isNotForGuests: true }
const everyone: Preset = { role: roles.guest }
const byPolicy = (preset: Preset, kind: string): Preset => ({
  ...preset,
  policy: { field: `realm_create_${kind}_stream_policy`, roles: policyRoles },
})

/** The least role for each number of the wildcard mention policy, whose order is its own. */
const mentionPolicy = [
  undefined,
  roles.guest,
  roles.member,
  roles.member,
  undefined,
  roles.administrator,
  0,
  roles.moderator,
]

/** The organization's permissions, by the wire's names, and who holds each if nobody chose. */
const presets = {
  can_access_all_users_group: everyone,
  can_add_custom_emoji_group: members,
  can_add_subscribers_group: members,
  can_create_bots_group: members,
  can_create_write_only_bots_group: members,
  can_create_groups: members,
  can_create_public_channel_group: byPolicy(members, 'public'),
  can_create_private_channel_group: byPolicy(members, 'private'),
  can_create_web_public_channel_group: byPolicy({ role: roles.owner, isNotForGuests: true }, 'web_public'),
  can_delete_any_message_group: administrators,
  can_delete_own_message_group: everyone,
  can_invite_users_group: members,
  can_manage_all_groups: { role: roles.owner, isNotForGuests: true },
  can_mention_many_users_group: {
    role: roles.administrator,
    policy: { field: 'realm_wildcard_mention_policy', roles: mentionPolicy },
  },
  can_move_messages_between_channels_group: members,
  can_move_messages_between_topics_group: everyone,
  can_resolve_topics_group: everyone,
  can_set_delete_message_policy_group: { role: roles.moderator, isNotForGuests: true },
  can_set_topics_policy_group: members,
  create_multiuse_invite_group: administrators,
  direct_message_initiator_group: everyone,
  direct_message_permission_group: everyone,
} as const satisfies Readonly<Record<string, Preset>>

type OrganizationPermission = keyof typeof presets
/** The row of a narrow's channel. */
type Place = PermittingChannel & { readonly topics_policy: string }
/** Whether the own user holds a permission of the organization. */
type HoldsHere = (name: OrganizationPermission) => boolean

/** Whether a person holds a permission of the organization. */
export const mayInOrganization = (db: ReadableDb, who: Holder, name: OrganizationPermission): boolean =>
  holdsInOrganization(db, who, name, presets[name])

/** The own user's permissions, including those in the channel of the narrow, if it has one. */
export function permissions(
  { db, ownUserId }: Pick<QueryContext, 'db' | 'ownUserId'>,
  narrow: Narrow | null,
): Permissions {
  const who = ownHolder(db, ownUserId)
  const may: HoldsHere = (name) => mayInOrganization(db, who, name)
  const id = narrow?.kind === 'topic' || narrow?.kind === 'channel' ? narrow.channelId : null
  const channel =
    id === null
      ? undefined
      : db.get<Place>(
          `SELECT channel_id, permissions, is_private, is_web_public, has_shared_history, is_archived, is_subscribed,
             topics_policy
           FROM channels WHERE channel_id = ?`,
          [id],
        )
  const rights = channel === undefined ? null : channelRights(db, who, channel)
  return {
    role: roleName(who.role),
    organization: inOrganization(db, may, who),
    channel: rights === null ? null : inChannel(may, who, rights),
    messages: withMessages(db, may, who, rights, channel),
  }
}

/** A person's permissions in a channel. */
export function permissionsIn(db: ReadableDb, who: Holder, channel: PermittingChannel): ChannelPermissions {
  const may: HoldsHere = (name) => mayInOrganization(db, who, name)
  return inChannel(may, who, channelRights(db, who, channel))
}

function inOrganization(db: ReadableDb, may: HoldsHere, who: Holder): OrganizationPermissions {
  const isAdministrator = who.role <= roles.administrator
  /** Whether the own user may change what these fields leave to administrators. */
  const mayChange = (...fields: readonly string[]) =>
    isAdministrator || fields.every((field) => organizationValue(db, field) !== true)
  return {
    administer: isAdministrator,
    createPublicChannels: may('can_create_public_channel_group'),
    createPrivateChannels: may('can_create_private_channel_group'),
    createWebPublicChannels: may('can_create_web_public_channel_group'),
    inviteByMail: may('can_invite_users_group'),
    inviteByLink: may('create_multiuse_invite_group'),
    addSubscribers: isAdministrator || may('can_add_subscribers_group'),
    createGroups: may('can_create_groups'),
    manageAllGroups: may('can_manage_all_groups'),
    addEmoji: may('can_add_custom_emoji_group'),
    createBots: may('can_create_bots_group'),
    createWebhookBots: may('can_create_bots_group') || may('can_create_write_only_bots_group'),
    seeEverybody: may('can_access_all_users_group'),
    changeOwnName: mayChange('realm_name_changes_disabled', 'server_name_changes_disabled'),
    changeOwnPicture: mayChange('realm_avatar_changes_disabled', 'server_avatar_changes_disabled'),
    changeOwnEmail: mayChange('realm_email_changes_disabled'),
    changeOwnPassword: organizationValue(db, 'realm_password_auth_enabled') !== false,
  }
}

const administers = (who: Holder, rights: ChannelRights): boolean =>
  who.role <= roles.administrator || rights.holds('can_administer_channel_group')

function inChannel(may: HoldsHere, who: Holder, rights: ChannelRights): ChannelPermissions {
  const administer = administers(who, rights)
  const addsAnywhere = who.role <= roles.administrator || may('can_add_subscribers_group')
  const { mayRead } = rights
  return {
    read: mayRead,
    post: rights.mayPost,
    subscribe: mayRead && who.role < roles.guest,
    addSubscribers:
      who.role < roles.guest &&
      (rights.holds('can_add_subscribers_group') || (mayRead && (administer || addsAnywhere))),
    removeSubscribers: administer || rights.holds('can_remove_subscribers_group'),
    administer,
    changePrivacy: administer && mayRead,
    changeDeletion: administer && may('can_set_delete_message_policy_group'),
    changeTopics: administer && may('can_set_topics_policy_group'),
    changeRetention: administer && who.role <= roles.owner,
    makeDefault: who.role <= roles.administrator,
  }
}

const never: TimedPermission = { isAllowed: false, withinMs: null }

function withMessages(
  db: ReadableDb,
  may: HoldsHere,
  who: Holder,
  rights: ChannelRights | null,
  channel: Place | undefined,
): MessagePermissions {
  const level = knownLevel(db)
  const within = (field: string): number | null => {
    // Servers below level 138 say 0 for no limit; newer ones never say 0.
    const seconds = organizationNumber(db, field) ?? 0
    return seconds === 0 ? null : seconds * 1_000
  }
  const timed = (isAllowed: boolean, field: string, isExempt = false): TimedPermission =>
    isAllowed ? { isAllowed, withinMs: isExempt ? null : within(field) } : never
  const isModerator = who.role <= roles.moderator
  const isAdministrator = rights !== null && administers(who, rights)
  const nameTopics = channel?.topics_policy !== topicPolicies.none
  const inEither = (name: 'can_delete_any_message_group' | 'can_delete_own_message_group') =>
    may(name) || rights?.holds(name) === true
  return {
    editOwn: timed(
      organizationValue(db, 'realm_allow_message_editing') !== false,
      'realm_message_content_edit_limit_seconds',
    ),
    deleteOwn: timed(inEither('can_delete_own_message_group'), 'realm_message_content_delete_limit_seconds'),
    deleteAny: inEither('can_delete_any_message_group'),
    changeTopic: timed(
      rights !== null &&
        (may('can_move_messages_between_topics_group') ||
          rights.holds('can_move_messages_within_channel_group') ||
          isAdministrator),
      'realm_move_messages_within_stream_limit_seconds',
      isModerator,
    ),
    changeChannel: timed(
      rights !== null &&
        (may('can_move_messages_between_channels_group') ||
          rights.holds('can_move_messages_out_of_channel_group') ||
          isAdministrator),
      'realm_move_messages_between_streams_limit_seconds',
      isModerator,
    ),
    resolve:
      rights !== null &&
      nameTopics &&
      (may('can_resolve_topics_group') || rights.holds('can_resolve_topics_group')),
    nameTopics,
    seeHistory: historyPolicy(db),
    seeReaders: organizationValue(db, 'realm_enable_read_receipts') !== false,
    report:
      isAble(level, 'reports') && (organizationNumber(db, 'realm_moderation_request_channel_id') ?? -1) > 0,
    markUnread: channel?.is_subscribed !== 0,
    remind: isAble(level, 'reminders'),
    ownBotIds: db
      .column<number>('SELECT user_id FROM users WHERE bot_owner_id = ? ORDER BY user_id', [who.userId])
      .map((user_id) => userId(user_id)),
  }
}
