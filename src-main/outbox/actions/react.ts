import { messages } from '../../../src-shared/api/messages.ts'
import { addReaction, hasReaction, removeReaction } from '../../store/flags.ts'
import { hasMessage } from '../../store/messages.ts'
import type { OfflineAction } from '../offline-action.ts'
import { sourceOf } from './source-of.ts'

/** Adds or removes a reaction (specification, POST and DELETE /messages/{message_id}/reactions). */
export const react: OfflineAction<'react'> = {
  isRepeatable: true,
  lane: ({ messageId, emoji }) => `react:${messageId}:${emoji.type}:${emoji.code}`,
  conversation: () => null,
  mayCancel: true,
  isSo: (db, { messageId, emoji, on }, { ownUserId }) =>
    hasMessage(db, messageId) && hasReaction(db, messageId, emoji, ownUserId) === on,
  apply(db, { messageId, emoji, on }, { ownUserId }) {
    if (on) addReaction(db, messageId, emoji, ownUserId)
    else removeReaction(db, messageId, emoji, ownUserId)
  },
  async send({ messageId, emoji, on }, { connection, signal }) {
    await connection.call(
      on ? messages.addReaction : messages.removeReaction,
      { message_id: messageId, emoji_name: emoji.name, emoji_code: emoji.code, reaction_type: emoji.type },
      { signal },
    )
    return null
  },
  // Also done if the message is gone.
  isDone: async ({ messageId }, code, context) =>
    code === 'REACTION_ALREADY_EXISTS' ||
    code === 'REACTION_DOES_NOT_EXIST' ||
    (await sourceOf(messageId, context)) === null,
  concerns: ({ messageId }) => [messageId],
  join: (earlier, later) => (earlier.on === later.on ? later : null),
}
