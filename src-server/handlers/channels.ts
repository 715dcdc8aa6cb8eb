import type { Handlers } from '../../src-shared/api/index.ts'
import { watchVisibility } from '../channels/channel-audience.ts'
import { checkedFolder } from '../channels/channel-folders.ts'
import {
  assertCanBeDefault,
  allChannels,
  apiChannel,
  channelByName,
  checkedChannelDescription,
  checkedChannelName,
  publishDefaultChannels,
  renderedDescription,
} from '../channels/channels.ts'
import { leaveDefaultChannelGroups } from '../channels/default-channel-groups.ts'
import { flagColumn } from '../database.ts'
import {
  accessibleChannel,
  administeredChannel,
  canCreateChannel,
  canReadChannel,
  canSeeChannel,
  isSubscribed,
  viewersOf,
} from '../permissions/channels.ts'
import { mayInRealm } from '../permissions/holders.ts'
import {
  assertAdministrator,
  assertNoGuest,
  assertOwner,
  isAdministrator,
  isGuest,
} from '../permissions/roles.ts'
import { checkedChanges, writePermissions, type CheckedPermission } from '../permissions/setting-changes.ts'
import {
  assertConsistent,
  assertTopicsPolicy,
  createNewChannel,
  retentionDays,
} from '../channels/new-channel.ts'
import { badRequest, ServiceError } from '../service-error.ts'
import {
  channelById,
  subscribersOf,
  userById,
  type ChannelRow,
  type UserRow,
  type Workspace,
} from '../workspace.ts'
import type { HandlerContext } from './context.ts'

/** The settings of a channel that are columns, with their new values. */
type Columns = {
  -readonly [
    Column in keyof Pick<
      ChannelRow,
      | 'name'
      | 'description'
      | 'is_private'
      | 'is_web_public'
      | 'has_shared_history'
      | 'is_default'
      | 'is_archived'
      | 'message_retention_days'
      | 'folder_id'
      | 'topics_policy'
    >
  ]: ChannelRow[Column]
}

export const channels: Pick<
  Handlers<HandlerContext>,
  | 'getStreams'
  | 'getStreamId'
  | 'getStreamById'
  | 'getSubscribers'
  | 'getChannelEmailAddress'
  | 'createChannel'
  | 'updateStream'
  | 'archiveStream'
  | 'addDefaultStream'
  | 'removeDefaultStream'
> = {
  getStreams: (input, { workspace, user }) => {
    const { db } = workspace
    if (input.include_all_active === true && !isAdministrator(user))
      throw badRequest('User not authorized for this query')
    const owner = user.bot_owner_id
    const rows = allChannels(workspace).filter((row) => {
      if (input.exclude_archived !== false && row.is_archived === 1) return false
      return (
        (input.include_public !== false && row.is_private === 0 && !isGuest(user)) ||
        (input.include_web_public === true && row.is_web_public === 1) ||
        (input.include_subscribed !== false && isSubscribed(db, user.user_id, row.channel_id)) ||
        ((input.include_all === true || input.include_all_active === true) && canSeeChannel(db, user, row)) ||
        (input.include_default === true && row.is_default === 1 && canSeeChannel(db, user, row)) ||
        (input.include_can_access_content === true && canReadChannel(db, user, row)) ||
        (input.include_owner_subscribed === true && owner !== null && isSubscribed(db, owner, row.channel_id))
      )
    })
    return {
      streams: rows.map((row) => ({
        ...apiChannel(workspace, user, row),
        ...(input.include_default === true ? { is_default: row.is_default === 1 } : {}),
      })),
    }
  },

  getStreamId: ({ stream }, { workspace, user }) => {
    const channel = channelByName(workspace, stream)
    if (channel === undefined || !canSeeChannel(workspace.db, user, channel)) {
      throw badRequest(`Invalid channel name '${stream}'`)
    }
    return { stream_id: channel.channel_id }
  },

  getStreamById: ({ stream_id }, { workspace, user }) => ({
    stream: apiChannel(workspace, user, accessibleChannel(workspace.db, user, stream_id)),
  }),

  getSubscribers: ({ stream_id }, { workspace, user }) => {
    const channel = accessibleChannel(workspace.db, user, stream_id)
    return { subscribers: subscribersOf(workspace.db, channel.channel_id) }
  },

  getChannelEmailAddress: ({ stream_id, sender_id }, { workspace, user }) => {
    const { db } = workspace
    const channel = accessibleChannel(db, user, stream_id)
    if (channel.is_archived === 1) throw badRequest('Invalid channel ID')
    const sender = sender_id === undefined ? undefined : userById(db, sender_id)
    const isOwn = sender?.user_id === user.user_id || sender?.bot_owner_id === user.user_id
    if (sender_id !== undefined && !isOwn) throw badRequest('No such user')
    // This service receives no mail. Without an address, nobody sends mail into the void.
    return { email: '' }
  },

  createChannel: ({ name, description, subscribers, ...rest }, { workspace, user }) => {
    assertNoGuest(user)
    const people = subscribers.map((id) => {
      const person = userById(workspace.db, id)
      if (person === undefined || person.is_active === 0) throw badRequest(`Invalid user ID: ${id}`)
      return person
    })
    const taken = channelByName(workspace, name)
    if (taken !== undefined) {
      throw new ServiceError(
        'CHANNEL_ALREADY_EXISTS',
        `A channel named '${taken.name}' already exists.`,
        { channel_name: taken.name },
        409,
      )
    }
    const channel = createNewChannel(
      workspace,
      user,
      { name, description: description ?? '', ...rest },
      people,
    )
    return { id: channel.channel_id }
  },

  updateStream: ({ stream_id, ...wanted }, { workspace, user }) => {
    const before = administeredChannel(workspace.db, user, stream_id)
    const { columns, permissions } = checkedEdit(workspace, user, before, wanted)
    editChannel(workspace, user, before, columns, permissions)
    return {}
  },

  archiveStream: ({ stream_id }, { workspace, user }) => {
    const before = administeredChannel(workspace.db, user, stream_id)
    if (before.is_archived === 1) throw badRequest('Channel is already archived.')
    editChannel(workspace, user, before, { ...before, is_archived: 1, is_default: 0 }, [])
    return {}
  },

  addDefaultStream: ({ stream_id }, { workspace, user }) => {
    assertAdministrator(user)
    const channel = accessibleChannel(workspace.db, user, stream_id)
    assertCanBeDefault(channel)
    if (channel.is_default === 0) setDefault(workspace, channel, 1)
    return {}
  },

  removeDefaultStream: ({ stream_id }, { workspace, user }) => {
    assertAdministrator(user)
    const channel = accessibleChannel(workspace.db, user, stream_id)
    if (channel.is_default === 1) setDefault(workspace, channel, 0)
    return {}
  },
}

function setDefault(workspace: Workspace, channel: ChannelRow, isDefault: 0 | 1): void {
  workspace.db.run('UPDATE channels SET is_default = ? WHERE channel_id = ?', isDefault, channel.channel_id)
  publishDefaultChannels(workspace)
}

type ChannelChanges = Omit<Parameters<(typeof channels)['updateStream']>[0], 'stream_id'>

/** Validates changes to a channel that the person administers; refuses all of them if one is not allowed. */
function checkedEdit(
  workspace: Workspace,
  user: UserRow,
  before: ChannelRow,
  wanted: ChannelChanges,
): { columns: Columns; permissions: CheckedPermission[] } {
  const { db } = workspace
  const {
    new_name,
    description,
    is_private,
    is_web_public,
    history_public_to_subscribers,
    is_default_stream,
    message_retention_days,
    is_archived,
    folder_id,
    topics_policy,
    ...changes
  } = wanted
  const permissions = checkedChanges(db, 'channel', before, changes)
  const isAccessChanged =
    is_private !== undefined ||
    is_web_public !== undefined ||
    history_public_to_subscribers !== undefined ||
    permissions.some(({ setting }) => ['can_add_subscribers_group', 'can_subscribe_group'].includes(setting))
  if (isAccessChanged && !canReadChannel(db, user, before))
    throw badRequest('Channel content access is required.')
  if (
    permissions.some(({ setting }) => setting.startsWith('can_delete_')) &&
    !mayInRealm(db, user, 'can_set_delete_message_policy_group')
  ) {
    throw badRequest('Insufficient permission')
  }
  if (is_default_stream !== undefined) assertAdministrator(user)
  if (message_retention_days !== undefined) assertOwner(user)

  const columns: Columns = {
    name: new_name === undefined ? before.name : freeName(workspace, before, new_name),
    description: description === undefined ? before.description : checkedChannelDescription(description),
    is_private: flagColumn(is_private, before.is_private),
    is_web_public: flagColumn(is_web_public, before.is_web_public),
    has_shared_history: flagColumn(history_public_to_subscribers, before.has_shared_history),
    is_default: flagColumn(is_default_stream, before.is_default),
    // This field can only unarchive; archiving has an endpoint of its own.
    is_archived: is_archived === false ? 0 : before.is_archived,
    message_retention_days:
      message_retention_days === undefined
        ? before.message_retention_days
        : retentionDays(message_retention_days),
    folder_id: folder_id === undefined ? before.folder_id : checkedFolder(workspace, folder_id),
    topics_policy: topics_policy ?? before.topics_policy,
  }
  // A channel that becomes private stops being web-public; one that becomes public has no history left to protect.
  if (is_private === true && is_web_public === undefined) columns.is_web_public = 0
  if (is_private === true && history_public_to_subscribers === undefined && before.is_private === 0) {
    columns.has_shared_history = 0
  }
  if (columns.is_private === 0 && history_public_to_subscribers === undefined) columns.has_shared_history = 1
  assertConsistent(columns)
  if (
    (columns.is_private !== before.is_private || columns.is_web_public !== before.is_web_public) &&
    !canCreateChannel(db, user, {
      isPrivate: columns.is_private === 1,
      isWebPublic: columns.is_web_public === 1,
    })
  ) {
    throw badRequest('Insufficient permission')
  }
  if (columns.is_default === 1) assertCanBeDefault(columns)
  if (columns.topics_policy !== before.topics_policy) {
    assertTopicsPolicy(workspace, user, before.channel_id, columns.topics_policy)
  }
  return { columns, permissions }
}

function freeName(workspace: Workspace, before: ChannelRow, wanted: string): string {
  const name = checkedChannelName(wanted)
  const taken = channelByName(workspace, name)
  if (taken !== undefined && taken.channel_id !== before.channel_id) {
    throw badRequest(`Channel name already in use.`)
  }
  return name
}

/** Writes a validated edit and tells everybody concerned. */
function editChannel(
  workspace: Workspace,
  user: UserRow,
  before: ChannelRow,
  columns: Columns,
  permissions: readonly CheckedPermission[],
): void {
  const { db } = workspace
  const id = before.channel_id
  const watch = watchVisibility(workspace, [id])
  db.transaction(() => {
    db.run(
      `UPDATE channels SET name = :name, description = :description, is_private = :is_private,
         is_web_public = :is_web_public, has_shared_history = :has_shared_history, is_default = :is_default,
         is_archived = :is_archived, message_retention_days = :message_retention_days, folder_id = :folder_id,
         topics_policy = :topics_policy WHERE channel_id = :id`,
      { ...columns, id },
    )
    writePermissions(db, 'channel', id, permissions)
  })
  const after = channelById(db, id)
  if (after === undefined) throw new Error('the edited channel is not there')
  watch.announceGained()
  for (const change of changesBetween(workspace, user, before, after, permissions)) {
    workspace.publish(viewersOf(db, after), {
      type: 'stream',
      op: 'update',
      stream_id: id,
      // A rename event names the old name too, because clients may know the channel by it.
      name: change['property'] === 'name' ? before.name : after.name,
      ...change,
    })
  }
  watch.announceLost()
  if (after.is_default !== before.is_default) publishDefaultChannels(workspace)
  leaveDefaultChannelGroups(workspace, after)
}

/** The `stream` events that describe the difference. */
function changesBetween(
  workspace: Workspace,
  user: UserRow,
  before: ChannelRow,
  after: ChannelRow,
  permissions: readonly CheckedPermission[],
): Record<string, unknown>[] {
  const changes: Record<string, unknown>[] = []
  // First, because the following events are for clients that know the channel.
  if (after.is_archived !== before.is_archived) {
    changes.push({ property: 'is_archived', value: after.is_archived === 1 })
  }
  if (after.name !== before.name) changes.push({ property: 'name', value: after.name })
  if (after.description !== before.description) {
    changes.push({
      property: 'description',
      value: after.description,
      rendered_description: renderedDescription(workspace, user, after.description),
    })
  }
  if (
    after.is_private !== before.is_private ||
    after.is_web_public !== before.is_web_public ||
    after.has_shared_history !== before.has_shared_history
  ) {
    changes.push({
      property: 'invite_only',
      value: after.is_private === 1,
      history_public_to_subscribers: after.has_shared_history === 1,
      is_web_public: after.is_web_public === 1,
    })
  }
  for (const property of ['message_retention_days', 'folder_id', 'topics_policy'] as const) {
    if (after[property] !== before[property]) changes.push({ property, value: after[property] })
  }
  for (const { setting, value } of permissions) changes.push({ property: setting, value })
  if (permissions.some(({ setting }) => setting === 'can_send_message_group')) {
    const { stream_post_policy, is_announcement_only } = apiChannel(workspace, user, after)
    changes.push({ property: 'stream_post_policy', value: stream_post_policy })
    changes.push({ property: 'is_announcement_only', value: is_announcement_only })
  }
  return changes
}
