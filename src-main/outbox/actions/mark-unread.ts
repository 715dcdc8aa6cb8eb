import { areUnread, markUnread as markUnreadHere } from '../../store/flags.ts'
import type { OfflineAction } from '../offline-action.ts'
import { sendFlag } from './send-flag.ts'

/** Messages that are to be read again. */
export const markUnread: OfflineAction<'mark-unread'> = {
  isRepeatable: true,
  lane: () => 'read',
  conversation: () => null,
  isSo: (db, { messageIds }) => areUnread(db, messageIds),
  apply: (db, { messageIds }) => markUnreadHere(db, messageIds),
  async send({ messageIds }, context) {
    await sendFlag(messageIds, 'remove', 'read', context)
    return null
  },
  concerns: ({ messageIds }) => messageIds,
}
