import { channelFolders } from '../../../src-shared/api/channel-folders.ts'
import type { OfflineAction } from '../offline-action.ts'
import { folderLane } from './change-folder.ts'
import { unlessRefused } from './refusals.ts'

/** A new folder for channels. It is listed once the server has numbered it. */
export const createFolder: OfflineAction<'create-folder'> = {
  // A second one of the same name is refused, and then the first is looked at.
  isRepeatable: true,
  // It would come between folders that are put in order.
  lane: () => folderLane,
  conversation: () => null,
  apply: () => {},
  async send({ folderName, description }, { connection, signal }) {
    await connection.call(channelFolders.createChannelFolder, { name: folderName, description }, { signal })
    return null
  },
  // The person's own, as they wanted it: the answer was lost. Anything else of that name is another folder.
  async isDone({ folderName, description }, _code, { connection, signal, ownUserId }) {
    const answer = await unlessRefused(connection.call(channelFolders.getChannelFolders, {}, { signal }))
    return (
      answer?.channel_folders.some(
        (folder) =>
          folder.name.toLowerCase() === folderName.toLowerCase() &&
          folder.creator_id === ownUserId &&
          folder.description === description,
      ) === true
    )
  },
  concerns: () => [],
}
