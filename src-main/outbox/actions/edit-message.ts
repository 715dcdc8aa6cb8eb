import { createHash } from 'node:crypto'
import { messages } from '../../../src-shared/api/messages.ts'
import { isSameText, keptText } from '../../store/as-kept.ts'
import { rememberMarkdown } from '../../store/messages.ts'
import type { OfflineAction } from '../offline-action.ts'
import { sourceOf } from './source-of.ts'

/**
 * Edits an own message (specification, PATCH /messages/{message_id}). The old text stays on screen until the server has
 * rendered the new one.
 */
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
  // If the answer of the first attempt was lost, the server refuses the repeat, because the previous text is gone.
  isDone: async ({ messageId, content }, code, context) => {
    if (code !== 'EXPECTATION_MISMATCH') return false
    const source = await sourceOf(messageId, context)
    return source !== null && isSameText(context.db, source, content)
  },
  // So that the next edit starts from this text even before the event arrives.
  accepted: (db, { messageId, content }) => rememberMarkdown(db, messageId, keptText(db, content)),
  concerns: ({ messageId }) => [messageId],
  join: (earlier, later) =>
    earlier.messageId === later.messageId
      ? { ...later, previousContent: earlier.previousContent }
      : undefined,
}
