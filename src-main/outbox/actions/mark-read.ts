import { areRead, markRead as markReadHere } from '../../store/flags.ts'
import type { OfflineAction } from '../offline-action.ts'
import { sendFlag } from './send-flag.ts'

/** As many as one request takes. */
const mostPerRequest = 1_000

/** Messages that were read. */
export const markRead: OfflineAction<'mark-read'> = {
  isRepeatable: true,
  // Read and unread marks share a lane: the last word on a message must be the last one sent.
  lane: () => 'read',
  conversation: () => null,
  isSo: (db, { messageIds }) => areRead(db, messageIds),
  apply: (db, { messageIds }) => markReadHere(db, messageIds),
  async send(action, context) {
    await sendFlag(action.messageIds, 'add', 'read', context, (messageIds) =>
      context.goOnWith({ ...action, messageIds: [...messageIds] }),
    )
    return null
  },
  concerns: ({ messageIds }) => messageIds,
  join(earlier, later) {
    const messageIds = [...new Set([...earlier.messageIds, ...later.messageIds])]
    return messageIds.length > mostPerRequest ? undefined : { ...later, messageIds }
  },
  mayPass: (_action, earlier) => earlier.name === 'mark-narrow-read',
}
