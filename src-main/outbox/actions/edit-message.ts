import { createHash } from 'node:crypto'
import { messages } from '../../../src-shared/api/messages.ts'
import type { OfflineAction } from '../offline-action.ts'

/** New content for one's own message. The text stays as it was on screen until the server has rendered the new. */
export const editMessage: OfflineAction<'edit-message'> = {
  isRepeatable: true,
  lane: ({ messageId }) => `edit:${messageId}`,
  conversation: () => null,
  apply() {},
  async send({ messageId, content, previousContent }, { connection, signal }) {
    await connection.call(
      messages.updateMessage,
      {
        message_id: messageId,
        content,
        ...(previousContent === null
          ? {}
          : { prev_content_sha256: createHash('sha256').update(previousContent).digest('hex') }),
      },
      { signal },
    )
    return null
  },
  concerns: ({ messageId }) => [messageId],
  join: (earlier, later) =>
    earlier.messageId === later.messageId
      ? { ...later, previousContent: earlier.previousContent }
      : undefined,
}
