import type { ActionOf } from '../../src-shared/bridge/actions.ts'
import type { organizationActions } from '../../src-shared/bridge/organization-actions.ts'
import { t } from '../../src-shared/texts/texts.ts'
import { nameOfChannel } from '../store/channels.ts'
import { folderById } from '../store/channel-folders.ts'
import type { ReadableDb } from '../store/database.ts'
import { object } from '../store/objects.ts'
import { userName } from './labels.ts'

type OrganizationChange = ActionOf<keyof typeof organizationActions>

/** A short title of a change of the organization. */
export function organizationTitle(db: ReadableDb, action: OrganizationChange): string {
  const texts = t.outbox
  switch (action.name) {
    case 'create-group':
      return texts.group.created(action.groupName)
    case 'set-group-member': {
      const { member, on } = action
      const name = member.kind === 'person' ? userName(db, member.userId) : groupName(db, member.groupId)
      return (on ? texts.group.memberAdded : texts.group.memberRemoved)(groupName(db, action.groupId), name)
    }
    case 'change-group':
      return groupTitle(groupName(db, action.groupId), action)
    case 'create-folder':
      return texts.folder.created(action.folderName)
    case 'change-folder':
      return folderTitle(folderById(db, action.folderId)?.name ?? texts.aFolder, action)
    case 'order-folders':
      return texts.folder.order
    case 'create-channel':
      return texts.channelCreated(action.channelName)
    case 'set-channel-member': {
      const { channelId, userId, on } = action
      const { memberAdded, memberRemoved } = texts.channelEdit
      return (on ? memberAdded : memberRemoved)(channelName(db, channelId), userName(db, userId))
    }
    case 'change-channel':
      return channelTitle(channelName(db, action.channelId), action)
  }
}

// The group already has its new name here, so the title uses the old one, which the person saw.
function groupTitle(group: string, { property, value, before }: ActionOf<'change-group'>): string {
  const texts = t.outbox.group
  switch (property) {
    case 'name':
      return texts.renamed(typeof before === 'string' ? `@${before}` : t.outbox.aGroup, String(value))
    case 'description':
      return texts.description(group)
    case 'active':
      return (value === true ? texts.reactivated : texts.deactivated)(group)
    default:
      return texts.permissions(group)
  }
}

/** A group's name for a title, with its mark; a general word if it is no longer here. */
function groupName(db: ReadableDb, id: number): string {
  const name = object(db, 'user-group', id)?.['name']
  return typeof name === 'string' ? `@${name}` : t.outbox.aGroup
}

function folderTitle(folder: string, { property, value, before }: ActionOf<'change-folder'>): string {
  const texts = t.outbox.folder
  if (property === 'name')
    return texts.renamed(typeof before === 'string' ? before : t.outbox.aFolder, String(value))
  if (property === 'description') return texts.description(folder)
  return (value === true ? texts.archived : texts.unarchived)(folder)
}

function channelTitle(channel: string, { property, value, before }: ActionOf<'change-channel'>): string {
  const texts = t.outbox.channelEdit
  switch (property) {
    case 'name':
      return texts.renamed(typeof before === 'string' ? `#${before}` : t.outbox.aChannel, String(value))
    case 'archived':
      return (value === true ? texts.archived : texts.unarchived)(channel)
    case 'description':
    case 'access':
    case 'folder':
    case 'topics':
    case 'retention':
      return texts[property](channel)
    default:
      return texts.permissions(channel)
  }
}

/** A channel's name for a title, with its mark; a general word if it is no longer here. */
export function channelName(db: ReadableDb, id: number): string {
  const name = nameOfChannel(db, id)
  return name === undefined ? t.outbox.aChannel : `#${name}`
}
