import { apiMessage, messages } from '../../../src-shared/api/messages.ts'
import { readTolerantly } from '../../../src-shared/api/tolerant.ts'
import type { ActionOf } from '../../../src-shared/bridge/actions.ts'
import { addReaction, hasReaction, removeReaction } from '../../store/reactions.ts'
import { hasMessage } from '../../store/messages.ts'
import type { OfflineAction, SendContext } from '../offline-action.ts'
import { sourceOf } from './source-of.ts'

/** Adds or removes a reaction (specification, POST and DELETE /messages/{message_id}/reactions). */
export const react: OfflineAction<'react'> = {
  isRepeatable: true,
  lane: ({ messageId, emoji }) => `react:${messageId}:${emoji.type}:${emoji.code}`,
  mayCancel: true,
  isApplied: (db, { messageId, emoji, on }, { ownUserId }) =>
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
  isAlreadyDone: async (action, code, context) =>
    code === 'REACTION_ALREADY_EXISTS' ||
    code === 'REACTION_DOES_NOT_EXIST' ||
    (code === 'BAD_REQUEST' && (await isOnServer(action, context)) === action.on) ||
    (await sourceOf(action.messageId, context)) === null,
  concerns: ({ messageId }) => [messageId],
  join: (earlier, later) => (earlier.on === later.on ? later : null),
}

/**
 * Whether the server has our reaction; before level 193 its refusal does not tell. No narrow is needed, because it
 * counts a message that we reacted to as received.
 */
async function isOnServer(
  { messageId, emoji }: ActionOf<'react'>,
  { connection, signal, ownUserId }: SendContext,
): Promise<boolean> {
  const page = await connection.call(
    messages.getMessages,
    { anchor: messageId, num_before: 0, num_after: 0, narrow: [], allow_empty_topic_name: true },
    { signal },
  )
  const found = page.messages.flatMap((raw) => readTolerantly(apiMessage, raw).read.data ?? [])
  return found.some(
    ({ id, reactions }) =>
      id === messageId &&
      reactions.some(
        ({ user_id, emoji_code, reaction_type }) =>
          user_id === ownUserId && emoji_code === emoji.code && reaction_type === emoji.type,
      ),
  )
}
