import { channelFolders } from '../../../src-shared/api/channel-folders.ts'
import { folderIds, orderFolders as putInOrder } from '../../store/channel-folders.ts'
import type { ReadableDb } from '../../store/database.ts'
import type { OfflineAction } from '../offline-action.ts'
import { folderLane } from './change-folder.ts'

/** All known folders: first the listed ones in their order, then those that were added since. */
const allInOrder = (known: readonly number[], order: readonly number[]): number[] => [
  ...order.filter((id) => known.includes(id)),
  ...known.filter((id) => !order.includes(id)),
]

function isApplied(db: ReadableDb, order: readonly number[]): boolean {
  const known = folderIds(db)
  return JSON.stringify(allInOrder(known, order)) === JSON.stringify(known)
}

/** Sets the order in which everybody sees the folders (specification, PATCH /channel_folders). */
export const orderFolders: OfflineAction<'order-folders'> = {
  isRepeatable: true,
  lane: () => folderLane,
  isApplied: (db, { order }) => isApplied(db, order),
  apply(db, { order }) {
    if (!isApplied(db, order)) putInOrder(db, allInOrder(folderIds(db), order))
  },
  async send({ order }, { connection, signal }) {
    // The request must name every folder, including those that this device does not know yet.
    const { channel_folders: known } = await connection.call(
      channelFolders.getChannelFolders,
      { include_archived: true },
      { signal },
    )
    const whole = allInOrder(
      known.map(({ id }) => id),
      order,
    )
    await connection.call(channelFolders.reorderChannelFolders, { order: whole }, { signal })
    return null
  },
  join: (_earlier, later) => later,
  mayOvertake: (_action, { name }) => name !== 'order-folders',
}
