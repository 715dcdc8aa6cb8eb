import { messages } from '../../../src-shared/api/messages.ts'
import { addReaction, removeReaction } from '../../store/flags.ts'
import type { OfflineAction } from '../offline-action.ts'

/** An emoji under a message, put on or taken off. */
export const react: OfflineAction<'react'> = {
  isRepeatable: true,
  lane: ({ messageId, emoji }) => `react:${messageId}:${emoji.type}:${emoji.code}`,
  conversation: () => null,
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
  isDoneBy: (code) => code === 'REACTION_ALREADY_EXISTS' || code === 'REACTION_DOES_NOT_EXIST',
  concerns: ({ messageId }) => [messageId],
  join: (earlier, later) => (earlier.on === later.on ? later : null),
}
