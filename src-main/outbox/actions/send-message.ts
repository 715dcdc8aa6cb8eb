import type { ApiNarrowTerm } from '../../../src-shared/api/messages.ts'
import { apiMessage, messages } from '../../../src-shared/api/messages.ts'
import { conversationKey, type Conversation } from '../../../src-shared/model/conversation.ts'
import type { UserId } from '../../../src-shared/ids.ts'
import { endDraft } from '../../store/drafts.ts'
import type { OfflineAction } from '../offline-action.ts'

/** How far back a message that got no answer is looked for. */
const lookBack = 100

/** A new message. Not repeatable: a server that got it twice has it twice. */
export const sendMessage: OfflineAction<'send-message'> = {
  isRepeatable: false,
  lane: ({ conversation }) => `send:${conversationKey(conversation)}`,
  conversation: ({ conversation }) => conversationKey(conversation),
  apply(db, { draftId }, { clock }) {
    if (draftId !== null) endDraft(db, draftId, clock.now())
  },
  async send({ conversation, content }, { connection, signal, localId, queueId, ownUserId }) {
    const { id } = await connection.call(
      messages.sendMessage,
      {
        ...recipientForApi(conversation, ownUserId),
        content,
        local_id: localId,
        ...(queueId === null ? {} : { queue_id: queueId }),
        read_by_sender: true,
      },
      { signal },
    )
    return id
  },
  concerns: () => [],
  async find({ conversation, content }, row, { connection, signal, ownUserId }, claimed) {
    const answer = await connection.call(
      messages.getMessages,
      {
        anchor: 'newest',
        num_before: lookBack,
        num_after: 0,
        narrow: narrowForApi(conversation, ownUserId),
        apply_markdown: false,
        allow_empty_topic_name: true,
      },
      { signal },
    )
    const wanted = asKept(content)
    for (const raw of answer.messages) {
      const parsed = apiMessage.safeParse(raw)
      if (!parsed.success || parsed.data.sender_id !== ownUserId || claimed.has(parsed.data.id)) continue
      if (asKept(parsed.data.content) !== wanted) continue
      return parsed.data.id
    }
    // A full page of newer messages may hide it; then only the person can tell.
    return answer.messages.length >= lookBack && row.attempts > 1 ? undefined : null
  },
}

function recipientForApi(conversation: Conversation, ownUserId: UserId) {
  return conversation.kind === 'topic'
    ? ({ type: 'stream', to: conversation.channelId, topic: conversation.topic } as const)
    : ({
        type: 'private',
        to: conversation.userIds.length > 0 ? [...conversation.userIds] : [ownUserId],
      } as const)
}

function narrowForApi(conversation: Conversation, ownUserId: UserId): ApiNarrowTerm[] {
  if (conversation.kind === 'topic') {
    return [
      { operator: 'channel', operand: conversation.channelId },
      { operator: 'topic', operand: conversation.topic },
      { operator: 'sender', operand: ownUserId },
    ]
  }
  return [
    { operator: 'dm', operand: conversation.userIds.length > 0 ? [...conversation.userIds] : [ownUserId] },
    { operator: 'sender', operand: ownUserId },
  ]
}

/** A server cuts the blank edges of what it is given. */
const asKept = (content: string) => content.replace(/^(?:[ \t]*\n)+/, '').trimEnd()
