import { messages } from '../../../src-shared/api/messages.ts'
import { messageInPlace, removeMessages } from '../../store/messages.ts'
import { closedTextFromHtml } from '../../store/html-text.ts'
import type { OfflineAction } from '../offline-action.ts'
import { sourceOf } from './source-of.ts'

/** How much of the HTML is read, and how much of its text is kept for the outbox list, in UTF-16 code units. */
const htmlLooked = 4_000
const textKept = 300

/** Deletes a message for everybody (specification, DELETE /messages/{message_id}). */
export const deleteMessage: OfflineAction<'delete-message'> = {
  isRepeatable: true,
  lane: ({ messageId }) => `edit:${messageId}`,
  withDetails(db, { messageId }) {
    const message = messageInPlace(db, messageId)
    if (message === undefined) return { name: 'delete-message', messageId }
    const { conversation, contentHtml } = message
    const beginning = closedTextFromHtml(db, contentHtml.slice(0, htmlLooked)).slice(0, textKept)
    return { name: 'delete-message', messageId, was: { conversation, beginning } }
  },
  apply: (db, { messageId }) => removeMessages(db, [messageId]),
  async send({ messageId }, { connection, signal }) {
    await connection.call(messages.deleteMessage, { message_id: messageId }, { signal })
    return null
  },
  // If the answer of the first attempt was lost, the server refuses the repeat, because the message is gone.
  isAlreadyDone: async ({ messageId }, _code, context) => (await sourceOf(messageId, context)) === null,
  concerns: ({ messageId }) => [messageId],
}
