import { areUnread, markUnread as markUnreadHere } from '../../store/flags.ts'
import type { OfflineAction } from '../offline-action.ts'
import { sendFlag } from './send-flag.ts'

/** Marks messages as unread (specification, POST /messages/flags). */
export const markUnread: OfflineAction<'mark-unread'> = {
  isRepeatable: true,
  lane: () => 'read',
  isApplied: (db, { messageIds }) => areUnread(db, messageIds),
  apply: (db, { messageIds }) => markUnreadHere(db, messageIds),
  async send(action, context) {
    await sendFlag(action.messageIds, 'remove', 'read', context, (messageIds) =>
      context.saveProgress({ ...action, messageIds: [...messageIds] }),
    )
    return null
  },
  concerns: ({ messageIds }) => messageIds,
}
