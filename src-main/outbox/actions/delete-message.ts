import { messages } from '../../../src-shared/api/messages.ts'
import { messageInPlace, removeMessages } from '../../store/messages.ts'
import { closedTextFromHtml } from '../../store/words.ts'
import type { OfflineAction } from '../offline-action.ts'
import { sourceOf } from './source-of.ts'

/** How much of a message is looked at, and how much of its text kept, in UTF-16 code units. */
const htmlLooked = 4_000
const textKept = 300

/** Takes a message away for everybody. */
export const deleteMessage: OfflineAction<'delete-message'> = {
  isRepeatable: true,
  lane: ({ messageId }) => `edit:${messageId}`,
  conversation: () => null,
  noted(db, { messageId }) {
    const message = messageInPlace(db, messageId)
    if (message === undefined) return { name: 'delete-message', messageId }
    const { conversation, contentHtml } = message
    const beginning = closedTextFromHtml(contentHtml.slice(0, htmlLooked)).slice(0, textKept)
    return { name: 'delete-message', messageId, was: { conversation, beginning } }
  },
  apply: (db, { messageId }) => removeMessages(db, [messageId]),
  async send({ messageId }, { connection, signal }) {
    await connection.call(messages.deleteMessage, { message_id: messageId }, { signal })
    return null
  },
  // A deletion whose answer was lost is refused when it is repeated: there is nothing to delete any more.
  isDone: async ({ messageId }, _code, context) => (await sourceOf(messageId, context)) === null,
  concerns: ({ messageId }) => [messageId],
}
