import { channelFolders } from '../../../src-shared/api/channel-folders.ts'
import { folderById, insertFolder, removeFolder, renumberFolder } from '../../store/channels.ts'
import type { OfflineAction } from '../offline-action.ts'
import { folderLane } from './change-folder.ts'
import { unlessRefused } from './refusals.ts'

/** A new folder for channels. It is listed at once, last of all. */
export const createFolder: OfflineAction<'create-folder'> = {
  // A second one of the same name is refused, and then the first is looked at.
  isRepeatable: true,
  // It would come between folders that are put in order.
  lane: () => folderLane,
  conversation: () => null,
  apply: () => {},
  creates: {
    show(db, { folderName: name, description }, id) {
      if (folderById(db, id) === undefined) insertFolder(db, { id, name, description })
    },
    // Nobody told who created one; the answer does.
    find: () => null,
    renumber: renumberFolder,
    forget: removeFolder,
    amended(action, later) {
      if (later.name !== 'change-folder' || typeof later.value !== 'string') return undefined
      return later.property === 'name'
        ? { ...action, folderName: later.value }
        : { ...action, description: later.value }
    },
  },
  async send({ folderName, description }, { connection, signal }) {
    const wish = { name: folderName, description }
    const answer = await connection.call(channelFolders.createChannelFolder, wish, { signal })
    return answer.channel_folder_id
  },
  // The person's own, as they wanted it: the answer was lost. Anything else of that name is another folder.
  async isDone({ folderName, description }, _code, { connection, signal, ownUserId }) {
    const answer = await unlessRefused(connection.call(channelFolders.getChannelFolders, {}, { signal }))
    const own = answer?.channel_folders.find(
      (folder) =>
        folder.name.toLowerCase() === folderName.toLowerCase() &&
        folder.creator_id === ownUserId &&
        folder.description === description,
    )
    return own?.id ?? null
  },
  concerns: () => [],
}
