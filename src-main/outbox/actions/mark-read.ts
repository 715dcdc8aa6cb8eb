import { areRead, markRead as markReadHere } from '../../store/flags.ts'
import type { OfflineAction } from '../offline-action.ts'
import { sendFlag } from './send-flag.ts'

/** How many messages one request names. */
const mostPerRequest = 1_000

/** Marks messages as read (specification, POST /messages/flags). */
export const markRead: OfflineAction<'mark-read'> = {
  isRepeatable: true,
  // Read and unread marks share a lane, so that the last mark of a message is sent last.
  lane: () => 'read',
  isApplied: (db, { messageIds }) => areRead(db, messageIds),
  apply: (db, { messageIds }) => markReadHere(db, messageIds),
  async send(action, context) {
    await sendFlag(action.messageIds, 'add', 'read', context, (messageIds) =>
      context.saveProgress({ ...action, messageIds: [...messageIds] }),
    )
    return null
  },
  concerns: ({ messageIds }) => messageIds,
  join(earlier, later) {
    const messageIds = [...new Set([...earlier.messageIds, ...later.messageIds])]
    return messageIds.length > mostPerRequest ? undefined : { ...later, messageIds }
  },
  mayOvertake: (_action, earlier) => earlier.name === 'mark-narrow-read',
}
