import { channelFolders } from '../../../src-shared/api/channel-folders.ts'
import type { Action, ActionOf } from '../../../src-shared/bridge/actions.ts'
import { folderById, updateFolder, type FolderFields } from '../../store/channel-folders.ts'
import type { ReadableDb } from '../../store/database.ts'
import type { OfflineAction } from '../offline-action.ts'
import { joinedChange } from './property-change.ts'
import { unlessRefused } from './refusals.ts'

type Change = ActionOf<'change-folder'>

/**
 * The lane of all changes of folders and of which channels are in them. Their order matters, because a folder must be
 * empty before it can be archived.
 */
export const folderLane = 'folders'

/** Whether it archives a folder or restores one: that decides whether later changes in the lane are accepted. */
export const archivesFolder = (earlier: Action): boolean =>
  earlier.name === 'change-folder' && earlier.property === 'archived'

const fieldOf = { name: 'name', description: 'description', archived: 'isArchived' } as const

const hasIt = (folder: FolderFields, { property, value }: Change): boolean =>
  folder[fieldOf[property]] === value

function isApplied(db: ReadableDb, change: Change): boolean {
  const folder = folderById(db, change.folderId)
  return folder !== undefined && hasIt(folder, change)
}

/** Changes one property of a folder (specification, PATCH /channel_folders/{channel_folder_id}). */
export const changeFolder: OfflineAction<'change-folder'> = {
  isRepeatable: true,
  lane: () => folderLane,
  mayCancel: true,
  isApplied,
  apply(db, change) {
    if (!isApplied(db, change))
      updateFolder(db, change.folderId, { [fieldOf[change.property]]: change.value })
  },
  async send({ folderId, property, value }, { connection, signal }) {
    const field = property === 'archived' ? 'is_archived' : property
    await connection.call(
      channelFolders.updateChannelFolder,
      { channel_folder_id: folderId, [field]: value },
      { signal },
    )
    return null
  },
  async isAlreadyDone(change, _code, { connection, signal }) {
    const answer = await unlessRefused(
      connection.call(channelFolders.getChannelFolders, { include_archived: true }, { signal }),
    )
    const folder = answer?.channel_folders.find(({ id }) => id === change.folderId)
    return folder !== undefined && hasIt({ ...folder, isArchived: folder.is_archived }, change)
  },
  join: (earlier, later) => (earlier.folderId === later.folderId ? joinedChange(earlier, later) : undefined),
  mayOvertake: ({ folderId, property }, earlier) =>
    earlier.name !== 'change-folder'
      ? property !== 'archived' && earlier.name !== 'create-folder'
      : earlier.folderId !== folderId ||
        (earlier.property !== property && property !== 'archived' && !archivesFolder(earlier)),
}
