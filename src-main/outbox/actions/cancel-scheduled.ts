import { later } from '../../../src-shared/api/later.ts'
import { removeObject } from '../../store/objects.ts'
import type { OfflineAction } from '../offline-action.ts'

/** Deletes a scheduled message (specification, DELETE /scheduled_messages/{scheduled_message_id}). */
export const cancelScheduled: OfflineAction<'cancel-scheduled'> = {
  isRepeatable: true,
  lane: ({ scheduledId }) => `scheduled:${scheduledId}`,
  conversation: () => null,
  apply: (db, { scheduledId }) => removeObject(db, 'scheduled-message', scheduledId),
  async send({ scheduledId }, { connection, signal }) {
    await connection.call(later.deleteScheduledMessage, { scheduled_message_id: scheduledId }, { signal })
    return null
  },
  // Also true if another device cancelled it or the server has sent it: nothing is left to cancel.
  async isDone({ scheduledId }, _code, { connection, signal }) {
    const { scheduled_messages } = await connection.call(later.getScheduledMessages, {}, { signal })
    return !scheduled_messages.some((one) => one.scheduled_message_id === scheduledId)
  },
  concerns: () => [],
  join: (_earlier, last) => last,
}
