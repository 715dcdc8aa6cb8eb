import type { z } from 'zod'
import type { channels as channelEndpoints } from '../../src-shared/api/channels.ts'
import { publishCreated } from './channel-audience.ts'
import { checkedFolder } from './channel-folders.ts'
import {
  checkedChannelDescription,
  checkedChannelName,
  createChannel,
  publishDefaultChannels,
} from './channels.ts'
import { canAddSubscribersAnywhere, canCreateChannel, viewersOf } from '../permissions/channels.ts'
import { mayInRealm } from '../permissions/holders.ts'
import { assertAdministrator, assertOwner } from '../permissions/roles.ts'
import { checkedPermissions } from '../permissions/setting-changes.ts'
import { badRequest } from '../service-error.ts'
import { addSubscribers } from './subscriptions.ts'
import type { ChannelRow, UserRow, Workspace } from '../workspace.ts'

/** The requested properties of a new channel. */
export type NewChannelInput = Omit<
  z.output<(typeof channelEndpoints)['createChannel']['input']>,
  'subscribers' | 'description'
> & { readonly description: string }

/**
 * Creates a channel as a person wants it, subscribes these people, and tells everybody concerned. It refuses what the
 * person may not do before anything is written.
 */
export function createNewChannel(
  workspace: Workspace,
  user: UserRow,
  wanted: NewChannelInput,
  people: readonly UserRow[],
  color?: string,
): ChannelRow {
  const make = checkedNewChannel(workspace, user, wanted, people)
  const channel = make()
  publishCreated(workspace, channel, viewersOf(workspace.db, channel))
  if (channel.is_default === 1) publishDefaultChannels(workspace)
  addSubscribers(workspace, people, channel, color)
  return channel
}

/** Validates a new channel; the function that it returns writes the channel and publishes no event. */
export function checkedNewChannel(
  workspace: Workspace,
  user: UserRow,
  wanted: NewChannelInput,
  people: readonly UserRow[],
): () => ChannelRow {
  const {
    name,
    description,
    announce: _announce,
    invite_only,
    is_web_public,
    is_default_stream,
    history_public_to_subscribers,
    message_retention_days,
    folder_id,
    topics_policy,
    ...permissions
  } = wanted
  const { db } = workspace
  const isPrivate = invite_only === true
  const isWebPublic = is_web_public === true
  const hasSharedHistory = history_public_to_subscribers ?? !isPrivate
  assertConsistent({
    is_private: isPrivate ? 1 : 0,
    is_web_public: isWebPublic ? 1 : 0,
    has_shared_history: hasSharedHistory ? 1 : 0,
  })
  if (!canCreateChannel(db, user, { isPrivate, isWebPublic })) throw badRequest('Insufficient permission')
  if (people.some(({ user_id }) => user_id !== user.user_id) && !canAddSubscribersAnywhere(db, user)) {
    throw badRequest('Insufficient permission')
  }
  if (is_default_stream === true) {
    assertAdministrator(user)
    if (isPrivate) throw badRequest('Private channels cannot be made default.')
  }
  if (message_retention_days !== undefined) assertOwner(user)
  if (topics_policy !== undefined) assertTopicsPolicy(workspace, user, null, topics_policy)
  if (
    Object.entries(permissions).some(
      ([setting, value]) => setting.startsWith('can_delete_') && value !== undefined,
    ) &&
    !mayInRealm(db, user, 'can_set_delete_message_policy_group')
  ) {
    throw badRequest('Insufficient permission')
  }
  const checked = {
    name: checkedChannelName(name),
    description: checkedChannelDescription(description),
    folderId: checkedFolder(workspace, folder_id ?? null),
    permissions: checkedPermissions(db, 'channel', permissions),
  }
  return () =>
    db.transaction(() =>
      createChannel(workspace, user, {
        ...checked,
        isPrivate,
        isWebPublic,
        hasSharedHistory,
        isDefault: is_default_stream === true,
        topicsPolicy: topics_policy ?? 'inherit',
        retentionDays: message_retention_days === undefined ? null : retentionDays(message_retention_days),
      }),
    )
}

/** Refuses settings that contradict each other. */
export function assertConsistent(
  columns: Pick<ChannelRow, 'is_private' | 'is_web_public' | 'has_shared_history'>,
): void {
  if (columns.is_web_public === 1 && (columns.is_private === 1 || columns.has_shared_history === 0)) {
    throw badRequest('Invalid parameters: a web-public channel is public and shares its history.')
  }
  if (columns.is_private === 0 && columns.has_shared_history === 0) {
    throw badRequest('Invalid parameters: a public channel shares its history.')
  }
}

/** Refuses a topic policy that the person may not set or that contradicts the existing messages. */
export function assertTopicsPolicy(
  workspace: Workspace,
  user: UserRow,
  channelId: number | null,
  policy: string,
): void {
  const { db } = workspace
  if (policy !== 'inherit' && !mayInRealm(db, user, 'can_set_topics_policy_group')) {
    throw badRequest('Insufficient permission')
  }
  const hasNamed =
    policy === 'empty_topic_only' &&
    channelId !== null &&
    db.get(`SELECT 1 FROM messages WHERE channel_id = ? AND topic_key <> '' LIMIT 1`, channelId) !== undefined
  if (hasNamed) {
    throw badRequest('To use this setting, all messages of the channel must be in the empty topic.')
  }
}

/** How long messages are kept, in stored form: days; null for the organization's default; -1 for ever. */
export const retentionDays = (wanted: number | 'realm_default' | 'unlimited'): number | null =>
  wanted === 'realm_default' ? null : wanted === 'unlimited' ? -1 : wanted
