import { submessages } from '../../../src-shared/api/submessages.ts'
import type { OfflineAction } from '../offline-action.ts'

/** Tells the moderators of a message (specification, POST /messages/{message_id}/report). */
export const reportMessage: OfflineAction<'report-message'> = {
  // A report that comes twice says no more than one.
  isRepeatable: true,
  lane: ({ messageId }) => `report:${messageId}`,
  conversation: () => null,
  apply() {},
  async send({ messageId, reason, words }, { connection, signal }) {
    await connection.call(
      submessages.reportMessage,
      {
        message_id: messageId,
        report_type: reason,
        ...(words.trim() === '' ? {} : { description: words.trim() }),
      },
      { signal },
    )
    return null
  },
  concerns: () => [],
  join: (earlier, later) => (earlier.messageId === later.messageId ? later : undefined),
}
