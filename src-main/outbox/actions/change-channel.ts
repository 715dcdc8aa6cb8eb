import { channels, type ApiChannel } from '../../../src-shared/api/channels.ts'
import type { ActionOf } from '../../../src-shared/bridge/actions.ts'
import {
  accessOf,
  channelFlags,
  channelPermissions,
  topicPolicies,
  type ChannelAccess,
} from '../../../src-shared/model/organization-edits.ts'
import { t } from '../../../src-shared/texts/texts.ts'
import { channelFields, updateChannel, type ChannelFields } from '../../store/channels.ts'
import type { ReadableDb } from '../../store/database.ts'
import { holdersIn, wireHolders } from '../../store/holders.ts'
import {
  channelPermission,
  ownHolder,
  refreshPosting,
  setChannelPermission,
} from '../../store/permissions.ts'
import type { OfflineAction, SendContext } from '../offline-action.ts'
import { archivesFolder, folderLane } from './change-folder.ts'
import { channelOnServer } from './channel-name.ts'
import { isHolders, isSameValue, joinedChange, type PropertyValue } from './property-change.ts'
import { withRefusalTexts } from './refusals.ts'

type Change = ActionOf<'change-channel'>

/** The properties of a channel that are compared, from the cache or from the server. */
interface Compared {
  readonly name: string
  readonly description: string
  readonly access: ChannelAccess
  readonly folderId: number | null
  readonly topicsPolicy: string
  readonly retentionDays: number | null
  readonly isArchived: boolean
  permission(field: string): unknown
}

function channelHere(db: ReadableDb, id: number): Compared | undefined {
  const channel = channelFields(db, id)
  return (
    channel && {
      ...channel,
      access: accessOf(channel),
      permission: (field) => channelPermission(db, id, field),
    }
  )
}

const channelThere = (channel: ApiChannel): Compared => ({
  name: channel.name,
  description: channel.description,
  access: accessOf({
    isPrivate: channel.invite_only,
    isWebPublic: channel.is_web_public,
    hasSharedHistory: channel.history_public_to_subscribers,
  }),
  folderId: channel.folder_id ?? null,
  topicsPolicy: channel.topics_policy ?? 'inherit',
  retentionDays: channel.message_retention_days ?? null,
  isArchived: channel.is_archived,
  // The schema is a loose object, so the type does not list these fields.
  permission: (field) => (channel as Readonly<Record<string, unknown>>)[field],
})

function valueOf(db: ReadableDb, channel: Compared, property: Change['property']): PropertyValue | undefined {
  switch (property) {
    case 'name':
    case 'description':
    case 'access':
      return channel[property]
    case 'folder':
      return channel.folderId
    case 'topics':
      return Object.entries(topicPolicies).find(([, word]) => word === channel.topicsPolicy)?.[0]
    case 'retention':
      return channel.retentionDays
    case 'archived':
      return channel.isArchived
    default:
      return holdersIn(db)(channel.permission(channelPermissions[property].field)) ?? undefined
  }
}

function hasIt(db: ReadableDb, channel: Compared, { property, value }: Change): boolean {
  const now = valueOf(db, channel, property)
  return now !== undefined && isSameValue(now, value)
}

function isApplied(db: ReadableDb, change: Change): boolean {
  const channel = channelHere(db, change.channelId)
  return channel !== undefined && hasIt(db, channel, change)
}

// The action's schema ties the type of the value to the property, which TypeScript cannot infer here.
const flags = ({ value }: Change) => channelFlags[value as ChannelAccess]
const policy = ({ value }: Change) => topicPolicies[value as keyof typeof topicPolicies]

/** The columns that a change sets; null for a permission, which is not in a column of its own. */
function columnsOf(change: Change): Partial<Omit<ChannelFields, 'id'>> | null {
  const { property, value } = change
  switch (property) {
    case 'name':
    case 'description':
      return { [property]: value }
    case 'access':
      return flags(change)
    case 'folder':
      return { folderId: typeof value === 'number' ? value : null }
    case 'topics':
      return { topicsPolicy: policy(change) }
    case 'retention':
      return { retentionDays: typeof value === 'number' ? value : null }
    case 'archived':
      return { isArchived: value === true }
    default:
      return null
  }
}

async function request(change: Change, { connection, signal, db }: SendContext): Promise<unknown> {
  const { channelId: stream_id, property, value, before } = change
  if (property === 'archived' && value === true)
    return connection.call(channels.archiveStream, { stream_id }, { signal })
  const update = (fields: object) =>
    connection.call(channels.updateStream, { stream_id, ...fields }, { signal })
  switch (property) {
    case 'name':
      return update({ new_name: value })
    case 'description':
      return update({ description: value })
    case 'access': {
      const { isPrivate, isWebPublic, hasSharedHistory } = flags(change)
      return update({
        is_private: isPrivate,
        is_web_public: isWebPublic,
        history_public_to_subscribers: hasSharedHistory,
      })
    }
    case 'folder':
      return update({ folder_id: value })
    case 'topics':
      return update({ topics_policy: policy(change) })
    case 'retention':
      return update({
        message_retention_days: value === null ? 'realm_default' : value === -1 ? 'unlimited' : value,
      })
    case 'archived':
      return update({ is_archived: false })
    default:
      return update({
        [channelPermissions[property].field]: {
          ...(isHolders(value) ? { new: wireHolders(db, value) } : {}),
          ...(before !== undefined && isHolders(before) ? { old: wireHolders(db, before) } : {}),
        },
      })
  }
}

/**
 * Changes one property of a channel (specification, Channel object). A permission is changed only if the server still
 * has the value that the person saw.
 */
export const changeChannel: OfflineAction<'change-channel'> = {
  isRepeatable: true,
  // Shared with joining and leaving, which name the channel; and only subscribers may change a private channel.
  lane: ({ channelId, property }) => (property === 'folder' ? folderLane : `subscription:${channelId}`),
  mayCancel: true,
  isApplied,
  apply(db, change, { ownUserId }) {
    if (isApplied(db, change)) return
    const { channelId, property, value } = change
    const columns = columnsOf(change)
    if (columns !== null) updateChannel(db, channelId, columns)
    else if (isHolders(value) && property in channelPermissions) {
      // Not a column, so it is a permission of the table.
      const { field } = channelPermissions[property as keyof typeof channelPermissions]
      setChannelPermission(db, channelId, field, wireHolders(db, value))
    }
    if (columns === null || property === 'access' || property === 'archived')
      refreshPosting(db, ownHolder(db, ownUserId), [channelId])
  },
  async send(change, context) {
    await withRefusalTexts(request(change, context), {
      EXPECTATION_MISMATCH: t.failures.organization.changedMeanwhile,
    })
    return null
  },
  async isAlreadyDone(change, _code, context) {
    const channel = await channelOnServer(change.channelId, context)
    return channel !== null && hasIt(context.db, channelThere(channel), change)
  },
  join: (earlier, later) =>
    earlier.channelId === later.channelId ? joinedChange(earlier, later) : undefined,
  mayOvertake: ({ channelId, property }, earlier) =>
    earlier.name === 'set-subscription' ||
    (property === 'folder'
      ? earlier.name === 'change-channel'
        ? earlier.channelId !== channelId
        : !archivesFolder(earlier)
      : earlier.name === 'change-channel' &&
        earlier.property !== property &&
        property !== 'archived' &&
        earlier.property !== 'archived'),
}
