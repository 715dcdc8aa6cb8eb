import type { Handlers } from '../../src-shared/api/index.ts'
import {
  allFolders,
  apiFolder,
  assertFreeFolderName,
  checkedFolderDescription,
  checkedFolderName,
  existingFolder,
} from '../channels/channel-folders.ts'
import { renderedDescription } from '../channels/channels.ts'
import { assertAdministrator } from '../permissions/roles.ts'
import { badRequest } from '../service-error.ts'
import type { Workspace } from '../workspace.ts'
import type { HandlerContext } from './context.ts'

const publish = (workspace: Workspace, event: Readonly<Record<string, unknown>>): void =>
  workspace.publish(null, { type: 'channel_folder', ...event })

export const channelFolders: Pick<
  Handlers<HandlerContext>,
  'getChannelFolders' | 'createChannelFolder' | 'reorderChannelFolders' | 'updateChannelFolder'
> = {
  getChannelFolders: ({ include_archived }, { workspace, user }) => ({
    channel_folders: allFolders(workspace)
      .filter((row) => include_archived === true || row.is_archived === 0)
      .map((row) => apiFolder(workspace, user, row)),
  }),

  createChannelFolder: ({ name, description }, { workspace, user }) => {
    assertAdministrator(user)
    const { db } = workspace
    const kept = checkedFolderName(name)
    assertFreeFolderName(workspace, kept)
    const words = checkedFolderDescription(description ?? '')
    const id = db.transaction(() => {
      const { lastId } = db.run(
        `INSERT INTO channel_folders (name, description, position, date_created, creator_id)
         VALUES (?, ?, 0, ?, ?)`,
        kept,
        words,
        workspace.now(),
        user.user_id,
      )
      db.run('UPDATE channel_folders SET position = folder_id WHERE folder_id = ?', lastId)
      return lastId
    })
    publish(workspace, {
      op: 'add',
      channel_folder: apiFolder(workspace, user, existingFolder(workspace, id)),
    })
    return { channel_folder_id: id }
  },

  reorderChannelFolders: ({ order }, { workspace, user }) => {
    assertAdministrator(user)
    const { db } = workspace
    const known = new Set(allFolders(workspace).map((row) => row.folder_id))
    if (
      order.length !== known.size ||
      new Set(order).size !== known.size ||
      order.some((id) => !known.has(id))
    )
      throw badRequest('Invalid order: it must name every channel folder once.')
    db.transaction(() => {
      for (const [position, id] of order.entries()) {
        db.run('UPDATE channel_folders SET position = ? WHERE folder_id = ?', position, id)
      }
    })
    publish(workspace, { op: 'reorder', order })
    return {}
  },

  updateChannelFolder: ({ channel_folder_id: id, ...wanted }, { workspace, user }) => {
    assertAdministrator(user)
    const { db } = workspace
    const before = existingFolder(workspace, id)
    const after = {
      name:
        wanted.name === undefined || wanted.name === before.name
          ? before.name
          : checkedFolderName(wanted.name),
      description:
        wanted.description === undefined ? before.description : checkedFolderDescription(wanted.description),
      is_archived: wanted.is_archived === undefined ? before.is_archived : wanted.is_archived ? 1 : 0,
    }
    const isShown = after.is_archived === 0
    if (isShown && (after.name !== before.name || before.is_archived === 1)) {
      assertFreeFolderName(workspace, after.name, id)
    }
    const isEmpty = db.get('SELECT 1 FROM channels WHERE folder_id = ? LIMIT 1', id) === undefined
    if (!isShown && before.is_archived === 0 && !isEmpty) {
      throw badRequest('You need to remove all the channels from this folder to archive it.')
    }
    db.run(
      `UPDATE channel_folders SET name = :name, description = :description, is_archived = :is_archived
       WHERE folder_id = :id`,
      { ...after, id },
    )
    const data = {
      ...(after.name === before.name ? {} : { name: after.name }),
      ...(after.description === before.description
        ? {}
        : {
            description: after.description,
            rendered_description: renderedDescription(workspace, user, after.description),
          }),
      ...(after.is_archived === before.is_archived ? {} : { is_archived: !isShown }),
    }
    if (Object.keys(data).length > 0) publish(workspace, { op: 'update', channel_folder_id: id, data })
    return {}
  },
}
