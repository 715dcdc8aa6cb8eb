import { createHash } from 'node:crypto'
import { messages } from '../../../src-shared/api/messages.ts'
import { isSameText, keptText } from '../../store/as-kept.ts'
import { rememberMarkdown } from '../../store/messages.ts'
import type { OfflineAction } from '../offline-action.ts'
import { sourceOf } from './source-of.ts'

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
  // An edit whose answer was lost is refused when it is repeated: the text before it is not there any more.
  isDone: async ({ messageId, content }, code, context) => {
    if (code !== 'EXPECTATION_MISMATCH') return false
    const source = await sourceOf(messageId, context)
    return source !== null && isSameText(context.db, source, content)
  },
  // The next edit begins from this text, also before the server's event has brought it.
  accepted: (db, { messageId, content }) => rememberMarkdown(db, messageId, keptText(db, content)),
  concerns: ({ messageId }) => [messageId],
  join: (earlier, later) =>
    earlier.messageId === later.messageId
      ? { ...later, previousContent: earlier.previousContent }
      : undefined,
}
