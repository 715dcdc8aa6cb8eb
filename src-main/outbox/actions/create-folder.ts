import { channelFolders } from '../../../src-shared/api/channel-folders.ts'
import {
  folderById,
  insertFolder,
  newestOwnFolder,
  removeFolder,
  renumberFolder,
} from '../../store/channel-folders.ts'
import type { OfflineAction } from '../offline-action.ts'
import { folderLane } from './change-folder.ts'
import { unlessRefused } from './refusals.ts'

/** Creates a channel folder (specification, POST /channel_folders/create). It is listed at once, after all others. */
export const createFolder: OfflineAction<'create-folder'> = {
  // The server refuses a second folder of the same name; `isDone` then checks whether the first is ours.
  isRepeatable: true,
  // Its creation must not overtake a change of the order of folders.
  lane: () => folderLane,
  apply: () => {},
  creates: {
    show(db, { folderName: name, description }, id, { ownUserId: creatorId }) {
      if (folderById(db, id) === undefined) insertFolder(db, { id, name, description, creatorId })
    },
    find: (db, { folderName: name, description }, { ownUserId: creatorId }) =>
      newestOwnFolder(db, { name, description, creatorId }),
    renumber: renumberFolder,
    forget: removeFolder,
    merged(action, later) {
      if (later.name !== 'change-folder' || typeof later.value !== 'string') return undefined
      return later.property === 'name'
        ? { ...action, folderName: later.value }
        : { ...action, description: later.value }
    },
  },
  async send({ folderName, description }, { connection, signal }) {
    const input = { name: folderName, description }
    const answer = await connection.call(channelFolders.createChannelFolder, input, { signal })
    return answer.channel_folder_id
  },
  // If it has our user as creator and the same properties, the answer was lost. Otherwise it is another folder.
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
}
