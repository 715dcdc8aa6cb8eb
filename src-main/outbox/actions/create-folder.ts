import { channelFolders } from '../../../src-shared/api/channel-folders.ts'
import type { ActionOf } from '../../../src-shared/bridge/actions.ts'
import {
  folderById,
  insertFolder,
  newestOwnFolder,
  removeFolder,
  renumberFolder,
} from '../../store/channel-folders.ts'
import type { OfflineAction, SendContext } from '../offline-action.ts'
import { folderLane } from './change-folder.ts'
import { unlessRefused } from './refusals.ts'

/** The folders that the own user created with the properties of the action; their names may be others. */
async function ownOnServer(
  { description }: ActionOf<'create-folder'>,
  { connection, signal, ownUserId }: SendContext,
) {
  const answer = await unlessRefused(connection.call(channelFolders.getChannelFolders, {}, { signal }))
  return (answer?.channel_folders ?? []).filter(
    (folder) => folder.creator_id === ownUserId && folder.description === description,
  )
}

/** Creates a channel folder (specification, POST /channel_folders/create). It is listed at once, after all others. */
export const createFolder: OfflineAction<'create-folder'> = {
  // The server refuses a second folder of the same name; `isAlreadyDone` then checks whether the first is ours.
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
    ownAlike: async (action, context) =>
      (await ownOnServer(action, context)).flatMap(({ id, date_created: createdAt }) =>
        createdAt == null ? [] : [{ id, createdAt }],
      ),
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
  async isAlreadyDone(action, _code, context) {
    const own = await ownOnServer(action, context)
    return own.find(({ name }) => name.toLowerCase() === action.folderName.toLowerCase())?.id ?? null
  },
}
