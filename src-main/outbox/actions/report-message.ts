import { submessages } from '../../../src-shared/api/submessages.ts'
import type { OfflineAction } from '../offline-action.ts'

/** Reports a message to the moderators (specification, POST /messages/{message_id}/report). */
export const reportMessage: OfflineAction<'report-message'> = {
  // A duplicate report does no harm.
  isRepeatable: true,
  lane: ({ messageId }) => `report:${messageId}`,
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
  join: (earlier, later) => (earlier.messageId === later.messageId ? later : undefined),
}
